//! Work shared out over the processors, with the results in the order of the work.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, bail};

/// Does each piece of work, as many at a time as there are processors.
pub(crate) fn map<Work: Sync, Output: Send>(
    pieces: &[Work],
    work: impl Fn(&Work) -> Result<Output> + Sync,
) -> Vec<Result<Output>> {
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<Result<Output>>>> =
        pieces.iter().map(|_| Mutex::new(None)).collect();
    let worker = || {
        while let Some((at, piece)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            pieces.get(at).map(|piece| (at, piece))
        } {
            let output = work(piece);
            if let Ok(mut place) = done[at].lock() {
                *place = Some(output);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(worker);
        }
    });
    done.into_iter()
        .map(|place| {
            let output = place.into_inner().ok().flatten();
            output.unwrap_or_else(|| bail!("the work has no result"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_work() {
        let pieces: Vec<u64> = (0..50).rev().collect();
        let results = map(&pieces, |&piece| {
            std::thread::sleep(std::time::Duration::from_micros(piece));
            if piece == 7 {
                bail!("seven")
            } else {
                Ok(piece)
            }
        });
        assert!(results[42].is_err());
        assert_eq!(results.into_iter().flatten().sum::<u64>(), 49 * 50 / 2 - 7);
    }
}
