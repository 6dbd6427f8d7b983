//! `xpu-run`: compiles a kernel and launches it, with arguments and checks from the command line.
//!
//! Exit status: 0 right; 1 the input or a check is wrong; 2 usage; 3 device or driver missing or
//! lost, out of memory.
#![forbid(unsafe_code)]

use clap::Parser;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use xpu_devices::AnyDevice;
use xpu_emit::{CompileError, Options, Source};
use xpu_runtime::{LaunchOptions, RunError};

/// Compile a kernel and launch it.
#[derive(Debug, Parser)]
#[command(version, about, after_help = xpu_runtime::ARGUMENT_LANGUAGE)]
struct Arguments {
    /// MLIR text or bytecode with the kernel; - for standard input
    input: PathBuf,

    /// Refuse changes and weakenings of scope or ordering
    #[arg(long)]
    strict: bool,

    /// Where memory is taken to be: scope has atomics of scope device or narrower promise memory of
    /// the device; any has no scope promise it; only for amdgpu (docs/amdgpu.md)
    #[arg(long, value_name = "WHERE", value_parser = ["scope", "any"], default_value = "scope")]
    assume_memory: String,

    #[command(flatten)]
    launch: LaunchOptions,
}

/// Why there was no right answer.
enum Failure {
    Compile(CompileError),
    Run(RunError),
}

impl From<CompileError> for Failure {
    fn from(error: CompileError) -> Self {
        Self::Compile(error)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Compile(error)) => ExitCode::from(error.report()),
        Err(Failure::Run(error)) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Compiles for what the device has, so that what it lacks is emulated.
fn run(arguments: &Arguments) -> Result<(), Failure> {
    let launch = &arguments.launch;
    let device = AnyDevice::open(&launch.target, launch.device)?;
    let target = xpu_targets::Target::parse(&device.compile_target())
        .map_err(|error| RunError::Input(error.to_string()))?;
    let options = Options {
        strict: arguments.strict,
        check_bounds: launch.check_bounds,
        assume_any_memory: arguments.assume_memory == "any",
        ..Options::default()
    };
    let source = Source::read(&arguments.input).map_err(|source| RunError::File {
        action: "read",
        path: arguments.input.clone(),
        source,
    })?;
    let compiled = source
        .compile(move |context, source| xpu_emit::compile(context, source, &target, options))?;
    let mut out = io::stdout().lock();
    device.run(&compiled.manifest, &compiled.image, launch, &mut out)?;
    Ok(())
}
