//! Litmus tests of the memory model, compiled for AMD chips and run by the emulator in its weak mode.
//!
//! - [`as_compiled`]: no test of `xpu_test_support::litmus` shows an outcome that the memory model
//!   forbids, and those that may be weak on such a machine are.
//! - [`with_faults`]: without a wait or a cache operation, or with a scope that is too narrow, a
//!   forbidden outcome comes.
//! - [`groups`]: what waves hand on in their group, another wave of it releases to the device, and the other
//!   way round; many readers agree on the order of two writes. The same, with faults.
//!
//! The chips in turn and some of the faults, or with `XPU_MATRIX=full` every chip, every fault and many
//! more launches. Without the
//! emulator, which `cargo xtask setup` installs, there is nothing to run on, and the tests say so.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

mod emulator;
mod faults;
mod groups;
mod trials;

use std::collections::BTreeMap;

use faults::Fault;
use xpu_test_support::do_all;
use xpu_test_support::litmus::{Level, Litmus, tests_at};

/// The chips that the emulator knows, one of each kind.
const CHIPS: [&str; 4] = ["gfx1100", "gfx942", "gfx1200", "gfx1151"];

/// Of the faults, every so many are tried, if not all.
const SOME: usize = 3;

/// The levels of the tests.
const LEVELS: [Level; 5] = [
    Level::Subgroup,
    Level::Shared,
    Level::Workgroup,
    Level::Device,
    Level::System,
];

/// Whether the accesses of a test that is not ordered take place out of order on a chip, often enough
/// to be seen: the tests have to be able to fail.
///
/// Accesses of one wave to workgroup memory take place in order; so do those of a wave to a line, and
/// on gfx942 those of a workgroup, which has one compute unit. Load buffering is rare; that readers of two
/// writers disagree takes more luck than there is time for: `groups` has that.
fn is_weak(test: &Litmus, chip: &str) -> bool {
    let is_free = ["_relaxed_", "sb_rel_acq_"]
        .iter()
        .any(|part| test.name.contains(part));
    let is_apart = match test.level {
        Level::Subgroup | Level::Shared => false,
        Level::Workgroup => chip != "gfx942",
        Level::Device | Level::System => true,
    };
    // Updates that return take place one after the other, as each is waited for.
    let is_update = test.name.contains("_rmw_");
    let shape = test.name.split('_').next().unwrap();
    !test.forbidden && is_free && is_apart && !is_update && matches!(shape, "mp" | "sb")
}

/// Tests of one pattern on one chip.
struct Job<'a> {
    chip: &'static str,
    tests: Vec<&'a Litmus>,
}

/// The faults to try.
pub(crate) fn chosen(faults: &[Fault]) -> Vec<Fault> {
    let step = if emulator::is_full() { 1 } else { SOME };
    faults.iter().step_by(step).copied().collect()
}

#[test]
fn as_compiled() {
    if !emulator::is_installed() {
        return;
    }
    let all = tests_at(&LEVELS);
    let mut jobs: BTreeMap<(usize, &str), Job<'_>> = BTreeMap::new();
    for (turn, test) in all.iter().enumerate() {
        for (at, chip) in CHIPS.iter().enumerate() {
            if emulator::is_full() || turn % CHIPS.len() == at {
                let job = jobs.entry((at, &test.source)).or_insert_with(|| Job {
                    chip,
                    tests: Vec::new(),
                });
                job.tests.push(test);
            }
        }
    }
    let jobs: Vec<Job<'_>> = jobs.into_values().collect();
    do_all(&jobs, |job| {
        let text: String = job.tests.iter().map(|test| test.text.as_str()).collect();
        let (code, _) = emulator::compile(&text, job.chip);
        let judge = |test: &&Litmus| trials::judge(&code, test, job.chip, is_weak(test, job.chip));
        job.tests.iter().filter_map(judge).collect()
    });
}

#[test]
fn with_faults() {
    if !emulator::is_installed() {
        return;
    }
    let all = tests_at(&LEVELS);
    do_all(&chosen(faults::FAULTS), |fault| {
        let test = all.iter().find(|test| test.name == fault.test).unwrap();
        fault.try_on(test).err().into_iter().collect()
    });
}
