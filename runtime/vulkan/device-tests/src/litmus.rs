//! Litmus tests: outcomes that the memory model forbids never come, and weak ones that the hardware
//! has do come, which shows that the tests can fail.
//!
//! Vulkan has no `seq_cst`: it is acquire and release there. An outcome that `seq_cst` alone forbids
//! is not forbidden here, and counts as one that is allowed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use xpu_runtime::{Device, Launch, Memory, RunError, Slot};
use xpu_runtime_vulkan::{VulkanBuffer, VulkanDevice, VulkanProgram};
use xpu_test_support::litmus::{self, COUNT, GROUP, Litmus, MAX_STRIDE, Shape, judge};
use xpu_test_support::{Random, Report};

use crate::images::{Image, Images, NATIVE};
use crate::kernels::FILL;

/// Words for traffic beside the test.
const OTHER: u64 = 1 << 20;

/// Outcomes of four registers.
const OUTCOMES: u64 = 16;

/// How long to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Instances of a launch: on a large GPU so many that all its work-items run at once.
    pub(crate) instances: u64,
    /// At least so many tries, whatever time they take.
    pub(crate) least: u64,
    /// No more tries than these.
    pub(crate) most: u64,
    /// No more time than this, once there are enough.
    pub(crate) time: Duration,
}

struct Bench<'a> {
    device: &'a VulkanDevice,
    effort: Effort,
    count: VulkanProgram,
    fill: VulkanProgram,
    memory: VulkanBuffer,
    other: VulkanBuffer,
    registers: VulkanBuffer,
    counts: VulkanBuffer,
}

/// Runs all tests.
pub(crate) fn run(device: &VulkanDevice, images: &Images, effort: Effort, report: &mut Report) {
    let bench = match Bench::new(device, images, effort) {
        Ok(bench) => bench,
        Err(why) => return report.fail(&format!("litmus: {why}")),
    };
    let mut loaded: BTreeMap<String, Option<Image>> = BTreeMap::new();
    let mut rows: Vec<Value> = Vec::new();
    let mut random = Random::new(1);
    report
        .line("litmus: test: tries, outcomes (bits rN..r0: count), weak outcome's count, verdict");
    for test in litmus::tests() {
        let image = loaded.entry(test.source.clone()).or_insert_with(|| {
            find(images, &test.source)
                .map_err(|why| report.fail(&why))
                .ok()
        });
        let Some(image) = image else { continue };
        let program = image.load(device, &test.name);
        let counts = program.and_then(|program| {
            bench
                .run(&program, &test, &mut random)
                .map_err(|error| error.to_string())
        });
        match counts {
            Ok(counts) => {
                let forbidden = test.forbidden && !test.only_seq_cst_forbids;
                rows.push(judge(&test, forbidden, &counts, report));
            }
            Err(error) => {
                report.fail(&format!("{}: {error}", test.name));
                rows.push(json!({ "test": test.name, "error": error }));
            }
        }
    }
    let seen = |row: &&Value| row["verdict"] == "weak, seen";
    let weak = rows.iter().filter(seen).count();
    report.line(&format!(
        "litmus: {} tests; weak outcomes seen in {weak}",
        rows.len()
    ));
    if weak == 0 {
        report.fail("litmus: no weak outcome was ever seen, so the tests could not have failed");
    }
    report.keep("litmus", Value::Array(rows));
}

fn find(images: &Images, name: &str) -> Result<Image, String> {
    images
        .find(NATIVE, "litmus", name)?
        .ok_or_else(|| format!("litmus: {name} is not compiled"))
}

impl<'a> Bench<'a> {
    fn new(device: &'a VulkanDevice, images: &Images, effort: Effort) -> Result<Self, String> {
        let count = find(images, COUNT)?.load(device, COUNT)?;
        let fill = find(images, FILL)?.load(device, FILL)?;
        let n = effort.instances;
        let make = || {
            let words = |words: u64| device.allocate(4 * words, Memory::DeviceLocal);
            Ok(Self {
                device,
                effort,
                count,
                fill,
                memory: words(n * 2 * MAX_STRIDE)?,
                other: words(OTHER)?,
                registers: words(n * 4)?,
                counts: words(OUTCOMES * 2)?,
            })
        };
        make().map_err(|error: RunError| error.to_string())
    }

    /// How often each outcome came.
    fn run(
        &self,
        program: &VulkanProgram,
        test: &Litmus,
        random: &mut Random,
    ) -> Result<Vec<u64>, RunError> {
        self.clear(&self.counts, OUTCOMES * 2)?;
        self.clear(&self.other, OTHER)?;
        let Effort {
            instances,
            least,
            most,
            time,
        } = self.effort;
        let (mut tries, start) = (0, Instant::now());
        while tries < least || (tries < most && start.elapsed() < time) {
            self.try_all(program, test, random)?;
            tries += instances;
        }
        let mut bytes = [0; 8 * OUTCOMES as usize];
        self.device.download(&self.counts, &mut bytes)?;
        let words = bytes.as_chunks::<8>().0;
        Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }

    /// One launch, and one that counts what came of it.
    fn try_all(
        &self,
        program: &VulkanProgram,
        test: &Litmus,
        random: &mut Random,
    ) -> Result<(), RunError> {
        let n = self.effort.instances;
        let shape = Shape::draw(test, n, random);
        self.clear(&self.memory, shape.words)?;
        let mut slots = vec![
            Slot::Buffer(&self.memory),
            Slot::Extent(2 * n * shape.stride),
            Slot::Buffer(&self.other),
            Slot::Extent(OTHER),
            Slot::Buffer(&self.registers),
            Slot::Extent(n * 4),
        ];
        slots.extend(shape.arguments(n).map(index));
        self.launch(program, n * test.roles, &slots)?;
        let slots = [
            Slot::Buffer(&self.registers),
            Slot::Extent(n * 4),
            Slot::Buffer(&self.counts),
            Slot::Extent(OUTCOMES),
            index(n),
            index(test.registers),
        ];
        self.launch(&self.count, n, &slots)
    }

    fn clear(&self, buffer: &VulkanBuffer, words: u64) -> Result<(), RunError> {
        let slots = [
            Slot::Buffer(buffer),
            Slot::Extent(words),
            index(0),
            index(words),
        ];
        self.launch(&self.fill, words, &slots)
    }

    fn launch(
        &self,
        program: &VulkanProgram,
        items: u64,
        slots: &[Slot<&VulkanBuffer>],
    ) -> Result<(), RunError> {
        let launch = Launch {
            groups: [items.div_ceil(GROUP), 1, 1],
            group_size: [GROUP as u32, 1, 1],
            slots,
        };
        self.device.launch(program, &launch).map(|_| ())
    }
}

/// An `index`, or an `i32`.
fn index<'a>(value: u64) -> Slot<&'a VulkanBuffer> {
    Slot::Scalar {
        bits: value,
        bytes: 4,
    }
}
