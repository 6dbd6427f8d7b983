//! Every kind of device behind one type: what launchers share.
#![forbid(unsafe_code)]

use std::io::Write;
use std::time::Duration;

use xpu_runtime::{
    Device, DeviceInfo, LaunchOptions, LaunchSize, Manifest, RunError, RunnableTarget, Target,
    Values, name_targets_here,
};
use xpu_runtime_amdgpu::AmdgpuDevice;
use xpu_runtime_cpu::CpuDevice;
use xpu_runtime_cuda::CudaDevice;
use xpu_runtime_vulkan::VulkanDevice;

/// The targets whose devices can be listed; an emulator runs whatever it is given.
const LISTED: &[RunnableTarget] = &[
    (Target::Cpu, CpuDevice::list),
    (Target::Vulkan, VulkanDevice::list),
    (Target::Cuda, CudaDevice::list),
];

/// An open device.
pub struct AnyDevice {
    target: Target,
    device: Kind,
}

enum Kind {
    Cpu(CpuDevice),
    Vulkan(VulkanDevice),
    Cuda(CudaDevice),
    Amdgpu(AmdgpuDevice),
}

/// The same of whichever device it is.
macro_rules! each {
    ($kind:expr, $device:ident => $what:expr) => {
        match $kind {
            Kind::Cpu($device) => $what,
            Kind::Vulkan($device) => $what,
            Kind::Cuda($device) => $what,
            Kind::Amdgpu($device) => $what,
        }
    };
}

impl AnyDevice {
    /// Opens device number `index` of a target, or the one that is taken where none is asked for.
    ///
    /// # Errors
    /// If it is not there, naming the targets that are, or cannot be used.
    pub fn open(target: &Target, index: Option<usize>) -> Result<Self, RunError> {
        let device = match target {
            Target::Cpu => CpuDevice::open_or_default(index).map(Kind::Cpu),
            Target::Vulkan => VulkanDevice::open_or_default(index).map(Kind::Vulkan),
            Target::Cuda => CudaDevice::open_or_default(index).map(Kind::Cuda),
            Target::Amdgpu(_) => AmdgpuDevice::open_or_default(index).map(Kind::Amdgpu),
        };
        let device = device.map_err(|error| name_targets_here(error, target, LISTED))?;
        Ok(Self {
            target: target.clone(),
            device,
        })
    }

    /// Which device it is.
    pub fn info(&self) -> DeviceInfo {
        each!(&self.device, device => device.info())
    }

    /// What to compile for, as `xpu-compile --target` takes it: all that the device has, so that only
    /// what it lacks is emulated.
    pub fn compile_target(&self) -> String {
        match (&self.device, &self.target) {
            (Kind::Vulkan(device), _) => device.target(),
            (Kind::Cuda(device), _) => format!("nvptx:{}", device.chip()),
            (Kind::Cpu(_) | Kind::Amdgpu(_), target) => target.to_string(),
        }
    }

    /// Launches a kernel as a command line says; what that prints goes to `out`.
    ///
    /// # Errors
    /// If the options and the kernel do not go together, the device fails, or an expectation does
    /// not come true.
    pub fn run(
        &self,
        manifest: &Manifest,
        image: &[u8],
        options: &LaunchOptions,
        out: &mut dyn Write,
    ) -> Result<(), RunError> {
        let kernel = manifest.kernel(&options.kernel)?;
        each!(&self.device, device => {
            let program = device.load(manifest, kernel, image)?;
            xpu_runtime::run(device, manifest, &program, options, out)
        })
    }

    /// Calls the kernel that is named with `values`; those for which `returned` holds are then what
    /// it left. `group_size` is that of work-groups where the kernel leaves it open. The result is
    /// the time of the launch; none where there was nothing to launch.
    ///
    /// # Errors
    /// If the code is not for this device, the values are not what the kernel takes, or the device
    /// fails.
    #[expect(
        clippy::too_many_arguments,
        reason = "a call has an image, a kernel, sizes and values"
    )]
    pub fn call(
        &self,
        manifest: &Manifest,
        image: &[u8],
        kernel: &str,
        size: LaunchSize,
        group_size: Option<[u32; 3]>,
        values: &mut [Values],
        returned: impl Fn(usize) -> bool,
    ) -> Result<Option<Duration>, RunError> {
        self.target.check_manifest(manifest)?;
        let kernel = manifest.kernel(kernel)?;
        each!(&self.device, device => {
            let program = device.load(manifest, kernel, image)?;
            xpu_runtime::call(
                device, manifest, kernel, &program, size, group_size, values, returned,
            )
        })
    }
}
