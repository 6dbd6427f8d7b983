//! Launches of a litmus test, and what to make of the outcomes.

use std::collections::BTreeMap;

use xpu_test_support::Random;
use xpu_test_support::litmus::{GROUP, Level, Litmus, Machine, Shape};

use crate::emulator::{self, Argument, Launch};

/// Instances of a launch: some groups at a time, on several compute units.
const INSTANCES: u64 = 256;
/// Words for traffic beside the test.
const OTHER: u64 = 256;
/// Launches in one process.
const TOGETHER: u64 = 4;
/// Launches of a test on a chip.
const MOST: u64 = 60;
/// Launches until an outcome has to have come.
const PATIENCE: u64 = 300;

/// How often each outcome came; `None` is for registers that are neither 0 nor 1.
pub(crate) type Counts = BTreeMap<Option<usize>, u64>;

fn machine(chip: &str) -> Machine {
    Machine {
        warp: if chip == "gfx942" { 64 } else { 32 },
        // Each turn costs time, and the waves do not run in step anyway.
        stress: [0, 0, 0, 1],
        delay: [0, 0, 3, 7],
    }
}

/// Launches a test with some seeds.
pub(crate) fn run(
    code: &[u8],
    test: &Litmus,
    chip: &str,
    seeds: std::ops::Range<u64>,
) -> Result<Counts, String> {
    let mut random = Random::named(&format!("{} {chip} {}", test.name, seeds.start));
    let launches: Vec<Launch> = seeds
        .map(|seed| launch(test, chip, seed, &mut random))
        .collect();
    let mut counts = Counts::new();
    for registers in emulator::run(code, &launches)? {
        for instance in 0..INSTANCES as usize {
            let bit = |register: u64| registers[register as usize * INSTANCES as usize + instance];
            let mut bits = (0..test.registers).map(|register| (bit(register), register));
            let outcome = bits.try_fold(0, |outcome, (bit, register)| match bit {
                0 | 1 => Some(outcome | (bit as usize) << register),
                _ => None,
            });
            *counts.entry(outcome).or_default() += 1;
        }
    }
    Ok(counts)
}

fn launch(test: &Litmus, chip: &str, seed: u64, random: &mut Random) -> Launch {
    let shape = Shape::draw_for(&machine(chip), test, INSTANCES, random);
    let words = [2 * INSTANCES * shape.stride, OTHER, INSTANCES * 4];
    let groups = INSTANCES * test.roles / GROUP;
    let mut launch = emulator::launch(&test.name, groups, GROUP, &words, 2);
    let more = shape.arguments(INSTANCES).map(Argument::Number);
    launch.arguments.extend(more);
    launch.seed = seed;
    launch
}

/// Whether the outcome comes that only weak memory shows, within some launches.
pub(crate) fn comes(code: &[u8], test: &Litmus, chip: &str) -> Result<bool, String> {
    for batch in 0..PATIENCE / TOGETHER {
        let seeds = batch * TOGETHER..(batch + 1) * TOGETHER;
        if run(code, test, chip, seeds)?.contains_key(&Some(test.weak)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is wrong with the outcomes of a test.
pub(crate) fn judge(code: &[u8], test: &Litmus, chip: &str, is_weak: bool) -> Option<String> {
    let problem = problem(code, test, chip, is_weak).unwrap_or_else(Some);
    problem.map(|what| format!("{} on {chip}: {what}", test.name))
}

fn problem(
    code: &[u8],
    test: &Litmus,
    chip: &str,
    is_weak: bool,
) -> Result<Option<String>, String> {
    let launches = if emulator::is_full() { MOST } else { TOGETHER };
    let counts = run(code, test, chip, 0..launches)?;
    let weak_came = counts.contains_key(&Some(test.weak));
    let what = if counts.contains_key(&None) {
        "a register is neither 0 nor 1"
    } else if test.forbidden && weak_came {
        "the forbidden outcome came"
    } else if counts.len() < 2 && test.level != Level::Subgroup {
        "only one outcome ever came: its work-items never met"
    } else if is_weak && !weak_came && !comes(code, test, chip)? {
        "the weak outcome does not come, so that the test could not fail"
    } else {
        return Ok(None);
    };
    Ok(Some(format!("{what}: {counts:?}")))
}
