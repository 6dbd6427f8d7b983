//! Kernel times, as ratios to the same kernels by nvcc.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use xpu_test_support::{Random, Report};

use crate::driver::{Bits, Buffer, DriverError, Gpu, Kernel, Module};
use crate::images;

const GROUP: u32 = 256;

/// What decides a row.
#[derive(Clone, Copy)]
enum Limit {
    /// Ours takes at most so many times theirs.
    AtMost(f64),
    /// Theirs takes at least so many times ours.
    Faster(f64),
    /// Nothing.
    None,
}

/// The data that a kernel gets.
#[derive(Clone, Copy)]
enum Data {
    /// `(bins, data, n)`.
    Histogram,
    /// `(m, place, out or values, n)`, with so many addresses.
    Places(u64),
    /// `(m, out, n)`.
    Distinct,
}

struct Row {
    name: &'static str,
    ours: &'static str,
    theirs: &'static str,
    data: Data,
    /// What memory holds before each launch.
    initial: u32,
    /// Work-items, as a power of two.
    items: u32,
    limit: Limit,
}

#[rustfmt::skip] // one row a line
const ROWS: &[Row] = &[
    row("histogram, 256 bins", "histogram", "histogram", Data::Histogram, 0, 24, Limit::AtMost(1.02)),
    row("counter, opaque, unused", "counter_unused", "counter_unused", Data::Places(1), 0, 22, Limit::AtMost(1.02)),
    row("counter, opaque, used", "counter_used", "counter_used", Data::Places(1), 0, 22, Limit::AtMost(1.02)),
    row("counter, uniform, unused", "uniform_unused", "uniform_unused", Data::Places(1), 0, 24, Limit::AtMost(1.02)),
    row("counter, uniform, used", "uniform_used", "uniform_used", Data::Places(1), 0, 24, Limit::AtMost(1.02)),
    row("f32 fadd, 1 address", "float_add", "float_add", Data::Places(1), 0, 20, Limit::AtMost(1.02)),
    row("f32 fadd, 1024 addresses", "float_add", "float_add", Data::Places(1024), 0, 22, Limit::AtMost(1.02)),
    row("f32 fmin, 1, trick that NaNs break", "float_min", "float_min_trick", Data::Places(1), INFINITY, 20, Limit::None),
    row("f32 fmin, 1024, trick that NaNs break", "float_min", "float_min_trick", Data::Places(1024), INFINITY, 22, Limit::None),
    row("f32 fmin, 1, CAS loop", "float_min", "float_min_loop", Data::Places(1), INFINITY, 20, Limit::AtMost(1.02)),
    row("f32 fmin, 1024, CAS loop", "float_min", "float_min_loop", Data::Places(1024), INFINITY, 22, Limit::Faster(1.5)),
    row("f32 fmin, 1, CAS loop, early exit", "float_min", "float_min_loop_early", Data::Places(1), INFINITY, 20, Limit::None),
    row("f32 fmin, 1024, CAS loop, early exit", "float_min", "float_min_loop_early", Data::Places(1024), INFINITY, 22, Limit::None),
    row("distinct add, relaxed", "distinct_relaxed", "distinct_relaxed", Data::Distinct, 0, 24, Limit::AtMost(1.02)),
    row("distinct add, acq_rel", "distinct_acq_rel", "distinct_acq_rel", Data::Distinct, 0, 22, Limit::AtMost(1.02)),
    row("distinct add, seq_cst", "distinct_seq_cst", "distinct_seq_cst", Data::Distinct, 0, 20, Limit::AtMost(1.02)),
];

/// The bits of f32's infinity.
const INFINITY: u32 = 0x7f80_0000;

const fn row(
    name: &'static str,
    ours: &'static str,
    theirs: &'static str,
    data: Data,
    initial: u32,
    items: u32,
    limit: Limit,
) -> Row {
    Row {
        name,
        ours,
        theirs,
        data,
        initial,
        items,
        limit,
    }
}

/// Times all rows, `rounds` times each side in turn.
pub(crate) fn run(gpu: &Gpu, folder: &Path, rounds: usize, quick: bool, report: &mut Report) {
    let sides = [
        images::load_named(gpu, folder, "kernels"),
        load_theirs(gpu, folder),
    ];
    let [Ok((ours, our_file)), Ok((theirs, their_file))] = &sides else {
        for why in sides.into_iter().filter_map(Result::err) {
            report.fail(&format!("bench: {why}"));
        }
        return;
    };
    report.line(&format!("bench: {our_file} and {their_file}"));
    report.line("bench: kernel | xpu us | nvcc us | ratio | limit");
    let mut rows: Vec<Value> = Vec::new();
    for row in ROWS {
        let measured = gpu.kernel(ours, row.ours).and_then(|ours| {
            let theirs = gpu.kernel(theirs, row.theirs)?;
            measure(gpu, row, ours, theirs, rounds, quick)
        });
        match measured {
            Ok(times) => rows.push(judge(row, times, report)),
            Err(error) => report.fail(&format!("bench {}: {error}", row.name)),
        }
    }
    report.keep("bench", Value::Array(rows));
}

