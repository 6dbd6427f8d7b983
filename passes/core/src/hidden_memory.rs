//! Atomics on memory that is not where its type says.
//!
//! Instructions name a state space, and a memref without a memory space is taken for a buffer. Private
//! memory is told apart only where views lead straight to its `memref.alloca`; through a choice, a loop
//! or a call it could be either, and a `memref.memory_space_cast` hides workgroup memory altogether. An
//! instruction for the wrong space reads or breaks other memory, so these atomics are refused.
//!
//! What may come from where is told by types: what is handed on at one place, and what is taken for a
//! buffer at another, must have the same type to be the same.

use crate::atomic::Access;
use crate::memory;
use std::collections::HashSet;
use xpu_dialect::axes::Storage;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Op, Type, Value};
use xpu_dialect::types::MemRef;

/// Refuses atomics of a module whose memory is or may be hidden.
///
/// # Errors
///
/// At the first of them.
pub(crate) fn check(module: Op<'_>) -> Result<(), Reported> {
    let ops = module.descendants();
    let handed_on = handed_on(&ops);
    for access in ops.iter().filter_map(|op| Access::of(*op)) {
        let Some(memref) = access.memref() else {
            continue;
        };
        if memref.storage() != Storage::Global {
            continue;
        }
        let op = access.op();
        let origin = origin(memref);
        if let Some(cast) = origin.defining_op().filter(|op| hides(*op)) {
            return Err(op.error_with_note(
                "is on memory whose memory space a cast hides, so that no instruction can name it; \
                 use the memref before the cast",
                cast,
                "the cast",
            ));
        }
        let source = handed_on.iter().find(|(ty, _)| *ty == origin.ty());
        if let Some((_, at)) = source.filter(|_| !is_buffer(origin)) {
            return Err(op.error_with_note(
                "may be on private or workgroup memory, but only a buffer can be told from its type; \
                 use the 'memref.alloca' itself, or give the memref its memory space",
                *at,
                "here such memory of the same type is handed on",
            ));
        }
    }
    Ok(())
}

/// The types of memrefs to hidden memory that leave the operation and the views that made them, each
/// with one place where it does.
fn handed_on<'c>(ops: &[Op<'c>]) -> Vec<(Type<'c>, Op<'c>)> {
    let mut found: Vec<(Type<'c>, Op<'c>)> = Vec::new();
    let mut pending: Vec<Value<'c>> = ops
        .iter()
        .filter(|op| makes_hidden(**op))
        .map(|op| op.result(0))
        .collect();
    let mut seen: HashSet<Value<'c>> = pending.iter().copied().collect();
    while let Some(value) = pending.pop() {
        for (user, _) in value.uses() {
            if memory::is_view(user) {
                let made = user.result(0);
                if seen.insert(made) {
                    pending.push(made);
                }
            } else if hands_on(user) && !found.iter().any(|(ty, _)| *ty == value.ty()) {
                found.push((value.ty(), user));
                // What others take it for may be handed on in turn.
                let taken = ops.iter().flat_map(|op| taken(*op));
                let taken = taken.filter(|one| one.ty() == value.ty() && !is_buffer(*one));
                pending.extend(taken.filter(|one| seen.insert(*one)));
            }
        }
    }
    found
}

/// The memrefs that an operation makes of others, views aside, and those that its blocks take.
fn taken(op: Op<'_>) -> Vec<Value<'_>> {
    let mut values = if memory::is_view(op) {
        Vec::new()
    } else {
        op.results()
    };
    let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
    values.extend(blocks.flat_map(|block| block.arguments()));
    values.retain(|value| MemRef::of(value.ty()).is_some());
    values
}

/// Whether the operation makes a memref whose type does not say where it is.
fn makes_hidden(op: Op<'_>) -> bool {
    let hidden =
        || MemRef::of(op.result(0).ty()).is_some_and(|layout| layout.storage() == Storage::Global);
    (op.is("memref.alloca") && hidden()) || hides(op)
}

fn hides(op: Op<'_>) -> bool {
    op.is("memref.memory_space_cast")
        && op.operand(0).storage() != Storage::Global
        && op.result(0).storage() == Storage::Global
}

/// Whether an operand becomes another value: of a choice, a region, a block or a function.
fn hands_on(user: Op<'_>) -> bool {
    let makes_memref = user
        .results()
        .iter()
        .any(|one| MemRef::of(one.ty()).is_some());
    makes_memref || !user.regions().is_empty() || user.next().is_none() || user.is("func.call")
}

/// The memref that views made this one from, up to a cast that hides where it is.
fn origin(memref: Value<'_>) -> Value<'_> {
    let mut origin = memref;
    for view in memory::views(memref) {
        if hides(view) {
            return view.result(0);
        }
        origin = view.operand(0);
    }
    origin
}

/// Whether a memref is surely a buffer: an argument of a kernel, or a global.
fn is_buffer(origin: Value<'_>) -> bool {
    if let Some(op) = origin.defining_op() {
        return matches!(
            op.name(),
            "memref.get_global" | "memref.alloc" | "gpu.alloc"
        );
    }
    let Some((block, _)) = origin.as_block_argument() else {
        return false;
    };
    block.parent_op().is_some_and(|function| {
        function.attribute("gpu.kernel").is_some() && function.region(0).first() == Some(block)
    })
}
