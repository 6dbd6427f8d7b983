//! Litmus tests: outcomes that the memory model forbids never come, and weak ones that the hardware
//! has do come, which shows that the tests can fail.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use xpu_test_support::Random;
use xpu_test_support::litmus::{self, COUNT, GROUP, Level, Litmus};

use crate::driver::{Bits, Buffer, DriverError, Gpu, Kernel, Module};
use crate::images;
use crate::report::Report;

/// Instances of a launch, so many that all work-items run at once on a large GPU.
const INSTANCES: u64 = 1 << 16;
/// The largest distance of two words, in words.
const STRIDES: [u64; 6] = [1, 2, 4, 8, 16, 32];
/// Words for traffic beside the test.
const OTHER: u64 = 1 << 20;

/// How long to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// At least so many tries, whatever time they take.
    pub(crate) least: u64,
    /// No more tries than these.
    pub(crate) most: u64,
    /// No more time than this, once there are enough.
    pub(crate) time: Duration,
}

struct Bench<'a> {
    gpu: &'a Gpu,
    count: Kernel,
    memory: Buffer<'a>,
    other: Buffer<'a>,
    registers: Buffer<'a>,
    counts: Buffer<'a>,
}

/// Runs all tests.
pub(crate) fn run(gpu: &Gpu, folder: &Path, effort: Effort, report: &mut Report) {
    let bench = match Bench::new(gpu, folder) {
        Ok(bench) => bench,
        Err(why) => return report.fail(&format!("litmus: {why}")),
    };
    let mut modules: BTreeMap<String, Option<Module>> = BTreeMap::new();
    let mut rows: Vec<Value> = Vec::new();
    let mut random = Random::new(1);
    report
        .line("litmus: test: tries, outcomes (bits rN..r0: count), weak outcome's count, verdict");
    for test in litmus::tests() {
        let module = modules.entry(test.source.clone()).or_insert_with(|| {
            images::load(gpu, folder, &test.source)
                .map_err(|why| report.fail(&format!("{}: {why}", test.source)))
                .ok()
        });
        let Some(module) = module else { continue };
        match bench.run(module, &test, effort, &mut random) {
            Ok(counts) => rows.push(judge(&test, &counts, report)),
            Err(error) => {
                report.fail(&format!("{}: {error}", test.name));
                rows.push(json!({ "test": test.name, "error": error.to_string() }));
            }
        }
    }
    let seen = |row: &&Value| row["verdict"] == "weak, seen";
    let weak: Vec<&Value> = rows.iter().filter(seen).map(|row| &row["test"]).collect();
    report.line(&format!(
        "litmus: {} tests; weak outcomes seen in {}",
        rows.len(),
        weak.len()
    ));
    if weak.is_empty() {
        report.fail("litmus: no weak outcome was ever seen, so the tests could not have failed");
    }
    report.keep("litmus", Value::Array(rows));
}

impl<'a> Bench<'a> {
    fn new(gpu: &'a Gpu, folder: &Path) -> Result<Self, String> {
        let module = images::load(gpu, folder, COUNT)?;
        let make = || {
            Ok(Self {
                gpu,
                count: gpu.kernel(&module, COUNT)?,
                memory: gpu.alloc((INSTANCES * 2 * 32 * 4) as usize)?,
                other: gpu.alloc((OTHER * 4) as usize)?,
                registers: gpu.alloc((INSTANCES * 4 * 4) as usize)?,
                counts: gpu.alloc(16 * 8)?,
            })
        };
        make().map_err(|error: DriverError| error.to_string())
    }

    /// How often each outcome came.
    fn run(
        &self,
        module: &Module,
        test: &Litmus,
        effort: Effort,
        random: &mut Random,
    ) -> Result<Vec<u64>, DriverError> {
        let kernel = self.gpu.kernel(module, &test.name)?;
        self.counts.fill(0, 16 * 2)?;
        self.other.fill(0, OTHER as usize)?;
        let (mut tries, start) = (0, Instant::now());
        while tries < effort.least || (tries < effort.most && start.elapsed() < effort.time) {
            // Some launches are under way at any time; the clock is looked at now and then.
            for _ in 0..16 {
                self.launch(kernel, test, random)?;
                tries += INSTANCES;
            }
            self.gpu.wait()?;
        }
        let bytes = self.counts.read()?;
        Ok(bytes
            .as_chunks::<8>()
            .0
            .iter()
            .map(|word| u64::from_le_bytes(*word))
            .collect())
    }

    fn launch(
        &self,
        kernel: Kernel,
        test: &Litmus,
        random: &mut Random,
    ) -> Result<(), DriverError> {
        let n = INSTANCES;
        let mut any = |limit: u64| random.below(limit);
        // How many work-items in a row have one role: a warp, a group, or all of a role.
        let block = match any(4) {
            _ if test.level.one_group() => 32,
            0 => 32,
            1 => n,
            _ => GROUP,
        };
        // Who meets whom: neighbours, neighbours shifted, or anyone.
        let (mul, add) = match any(4) {
            0 => (1, 0),
            1 => (1, any(64)),
            _ => (any(n) | 1, any(n)),
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
        let stress = [0, 0, 2, 8][any(4) as usize];
        // Some launches start as the hardware does; a turn is some tens of cycles.
        let delay = [0, 7, 31, 127][any(4) as usize];
        let seed = any(1 << 31);
        let used = if test.level == Level::Shared {
            1
        } else {
            2 * n * stride
        };
        self.memory.fill(0, used as usize)?;
        let memref = |buffer: &Buffer<'_>, words: u64| [buffer.argument(), Bits(words)];
        let mut arguments = Vec::new();
        arguments.extend(memref(&self.memory, 2 * n * stride));
        arguments.extend(memref(&self.other, OTHER));
        arguments.extend(memref(&self.registers, n * 4));
        arguments.extend([n, block, mul, add, ymul, yadd, stride, stress, delay, seed].map(Bits));
        let groups = n * test.roles / GROUP;
        self.gpu
            .launch(kernel, groups as u32, GROUP as u32, &arguments)?;
        let mut arguments = Vec::new();
        arguments.extend(memref(&self.registers, n * 4));
        arguments.extend(memref(&self.counts, 16));
        arguments.extend([n, test.registers].map(Bits));
        self.gpu
            .launch(self.count, (n / GROUP) as u32, GROUP as u32, &arguments)
    }
}

/// Prints what came, and says whether it may.
fn judge(test: &Litmus, counts: &[u64], report: &mut Report) -> Value {
    let tries: u64 = counts.iter().sum();
    let weak = counts[test.weak];
    let width = test.registers as usize;
    let outcomes: Vec<(String, u64)> = counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count != 0)
        .map(|(outcome, count)| (format!("{outcome:0width$b}"), *count))
        .collect();
    let (verdict, wrong) = match (test.forbidden, weak) {
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
        "test": test.name, "tries": tries, "forbidden": test.forbidden, "weak": weak,
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
