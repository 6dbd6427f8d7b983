//! An emulated AMD GPU as a device.

use std::time::Duration;

use xpu_runtime::{Device, DeviceInfo, Kernel, Launch, Manifest, Memory, RunError, no_such_device};

use crate::buffer::AmdgpuBuffer;
use crate::command;
use crate::folder::Folder;
use crate::program::AmdgpuProgram;
use crate::request::{CODE, Request};
use crate::settings::Settings;

/// Work-items that a work-group of an AMD GPU may have.
const MOST_ITEMS: u64 = 1024;
/// The request file of a launch.
const REQUEST: &str = "request.json";

/// An emulated AMD GPU, of the kind that the code is for.
#[derive(Clone, Debug)]
pub struct AmdgpuDevice {
    settings: Settings,
}

impl AmdgpuDevice {
    /// The device that these settings describe; [`Device::open`] takes them from the environment.
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }

    fn described() -> DeviceInfo {
        DeviceInfo {
            index: 0,
            name: "AMD GPU, emulated".into(),
        }
    }
}

impl Device for AmdgpuDevice {
    type Buffer = AmdgpuBuffer;
    type Program = AmdgpuProgram;

    /// One device, which is whatever the code is for, if there is an emulator.
    fn list() -> Result<Vec<DeviceInfo>, RunError> {
        Settings::from_environment().map(|_| vec![Self::described()])
    }

    fn open(index: usize) -> Result<Self, RunError> {
        let settings = Settings::from_environment()?;
        if index != 0 {
            return Err(no_such_device("amdgpu", index, &[Self::described()]));
        }
        Ok(Self::new(settings))
    }

    fn info(&self) -> DeviceInfo {
        Self::described()
    }

    /// Allocates memory of the host, whatever the kind: the emulator has only one.
    fn allocate(&self, bytes: u64, _memory: Memory) -> Result<AmdgpuBuffer, RunError> {
        AmdgpuBuffer::new(bytes)
    }

    fn upload(&self, buffer: &AmdgpuBuffer, bytes: &[u8]) -> Result<(), RunError> {
        buffer.upload(bytes)
    }

    fn download(&self, buffer: &AmdgpuBuffer, bytes: &mut [u8]) -> Result<(), RunError> {
        buffer.download(bytes)
    }

    fn load(
        &self,
        manifest: &Manifest,
        kernel: &Kernel,
        image: &[u8],
    ) -> Result<AmdgpuProgram, RunError> {
        AmdgpuProgram::new(manifest, kernel, image)
    }

    /// Runs a program to its end in a process of its own. The time is the emulator's, which says
    /// nothing of how long the hardware would take.
    fn launch(
        &self,
        program: &AmdgpuProgram,
        launch: &Launch<'_, AmdgpuBuffer>,
    ) -> Result<Duration, RunError> {
        let name = &program.kernel;
        let refuse = |message: String| RunError::Input(format!("kernel \"{name}\" {message}"));
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
        let items = u64::from(x)
            .saturating_mul(u64::from(y))
            .saturating_mul(u64::from(z));
        if items > MOST_ITEMS {
            return Err(refuse(format!(
                "has work-groups of {items} work-items, and AMD GPUs take up to {MOST_ITEMS}"
            )));
        }
        if let Some(groups) = launch
            .groups
            .iter()
            .find(|groups| **groups > u64::from(u32::MAX))
        {
            return Err(refuse(format!(
                "is launched with {groups} work-groups in one dimension, and AMD GPUs take up to {}",
                u32::MAX
            )));
        }
        let (request, buffers) = Request::new(&program.symbol, launch, &self.settings);
        let folder = Folder::new()?;
        folder.write(CODE, &program.code)?;
        for (file, buffer) in request.files().iter().zip(&buffers) {
            folder.write(&file.before, &buffer.bytes.borrow())?;
        }
        folder.write(REQUEST, request.to_json().as_bytes())?;
        let answer = command::run(&self.settings, &folder.file(REQUEST), name)?;
        for (file, buffer) in request.files().iter().zip(&buffers) {
            let after = folder.read(&file.after)?;
            let mut bytes = buffer.bytes.borrow_mut();
            if after.len() != bytes.len() {
                return Err(RunError::Device(format!(
                    "the emulator gave back {} bytes of a buffer of {}",
                    after.len(),
                    bytes.len()
                )));
            }
            *bytes = after;
        }
        Ok(Duration::try_from_secs_f64(answer.seconds).unwrap_or_default())
    }
}
