//! `groups.mlir` and `relay.mlir`: what is handed on in a group by a barrier, or by a flag of the workgroup, is
//! handed on with what other scopes order.

use crate::emulator::{self, Launch};
use crate::faults::{Fault, GROUP_FAULTS};
use crate::{CHIPS, chosen};
use xpu_test_support::do_all;

/// Kernels, each in a source of its name.
const SOURCES: [(&str, &str); 2] = [
    ("groups", include_str!("groups.mlir")),
    ("relay", include_str!("relay.mlir")),
];

/// Pairs of groups in a launch.
const PAIRS: u64 = 2;
/// Work-items of a group.
const GROUP: u64 = 256;
/// Launches in one process.
const TOGETHER: u64 = 8;
/// Launches until a fault has to be found.
const PATIENCE: u64 = 304;

/// What an item that saw no flag stores.
const NO_FLAG: u32 = 2;

fn launch(kernel: &str, seed: u64) -> Launch {
    let items = PAIRS * GROUP;
    let words = [items * 2, items, items, items * 2];
    Launch {
        symbol: kernel.to_owned(),
        groups: 2 * PAIRS,
        group: GROUP,
        buffers: words.map(|count| count * 4).to_vec(),
        arguments: emulator::memrefs(&words),
        seed,
        read: 2,
    }
}

/// How many items saw a flag, and how many of these did not see what was stored.
fn run(code: &[u8], kernel: &str, seeds: std::ops::Range<u64>) -> Result<(usize, usize), String> {
    let launches: Vec<Launch> = seeds.map(|seed| launch(kernel, seed)).collect();
    let values = emulator::run(code, &launches)?.concat();
    let seen = values.iter().filter(|value| **value != NO_FLAG).count();
    let stale = values.iter().filter(|value| **value == 0).count();
    Ok((seen, stale))
}

#[test]
fn groups() {
    if !emulator::is_installed() {
        return;
    }
    let launches = TOGETHER * if emulator::is_full() { 16 } else { 1 };
    let chips = CHIPS.iter();
    let jobs: Vec<(&str, (&str, &str))> = chips
        .flat_map(|chip| SOURCES.map(|source| (*chip, source)))
        .collect();
    do_all(&jobs, |(chip, (kernel, source))| {
        let (code, _) = emulator::compile(source, chip);
        let problem = match run(&code, kernel, 0..launches) {
            Ok((0, _)) => Some("no flag was ever seen".to_owned()),
            Ok((_, 0)) => None,
            Ok((seen, stale)) => Some(format!("behind a flag, {stale} of {seen} are stale")),
            Err(why) => Some(why),
        };
        let problem = problem.map(|what| format!("{chip} {kernel}: {what}"));
        problem.into_iter().collect()
    });
    do_all(&chosen(GROUP_FAULTS), |fault: &Fault| {
        let problem = match finds(fault) {
            Ok(true) => None,
            Ok(false) => Some("is not found".to_owned()),
            Err(why) => Some(why),
        };
        let problem = problem.map(|what| format!("{fault:?}: {what}"));
        problem.into_iter().collect()
    });
}

fn finds(fault: &Fault) -> Result<bool, String> {
    let (kernel, source) = SOURCES
        .iter()
        .find(|(name, _)| *name == fault.test)
        .unwrap();
    let code = fault.code(source)?;
    for batch in 0..PATIENCE / TOGETHER {
        if run(&code, kernel, batch * TOGETHER..(batch + 1) * TOGETHER)?.1 > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
