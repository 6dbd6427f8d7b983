//! The CPU as a device.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use xpu_runtime::{
    Device, DeviceInfo, EntryMode, Image, ImageFormat, Kernel, Launch, Manifest, Memory, RunError,
    Slot, item_count, no_such_device,
};

use crate::buffer::CpuBuffer;
use crate::launch::{self, Plan};
use crate::object;
use crate::program::CpuProgram;
use crate::settings::Settings;
use crate::stacks::StackPool;

/// More work-items in a group than this are refused for kernels in which each has its own stack.
const MOST_ITEMS: u64 = 16_384;

/// The host's processors.
pub struct CpuDevice {
    settings: Settings,
    stacks: Arc<StackPool>,
}

impl CpuDevice {
    /// A device with these settings; [`Device::open`] takes them from the environment.
    pub fn new(settings: Settings) -> Self {
        let stacks = Arc::new(StackPool::new(settings.stack_bytes));
        Self { settings, stacks }
    }
}

impl Device for CpuDevice {
    type Buffer = CpuBuffer;
    type Program = CpuProgram;

    fn list() -> Result<Vec<DeviceInfo>, RunError> {
        Ok(vec![Self::new(Settings::from_environment()?).info()])
    }

    fn open(index: usize) -> Result<Self, RunError> {
        if index == 0 {
            return Ok(Self::new(Settings::from_environment()?));
        }
        Err(no_such_device("cpu", index, &Self::list()?))
    }

    fn info(&self) -> DeviceInfo {
        let threads = self.settings.threads;
        let name = format!("{}, {threads} threads", std::env::consts::ARCH);
        DeviceInfo { index: 0, name }
    }

    fn allocate(&self, bytes: u64, memory: Memory) -> Result<CpuBuffer, RunError> {
        match memory {
            // The host's memory is the device's own, and the host sees all of it.
            Memory::DeviceLocal | Memory::HostVisible | Memory::Unspecified => {
                CpuBuffer::new(bytes)
            }
        }
    }

    fn upload(&self, buffer: &CpuBuffer, bytes: &[u8]) -> Result<(), RunError> {
        buffer.upload(bytes)
    }

    fn download(&self, buffer: &CpuBuffer, bytes: &mut [u8]) -> Result<(), RunError> {
        buffer.download(bytes)
    }

    /// Loads the kernel from an object file. As with starting a program, its author is trusted: the
    /// code is bound by what [`CpuProgram::new`] asks, and nothing here could check that.
    fn load(
        &self,
        manifest: &Manifest,
        kernel: &Kernel,
        image: &[u8],
    ) -> Result<CpuProgram, RunError> {
        if let Some(Image { format, .. }) = &manifest.image
            && *format != ImageFormat::Object
        {
            return Err(RunError::Input(
                "the CPU runs object files, not this image".into(),
            ));
        }
        let (entry, code) = object::load(image, &kernel.symbol)?;
        // SAFETY: what the manifest says of the code is its author's promise; `code` keeps it.
        unsafe { CpuProgram::new(kernel, entry, code) }
    }

    fn launch(
        &self,
        program: &CpuProgram,
        launch: &Launch<'_, CpuBuffer>,
    ) -> Result<Duration, RunError> {
        let code = &program.code;
        let name = &code.kernel;
        let refuse = |message: String| Err(RunError::Input(format!("kernel \"{name}\" {message}")));
        let kinds = launch.slots.iter().map(|slot| {
            let Ok(kind) = slot.map(|_| Ok::<_, Infallible>(()));
            kind
        });
        if !code.takes(kinds) {
            return refuse("does not take the arguments of this launch".into());
        }
        let [x, y, z] = launch.group_size;
        if code
            .workgroup_size
            .is_some_and(|size| size != launch.group_size)
        {
            return refuse(format!("was not compiled for work-groups of {x},{y},{z}"));
        }
        let items = item_count(launch.group_size);
        if code.cpu.mode == EntryMode::Item && items > MOST_ITEMS {
            return refuse(format!(
                "has work-groups of {items} work-items, but with barriers the CPU takes at most \
                 {MOST_ITEMS}"
            ));
        }
        let total = launch
            .groups
            .iter()
            .try_fold(1u64, |all, count| all.checked_mul(*count));
        match total {
            // Leaves room for what threads count beyond the end.
            Some(total) if total <= 1 << 60 => {}
            _ => return refuse("cannot be launched with so many work-groups".into()),
        }
        if total == Some(0) || items == 0 {
            return Ok(Duration::ZERO);
        }
        let mut buffers = Vec::new();
        let args = launch
            .slots
            .iter()
            .map(|slot| match slot {
                Slot::Buffer(buffer) => {
                    buffers.push(buffer.enter_launch());
                    buffer.address()
                }
                Slot::Extent(value) | Slot::Stride(value) => *value,
                Slot::Scalar { bits, .. } => *bits,
            })
            .collect();
        let plan = Plan {
            code: Arc::clone(code),
            args,
            groups: launch.groups,
            group_size: launch.group_size,
            buffers,
        };
        launch::launch(plan, &self.settings, &self.stacks)
    }
}
