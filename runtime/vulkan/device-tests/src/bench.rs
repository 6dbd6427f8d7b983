//! Kernel times, as ratios to the same kernels in GLSL, and of emulation to what the device has.

use std::time::Duration;

use serde_json::{Value, json};
use xpu_runtime::{Device, Launch, Manifest, Memory, RunError, Slot};
use xpu_runtime_vulkan::{VulkanBuffer, VulkanDevice, VulkanProgram};
use xpu_test_support::{Random, Report};

use crate::images::{Image, Images, NATIVE};
use crate::kernels::FILL;

const GROUP: u64 = 256;

/// The file with the kernels.
const KERNELS: &str = "kernels";

/// What a kernel is timed against.
#[derive(Clone, Copy)]
enum Peer {
    /// A kernel in GLSL, through glslang and spirv-opt.
    Glsl(&'static str),
    /// The same kernel compiled for a device that lacks the feature.
    Emulated(&'static str),
}

/// The data that a kernel gets.
#[derive(Clone, Copy)]
enum Data {
    /// `(bins, data, n)`, with so many bins.
    Histogram(u64),
    /// `(m, place, out or values, n)`, with so many addresses.
    Places(u64),
    /// `(m, out, n)`.
    Distinct,
}

struct Row {
    name: &'static str,
    ours: &'static str,
    peer: Peer,
    data: Data,
    /// What memory holds before each launch.
    initial: u32,
    /// Work-items, as a power of two.
    items: u32,
    /// Ours takes at most so many times what the peer takes.
    limit: Option<f64>,
}

/// The bits of f32's infinity.
const INFINITY: u32 = 0x7f80_0000;

const LIMIT: Option<f64> = Some(1.02);

const MIN: &str = "shader_buffer_float32_atomic_min_max";
const ADD: &str = "shader_buffer_float32_atomic_add";

#[rustfmt::skip] // one row a line
const ROWS: &[Row] = &[
    row("histogram, 256 bins", "histogram", Peer::Glsl("histogram"), Data::Histogram(256), 0, 24, LIMIT),
    row("histogram, 1024 bins", "histogram", Peer::Glsl("histogram"), Data::Histogram(1024), 0, 24, LIMIT),
    row("counter, unused", "counter_unused", Peer::Glsl("counter_unused"), Data::Places(1), 0, 22, None),
    row("counter, used", "counter_used", Peer::Glsl("counter_used"), Data::Places(1), 0, 22, None),
    row("f32 fadd, 1 address", "float_add", Peer::Glsl("float_add"), Data::Places(1), 0, 20, None),
    row("f32 fadd, 1024 addresses", "float_add", Peer::Glsl("float_add"), Data::Places(1024), 0, 22, None),
    row("f32 fadd, 1024, against emulated", "float_add", Peer::Emulated(ADD), Data::Places(1024), 0, 22, None),
    row("f32 fmin, 1, CAS loop", "float_min", Peer::Glsl("float_min_loop"), Data::Places(1), INFINITY, 20, None),
    row("f32 fmin, 1024, CAS loop", "float_min", Peer::Glsl("float_min_loop"), Data::Places(1024), INFINITY, 22, None),
    row("f32 fmin, 1, CAS loop, early exit", "float_min", Peer::Glsl("float_min_loop_early"), Data::Places(1), INFINITY, 20, None),
    row("f32 fmin, 1024, CAS loop, early exit", "float_min", Peer::Glsl("float_min_loop_early"), Data::Places(1024), INFINITY, 22, None),
    row("f32 fmin, 1024, against emulated", "float_min", Peer::Emulated(MIN), Data::Places(1024), INFINITY, 22, None),
    row("distinct add, relaxed", "distinct_relaxed", Peer::Glsl("distinct_relaxed"), Data::Distinct, 0, 22, None),
    row("distinct add, acq_rel", "distinct_acq_rel", Peer::Glsl("distinct_acq_rel"), Data::Distinct, 0, 22, None),
];

const fn row(
    name: &'static str,
    ours: &'static str,
    peer: Peer,
    data: Data,
    initial: u32,
    items: u32,
    limit: Option<f64>,
) -> Row {
    Row {
        name,
        ours,
        peer,
        data,
        initial,
        items,
        limit,
    }
}

/// Times all rows, `rounds` times each side in turn.
pub(crate) fn run(
    device: &VulkanDevice,
    images: &Images,
    rounds: usize,
    quick: bool,
    report: &mut Report,
) {
    let find = |kind: &str, part: &str, name: &str| {
        let found = images.find(kind, part, name)?;
        found.ok_or_else(|| format!("{name} is not compiled"))
    };
    let sides = find(NATIVE, "bench", KERNELS).and_then(|ours| {
        let fill = find(NATIVE, "litmus", FILL)?.load(device, FILL)?;
        Ok((ours, find("emulated", "bench", KERNELS)?, fill))
    });
    let (ours, emulated, fill) = match sides {
        Ok(sides) => sides,
        Err(why) => return report.fail(&format!("bench: {why}")),
    };
    report.line(&format!("bench: {} and {}", ours.set, emulated.set));
    report.line("bench: kernel | xpu us | peer us | ratio | limit");
    let mut rows: Vec<Value> = Vec::new();
    for row in ROWS {
        let peer = match row.peer {
            Peer::Glsl(name) => glsl(device, images, &ours, row.ours, name),
            Peer::Emulated(feature) if images.has(feature) => emulated.load(device, row.ours),
            Peer::Emulated(feature) => {
                report.line(&format!("{} | the device lacks {feature}", row.name));
                continue;
            }
        };
        let measured = ours.load(device, row.ours).and_then(|ours| {
            measure(device, &fill, row, [&ours, &peer?], rounds, quick)
                .map_err(|error| error.to_string())
        });
        match measured {
            Ok(times) => rows.push(judge(row, times, report)),
            Err(error) => report.fail(&format!("bench {}: {error}", row.name)),
        }
    }
    report.keep("bench", Value::Array(rows));
}

/// The kernel in GLSL, which takes what ours takes.
fn glsl(
    device: &VulkanDevice,
    images: &Images,
    ours: &Image,
    kernel: &str,
    name: &str,
) -> Result<VulkanProgram, String> {
    let code = images.read(&format!("bench/{name}.spv"))?;
    let kernel = ours
        .manifest
        .kernel(kernel)
        .map_err(|error| error.to_string())?;
    let mut kernel = kernel.clone();
    kernel.symbol = "main".to_owned();
    let manifest = Manifest {
        kernels: vec![kernel.clone()],
        ..ours.manifest.clone()
    };
    device
        .load(&manifest, &kernel, &code)
        .map_err(|error| format!("{name}: {error}"))
}

/// What launches of a row need.
struct Job<'a> {
    device: &'a VulkanDevice,
    fill: &'a VulkanProgram,
    memory: &'a VulkanBuffer,
    /// Words of it, which are reset before each launch.
    words: u64,
    initial: u32,
    items: u64,
    slots: &'a [Slot<&'a VulkanBuffer>],
}

