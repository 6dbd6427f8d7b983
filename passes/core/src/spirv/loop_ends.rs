//! Loops with barriers end together.
//!
//! NVIDIA's Vulkan driver never ends such a kernel when, behind the last barrier of a loop, some work-items do
//! what others skip, and the loop's next round begins with what they alone do (seen on an H200 with a work
//! queue: the leader counts, then looks for the next task; docs/vulkan.md). One more barrier where the round
//! ends keeps it from joining the two. All work-items of a group get there if they got to the barrier
//! before it, which is in the same block.

use xpu_dialect::ir::{Block, Builder, Op};

/// Puts a barrier at the end of each round of an `scf.while` with barriers whose end may diverge.
pub(crate) fn close(kernel: Op<'_>) {
    for round in kernel.descendants() {
        if !round.is("scf.while") {
            continue;
        }
        let (Some(before), Some(after)) = (round.region(0).first(), round.region(1).first()) else {
            continue;
        };
        // What upstream makes of branches: the round is in a conditional of the loop.
        for op in before.ops().into_iter().chain(after.ops()) {
            close_conditional(op);
        }
        close_block(before);
        close_block(after);
        if has_barrier(before) && !has_barrier(after) && parts_behind_barriers(after) {
            put_barrier_at_end(after);
        }
    }
}

fn close_conditional(op: Op<'_>) {
    if !op.is("scf.if") && !op.is("scf.index_switch") {
        return;
    }
    for block in op.regions().into_iter().filter_map(|region| region.first()) {
        for inner in block.ops() {
            close_conditional(inner);
        }
        close_block(block);
    }
}

fn close_block(block: Block<'_>) {
    if has_barrier(block) && parts_behind_barriers(block) {
        put_barrier_at_end(block);
    }
}

fn has_barrier(block: Block<'_>) -> bool {
    block.ops().into_iter().any(|op| op.is("gpu.barrier"))
}

/// Whether work-items may part behind the last barrier of a block, and not meet at one before its end.
fn parts_behind_barriers(block: Block<'_>) -> bool {
    let ops = block.ops();
    let behind = ops
        .iter()
        .rposition(|op| op.is("gpu.barrier"))
        .map_or(0, |at| at + 1);
    ops[behind..].iter().any(|op| {
        let mut blocks = op.regions().into_iter().filter_map(|region| region.first());
        blocks.any(|block| match block.ops().as_slice() {
            [] | [_] => false,
            [.., last, _] => !last.is("gpu.barrier"),
        })
    })
}

fn put_barrier_at_end(block: Block<'_>) {
    if let Some(end) = block.terminator() {
        Builder::before(end).op("gpu.barrier").build();
    }
}
