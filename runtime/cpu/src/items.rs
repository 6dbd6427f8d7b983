//! The work-items of one group on one thread: each runs to its next barrier, then the next one.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char};
use std::ptr;

use corosensei::stack::DefaultStack;
use xpu_runtime::{EntryMode, RunError};

use crate::abi::{Group, NO_ITEM};
use crate::fiber::{Context, Fiber, Stop, code_string};
use crate::lane::Lane;
use crate::launch::{Shared, display_id};

/// What the callbacks of one work-item point at; it stays where it is.
struct Item {
    group: UnsafeCell<Group>,
    context: Context,
}

/// The work-items that a thread runs, for one group after the other.
pub(crate) struct Items<'a> {
    shared: &'a Shared,
    lane: &'a Lane,
    /// Never grows: compiled code has pointers to them. (A vector, for moving a box would claim that
    /// nothing else points at what is in it.)
    items: Vec<Item>,
    /// Those that wait, each in its item's place.
    fibers: Box<[Option<Fiber>]>,
    /// The barrier at which an item waits.
    barriers: Box<[*const c_char]>,
    /// How many wait.
    waiting: usize,
    /// Stacks for items that are to be started.
    stacks: Vec<DefaultStack>,
}

impl<'a> Items<'a> {
    /// `calls` are the extents of what the code is called for in each group.
    pub(crate) fn new(shared: &'a Shared, lane: usize, calls: [u32; 3], block: *mut u8) -> Self {
        let [sx, sy, sz] = calls.map(u64::from);
        let ids = (0..sz).flat_map(|z| (0..sy).flat_map(move |y| (0..sx).map(move |x| [x, y, z])));
        let items: Vec<Item> = ids
            .map(|id| Item {
                group: UnsafeCell::new(Group {
                    group_id: [0; 3],
                    group_count: shared.groups,
                    group_size: shared.group_size.map(u64::from),
                    local_id: match shared.code.cpu.mode {
                        EntryMode::Group => NO_ITEM,
                        EntryMode::Item => id,
                    },
                    shared: block,
                    runtime: ptr::null_mut(),
                }),
                context: Context::new(shared, lane),
            })
            .collect();
        for item in &items {
            let context = (&raw const item.context).cast_mut();
            // SAFETY: nobody else has the group yet.
            unsafe { (*item.group.get()).runtime = context.cast() };
        }
        Self {
            shared,
            lane: &shared.lanes[lane],
            fibers: items.iter().map(|_| None).collect(),
            barriers: items.iter().map(|_| ptr::null()).collect(),
            waiting: 0,
            stacks: shared.stacks.take(),
            items,
        }
    }

    /// Runs the group number `number`, which is at `position`.
    pub(crate) fn run(&mut self, number: u64, position: [u64; 3]) -> Result<(), RunError> {
        for item in 0..self.items.len() {
            self.fibers[item] = Some(self.start(item, position)?);
            self.resume(item, number, position)?;
        }
        while self.waiting > 0 {
            self.check(position)?;
            self.lane.advance();
            self.waiting = 0;
            for item in 0..self.items.len() {
                self.resume(item, number, position)?;
            }
        }
        self.lane.advance();
        Ok(())
    }

    fn start(&mut self, item: usize, position: [u64; 3]) -> Result<Fiber, RunError> {
        let stack = match self.stacks.pop() {
            Some(stack) => stack,
            None => self.shared.stacks.create()?,
        };
        let group = self.items[item].group.get();
        // SAFETY: no code runs that was given the pointer: the last fiber with it has ended.
        unsafe { (*group).group_id = position };
        let (entry, args) = (self.shared.code.entry, self.shared.args.as_ptr());
        // SAFETY: `CpuProgram::new`'s caller promised that the code follows the ABI; `group` and
        // its context stay where they are until `self` is dropped, which drops the fibers before;
        // the slots and the buffers live as long as `shared`; each item has a context of its own.
        Ok(unsafe { Fiber::new(stack, entry, group, args) })
    }

    /// Runs an item, which was started or waits, until it waits or has ended.
    #[inline]
    fn resume(&mut self, item: usize, number: u64, position: [u64; 3]) -> Result<(), RunError> {
        let Some(fiber) = &mut self.fibers[item] else {
            return Ok(());
        };
        self.lane.enter(number);
        let stop = fiber.resume();
        self.lane.leave();
        match stop {
            Some(Stop::Barrier(barrier)) => {
                self.barriers[item] = barrier;
                self.waiting += 1;
                Ok(())
            }
            None => {
                self.stacks
                    .extend(self.fibers[item].take().map(Fiber::into_stack));
                Ok(())
            }
            Some(Stop::OutOfBounds(failure)) => {
                Err(self.shared.out_of_bounds(&failure, Some(position)))
            }
        }
    }

    /// Checks that all items wait, and at one barrier.
    fn check(&self, position: [u64; 3]) -> Result<(), RunError> {
        let first = self.fibers.iter().position(Option::is_some).unwrap_or(0);
        let first = self.barriers[first];
        if self.shared.code.cpu.mode == EntryMode::Group {
            return Err(self.shared.unexpected_barrier(first));
        }
        // SAFETY: the promise of `xpu_cpu_barrier`'s caller.
        let same = |one: &*const c_char| *one == first || unsafe { equal(*one, first) };
        if self.waiting == self.items.len() && self.barriers.iter().all(same) {
            return Ok(());
        }
        Err(self.shared.error(format!(
            "barrier in divergent control flow: in group {}, {}",
            display_id(position),
            self.describe()
        )))
    }

    /// "64 work-items (such as (0, 0, 0)) wait at the barrier at FILE:LINE:COLUMN and 64 …".
    fn describe(&self) -> String {
        // How many wait at each barrier, and the first of them.
        let mut barriers: Vec<(String, usize, usize)> = Vec::new();
        let waiting = (0..self.items.len()).filter(|item| self.fibers[*item].is_some());
        for item in waiting {
            // SAFETY: the promise of `xpu_cpu_barrier`'s caller.
            let location = unsafe { code_string(self.barriers[item]) };
            match barriers.iter_mut().find(|(known, ..)| *known == location) {
                Some((_, count, _)) => *count += 1,
                None => barriers.push((location, 1, item)),
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
        if let Some(ended) = self.fibers.iter().position(Option::is_none) {
            let (items, have) = some(self.items.len() - self.waiting, "has", "have");
            let id = self.id(ended);
            parts.push(format!(
                "{items} (such as {id}) {have} ended without reaching it"
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
        let mut stacks = std::mem::take(&mut self.stacks);
        // Those of items that will not go on, after an error.
        stacks.extend(
            self.fibers
                .iter_mut()
                .filter_map(Option::take)
                .map(Fiber::into_stack),
        );
        self.shared.stacks.give(stacks);
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
