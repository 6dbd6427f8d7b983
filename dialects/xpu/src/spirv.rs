//! SPIR-V binaries of modules in MLIR's `spirv` dialect.

use crate::ffi;
use crate::ir::Op;
use std::ffi::c_void;

/// The words of a `spirv.module`, with `OpLine` for each operation where `lines` says so; `None` where
/// it does not serialize, with diagnostics emitted.
pub fn serialize(module: Op<'_>, lines: bool) -> Option<Vec<u32>> {
    let mut words: Vec<u32> = Vec::new();
    let into = (&raw mut words).cast::<c_void>();
    // SAFETY: the operation is alive for the call; `take` is called during it at most, with `into`,
    // which is a vector that nothing else refers to meanwhile.
    let done = unsafe { ffi::xpuSerializeSpirv(module.to_raw(), lines, take, into) };
    done.then_some(words)
}

unsafe extern "C" fn take(words: *const u32, count: isize, into: *mut c_void) {
    let count = usize::try_from(count).unwrap_or(0);
    if count == 0 {
        return;
    }
    // SAFETY: `words` are `count` words, alive for the call (Doors.h).
    let words = unsafe { std::slice::from_raw_parts(words, count) };
    // SAFETY: `into` is what `serialize` handed over.
    let into = unsafe { &mut *into.cast::<Vec<u32>>() };
    into.extend_from_slice(words);
}
