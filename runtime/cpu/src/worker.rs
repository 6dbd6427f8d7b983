//! One thread of a launch: takes work-groups until there are none, or one has failed.

use std::ops::Range;

use xpu_runtime::{EntryMode, RunError};

use crate::abi::{Group, NO_ITEM};
use crate::buffer::SharedBlock;
use crate::fault;
use crate::fiber::Context;
use crate::items::Items;
use crate::launch::Shared;

/// Runs groups in the lane number `lane`.
pub(crate) fn work(shared: &Shared, lane: usize) {
    let _guard = fault::guard(&shared.lanes[lane]);
    let code = &shared.code;
    let result = match code.cpu.mode {
        EntryMode::Group if !code.cpu.checks_bounds => direct(shared, lane),
        EntryMode::Group => on_stacks(shared, lane, [1; 3]),
        EntryMode::Item => on_stacks(shared, lane, shared.group_size),
    };
    if let Err(error) = result {
        shared.fail(error);
    }
}

/// A call for each group, on this thread's own stack: nothing stops on the way.
fn direct(shared: &Shared, lane: usize) -> Result<(), RunError> {
    let block = SharedBlock::new(shared.code.shared_bytes)?;
    let context = Context::new(shared, lane);
    let mut group = Group {
        group_id: [0; 3],
        group_count: shared.groups,
        group_size: shared.group_size.map(u64::from),
        local_id: NO_ITEM,
        shared: block.start(),
        runtime: (&raw const context).cast_mut().cast(),
    };
    let (entry, args) = (shared.code.entry, shared.args.as_ptr());
    let lane = &shared.lanes[lane];
    for_each_group(shared, |number, position| {
        group.group_id = position;
        block.spoil();
        lane.enter(number);
        // SAFETY: `CpuProgram::new`'s caller promised that the code follows the ABI; `group` and
        // the slots live until it returns, and the buffers as long as `shared`.
        unsafe { entry(&raw const group, args) };
        lane.leave();
        lane.advance();
        Ok(())
    })
}

/// A call for each of `calls` work-items of each group, on stacks of their own.
fn on_stacks(shared: &Shared, lane: usize, calls: [u32; 3]) -> Result<(), RunError> {
    let block = SharedBlock::new(shared.code.shared_bytes)?;
    let mut items = Items::new(shared, lane, calls, block.start());
    for_each_group(shared, |number, position| {
        block.spoil();
        items.run(number, position)
    })
}

#[inline]
fn for_each_group(
    shared: &Shared,
    mut run: impl FnMut(u64, [u64; 3]) -> Result<(), RunError>,
) -> Result<(), RunError> {
    while let Some(chunk) = shared.take() {
        let Range { start, end } = chunk;
        let mut position = shared.position(start);
        for number in start..end {
            if shared.stopped() {
                return Ok(());
            }
            run(number, position)?;
            step(&mut position, shared.groups);
        }
    }
    Ok(())
}

/// The place after `position`, x first.
#[inline]
fn step(position: &mut [u64; 3], groups: [u64; 3]) {
    let [x, y, z] = position;
    *x += 1;
    if *x == groups[0] {
        *x = 0;
        *y += 1;
        if *y == groups[1] {
            *y = 0;
            *z += 1;
        }
    }
}
