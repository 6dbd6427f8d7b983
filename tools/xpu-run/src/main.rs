//! `xpu-run`: compiles a kernel and launches it, with arguments and checks from the command line.
//!
//! Exit status: 0 right; 1 the input or a check is wrong; 2 usage; 3 device or driver missing or
//! lost, out of memory.
#![forbid(unsafe_code)]

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use xpu_emit::{CompileError, Compiled, CpuOptions};
use xpu_runtime::{Device, LaunchOptions, RunError, Target};
use xpu_runtime_cpu::CpuDevice;

/// Stack of the thread that compiles: MLIR recurses for each level of nesting.
const STACK_BYTES: usize = 512 << 20;

/// Compile a kernel and launch it.
#[derive(Debug, Parser)]
#[command(version, about, after_help = xpu_runtime::ARGUMENT_LANGUAGE)]
struct Arguments {
    /// MLIR text or bytecode with the kernel; - for standard input
    input: PathBuf,

    /// Refuse changes and weakenings of scope or ordering
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    launch: LaunchOptions,
}

/// Why there was no right answer.
enum Failure {
    Compile(CompileError),
    Run(RunError),
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
        Err(Failure::Compile(CompileError::Reported)) => ExitCode::from(1),
        // Carries its own place and severity.
        Err(Failure::Compile(CompileError::Refused(diagnostic))) => {
            eprintln!("{diagnostic}");
            ExitCode::from(1)
        }
        Err(Failure::Compile(error)) => {
            eprintln!("error: {error}");
            ExitCode::from(1)
        }
        Err(Failure::Run(error)) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.launch.target {
        Target::Cpu => run_on_cpu(arguments),
        other => Err(RunError::Device(format!(
            "no device for target {other} in this build; the targets here: cpu"
        ))
        .into()),
    }
}

fn run_on_cpu(arguments: &Arguments) -> Result<(), Failure> {
    let device = CpuDevice::open(arguments.launch.device)?;
    let options = CpuOptions {
        strict: arguments.strict,
        check_bounds: arguments.launch.check_bounds,
        ..CpuOptions::default()
    };
    let compiled = compile(&arguments.input, options)?;
    let kernel = compiled.manifest.kernel(&arguments.launch.kernel)?;
    let program = device.load(&compiled.manifest, kernel, &compiled.image)?;
    let mut out = std::io::stdout().lock();
    xpu_runtime::run(
        &device,
        &compiled.manifest,
        &program,
        &arguments.launch,
        &mut out,
    )?;
    Ok(())
}

fn compile(input: &std::path::Path, options: CpuOptions) -> Result<Compiled, Failure> {
    let is_standard_input = input.as_os_str() == "-";
    let read = if is_standard_input {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(input)
    };
    let source = read.map_err(|source| RunError::File {
        action: "read",
        path: input.to_owned(),
        source,
    })?;
    let name = if is_standard_input {
        "<stdin>".into()
    } else {
        input.to_string_lossy()
    };
    let name = name.into_owned();
    let worker = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let context = xpu_dialect::context::new();
            xpu_dialect::diagnostic::print_to_stderr(&context, &name, &source);
            xpu_emit::compile_for_cpu(&context, &source, &name, options)
        });
    let joined = worker
        .map_err(|error| RunError::Device(format!("cannot start a thread: {error}")))?
        .join();
    joined
        .unwrap_or_else(|_| {
            Err(CompileError::Refused(
                "error: the compiler stopped on an internal error".into(),
            ))
        })
        .map_err(Failure::Compile)
}
