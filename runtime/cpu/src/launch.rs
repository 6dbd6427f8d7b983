//! A launch: threads that take work-groups, and the wait for them.
//!
//! Compiled code may hang or fault, and a thread in it cannot be ended. So the threads own what
//! they touch (through [`Shared`]), and the wait may leave them behind: it ends when all threads
//! have, or some time after one of them failed, or when none has made progress for too long.

use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use xpu_runtime::{EntryMode, RunError, item_count};

use crate::buffer::BufferUse;
use crate::fault;
use crate::fiber::{OutOfBounds, Stop, code_string};
use crate::lane::{Fault, Lane};
use crate::program::Code;
use crate::settings::Settings;
use crate::stacks::{StackPool, threads_that_have_stacks};
use crate::worker;

/// How often the wait looks at what threads cannot announce.
const TICK: Duration = Duration::from_millis(50);

/// How often it does so, at most, for the sake of a watchdog that is shorter than that.
const SHORTEST_TICK: Duration = Duration::from_millis(1);

/// How long the others may go on once one thread has failed.
const GRACE: Duration = Duration::from_secs(1);

/// Work-groups that a thread takes at once, at most.
const LARGEST_CHUNK: u64 = 64;

/// Stacks of threads on which compiled code runs directly.
pub(crate) const DIRECT_STACK: usize = 8 << 20;

/// What the threads of a launch have in common, and keep alive.
pub(crate) struct Shared {
    pub(crate) code: Arc<Code>,
    pub(crate) args: Vec<u64>,
    pub(crate) groups: [u64; 3],
    pub(crate) group_size: [u32; 3],
    pub(crate) stacks: Arc<StackPool>,
    pub(crate) lanes: Box<[Lane]>,
    total: u64,
    chunk: u64,
    next: Counter,
    stop: AtomicBool,
    status: Mutex<Status>,
    changed: Condvar,
    _buffers: Vec<BufferUse>,
}

/// On cache lines of its own, for every thread writes it.
#[repr(align(128))]
struct Counter(AtomicU64);

struct Status {
    /// The first thing that went wrong.
    error: Option<RunError>,
    /// Threads that have neither ended nor given up.
    running: usize,
}

/// What a launch needs to know.
pub(crate) struct Plan {
    pub(crate) code: Arc<Code>,
    pub(crate) args: Vec<u64>,
    pub(crate) groups: [u64; 3],
    pub(crate) group_size: [u32; 3],
    pub(crate) buffers: Vec<BufferUse>,
}

/// Runs every work-group of `plan` and waits for them.
pub(crate) fn launch(
    plan: Plan,
    settings: &Settings,
    stacks: &Arc<StackPool>,
) -> Result<Duration, RunError> {
    let code = Arc::clone(&plan.code);
    let total = plan.groups.iter().product::<u64>();
    let items = item_count(plan.group_size);
    let most = match code.cpu.mode {
        EntryMode::Group => settings.threads,
        EntryMode::Item => threads_that_have_stacks(settings.threads, items),
    }
    .max(1);
    // Chunks are small: enough of them that threads end at about the same time.
    let chunk = (total / (most as u64 * 32)).clamp(1, LARGEST_CHUNK);
    let threads = total.div_ceil(chunk).min(most as u64) as usize;
    let shared = Arc::new(Shared {
        code: Arc::clone(&code),
        args: plan.args,
        groups: plan.groups,
        group_size: plan.group_size,
        stacks: Arc::clone(stacks),
        lanes: (0..threads).map(|_| Lane::new()).collect(),
        total,
        chunk,
        next: Counter(AtomicU64::new(0)),
        stop: AtomicBool::new(false),
        status: Mutex::new(Status {
            error: None,
            running: 0,
        }),
        changed: Condvar::new(),
        _buffers: plan.buffers,
    });
    if settings.catch_faults {
        fault::install();
    }
    if code.cpu.mode == EntryMode::Item {
        stacks.trim(threads);
    }
    let start = Instant::now();
    let handles = shared.spawn(threads)?;
    let result = shared.wait(settings.watchdog);
    let time = start.elapsed();
    for (lane, handle) in shared.lanes.iter().zip(handles) {
        // Those that neither ended nor will are left to themselves.
        if lane.ended() {
            // A thread that panicked has said so, and `Running` has reported it.
            let _ = handle.join();
        }
    }
    result.map(|()| time)
}