/// What nvcc made of the kernels when the folder was built, or makes of them here where the driver is
/// too old for that.
fn load_theirs(gpu: &Gpu, folder: &Path) -> Result<(Module, String), String> {
    let name = "kernels_nvcc";
    images::load_named(gpu, folder, name).or_else(|why| {
        let here = std::env::temp_dir();
        let mut command = Command::new("nvcc");
        command.args(["-O3", "-cubin", &format!("-arch={}", gpu.chip)]);
        command
            .arg(folder.join("kernels.cu"))
            .arg("-o")
            .arg(here.join(format!("{name}.cubin")));
        let output = command
            .output()
            .map_err(|error| format!("{why}; no nvcc here: {error}"))?;
        if !output.status.success() {
            return Err(format!(
                "{why}; nvcc here: {}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        let (module, file) = images::load_named(gpu, &here, name)?;
        Ok((module, format!("{file} made here")))
    })
}

/// What one launch of a side needs.
struct Job<'a> {
    gpu: &'a Gpu,
    memory: &'a Buffer<'a>,
    /// Words of it that are reset before each launch.
    words: usize,
    initial: u32,
    groups: u32,
    arguments: &'a [Bits],
}

impl Job<'_> {
    fn time(&self, kernel: Kernel) -> Result<f64, DriverError> {
        self.memory.fill(self.initial, self.words)?;
        self.gpu
            .time(|| self.gpu.launch(kernel, self.groups, GROUP, self.arguments))
    }

    /// What memory holds after a launch.
    fn result(&self, kernel: Kernel) -> Result<Vec<u8>, DriverError> {
        self.time(kernel)?;
        self.memory.read()
    }
}

/// The times of both sides, sorted.
struct Times {
    ours: Vec<f64>,
    theirs: Vec<f64>,
    same: bool,
}

fn measure(
    gpu: &Gpu,
    row: &Row,
    ours: Kernel,
    theirs: Kernel,
    rounds: usize,
    quick: bool,
) -> Result<Times, DriverError> {
    let n: u64 = 1 << if quick { row.items.min(16) } else { row.items };
    let mut random = Random::named(row.ours);
    let mut words = |mut one: Box<dyn FnMut(u64) -> u32>| -> Vec<u8> {
        (0..n)
            .flat_map(|_| one(random.bits()).to_le_bytes())
            .collect()
    };
    let mut buffers = Vec::new();
    let (addresses, inputs) = match row.data {
        Data::Histogram => (256, vec![words(Box::new(|bits| bits as u32 & 255))]),
        Data::Places(count) => {
            let places = words(Box::new(move |bits| ((bits >> 20) % count) as u32));
            // Of one exponent, so that no side meets a number that is out of the ordinary; both signs.
            let values = words(Box::new(|bits| (bits as u32 & 0x807f_ffff) | 0x3f80_0000));
            (count, vec![places, values])
        }
        Data::Distinct => (n, vec![vec![0; n as usize * 4]]),
    };
    let memory = gpu.alloc(addresses as usize * 4)?;
    let mut arguments = vec![memory.argument(), Bits(addresses)];
    for input in &inputs {
        let buffer = gpu.upload(input)?;
        arguments.extend([buffer.argument(), Bits(n)]);
        buffers.push(buffer);
    }
    arguments.push(Bits(n));
    let job = Job {
        gpu,
        memory: &memory,
        words: addresses as usize,
        initial: row.initial,
        groups: n.div_ceil(u64::from(GROUP)) as u32,
        arguments: &arguments,
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
    let (limit, reached) = match row.limit {
        Limit::AtMost(most) => (format!("<= {most}"), ratio <= most),
        Limit::Faster(least) => (format!("{least} x faster"), theirs >= least * ours),
        Limit::None => ("-".to_owned(), true),
    };
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
    json!({
        "kernel": row.name, "ours": row.ours, "theirs": row.theirs, "log2_items": row.items,
        "xpu_us": ours, "nvcc_us": theirs, "ratio": ratio, "limit": limit, "reached": reached,
        "xpu_us_least": times.ours.first(), "nvcc_us_least": times.theirs.first(),
        "rounds": times.ours.len(),
    })
}
