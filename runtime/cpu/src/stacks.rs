//! Stacks for work-items: kept from one group, and one launch, to the next.

use std::fs;
use std::sync::{Mutex, PoisonError};

use corosensei::stack::DefaultStack;
use xpu_runtime::{RunError, display_bytes};

/// Stacks of one size that no thread uses, in the bundles in which threads gave them back.
pub(crate) struct StackPool {
    bytes: usize,
    bundles: Mutex<Vec<Vec<DefaultStack>>>,
}

impl StackPool {
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            bytes,
            bundles: Mutex::new(Vec::new()),
        }
    }

    /// Some stacks, or none if there are none.
    pub(crate) fn take(&self) -> Vec<DefaultStack> {
        self.bundles
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
            .unwrap_or_default()
    }

    pub(crate) fn give(&self, stacks: Vec<DefaultStack>) {
        if !stacks.is_empty() {
            self.bundles
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(stacks);
        }
    }

    /// Keeps only the largest bundles, one for each of `threads` threads: the mappings that the
    /// others use may be needed for stacks elsewhere.
    pub(crate) fn trim(&self, threads: usize) {
        let mut bundles = self.bundles.lock().unwrap_or_else(PoisonError::into_inner);
        bundles.sort_by_key(|bundle| std::cmp::Reverse(bundle.len()));
        bundles.truncate(threads);
    }

    /// A new stack, with a guard page at its end.
    pub(crate) fn create(&self) -> Result<DefaultStack, RunError> {
        // Rounding up to pages must not overflow; beyond this nothing can be mapped anyway.
        DefaultStack::new(self.bytes.min(isize::MAX as usize)).map_err(|error| {
            RunError::OutOfMemory(format!(
                "a stack of {} for a work-item: {error} (fewer threads need fewer: set \
                 XPU_CPU_THREADS, or make stacks smaller: set XPU_CPU_STACK)",
                display_bytes(self.bytes as u64)
            ))
        })
    }
}

/// How many of `threads` threads can each have stacks for `items` work-items.
///
/// A stack and its guard page are two mappings, of which Linux gives a process 65,530: enough for
/// 23 threads with groups of 1,024.
pub(crate) fn threads_that_have_stacks(threads: usize, items: u64) -> usize {
    let mappings = fs::read_to_string("/proc/sys/vm/max_map_count")
        .ok()
        .and_then(|text| text.trim().parse::<u64>().ok())
        .unwrap_or(65_530);
    // A quarter is left for everything else in the process.
    let most = (mappings / 4 * 3) / (2 * items.max(1));
    threads
        .min(usize::try_from(most).unwrap_or(usize::MAX))
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_come_back() {
        let pool = StackPool::new(64 << 10);
        assert!(pool.take().is_empty());
        let stack = pool.create().unwrap();
        pool.give(vec![stack]);
        pool.give(vec![pool.create().unwrap(), pool.create().unwrap()]);
        pool.trim(1);
        assert_eq!(pool.take().len(), 2);
        assert!(pool.take().is_empty());
    }

    #[test]
    fn a_stack_beyond_the_address_space_is_an_error() {
        let error = StackPool::new(1 << 60).create().err().unwrap();
        assert_eq!(error.exit_code(), 3);
        assert!(
            error
                .to_string()
                .starts_with("out of memory: a stack of 1 EiB"),
            "{error}"
        );
    }

    #[test]
    fn fewer_threads_for_large_groups() {
        assert_eq!(threads_that_have_stacks(8, 64), 8);
        assert_eq!(threads_that_have_stacks(8, 1 << 40), 1);
    }
}
