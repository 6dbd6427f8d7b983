//! A Vulkan device.

use std::rc::Rc;
use std::time::Duration;

use xpu_runtime::{
    Device, DeviceInfo, Kernel, Launch, Manifest, Memory, RunError, Slot, no_such_device,
};

use crate::buffer::VulkanBuffer;
use crate::context::Context;
use crate::instance::{Instance, choose};
use crate::launch;
use crate::program::VulkanProgram;
use crate::settings::Settings;

/// A Vulkan device.
pub struct VulkanDevice {
    context: Rc<Context>,
    watchdog: Option<Duration>,
}

impl VulkanDevice {
    /// The device number `index`, or the one that the settings choose; [`Device::open`] takes them
    /// from the environment.
    ///
    /// # Errors
    /// As [`Device::open`].
    pub fn new(index: Option<usize>, settings: &Settings) -> Result<Self, RunError> {
        let instance = Instance::new(settings)?;
        let mut found = instance.devices()?;
        let infos: Vec<DeviceInfo> = found.iter().map(|found| found.info.clone()).collect();
        let index = match index {
            Some(index) => index,
            None => choose(settings.device.as_deref(), &infos)?,
        };
        if index >= found.len() {
            return Err(no_such_device("vulkan", index, &infos));
        }
        let context = Context::new(instance, found.swap_remove(index), settings)?;
        Ok(Self {
            context: Rc::new(context),
            watchdog: settings.watchdog,
        })
    }

    /// What `xpu-compile` compiles for, to make use of all that the device has:
    /// `vulkan:1.3,+shader_int64`.
    pub fn target(&self) -> String {
        self.context.features.target()
    }

    /// Gives the device back, of which nothing may be left.
    ///
    /// # Errors
    /// If buffers or programs of it are left, or the validation layer, where it watches, sees that
    /// something was not given back.
    pub fn close(self) -> Result<(), RunError> {
        let name = self.context.to_string();
        let messages = Rc::clone(self.context.messages());
        let Ok(context) = Rc::try_unwrap(self.context) else {
            return Err(RunError::Device(format!(
                "{name} is still in use: a buffer or a program of it is left"
            )));
        };
        drop(context);
        match messages.take() {
            None => Ok(()),
            Some(messages) => Err(RunError::Device(format!(
                "the validation layer of {name} objects: {messages}"
            ))),
        }
    }
}

impl Device for VulkanDevice {
    type Buffer = VulkanBuffer;
    type Program = VulkanProgram;

    fn list() -> Result<Vec<DeviceInfo>, RunError> {
        let found = Instance::new(&Settings::from_environment()?)?.devices()?;
        Ok(found.into_iter().map(|found| found.info).collect())
    }

    fn default_index() -> Result<usize, RunError> {
        let settings = Settings::from_environment()?;
        choose(settings.device.as_deref(), &Self::list()?)
    }

    fn open(index: usize) -> Result<Self, RunError> {
        Self::new(Some(index), &Settings::from_environment()?)
    }

    fn info(&self) -> DeviceInfo {
        self.context.info.clone()
    }

    fn allocate(&self, bytes: u64, memory: Memory) -> Result<VulkanBuffer, RunError> {
        VulkanBuffer::new(&self.context, bytes, memory)
    }

    fn upload(&self, buffer: &VulkanBuffer, bytes: &[u8]) -> Result<(), RunError> {
        buffer.upload(bytes)
    }

    fn download(&self, buffer: &VulkanBuffer, bytes: &mut [u8]) -> Result<(), RunError> {
        buffer.download(bytes)
    }

    /// Loads the kernel from SPIR-V, which the driver compiles. As with starting a program, its
    /// author is trusted: drivers do not check what they are given.
    fn load(
        &self,
        manifest: &Manifest,
        kernel: &Kernel,
        image: &[u8],
    ) -> Result<VulkanProgram, RunError> {
        VulkanProgram::new(&self.context, manifest, kernel, image)
    }

    /// Runs a program to its end. The time is that between two timestamps before and after the
    /// kernel, by the device's clock if its queue has one.
    fn launch(
        &self,
        program: &VulkanProgram,
        launch: &Launch<'_, VulkanBuffer>,
    ) -> Result<Duration, RunError> {
        let name = &program.kernel;
        let refuse = |message: String| RunError::Input(format!("kernel \"{name}\" {message}"));
        let here = |context: &Rc<Context>| Rc::ptr_eq(context, &self.context);
        let buffers_here = launch.slots.iter().all(|slot| match slot {
            Slot::Buffer(buffer) => here(&buffer.context),
            Slot::Extent(_) | Slot::Stride(_) | Slot::Scalar { .. } => true,
        });
        if !here(&program.context) || !buffers_here {
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
        let device = self.context.to_string();
        let limits = &self.context.limits;
        limits
            .check_group_size(launch.group_size, &device)
            .map_err(refuse)?;
        let groups = limits
            .check_groups(launch.groups, &device)
            .map_err(refuse)?;
        launch::launch(program, groups, launch, self.watchdog)
    }
}
