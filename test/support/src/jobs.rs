//! Many jobs on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Stack of a thread that compiles.
const STACK_BYTES: usize = 64 << 20;

/// Does jobs on all cores.
///
/// # Panics
///
/// Where a job finds something wrong, or there is no thread.
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
pub fn do_all<T: Sync>(jobs: &[T], work: impl Fn(&T) -> Vec<String> + Sync) {
    let (next, findings) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let turn = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let wrong = work(job);
            findings.lock().unwrap().extend(wrong);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, turn)
                .unwrap();
        }
    });
    let findings = findings.into_inner().unwrap();
    assert!(
        findings.is_empty(),
        "{} are wrong:\n{}",
        findings.len(),
        findings.join("\n")
    );
}
