//! `xpu-device-tests`: everything that only an NVIDIA GPU can show, in one run.
//!
//! It runs the kernels that `cargo xtask device build` compiled, from the folder that this program is
//! in: the shared cases, contention on every kind and type, litmus tests, and benchmarks against
//! nvcc. It needs a driver and nothing else. What it found goes to standard output, and as JSON to
//! `results.json` in `$OUT`, or in the folder that `--out` names.
//!
//! Exit status: 0 if everything is right and every limit reached, 1 if not, 2 usage, 3 no device.

mod bench;
mod contention;
mod driver;
mod images;
mod litmus;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;
use xpu_test_support::{Report, Source, cases, litmus as tests, matrix};

use crate::driver::Gpu;

const USAGE: &str =
    "usage: xpu-device-tests [--quick] [--only cases|contention|litmus|bench]... [--out FOLDER]
       xpu-device-tests --write-sources FOLDER";

#[derive(Default)]
struct Options {
    quick: bool,
    only: Vec<String>,
    out: Option<PathBuf>,
    sources: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Some(options) = parse(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if let Some(folder) = &options.sources {
        return match write_sources(folder) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: cannot write to {}: {error}", folder.display());
                ExitCode::FAILURE
            }
        };
    }
    run(&options)
}

fn parse(mut words: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => options.quick = true,
            "--only" => options.only.push(words.next()?),
            "--out" => options.out = Some(words.next()?.into()),
            "--write-sources" => options.sources = Some(words.next()?.into()),
            _ => return None,
        }
    }
    Some(options)
}

/// Writes the kernels of this program's own tests, to be compiled.
fn write_sources(folder: &Path) -> std::io::Result<()> {
    let write = |part: &str, sources: Vec<Source>| {
        let folder = folder.join(part);
        std::fs::create_dir_all(&folder)?;
        sources.iter().try_for_each(|source| {
            std::fs::write(folder.join(format!("{}.mlir", source.name)), &source.text)
        })
    };
    write("matrix", matrix::sources())?;
    write("litmus", tests::sources())
}

fn run(options: &Options) -> ExitCode {
    let folder = std::env::current_exe()
        .ok()
        .and_then(|path| path.parent().map(Path::to_path_buf))
        .unwrap_or_default();
    let mut report = Report::default();
    let gpu = match Gpu::open() {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(3);
        }
    };
    report.line(&format!(
        "device: {}, {}, CUDA driver {}",
        gpu.name, gpu.chip, gpu.driver_version
    ));
    report.keep(
        "device",
        json!({ "name": gpu.name, "chip": gpu.chip, "driver": gpu.driver_version }),
    );
    let quick = options.quick;
    let effort = litmus::Effort {
        least: 10_000_000,
        most: 1 << if quick { 23 } else { 30 },
        time: Duration::from_millis(if quick { 10 } else { 1200 }),
    };
    let effort = if quick {
        litmus::Effort { least: 1, ..effort }
    } else {
        effort
    };
    let wanted =
        |part: &str| options.only.is_empty() || options.only.iter().any(|only| only == part);
    let mut written = true;
    let mut timed = |part: &str, work: &mut dyn FnMut(&mut Report)| {
        if wanted(part) {
            let start = Instant::now();
            work(&mut report);
            report.line(&format!("{part}: {:.1} s\n", start.elapsed().as_secs_f64()));
            // A later part may hang; what is known by then is kept.
            written = write(options, &report);
        }
    };
    timed("cases", &mut |report| {
        let manifest = |name: &str| Ok(format!("compiled/{name}.json").into());
        let (launcher, cases) = (folder.join("xpu-launch"), folder.join("cases"));
        cases::run(&launcher, &cases, "cuda", &manifest, report);
    });
    timed("bench", &mut |report| {
        bench::run(
            &gpu,
            &folder.join("bench"),
            if quick { 5 } else { 41 },
            quick,
            report,
        );
    });
    timed("contention", &mut |report| {
        contention::run(
            &gpu,
            &folder.join("matrix"),
            if quick { 1 } else { 8 },
            report,
        );
    });
    timed("litmus", &mut |report| {
        litmus::run(&gpu, &folder.join("litmus"), effort, report)
    });
    report.line(&format!("{} failures", report.failures()));
    if written && report.failures() == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Writes what is known so far, where there is a folder for it; says whether it could.
fn write(options: &Options, report: &Report) -> bool {
    let named = options.out.clone();
    let Some(out) = named.or_else(|| std::env::var_os("OUT").map(PathBuf::from)) else {
        return true;
    };
    let path = out.join("results.json");
    let written = std::fs::write(&path, report.json());
    if let Err(error) = &written {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    written.is_ok()
}
