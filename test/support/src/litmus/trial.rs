//! Trials of litmus tests: what a launch is given, and what to make of the outcomes.

use serde_json::{Value, json};

use super::{GROUP, Level, Litmus};
use crate::random::Random;
use crate::report::Report;

/// Words from one to the next.
const STRIDES: [u64; 6] = [1, 2, 4, 8, 16, MAX_STRIDE];

/// The largest distance of two words.
pub const MAX_STRIDE: u64 = 32;

/// What a shape is drawn for.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Work-items of a warp.
    pub warp: u64,
    /// How many turns of other traffic there may be.
    pub stress: [u64; 4],
    /// Masks of how many turns a role may wait.
    pub delay: [u64; 4],
}

impl Machine {
    /// A GPU. Some launches start as the hardware does; a turn of a wait is some tens of cycles.
    pub const GPU: Machine = Machine {
        warp: 32,
        stress: [0, 0, 2, 8],
        delay: [0, 7, 31, 127],
    };
}

/// How the work-items of a launch meet: the numbers that the kernels take.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    block: u64,
    mul: u64,
    add: u64,
    ymul: u64,
    yadd: u64,
    /// From one word of memory to the next; memory has twice as many for each instance.
    pub stride: u64,
    stress: u64,
    delay: u64,
    seed: u64,
    /// Words at the start of memory that are 0 before the launch.
    pub words: u64,
}

impl Shape {
    /// Any shape of `n` instances, a power of two, on a GPU.
    pub fn draw(test: &Litmus, n: u64, random: &mut Random) -> Self {
        Self::draw_for(&Machine::GPU, test, n, random)
    }

    /// Any shape of `n` instances, a power of two.
    pub fn draw_for(machine: &Machine, test: &Litmus, n: u64, random: &mut Random) -> Self {
        let mut any = |limit: u64| random.below(limit);
        // How many work-items in a row have one role: a warp, a group, or all of a role.
        let block = match any(4) {
            // All roles of an instance are in one warp.
            _ if test.level == Level::Subgroup => machine.warp / test.roles,
            _ if test.level.one_group() => machine.warp,
            0 => machine.warp,
            1 => n,
            _ => GROUP,
        };
        // Who meets whom: neighbours, neighbours shifted, or anyone.
        let (mul, add) = match any(4) {
            0 => (1, 0),
            1 => (1, any(64)),
            _ => (any(n) | 1, any(n)),
        };
        let (mul, add) = if test.level == Level::Subgroup {
            (1, 0)
        } else {
            (mul, add)
        };
        let (ymul, yadd) = match any(3) {
            0 => (1, 0),
            1 => (1, any(n)),
            _ => (any(n) | 1, any(n)),
        };
        let strides = if test.level == Level::Shared {
            5
        } else {
            STRIDES.len() as u64
        };
        let stride = STRIDES[any(strides) as usize];
        let stress = machine.stress[any(4) as usize];
        let delay = machine.delay[any(4) as usize];
        let seed = any(1 << 31);
        let words = if test.level == Level::Shared {
            1
        } else {
            2 * n * stride
        };
        Self {
            block,
            mul,
            add,
            ymul,
            yadd,
            stride,
            stress,
            delay,
            seed,
            words,
        }
    }

    /// The numbers, in the order of the parameters.
    pub fn arguments(&self, n: u64) -> [u64; 10] {
        [
            n,
            self.block,
            self.mul,
            self.add,
            self.ymul,
            self.yadd,
            self.stride,
            self.stress,
            self.delay,
            self.seed,
        ]
    }
}

/// Prints what came, and says whether it may: the weak outcome may not if it is `forbidden`.
pub fn judge(test: &Litmus, forbidden: bool, counts: &[u64], report: &mut Report) -> Value {
    let tries: u64 = counts.iter().sum();
    let weak = counts[test.weak];
    let width = test.registers as usize;
    let outcomes: Vec<(String, u64)> = counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count != 0)
        .map(|(outcome, count)| (format!("{outcome:0width$b}"), *count))
        .collect();
    let (verdict, wrong) = match (forbidden, weak) {
        (true, 0) => ("forbidden, 0", false),
        (true, _) => ("FORBIDDEN, SEEN", true),
        (false, 0) => ("weak, not seen", false),
        (false, _) => ("weak, seen", false),
    };
    // Sixteen outcomes are too many for a line; the JSON has them.
    let shown: Vec<String> = if width > 2 {
        vec![format!("{} of 16", outcomes.len())]
    } else {
        outcomes
            .iter()
            .map(|(name, count)| format!("{name}:{}", short(*count)))
            .collect()
    };
    report.line(&format!(
        "{}: {}, {}, {weak}, {verdict}",
        test.name,
        short(tries),
        shown.join(" ")
    ));
    if wrong {
        report.fail(&format!(
            "{}: the forbidden outcome came {weak} times in {tries}",
            test.name
        ));
    }
    if outcomes.len() < 2 {
        report.fail(&format!(
            "{}: only one outcome ever came: its work-items never met",
            test.name
        ));
    }
    json!({
        "test": test.name, "tries": tries, "forbidden": forbidden, "weak": weak,
        "outcomes": outcomes.into_iter().map(|(name, count)| (name, json!(count)))
            .collect::<serde_json::Map<String, Value>>(),
        "verdict": verdict,
    })
}

/// The number in few characters; the JSON has all of them.
fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}k", number / 1000),
        _ => format!("{}M", number / 1_000_000),
    }
}
