//! What a device does for a launch: buffers, images, kernels.

use std::time::Duration;

use crate::abi::Slot;
use crate::error::RunError;
use crate::manifest::{Kernel, Manifest, Memory};

/// A device that runs kernels.
///
/// Errors name the device or the kernel; a device that is missing, lost or out of memory is
/// [`RunError::Device`] or [`RunError::OutOfMemory`], what a kernel does wrong [`RunError::Kernel`].
pub trait Device: Sized {
    /// Memory that kernels reach.
    type Buffer;
    /// A kernel made ready to be launched.
    type Program;

    /// The devices of this kind, in the order in which `--device` counts them.
    ///
    /// # Errors
    /// If the driver is missing; without devices the list is empty.
    fn list() -> Result<Vec<DeviceInfo>, RunError>;

    /// The place in the list of the device that is taken where none is asked for: the first, unless
    /// the user has chosen another for this kind of device.
    ///
    /// # Errors
    /// If the device that the user has chosen is not there.
    fn default_index() -> Result<usize, RunError> {
        Ok(0)
    }

    /// The device number `index` of the list.
    ///
    /// # Errors
    /// If it is not there, naming those that are, or cannot be used.
    fn open(index: usize) -> Result<Self, RunError>;

    /// The device number `index`, or the one that is taken where none is asked for.
    ///
    /// # Errors
    /// As [`open`](Self::open) and [`default_index`](Self::default_index).
    fn open_or_default(index: Option<usize>) -> Result<Self, RunError> {
        Self::open(match index {
            Some(index) => index,
            None => Self::default_index()?,
        })
    }

    /// Which device this is.
    fn info(&self) -> DeviceInfo;

    /// Allocates `bytes` bytes, aligned for every element type and to whole words.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn allocate(&self, bytes: u64, memory: Memory) -> Result<Self::Buffer, RunError>;

    /// Copies `bytes` to the start of `buffer`.
    ///
    /// # Errors
    /// If they are more than it holds, or a launch still uses it.
    fn upload(&self, buffer: &Self::Buffer, bytes: &[u8]) -> Result<(), RunError>;

    /// Copies the start of `buffer` to `bytes`.
    ///
    /// # Errors
    /// If they are more than it holds, or a launch still uses it.
    fn download(&self, buffer: &Self::Buffer, bytes: &mut [u8]) -> Result<(), RunError>;

    /// Makes `kernel` of `manifest`, whose code is `image`, ready to be launched.
    ///
    /// # Errors
    /// If the image is damaged, or not for this device.
    fn load(
        &self,
        manifest: &Manifest,
        kernel: &Kernel,
        image: &[u8],
    ) -> Result<Self::Program, RunError>;

    /// Runs a program to its end; the result is how long that took, by the device's clock if it has
    /// one, else by the host's.
    ///
    /// # Errors
    /// If the launch is beyond the device's limits, the kernel does something it may not, or the
    /// device is lost.
    fn launch(
        &self,
        program: &Self::Program,
        launch: &Launch<'_, Self::Buffer>,
    ) -> Result<Duration, RunError>;
}

/// One launch of a program.
#[derive(Debug)]
pub struct Launch<'a, B> {
    /// Work-groups in x, y and z, none of them 0.
    pub groups: [u64; 3],
    /// Work-items of a group in x, y and z, none of them 0.
    pub group_size: [u32; 3],
    /// The arguments, flat.
    pub slots: &'a [Slot<&'a B>],
}

/// What a device is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its place in the list.
    pub index: usize,
    /// Its name as its driver gives it.
    pub name: String,
}

/// The error for a device number that is not there.
pub fn no_such_device(target: &str, index: usize, devices: &[DeviceInfo]) -> RunError {
    let names: Vec<String> = devices
        .iter()
        .map(|device| format!("{} ({})", device.index, device.name))
        .collect();
    RunError::Device(if names.is_empty() {
        format!("there is no {target} device")
    } else {
        format!(
            "there is no {target} device {index}: there is {}",
            names.join(", ")
        )
    })
}
