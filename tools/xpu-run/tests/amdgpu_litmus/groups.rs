//! Kernels of several groups: what is handed on in a group by a barrier (`groups.mlir`), or by a flag of the
//! workgroup (`relay.mlir`), is handed on with what wider scopes order; and many readers agree on the order
//! of two writes (`iriw.mlir`).

use crate::emulator::{self, Launch};
use crate::faults::{Fault, GROUP_FAULTS};
use crate::{CHIPS, chosen};
use xpu_test_support::do_all;

/// Work-items of a group.
const GROUP: u64 = 256;
/// Work-items of two pairs of groups, by the pair.
const ITEMS: u64 = 2 * GROUP;
/// Launches in one process.
const TOGETHER: u64 = 8;
/// Launches until a fault has to be found.
const PATIENCE: u64 = 304;

/// A kernel, in a source of its name.
struct Kernel {
    name: &'static str,
    source: &'static str,
    /// How many groups there are.
    groups: u64,
    /// The words of its buffers.
    words: &'static [u64],
    /// The buffer that is looked at.
    read: usize,
    /// How many values of it tell something, and how many of these are forbidden.
    judge: fn(&[u32]) -> (usize, usize),
}

const KERNELS: [Kernel; 3] = [
    Kernel {
        name: "groups",
        source: include_str!("groups.mlir"),
        groups: 4,
        words: &[ITEMS * 2, 2 * 32, ITEMS, ITEMS],
        read: 2,
        judge: stale,
    },
    Kernel {
        name: "relay",
        source: include_str!("relay.mlir"),
        groups: 4,
        words: &[ITEMS * 2, ITEMS, ITEMS, ITEMS * 2],
        read: 2,
        judge: stale,
    },
    Kernel {
        name: "iriw",
        source: include_str!("iriw.mlir"),
        groups: IRIW_GROUPS as u64,
        words: &[
            IRIW_WORDS as u64,
            IRIW_WORDS as u64,
            (IRIW_GROUPS * IRIW_WORDS) as u64,
        ],
        read: 2,
        judge: disagreements,
    },
];

/// Of items that saw a flag, those that did not see what was stored.
fn stale(values: &[u32]) -> (usize, usize) {
    // What an item that saw no flag stores.
    const NO_FLAG: u32 = 2;
    let seen = values.iter().filter(|value| **value != NO_FLAG).count();
    let stale = values.iter().filter(|value| **value == 0).count();
    (seen, stale)
}

/// Groups of `iriw.mlir`, as many as are resident at a time; the first two write.
const IRIW_GROUPS: usize = 8;
/// Its words of x, and of y: four for each item of a group.
const IRIW_WORDS: usize = 4 * GROUP as usize;

/// Of pairs of words of which some reader saw one alone, those of which another saw the other alone.
fn disagreements(outcomes: &[u32]) -> (usize, usize) {
    // Found the first word that it read, and not the second one.
    const FIRST_ALONE: u32 = 1;
    let saw = |word: usize, first: usize| {
        let mut readers = (first..IRIW_GROUPS).step_by(2);
        readers.any(|group| outcomes[group * IRIW_WORDS + word] == FIRST_ALONE)
    };
    let alone = (0..IRIW_WORDS).map(|word| (saw(word, 2), saw(word, 3)));
    let seen = alone.clone().filter(|(x, y)| *x || *y).count();
    (seen, alone.filter(|(x, y)| *x && *y).count())
}

impl Kernel {
    fn launch(&self, seed: u64) -> Launch {
        Launch {
            seed,
            ..emulator::launch(self.name, self.groups, GROUP, self.words, self.read)
        }
    }

    /// What all launches tell, and how much of it is forbidden.
    fn run(&self, code: &[u8], seeds: std::ops::Range<u64>) -> Result<(usize, usize), String> {
        let launches: Vec<Launch> = seeds.map(|seed| self.launch(seed)).collect();
        let outcomes = emulator::run(code, &launches)?;
        let judged = outcomes.iter().map(|values| (self.judge)(values));
        Ok(judged.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1)))
    }
}

#[test]
fn groups() {
    if !emulator::is_installed() {
        return;
    }
    let launches = TOGETHER * if emulator::is_full() { 16 } else { 1 };
    let jobs: Vec<(&str, &Kernel)> = CHIPS
        .iter()
        .flat_map(|chip| KERNELS.iter().map(|kernel| (*chip, kernel)))
        .collect();
    do_all(&jobs, |(chip, kernel)| {
        let (code, _) = emulator::compile(kernel.source, chip);
        let problem = match kernel.run(&code, 0..launches) {
            Ok((0, _)) => Some("nothing was ever seen".to_owned()),
            Ok((_, 0)) => None,
            Ok((seen, wrong)) => Some(format!("{wrong} of {seen} are forbidden")),
            Err(why) => Some(why),
        };
        let problem = problem.map(|what| format!("{chip} {}: {what}", kernel.name));
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
    let kernel = KERNELS.iter().find(|one| one.name == fault.test).unwrap();
    let code = fault.code(kernel.source)?;
    for batch in 0..PATIENCE / TOGETHER {
        let seeds = batch * TOGETHER..(batch + 1) * TOGETHER;
        if kernel.run(&code, seeds)?.1 > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
