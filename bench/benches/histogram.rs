//! The histogram of 64 MiB of 4-byte values in 256 bins: xpu on the CPU against Rust by hand, with
//! the same atomics and threads.
#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot run has nothing to say"
)]

use divan::Bencher;
use divan::counter::BytesCount;
use xpu_bench::{Histogram, VALUES, by_hand, values};

fn main() {
    divan::main();
}

#[divan::bench(args = [1, 2], sample_count = 10)]
fn xpu(bencher: Bencher<'_, '_>, threads: usize) {
    let histogram = Histogram::new(threads, &values()).unwrap();
    bencher
        .counter(BytesCount::new(VALUES * 4))
        .bench_local(|| histogram.run().unwrap());
}

#[divan::bench(args = [1, 2], sample_count = 10)]
fn hand(bencher: Bencher<'_, '_>, threads: usize) {
    let values = values();
    bencher
        .counter(BytesCount::new(VALUES * 4))
        .bench_local(|| by_hand(threads, &values));
}
