//! The functions in which a fence may acquire through the read of another operation.
//!
//! In `relaxed read-modify-write; acquire fence` the two acquire together, though each alone does
//! not (PTX ISA, acquire patterns). So such a read shows even where nothing uses the value. What
//! comes first in the text is not looked at, because loops bring back what came before.

use crate::atomic::Access;
use std::collections::HashSet;
use xpu_dialect::axes::Ordering;
use xpu_dialect::ir::Op;

/// The functions of a module that hold such a fence, or may run one through a call.
#[derive(Debug, Default)]
pub(crate) struct Acquirers<'c> {
    /// Those that hold one.
    with_fence: HashSet<Op<'c>>,
    /// Those that call others.
    with_call: HashSet<Op<'c>>,
    /// Whether any function may hold one.
    any: bool,
}

impl<'c> Acquirers<'c> {
    /// Those of a module in which nothing has been lowered yet.
    pub(crate) fn of(module: Op<'c>) -> Self {
        let mut found = Self::default();
        for op in module.descendants() {
            let holders = if acquires(op) {
                found.any = true;
                &mut found.with_fence
            } else if is_call(op) {
                &mut found.with_call
            } else {
                // What a function without a body does is not known.
                found.any |= op.is("func.func") && op.region(0).first().is_none();
                continue;
            };
            holders.extend(op.enclosing(is_function));
        }
        found
    }

    /// Whether something may acquire through what the operation read.
    pub(crate) fn may_follow(&self, op: Op<'c>) -> bool {
        let Some(function) = op.enclosing(is_function) else {
            return true;
        };
        // What is no kernel is called, and its caller may go on to a fence.
        let is_part = !is_kernel(function) || self.with_call.contains(&function);
        self.with_fence.contains(&function) || (self.any && is_part)
    }
}

fn is_function(op: Op<'_>) -> bool {
    matches!(op.name(), "gpu.func" | "func.func" | "xpu.kernel")
}

fn is_kernel(function: Op<'_>) -> bool {
    function.is("xpu.kernel") || function.attribute("gpu.kernel").is_some()
}

fn is_call(op: Op<'_>) -> bool {
    op.is("func.call")
}

/// Whether an operation is a fence that acquires, may become one, or may be one for all we know.
fn acquires(op: Op<'_>) -> bool {
    if let Some(access) = Access::of(op) {
        return match access {
            Access::Fence(fence) => fence.ordering().acquires(),
            _ => access.ordering() == Some(Ordering::SeqCst),
        };
    }
    let name = op.name();
    matches!(
        name,
        "func.call_indirect"
            | "llvm.fence"
            | "llvm.inline_asm"
            | "llvm.call"
            | "llvm.invoke"
            | "llvm.call_intrinsic"
            | "llvm.atomicrmw"
            | "llvm.cmpxchg"
    ) || (name.starts_with("nvvm.") && !name.starts_with("nvvm.read."))
}
