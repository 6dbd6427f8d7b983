//! `xpu-vulkan-device-tests`: everything that only a Vulkan device can show, in one run.
//!
//! It runs the kernels that `cargo xtask device build-vulkan` compiled, from the folder that this
//! program is in: the shared cases, special values and contention on every kind and type, litmus
//! tests, and benchmarks against GLSL. It needs the loader and a driver, and nothing else. What it
//! found goes to standard output, and as JSON to `results.json` in `$OUT`, or in the folder that
//! `--out` names.
//!
//! Exit status: 0 if everything is right and every limit reached, 1 if not, 2 usage, 3 no device.
#![forbid(unsafe_code)]

mod bench;
mod contention;
mod images;
mod kernels;
mod litmus;
mod values;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;
use xpu_runtime::{Device, RunError};
use xpu_runtime_vulkan::{Settings, VulkanDevice};
use xpu_test_support::{Report, cases};

use crate::images::{Images, NATIVE};

const USAGE: &str = "usage: xpu-vulkan-device-tests [--quick] [--only PART]... [--out FOLDER]
       xpu-vulkan-device-tests --write-sources FOLDER
PART is cases, values, contention, litmus or bench.";

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
        return match kernels::write(folder) {
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

/// The device, anew: one that was lost is of no more use.
fn open() -> Result<VulkanDevice, String> {
    let open = || {
        let settings = Settings {
            // What a driver compiles is part of what is tried.
            cache: None,
            ..Settings::from_environment()?
        };
        VulkanDevice::new(None, &settings)
    };
    open().map_err(|error: RunError| error.to_string())
}

fn run(options: &Options) -> ExitCode {
    let folder = std::env::current_exe()
        .ok()
        .and_then(|path| path.parent().map(Path::to_path_buf))
        .unwrap_or_default();
    let mut report = Report::default();
    let device = match open() {
        Ok(device) => device,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(3);
        }
    };
    let (name, target) = (device.info().name, device.target());
    report.line(&format!("device: {name}\ntarget: {target}"));
    report.keep("device", json!({ "name": name, "target": target }));
    let images = Images::new(&folder, &target);
    drop(device);
    let quick = options.quick;
    let effort = if quick {
        litmus::Effort {
            instances: 1 << 12,
            least: 1,
            most: 1 << 16,
            time: Duration::from_millis(50),
        }
    } else {
        litmus::Effort {
            instances: 1 << 16,
            least: 10_000_000,
            most: 1 << 30,
            time: Duration::from_millis(1200),
        }
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
        let cases = folder.join("cases");
        let launcher = folder.join("xpu-launch");
        let manifest = |name: &str| images.manifest(NATIVE, "cases", name);
        cases::run(&launcher, &cases, "vulkan", &manifest, report);
    });
    timed("bench", &mut |report| {
        let rounds = if quick { 5 } else { 41 };
        with_device(report, &|device, report| {
            bench::run(device, &images, rounds, quick, report);
        });
    });
    timed("values", &mut |report| values::run(&images, report));
    timed("contention", &mut |report| {
        contention::run(&images, if quick { 1 } else { 4 }, report);
    });
    timed("litmus", &mut |report| {
        with_device(report, &|device, report| {
            litmus::run(device, &images, effort, report);
        });
    });
    report.line(&format!("{} failures", report.failures()));
    if written && report.failures() == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn with_device(report: &mut Report, work: &dyn Fn(&VulkanDevice, &mut Report)) {
    match open() {
        Ok(device) => work(&device, report),
        Err(why) => report.fail(&why),
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
