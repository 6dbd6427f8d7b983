//! Litmus tests: outcomes that the memory model forbids never come, and weak ones that the hardware
//! has do come, which shows that the tests can fail.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use xpu_test_support::litmus::{self, COUNT, GROUP, Litmus, MAX_STRIDE, Shape, judge};
use xpu_test_support::{Random, Report};

use crate::driver::{Bits, Buffer, DriverError, Gpu, Kernel, Module};
use crate::images;

/// Instances of a launch, so many that all work-items run at once on a large GPU.
const INSTANCES: u64 = 1 << 16;
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
            Ok(counts) => rows.push(judge(&test, test.forbidden, &counts, report)),
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
                memory: gpu.alloc((INSTANCES * 2 * MAX_STRIDE * 4) as usize)?,
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
        let shape = Shape::draw(test, n, random);
        self.memory.fill(0, shape.words as usize)?;
        let memref = |buffer: &Buffer<'_>, words: u64| [buffer.argument(), Bits(words)];
        let mut arguments = Vec::new();
        arguments.extend(memref(&self.memory, 2 * n * shape.stride));
        arguments.extend(memref(&self.other, OTHER));
        arguments.extend(memref(&self.registers, n * 4));
        arguments.extend(shape.arguments(n).map(Bits));
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