impl Shared {
    fn spawn(self: &Arc<Self>, threads: usize) -> Result<Vec<JoinHandle<()>>, RunError> {
        let mut handles = Vec::with_capacity(threads);
        for lane in 0..threads {
            let running = Running {
                shared: Arc::clone(self),
                lane,
            };
            self.status().running += 1;
            let thread = thread::Builder::new()
                .name(format!("xpu-cpu-{lane}"))
                .stack_size(DIRECT_STACK)
                .spawn(move || {
                    let running = running;
                    worker::work(&running.shared, running.lane);
                });
            match thread {
                Ok(handle) => handles.push(handle),
                // The others do its work. (`running` was dropped with the closure.)
                Err(_) if lane > 0 => break,
                Err(error) => {
                    return Err(RunError::OutOfMemory(format!(
                        "a thread to run kernel \"{}\": {error}",
                        self.code.kernel
                    )));
                }
            }
        }
        Ok(handles)
    }

    /// The next groups that a thread is to run, by number, in increasing order over all threads.
    ///
    /// A group may wait for what one with a lower number does: that one runs, or is next in the
    /// chunk of a thread whose current group has an even lower number.
    pub(crate) fn take(&self) -> Option<std::ops::Range<u64>> {
        let first = self.next.0.fetch_add(self.chunk, Ordering::Relaxed);
        (first < self.total).then(|| first..(first + self.chunk).min(self.total))
    }

    /// The place of a group in x, y and z.
    pub(crate) fn position(&self, group: u64) -> [u64; 3] {
        let [x, y, _] = self.groups;
        [group % x, group / x % y, group / x / y]
    }

