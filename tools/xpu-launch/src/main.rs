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
use xpu_runtime::{
    Device, LaunchOptions, Manifest, RunError, RunnableTarget, Target, name_targets_here,
};
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
    let manifest = Manifest::read(&arguments.manifest)?;
    let target = &arguments.launch.target;
    target.check_manifest(&manifest)?;
    match target {
        Target::Cpu => run_on::<CpuDevice>(arguments, &manifest),
        Target::Cuda => run_on::<CudaDevice>(arguments, &manifest),
        Target::Vulkan => run_on::<VulkanDevice>(arguments, &manifest),
        Target::Amdgpu(_) => run_on::<AmdgpuDevice>(arguments, &manifest),
    }
}

fn run_on<D: Device>(arguments: &Arguments, manifest: &Manifest) -> Result<(), RunError> {
    let options = &arguments.launch;
    let kernel = manifest.kernel(&options.kernel)?;
    let image = manifest.read_image(&arguments.manifest)?;
    let device = D::open_or_default(options.device)
        .map_err(|error| name_targets_here(error, &options.target, RUNNABLE))?;
    let program = device.load(manifest, kernel, &image)?;
    let mut out = io::stdout().lock();
    xpu_runtime::run(&device, manifest, &program, options, &mut out)
}
