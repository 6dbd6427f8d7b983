//! `xpu-launch`: launches a kernel that `xpu-compile` has compiled, as `xpu-run` would, on machines
//! that have only a driver. There is no MLIR or LLVM in it.
//!
//! Exit status: 0 right; 1 the input or a check is wrong; 2 usage; 3 device or driver missing or
//! lost, out of memory.
#![forbid(unsafe_code)]

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use xpu_devices::AnyDevice;
use xpu_runtime::{LaunchOptions, Manifest, RunError};

/// Launch a kernel that xpu-compile has compiled.
#[derive(Debug, Parser)]
#[command(version, about, long_about = None, after_help = xpu_runtime::ARGUMENT_LANGUAGE)]
struct Arguments {
    /// The manifest that xpu-compile wrote; the code is in the file that it names, beside it
    #[arg(value_name = "MANIFEST.json")]
    manifest: PathBuf,

    #[command(flatten)]
    launch: LaunchOptions,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), RunError> {
    let options = &arguments.launch;
    let manifest = Manifest::read(&arguments.manifest)?;
    options.target.check_manifest(&manifest)?;
    manifest.kernel(&options.kernel)?;
    let image = manifest.read_image(&arguments.manifest)?;
    let device = AnyDevice::open(&options.target, options.device)?;
    device.run(&manifest, &image, options, &mut io::stdout().lock())
}
