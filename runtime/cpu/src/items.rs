//! The work-items of one group on one thread: each runs to its next barrier, then the next one.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char};

use corosensei::stack::DefaultStack;
use xpu_runtime::{EntryMode, RunError};

use crate::abi::{Group, NO_ITEM};
use crate::fiber::{Context, Fiber, Stop, code_string};
use crate::launch::{Shared, display_id};

/// What the callbacks of one work-item point at; it stays where it is.
struct Item {
    group: UnsafeCell<Group>,
    _context: Box<Context>,
}

/// A work-item that waits.
struct Waiting {
    item: usize,
    fiber: Fiber,
    barrier: *const c_char,
}

/// The work-items that a thread runs, for one group after the other.
pub(crate) struct Items<'a> {
    shared: &'a Shared,
    lane: usize,
    items: Box<[Item]>,
    stacks: Vec<DefaultStack>,
    /// Room for `run`, kept from one group to the next.
    waiting: Vec<Waiting>,
    arrived: Vec<Waiting>,
}

impl<'a> Items<'a> {
    /// `calls` are the extents of what the code is called for in each group.
    pub(crate) fn new(shared: &'a Shared, lane: usize, calls: [u32; 3], block: *mut u8) -> Self {
        let [sx, sy, sz] = calls.map(u64::from);
        let ids = (0..sz).flat_map(|z| (0..sy).flat_map(move |y| (0..sx).map(move |x| [x, y, z])));
        let items = ids
            .map(|id| {
                let context = Box::new(Context::new(shared, lane));
                let group = Group {
                    group_id: [0; 3],
                    group_count: shared.groups,
                    group_size: shared.group_size.map(u64::from),
                    local_id: match shared.code.cpu.mode {
                        EntryMode::Group => NO_ITEM,
                        EntryMode::Item => id,
                    },
                    shared: block,
                    runtime: (&raw const *context).cast_mut().cast(),
                };
                Item {
                    group: UnsafeCell::new(group),
                    _context: context,
                }
            })
            .collect();
        let stacks = shared.stacks.take();
        Self {
            shared,
            lane,
            items,
            stacks,
            waiting: Vec::new(),
            arrived: Vec::new(),
        }
    }

    /// Runs the group number `number`, which is at `position`.
    pub(crate) fn run(&mut self, number: u64, position: [u64; 3]) -> Result<(), RunError> {
        let lane = &self.shared.lanes[self.lane];
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut arrived = std::mem::take(&mut self.arrived);
        for item in 0..self.items.len() {
            let fiber = self.start(item, position)?;
            waiting.extend(self.resume(item, fiber, number, position)?);
        }
        while !waiting.is_empty() {
            self.check(&waiting, position)?;
            lane.advance();
            std::mem::swap(&mut waiting, &mut arrived);
            for Waiting { item, fiber, .. } in arrived.drain(..) {
                waiting.extend(self.resume(item, fiber, number, position)?);
            }
        }
        lane.advance();
        (self.waiting, self.arrived) = (waiting, arrived);
        Ok(())
    }

    fn start(&mut self, item: usize, position: [u64; 3]) -> Result<Fiber, RunError> {
        let stack = match self.stacks.pop() {
            Some(stack) => stack,
            None => self.shared.stacks.create()?,
        };
        let group = self.items[item].group.get();
        // SAFETY: no code runs that was given the pointer: the last fiber with it is gone.
        unsafe { (*group).group_id = position };
        let (entry, args) = (self.shared.code.entry, self.shared.args.as_ptr());
        // SAFETY: `CpuProgram::new`'s caller promised that the code follows the ABI; `group` and
        // its context are boxed and live as long as `self`, which outlives the fibers of `run`,
        // the slots and the buffers as long as `shared`; each item has a context of its own.
        Ok(unsafe { Fiber::new(stack, entry, group, args) })
    }

    /// Runs an item until it waits or, with `None`, has ended.
    fn resume(
        &mut self,
        item: usize,
        mut fiber: Fiber,
        number: u64,
        position: [u64; 3],
    ) -> Result<Option<Waiting>, RunError> {
        let lane = &self.shared.lanes[self.lane];
        lane.enter(number);
        let stop = fiber.resume();
        lane.leave();
        match stop {
            Some(Stop::Barrier(barrier)) => Ok(Some(Waiting {
                item,
                fiber,
                barrier,
            })),
            None => {
                self.stacks.push(fiber.into_stack());
                Ok(None)
            }
            Some(Stop::OutOfBounds(failure)) => {
                Err(self.shared.out_of_bounds(&failure, Some(position)))
            }
        }
    }

    /// Checks that all items wait, and at one barrier.
    fn check(&self, waiting: &[Waiting], position: [u64; 3]) -> Result<(), RunError> {
        let first = waiting[0].barrier;
        if self.shared.code.cpu.mode == EntryMode::Group {
            return Err(self.shared.unexpected_barrier(first));
        }
        // SAFETY: the promise of `xpu_cpu_barrier`'s caller.
        let same = |one: &Waiting| one.barrier == first || unsafe { equal(one.barrier, first) };
        if waiting.len() == self.items.len() && waiting.iter().all(same) {
            return Ok(());
        }
        Err(self.shared.error(format!(
            "barrier in divergent control flow: in group {}, {}",
            display_id(position),
            self.describe(waiting)
        )))
    }

    /// "64 work-items (such as (0, 0, 0)) wait at the barrier at FILE:LINE:COLUMN and 64 …".
    fn describe(&self, waiting: &[Waiting]) -> String {
        // How many wait at each barrier, and the first of them.
        let mut barriers: Vec<(String, usize, usize)> = Vec::new();
        let mut arrived = vec![false; self.items.len()];
        for Waiting { item, barrier, .. } in waiting {
            arrived[*item] = true;
            // SAFETY: the promise of `xpu_cpu_barrier`'s caller.
            let location = unsafe { code_string(*barrier) };
            match barriers.iter_mut().find(|(known, ..)| *known == location) {
                Some((_, count, _)) => *count += 1,
                None => barriers.push((location, 1, *item)),
            }
        }
        let mut parts: Vec<String> = barriers
            .iter()
            .map(|(location, count, item)| {
                let (items, wait) = some(*count, "waits", "wait");
                format!(
                    "{items} (such as {}) {wait} at the barrier at {location}",
                    self.id(*item)
                )
            })
            .collect();
        if let Some(ended) = arrived.iter().position(|arrived| !arrived) {
            let (items, have) = some(arrived.len() - waiting.len(), "has", "have");
            parts.push(format!(
                "{items} (such as {}) {have} ended without reaching it",
                self.id(ended)
            ));
        }
        parts.join(" and ")
    }

    fn id(&self, item: usize) -> String {
        // SAFETY: code only reads it, and this thread runs none at the moment.
        display_id(unsafe { (*self.items[item].group.get()).local_id })
    }
}

impl Drop for Items<'_> {
    fn drop(&mut self) {
        self.shared.stacks.give(std::mem::take(&mut self.stacks));
    }
}

/// "1 work-item", "waits"; "2 work-items", "wait".
fn some<'a>(count: usize, one: &'a str, more: &'a str) -> (String, &'a str) {
    if count == 1 {
        (format!("{count} work-item"), one)
    } else {
        (format!("{count} work-items"), more)
    }
}

/// Whether two strings of the code are the same text.
///
/// # Safety
/// Both are null or end in a NUL.
unsafe fn equal(one: *const c_char, other: *const c_char) -> bool {
    if one.is_null() || other.is_null() {
        return one == other;
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(one) == CStr::from_ptr(other) }
}