impl Job<'_> {
    fn time(&self, program: &VulkanProgram) -> Result<f64, RunError> {
        let reset = [
            Slot::Buffer(self.memory),
            Slot::Extent(self.words),
            word(self.initial.into()),
            word(self.words),
        ];
        launch(self.device, self.fill, self.words, &reset)?;
        let time = launch(self.device, program, self.items, self.slots)?;
        Ok(time.as_secs_f64() * 1e6)
    }

    /// What memory holds after a launch.
    fn result(&self, program: &VulkanProgram) -> Result<Vec<u8>, RunError> {
        self.time(program)?;
        let mut bytes = vec![0; 4 * self.words as usize];
        self.device.download(self.memory, &mut bytes)?;
        Ok(bytes)
    }
}

fn launch(
    device: &VulkanDevice,
    program: &VulkanProgram,
    items: u64,
    slots: &[Slot<&VulkanBuffer>],
) -> Result<Duration, RunError> {
    let launch = Launch {
        groups: [items.div_ceil(GROUP), 1, 1],
        group_size: [GROUP as u32, 1, 1],
        slots,
    };
    device.launch(program, &launch)
}

fn word<'a>(bits: u64) -> Slot<&'a VulkanBuffer> {
    Slot::Scalar { bits, bytes: 4 }
}

