//! What one thread of a launch shows to the others, cheap enough to be kept for every group.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};

/// [`Lane::running`] between groups.
const NOTHING: u64 = u64::MAX;

/// One thread's counters; only that thread writes them. On cache lines of its own.
#[repr(align(128))]
pub(crate) struct Lane {
    /// Groups ended and barriers passed.
    progress: AtomicU64,
    /// The group that runs, as a number; [`NOTHING`] while the runtime's own code does.
    running: AtomicU64,
    /// The signal that compiled code caused, after which the thread does nothing more; or 0.
    signal: AtomicI32,
    /// The address that came with the signal.
    address: AtomicUsize,
    /// Whether the thread has ended, or counts as ended because it does nothing more.
    ended: AtomicBool,
}

/// A signal that compiled code caused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) signal: i32,
    pub(crate) address: usize,
}

impl Lane {
    pub(crate) fn new() -> Self {
        Self {
            progress: AtomicU64::new(0),
            running: AtomicU64::new(NOTHING),
            signal: AtomicI32::new(0),
            address: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        }
    }

    /// From here on compiled code runs, in the group number `group`.
    #[inline]
    pub(crate) fn enter(&self, group: u64) {
        self.running.store(group, Ordering::Relaxed);
    }

    /// Compiled code has returned or stopped.
    #[inline]
    pub(crate) fn leave(&self) {
        self.running.store(NOTHING, Ordering::Relaxed);
    }

    /// A group ended or passed a barrier.
    #[inline]
    pub(crate) fn advance(&self) {
        // Not an atomic addition: no other thread writes it.
        let progress = self.progress.load(Ordering::Relaxed);
        self.progress
            .store(progress.wrapping_add(1), Ordering::Relaxed);
    }

    pub(crate) fn progress(&self) -> u64 {
        self.progress.load(Ordering::Relaxed)
    }

    /// The group in which compiled code runs.
    pub(crate) fn running(&self) -> Option<u64> {
        Some(self.running.load(Ordering::Relaxed)).filter(|group| *group != NOTHING)
    }

    /// Notes a signal that compiled code caused; safe to call in its handler.
    pub(crate) fn fail(&self, fault: Fault) {
        self.address.store(fault.address, Ordering::Relaxed);
        self.signal.store(fault.signal, Ordering::Release);
    }

    pub(crate) fn fault(&self) -> Option<Fault> {
        let signal = self.signal.load(Ordering::Acquire);
        let address = self.address.load(Ordering::Relaxed);
        (signal != 0).then_some(Fault { signal, address })
    }

    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    pub(crate) fn ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }
}