    /// Whether no more groups are to be run.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the launch with `error`, unless it has one already.
    pub(crate) fn fail(&self, error: RunError) {
        self.status().error.get_or_insert(error);
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// What the kernel did wrong.
    pub(crate) fn error(&self, message: String) -> RunError {
        RunError::Kernel {
            kernel: self.code.kernel.clone(),
            message,
        }
    }

    /// Reports what stopped code that runs on its thread's own stack, and keeps the thread for
    /// ever: there is no way back over the code's frames.
    pub(crate) fn abandon(&self, lane: usize, stop: Stop) -> ! {
        let group = self.lanes[lane].running().map(|group| self.position(group));
        self.fail(match stop {
            Stop::Barrier(location) => self.unexpected_barrier(location),
            Stop::OutOfBounds(failure) => self.out_of_bounds(&failure, group),
        });
        self.lanes[lane].leave();
        self.status().running -= 1;
        self.changed.notify_all();
        loop {
            thread::park();
        }
    }

    /// The error for a barrier in a kernel that has none.
    pub(crate) fn unexpected_barrier(&self, location: *const c_char) -> RunError {
        // SAFETY: the promise of `xpu_cpu_barrier`'s caller.
        let location = unsafe { code_string(location) };
        self.error(format!(
            "reached the barrier at {location}, but its manifest says it uses none"
        ))
    }

    /// The error for an index out of bounds in `group`.
    pub(crate) fn out_of_bounds(&self, failure: &OutOfBounds, group: Option<[u64; 3]>) -> RunError {
        let OutOfBounds {
            dim,
            index,
            size,
            local_id,
            ..
        } = failure;
        // SAFETY: the promise of `xpu_cpu_out_of_bounds`'s caller.
        let (location, what) =
            unsafe { (code_string(failure.location), code_string(failure.what)) };
        let item = if *local_id == crate::abi::NO_ITEM {
            "a work-item".to_owned()
        } else {
            format!("work-item {}", display_id(*local_id))
        };
        let group = group.map_or_else(String::new, |id| format!(" of group {}", display_id(id)));
        self.error(format!(
            "out of bounds: index {index} in dimension {dim} of size {size}, at {location}, in \
             {what}, {item}{group}"
        ))
    }

    fn status(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the threads, and watches over them.
    fn wait(&self, watchdog: Option<Duration>) -> Result<(), RunError> {
        let tick = watchdog.map_or(TICK, |limit| (limit / 8).clamp(SHORTEST_TICK, TICK));
        let mut progress = self.progress();
        let mut stalled = Duration::ZERO;
        let mut grace = Duration::ZERO;
        let mut status = self.status();
        let mut last = Instant::now();
        while status.running > self.faults().count() {
            let (guard, _) = self
                .changed
                .wait_timeout(status, tick)
                .unwrap_or_else(PoisonError::into_inner);
            status = guard;
            // A tick that took longer was spent suspended, with the threads.
            let passed = last.elapsed().min(tick * 2);
            last = Instant::now();
            if status.error.is_some() || self.faults().next().is_some() {
                self.stop.store(true, Ordering::Relaxed);
                grace += passed;
                if grace >= GRACE {
                    break;
                }
                continue;
            }
            let now = self.progress();
            stalled = if now == progress {
                stalled + passed
            } else {
                Duration::ZERO
            };
            progress = now;
            if let Some(limit) = watchdog
                && stalled >= limit
                && status.running > 0
            {
                status.error = Some(self.no_progress(limit));
                self.stop.store(true, Ordering::Relaxed);
                break;
            }
        }
        match status.error.take() {
            Some(error) => Err(error),
            None => self.faults().next().map_or(Ok(()), |(lane, fault)| {
                Err(self.error(fault::describe(fault, self.group_of(lane))))
            }),
        }
    }

    fn progress(&self) -> u64 {
        self.lanes
            .iter()
            .map(Lane::progress)
            .fold(0, u64::wrapping_add)
    }

    fn faults(&self) -> impl Iterator<Item = (&Lane, Fault)> {
        self.lanes
            .iter()
            .filter_map(|lane| Some((lane, lane.fault()?)))
    }

    /// "group (1, 0, 0)", or what is known instead.
    fn group_of(&self, lane: &Lane) -> String {
        lane.running().map_or_else(
            || "a group".to_owned(),
            |group| format!("group {}", display_id(self.position(group))),
        )
    }

    fn no_progress(&self, limit: Duration) -> RunError {
        let group = self
            .lanes
            .iter()
            .find(|lane| lane.running().is_some())
            .map_or_else(String::new, |lane| format!(" in {}", self.group_of(lane)));
        let unstarted = if self.next.0.load(Ordering::Relaxed) < self.total {
            ", or for a work-group that has not started"
        } else {
            ""
        };
        self.error(format!(
            "no progress for {} s{group}: a work-item probably waits for another of its own \
             work-group, which only a barrier may do{unstarted} (or the kernel is very long: set \
             XPU_CPU_WATCHDOG)",
            limit.as_secs_f64()
        ))
    }
}

/// A thread of a launch; dropped when it ends, however it does.
struct Running {
    shared: Arc<Shared>,
    lane: usize,
}

impl Drop for Running {
    fn drop(&mut self) {
        if thread::panicking() {
            let kernel = &self.shared.code.kernel;
            self.shared.fail(RunError::Device(format!(
                "the CPU device failed while it ran kernel \"{kernel}\""
            )));
        }
        if let Some(lane) = self.shared.lanes.get(self.lane) {
            lane.end();
        }
        self.shared.status().running -= 1;
        self.shared.changed.notify_all();
    }
}

/// "(1, 0, 0)".
pub(crate) fn display_id([x, y, z]: [u64; 3]) -> String {
    format!("({x}, {y}, {z})")
}
