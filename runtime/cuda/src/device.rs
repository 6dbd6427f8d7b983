//! A GPU as a device.

use std::rc::Rc;
use std::time::Duration;

use xpu_runtime::{
    Device, DeviceInfo, Kernel, Launch, Manifest, Memory, RunError, Slot, no_such_device,
};

use crate::buffer::CudaBuffer;
use crate::context::{Context, devices};
use crate::driver::Driver;
use crate::launch;
use crate::program::CudaProgram;
use crate::settings::Settings;

/// An NVIDIA GPU.
pub struct CudaDevice {
    context: Rc<Context>,
    watchdog: Option<Duration>,
}

impl CudaDevice {
    /// The device number `index` of the driver that these settings name; [`Device::open`] takes
    /// them from the environment.
    ///
    /// # Errors
    /// As [`Device::open`].
    pub fn new(index: usize, settings: &Settings) -> Result<Self, RunError> {
        let driver = Driver::load(&settings.library)?;
        let mut found = devices(&driver)?;
        if index >= found.len() {
            let found: Vec<DeviceInfo> = found.into_iter().map(|device| device.info).collect();
            return Err(no_such_device("cuda", index, &found));
        }
        Ok(Self {
            context: Rc::new(Context::new(driver, found.swap_remove(index))?),
            watchdog: settings.watchdog,
        })
    }

    /// What `xpu-compile` calls this kind of device: `sm_90`.
    pub fn chip(&self) -> &str {
        &self.context.chip
    }
}

impl Device for CudaDevice {
    type Buffer = CudaBuffer;
    type Program = CudaProgram;

    fn list() -> Result<Vec<DeviceInfo>, RunError> {
        let driver = Driver::load(&Settings::from_environment()?.library)?;
        let found = devices(&driver)?;
        Ok(found.into_iter().map(|device| device.info).collect())
    }

    fn open(index: usize) -> Result<Self, RunError> {
        Self::new(index, &Settings::from_environment()?)
    }

    fn info(&self) -> DeviceInfo {
        self.context.info.clone()
    }

    fn allocate(&self, bytes: u64, memory: Memory) -> Result<CudaBuffer, RunError> {
        CudaBuffer::new(&self.context, bytes, memory)
    }

    fn upload(&self, buffer: &CudaBuffer, bytes: &[u8]) -> Result<(), RunError> {
        buffer.upload(bytes)
    }

    fn download(&self, buffer: &CudaBuffer, bytes: &mut [u8]) -> Result<(), RunError> {
        buffer.download(bytes)
    }

    /// Loads the kernel from PTX, which the driver compiles, or from a cubin. As with starting a
    /// program, its author is trusted: a kernel may write to memory that the host sees.
    fn load(
        &self,
        manifest: &Manifest,
        kernel: &Kernel,
        image: &[u8],
    ) -> Result<CudaProgram, RunError> {
        CudaProgram::new(&self.context, manifest, kernel, image)
    }

    /// Runs a program to its end. The time is that between two events before and after the kernel,
    /// by the device's clock.
    fn launch(
        &self,
        program: &CudaProgram,
        launch: &Launch<'_, CudaBuffer>,
    ) -> Result<Duration, RunError> {
        let name = &program.kernel;
        let refuse = |message: String| RunError::Input(format!("kernel \"{name}\" {message}"));
        let here = |context: &Rc<Context>| Rc::ptr_eq(context, &self.context);
        let buffers_here = launch.slots.iter().all(|slot| match slot {
            Slot::Buffer(buffer) => here(&buffer.context),
            Slot::Extent(_) | Slot::Stride(_) | Slot::Scalar { .. } => true,
        });
        if !here(&program.module.context) || !buffers_here {
            return Err(refuse(
                "or a buffer of its launch is of another device".into(),
            ));
        }
        if !program.takes(launch.slots) {
            return Err(refuse("does not take the arguments of this launch".into()));
        }
        let [x, y, z] = launch.group_size;
        if program
            .workgroup_size
            .is_some_and(|size| size != launch.group_size)
        {
            return Err(refuse(format!(
                "was not compiled for work-groups of {x},{y},{z}"
            )));
        }
        if launch.groups.contains(&0) || launch.group_size.contains(&0) {
            return Ok(Duration::ZERO);
        }
        let groups = self
            .context
            .limits
            .check(
                launch.groups,
                launch.group_size,
                program.most_items,
                &self.context.to_string(),
            )
            .map_err(refuse)?;
        launch::launch(program, groups, launch, self.watchdog)
    }
}
