//! `groups.mlir`: barriers hand on what other scopes order.

use crate::emulator::{self, Launch};
use crate::faults::{Fault, GROUP_FAULTS};
use crate::{CHIPS, chosen};
use xpu_test_support::do_all;

const SOURCE: &str = include_str!("groups.mlir");

/// Pairs of groups in a launch.
const PAIRS: u64 = 2;
/// Work-items of a group.
const GROUP: u64 = 256;
/// Launches in one process.
const TOGETHER: u64 = 8;
/// Launches until a fault has to be found.
const PATIENCE: u64 = 120;

/// What an item whose leader saw no flag stores.
const NO_FLAG: u32 = 2;

fn launch(seed: u64) -> Launch {
    let words = [PAIRS * GROUP * 2, PAIRS * 32, PAIRS * GROUP, PAIRS * GROUP];
    Launch {
        symbol: "groups".to_owned(),
        groups: 2 * PAIRS,
        group: GROUP,
        buffers: words.map(|count| count * 4).to_vec(),
        arguments: emulator::memrefs(&words),
        seed,
        read: 2,
    }
}

/// How many items saw a flag, and how many of these did not see what was stored.
fn run(code: &[u8], seeds: std::ops::Range<u64>) -> Result<(usize, usize), String> {
    let launches: Vec<Launch> = seeds.map(launch).collect();
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
    do_all(&CHIPS, |chip| {
        let (code, _) = emulator::compile(SOURCE, chip);
        let problem = match run(&code, 0..launches) {
            Ok((0, _)) => Some("no flag was ever seen".to_owned()),
            Ok((_, 0)) => None,
            Ok((seen, stale)) => Some(format!("behind a barrier, {stale} of {seen} are stale")),
            Err(why) => Some(why),
        };
        let problem = problem.map(|what| format!("{chip}: {what}"));
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
    let code = fault.code(SOURCE)?;
    for batch in 0..PATIENCE / TOGETHER {
        if run(&code, batch * TOGETHER..(batch + 1) * TOGETHER)?.1 > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
