//! How compiled CPU code is entered, and how it calls back.
//!
//! Code is compiled against what is written here; none of it changes without the manifest's `abi`.
//!
//! The entry of a kernel is an [`Entry`]. Its second argument points at the flat arguments of the
//! launch, one 64-bit slot each, in the order that [`xpu_runtime::Arguments`] defines: a buffer is
//! its address, extents, strides and scalars are themselves, with zeros above a scalar's bytes.
//!
//! What one call runs, the manifest says (`cpu.mode`):
//! - `group`: every work-item of the group [`Group::group_id`]; the loop is in the compiled code.
//! - `item`: the work-item [`Group::local_id`] of that group. Items of one group run on one thread,
//!   each on a stack of its own, and change over at barriers.
//!
//! The code may call the two functions below, which [`callbacks`] lists for a JIT, with the
//! `Group` that it was entered with or a copy of it: a group-mode entry passes a copy whose
//! `local_id` it has filled in. Both may not return, so the code may own nothing that needs to be
//! released.

use std::ffi::{c_char, c_void};

use crate::fiber::{Context, OutOfBounds, Stop, current_group};

/// A work-group, or a work-item of it, as compiled code sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The work-group's place in x, y and z.
    pub group_id: [u64; 3],
    /// Work-groups of the launch in x, y and z.
    pub group_count: [u64; 3],
    /// Work-items of a group in x, y and z.
    pub group_size: [u64; 3],
    /// The work-item's place in its group; [`NO_ITEM`] where the call runs all of them.
    pub local_id: [u64; 3],
    /// The group's own memory: the manifest's `shared_bytes`, aligned to 64 bytes.
    pub shared: *mut u8,
    /// Belongs to the runtime.
    pub runtime: *mut c_void,
}

/// The [`Group::local_id`] of a call that runs every work-item of a group.
pub const NO_ITEM: [u64; 3] = [u64::MAX; 3];

/// A kernel's entry: the group or work-item to run, and the flat arguments.
pub type Entry = unsafe extern "C" fn(group: *const Group, args: *const u64);

/// Bytes that [`Group::shared`] is aligned to.
pub const SHARED_ALIGNMENT: usize = 64;

/// Called by a work-item that arrives at a barrier; returns when every other one of its group has.
///
/// `location` is `file:line:column`, ended by a NUL, and tells barriers apart.
///
/// # Safety
/// `group` is what the entry was called with, or a copy of it; `location` is null or a string that
/// lives as long as the code.
pub unsafe extern "C" fn xpu_cpu_barrier(group: *const Group, location: *const c_char) {
    // SAFETY: of the caller's two promises, the first.
    let context = unsafe { context(group) };
    context.stop(Stop::Barrier(location));
}

/// Called by a work-item that is about to use an index out of a memref's bounds; never returns.
///
/// `group` may be null in code that is entered for one work-item, such as a function that a kernel
/// calls: the work-item that runs on this thread is meant.
///
/// `location` is as in [`xpu_cpu_barrier`]; `what` names the op. The index was used for dimension
/// `dim`, whose extent is `size`.
///
/// # Safety
/// As for [`xpu_cpu_barrier`], and for `what` what is said there of `location`.
pub unsafe extern "C" fn xpu_cpu_out_of_bounds(
    group: *const Group,
    location: *const c_char,
    what: *const c_char,
    dim: u64,
    index: i64,
    size: i64,
) {
    let group = if group.is_null() {
        current_group()
    } else {
        group
    };
    if group.is_null() {
        // Only code that asks for no group in a call that runs a whole one comes here.
        eprintln!("error: compiled code reports an index out of bounds without its group");
        std::process::abort();
    }
    // SAFETY: of the caller's two promises, the first; or the group that the fiber that makes this
    // call was entered with.
    let (context, local_id) = unsafe { (context(group), (*group).local_id) };
    let failure = OutOfBounds {
        location,
        what,
        dim,
        index,
        size,
        local_id,
    };
    loop {
        // The runtime does not resume a work-item that failed.
        context.stop(Stop::OutOfBounds(failure));
    }
}

/// The names under which compiled code calls back, and where it finds the functions.
pub fn callbacks() -> [(&'static str, *const c_void); 2] {
    [
        ("xpu_cpu_barrier", xpu_cpu_barrier as *const c_void),
        (
            "xpu_cpu_out_of_bounds",
            xpu_cpu_out_of_bounds as *const c_void,
        ),
    ]
}

/// The runtime's side of a running work-item.
///
/// # Safety
/// `group` is what the entry was called with, or a copy of it.
unsafe fn context<'a>(group: *const Group) -> &'a Context {
    // SAFETY: the runtime enters code with a `runtime` that points at a `Context`, which lives
    // until the code has returned or is never resumed.
    unsafe { &*(*group).runtime.cast::<Context>() }
}
