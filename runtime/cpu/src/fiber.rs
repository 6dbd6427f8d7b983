//! Compiled code on a stack of its own, which may stop at a barrier and be resumed, or never be.

use std::cell::Cell;
use std::ffi::{CStr, c_char};
use std::mem::ManuallyDrop;
use std::ptr;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::abi::{Entry, Group};
use crate::launch::Shared;

/// Why a work-item called back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stop {
    /// It waits at the barrier of this location.
    Barrier(*const c_char),
    /// It may not go on.
    OutOfBounds(OutOfBounds),
}

/// An index out of bounds, as the code reports it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutOfBounds {
    pub(crate) location: *const c_char,
    pub(crate) what: *const c_char,
    pub(crate) dim: u64,
    pub(crate) index: i64,
    pub(crate) size: i64,
    pub(crate) local_id: [u64; 3],
}

/// What a callback finds behind [`Group::runtime`].
pub(crate) struct Context {
    /// Where the work-item stops; null while it runs on its thread's own stack.
    yielder: Cell<*const Yielder<(), Stop>>,
    shared: *const Shared,
    lane: usize,
}

impl Context {
    /// For work-items that the thread of `lane` runs; it keeps `shared` alive as long as it does.
    pub(crate) fn new(shared: &Shared, lane: usize) -> Self {
        Self {
            yielder: Cell::new(ptr::null()),
            shared,
            lane,
        }
    }

    /// Leaves the work-item for as long as the runtime likes.
    pub(crate) fn stop(&self, stop: Stop) {
        // SAFETY: when not null, it is the yielder of the coroutine that calls this, for the body
        // below sets it before it enters the code, and its work-item runs nowhere else.
        match unsafe { self.yielder.get().as_ref() } {
            Some(yielder) => yielder.suspend(stop),
            // SAFETY: the thread that runs this holds a reference to `shared`.
            None => unsafe { &*self.shared }.abandon(self.lane, stop),
        }
    }
}

thread_local! {
    /// The group that the fiber running on this thread was entered with.
    static CURRENT: Cell<*const Group> = const { Cell::new(ptr::null()) };
}

/// The group that the fiber running on this thread was entered with; null where none runs.
pub(crate) fn current_group() -> *const Group {
    CURRENT.get()
}

/// A work-item, or a whole group, that was started on `stack`.
pub(crate) struct Fiber {
    group: *const Group,
    coroutine: ManuallyDrop<Coroutine<(), Stop, (), DefaultStack>>,
}

impl Fiber {
    /// Prepares a call of `entry`.
    ///
    /// # Safety
    /// The pointers are good for the entry, and `group.runtime` points at a [`Context`] that no
    /// other fiber uses; all of it until the fiber is gone.
    pub(crate) unsafe fn new(
        stack: DefaultStack,
        entry: Entry,
        group: *const Group,
        args: *const u64,
    ) -> Self {
        // Copies of pointers, so that there is nothing to drop wherever it stops.
        let body = move |yielder: &Yielder<(), Stop>, ()| {
            // SAFETY: the caller's promise.
            unsafe {
                (*(*group).runtime.cast::<Context>()).yielder.set(yielder);
                entry(group, args);
            }
        };
        Self {
            group,
            coroutine: ManuallyDrop::new(Coroutine::with_stack(stack, body)),
        }
    }

    /// Runs it until it stops or ends (`None`), after which it may not be resumed.
    pub(crate) fn resume(&mut self) -> Option<Stop> {
        let outer = CURRENT.replace(self.group);
        let result = self.coroutine.resume(());
        CURRENT.set(outer);
        match result {
            CoroutineResult::Yield(stop) => Some(stop),
            CoroutineResult::Return(()) => None,
        }
    }

    /// Gives the stack back, and up what may still be on it.
    pub(crate) fn into_stack(self) -> DefaultStack {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again, nor dropped.
        let mut coroutine = unsafe { ManuallyDrop::take(&mut this.coroutine) };
        // SAFETY: see `Drop`.
        unsafe { coroutine.force_reset() };
        coroutine.into_stack()
    }
}

impl Drop for Fiber {
    fn drop(&mut self) {
        // SAFETY: on the stack are frames of compiled code, which owns nothing that needs to be
        // released, and those of the callbacks and the body above, which hold copies only. So
        // none of them has to be unwound, which compiled code would not survive.
        unsafe { self.coroutine.force_reset() };
        // SAFETY: it is not used again.
        unsafe { ManuallyDrop::drop(&mut self.coroutine) };
    }
}

/// A string of the compiled code.
///
/// # Safety
/// `text` is null or a string that ends in a NUL.
pub(crate) unsafe fn code_string(text: *const c_char) -> String {
    if text.is_null() {
        return "an unknown place".to_owned();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