/// The times of both sides, sorted.
struct Times {
    ours: Vec<f64>,
    theirs: Vec<f64>,
    same: bool,
}

fn measure(
    device: &VulkanDevice,
    fill: &VulkanProgram,
    row: &Row,
    [ours, theirs]: [&VulkanProgram; 2],
    rounds: usize,
    quick: bool,
) -> Result<Times, RunError> {
    let n: u64 = 1 << if quick { row.items.min(16) } else { row.items };
    let mut random = Random::named(row.ours);
    let mut words = |one: &dyn Fn(u64) -> u32| -> Vec<u8> {
        (0..n)
            .flat_map(|_| one(random.bits()).to_le_bytes())
            .collect()
    };
    let (addresses, inputs) = match row.data {
        Data::Histogram(bins) => (bins, vec![words(&|bits| (bits % bins) as u32)]),
        Data::Places(count) => {
            let places = words(&|bits| ((bits >> 20) % count) as u32);
            // Of one exponent, so that no side meets a number that is out of the ordinary; both signs.
            let values = words(&|bits| (bits as u32 & 0x807f_ffff) | 0x3f80_0000);
            (count, vec![places, values])
        }
        Data::Distinct => (n, vec![vec![0; n as usize * 4]]),
    };
    let memory = device.allocate(4 * addresses, Memory::DeviceLocal)?;
    let mut buffers = Vec::new();
    for input in &inputs {
        let buffer = device.allocate(input.len() as u64, Memory::DeviceLocal)?;
        device.upload(&buffer, input)?;
        buffers.push(buffer);
    }
    let mut slots = vec![Slot::Buffer(&memory), Slot::Extent(addresses)];
    for buffer in &buffers {
        slots.extend([Slot::Buffer(buffer), Slot::Extent(n)]);
    }
    slots.push(word(n));
    let job = Job {
        device,
        fill,
        memory: &memory,
        words: addresses,
        initial: row.initial,
        items: n,
        slots: &slots,
    };
    // Sums of floats depend on the order.
    let same = row.ours == "float_add" || job.result(ours)? == job.result(theirs)?;
    for _ in 0..3 {
        job.time(ours)?;
        job.time(theirs)?;
    }
    let mut times = Times {
        ours: Vec::new(),
        theirs: Vec::new(),
        same,
    };
    for round in 0..rounds {
        // Neither side always comes first.
        if round % 2 == 0 {
            times.ours.push(job.time(ours)?);
            times.theirs.push(job.time(theirs)?);
        } else {
            times.theirs.push(job.time(theirs)?);
            times.ours.push(job.time(ours)?);
        }
    }
    times.ours.sort_by(f64::total_cmp);
    times.theirs.sort_by(f64::total_cmp);
    Ok(times)
}

fn judge(row: &Row, times: Times, report: &mut Report) -> Value {
    let median = |times: &[f64]| times[times.len() / 2];
    let (ours, theirs) = (median(&times.ours), median(&times.theirs));
    let ratio = ours / theirs;
    let limit = row
        .limit
        .map_or_else(|| "-".to_owned(), |most| format!("<= {most}"));
    let reached = row.limit.is_none_or(|most| ratio <= most);
    report.line(&format!(
        "{} | {ours:.1} | {theirs:.1} | {ratio:.3} | {limit}",
        row.name
    ));
    if !times.same {
        report.fail(&format!(
            "bench {}: the two kernels differ in what they compute",
            row.name
        ));
    }
    if !reached {
        report.fail(&format!("bench {}: {ratio:.3} is not {limit}", row.name));
    }
    let peer = match row.peer {
        Peer::Glsl(name) => name,
        Peer::Emulated(_) => "emulated",
    };
    json!({
        "kernel": row.name, "ours": row.ours, "theirs": peer, "log2_items": row.items,
        "xpu_us": ours, "peer_us": theirs, "ratio": ratio, "limit": limit, "reached": reached,
        "xpu_us_least": times.ours.first(), "peer_us_least": times.theirs.first(),
        "rounds": times.ours.len(),
    })
}
