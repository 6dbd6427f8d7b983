//! `xpu-run`: compiles a kernel and launches it, with arguments and checks from the command line.
//!
//! Exit status: 0 right; 1 the input or a check is wrong; 2 usage; 3 device or driver missing or
//! lost, out of memory.
#![forbid(unsafe_code)]

use clap::Parser;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use xpu_emit::{
    CompileError, Compiled, CpuOptions, GpuOptions, Source, compile_for_amdgpu, compile_for_cpu,
    compile_for_nvptx, compile_for_vulkan,
};
use xpu_runtime::{Device, LaunchOptions, RunError, RunnableTarget, Target, name_targets_here};
use xpu_runtime_amdgpu::AmdgpuDevice;
use xpu_runtime_cpu::CpuDevice;
use xpu_runtime_cuda::CudaDevice;
use xpu_runtime_vulkan::VulkanDevice;

/// The targets that this program runs.
const RUNNABLE: &[RunnableTarget] = &[
    (Target::Cpu, CpuDevice::list),
    (Target::Vulkan, VulkanDevice::list),
    (Target::Cuda, CudaDevice::list),
];

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

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = &arguments.launch.target;
    match target {
        Target::Cpu => run_on_cpu(arguments),
        Target::Vulkan => run_on_vulkan(arguments),
        Target::Cuda => run_on_cuda(arguments),
        Target::Amdgpu(chip) => run_on_amdgpu(arguments, chip),
    }
}

fn run_on_cpu(arguments: &Arguments) -> Result<(), Failure> {
    let device: CpuDevice = open(arguments)?;
    let options = CpuOptions {
        strict: arguments.strict,
        check_bounds: arguments.launch.check_bounds,
        ..CpuOptions::default()
    };
    let compiled = read(arguments)?.compile(move |context, source| {
        compile_for_cpu(context, &source.text, &source.name, options)
    })?;
    launch(&device, &compiled, &arguments.launch)
}

/// Compiles for what the device has, so that what it lacks is emulated.
fn run_on_vulkan(arguments: &Arguments) -> Result<(), Failure> {
    let device: VulkanDevice = open(arguments)?;
    let target = device.target();
    let options = GpuOptions {
        strict: arguments.strict,
        ..GpuOptions::default()
    };
    let compiled = read(arguments)?.compile(move |context, source| {
        let features = target.strip_prefix("vulkan:").unwrap_or(&target);
        compile_for_vulkan(context, &source.text, &source.name, features, options)
    })?;
    launch(&device, &compiled, &arguments.launch)
}

fn run_on_cuda(arguments: &Arguments) -> Result<(), Failure> {
    let device: CudaDevice = open(arguments)?;
    let chip = device.chip().to_owned();
    let options = GpuOptions {
        strict: arguments.strict,
        ..GpuOptions::default()
    };
    let compiled = read(arguments)?.compile(move |context, source| {
        compile_for_nvptx(context, &source.text, &source.name, &chip, options)
    })?;
    launch(&device, &compiled, &arguments.launch)
}

fn run_on_amdgpu(arguments: &Arguments, chip: &str) -> Result<(), Failure> {
    let device: AmdgpuDevice = open(arguments)?;
    let chip = chip.to_owned();
    let options = GpuOptions {
        strict: arguments.strict,
        ..GpuOptions::default()
    };
    let compiled = read(arguments)?.compile(move |context, source| {
        compile_for_amdgpu(context, &source.text, &source.name, &chip, options)
    })?;
    launch(&device, &compiled, &arguments.launch)
}

fn open<D: Device>(arguments: &Arguments) -> Result<D, RunError> {
    let options = &arguments.launch;
    D::open_or_default(options.device)
        .map_err(|error| name_targets_here(error, &options.target, RUNNABLE))
}

fn read(arguments: &Arguments) -> Result<Source, RunError> {
    Source::read(&arguments.input).map_err(|source| RunError::File {
        action: "read",
        path: arguments.input.clone(),
        source,
    })
}

fn launch<D: Device>(
    device: &D,
    compiled: &Compiled,
    options: &LaunchOptions,
) -> Result<(), Failure> {
    let Compiled { manifest, image } = compiled;
    let program = device.load(manifest, manifest.kernel(&options.kernel)?, image)?;
    let mut out = io::stdout().lock();
    xpu_runtime::run(device, manifest, &program, options, &mut out)?;
    Ok(())
}
