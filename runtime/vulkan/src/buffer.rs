//! Buffers of a Vulkan device, and how the host writes and reads them.

use std::ptr::{self, NonNull};
use std::rc::Rc;

use ash::vk;
use xpu_runtime::{Memory, RunError, display_bytes};

use crate::context::Context;
use crate::failure::{self, describe};
use crate::memory::{Allocation, Place};
use crate::submit::{Trouble, make_visible, submit};

/// Bytes that are copied at once to and from memory that the host does not see.
const STAGED: usize = 32 << 20;

/// A buffer on a Vulkan device.
pub struct VulkanBuffer {
    pub(crate) context: Rc<Context>,
    pub(crate) allocation: Allocation,
    bytes: usize,
}

impl VulkanBuffer {
    /// A buffer of `bytes` bytes, in whole words.
    pub(crate) fn new(context: &Rc<Context>, bytes: u64, memory: Memory) -> Result<Self, RunError> {
        let too_large = || RunError::OutOfMemory(format!("a buffer of {}", display_bytes(bytes)));
        let size = usize::try_from(bytes).map_err(|_| too_large())?;
        let (place, what) = match memory {
            Memory::DeviceLocal | Memory::Unspecified => (Place::Device, "a buffer"),
            Memory::HostVisible => (Place::Host, "a buffer that the host sees"),
        };
        Ok(Self {
            context: Rc::clone(context),
            allocation: Allocation::new(context, bytes, place, what)?,
            bytes: size,
        })
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<(), RunError> {
        self.check(bytes.len())?;
        if let Some(host) = self.allocation.host {
            // SAFETY: the buffer holds as many bytes.
            unsafe { write(host, bytes) };
            return Ok(());
        }
        self.staged(bytes.len(), |staging, host, start, count| {
            // SAFETY: staging memory holds `STAGED` bytes, or all.
            unsafe { write(host, &bytes[start..start + count]) };
            self.copy((staging, 0), (*self.allocation.buffer, start), count)
        })
    }

    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), RunError> {
        self.check(bytes.len())?;
        if let Some(host) = self.allocation.host {
            // SAFETY: the buffer holds as many bytes, and all were written: with 0, if by nothing
            // else.
            unsafe { read(host, bytes) };
            return Ok(());
        }
        self.staged(bytes.len(), |staging, host, start, count| {
            self.copy((*self.allocation.buffer, start), (staging, 0), count)?;
            // SAFETY: as in `upload`.
            unsafe { read(host, &mut bytes[start..start + count]) };
            Ok(())
        })
    }

    fn check(&self, bytes: usize) -> Result<(), RunError> {
        self.context.check()?;
        if bytes <= self.bytes {
            return Ok(());
        }
        Err(RunError::Input(format!(
            "{} do not fit a buffer of {}",
            display_bytes(bytes as u64),
            display_bytes(self.bytes as u64)
        )))
    }

    /// Calls `part` for each part of `bytes` bytes that is copied at once, with memory for it that
    /// the host sees.
    fn staged(
        &self,
        bytes: usize,
        mut part: impl FnMut(vk::Buffer, NonNull<u8>, usize, usize) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        if bytes == 0 {
            return Ok(());
        }
        let what = "memory to copy through";
        let size = bytes.min(STAGED) as u64;
        let staging = Allocation::new(&self.context, size, Place::Host, what)?;
        let host = staging.host.ok_or_else(|| {
            RunError::Device(format!("{} does not show {what} to the host", self.context))
        })?;
        for start in (0..bytes).step_by(STAGED) {
            part(*staging.buffer, host, start, STAGED.min(bytes - start))?;
        }
        Ok(())
    }

    /// Copies bytes on the device, between places that hold as many.
    fn copy(
        &self,
        from: (vk::Buffer, usize),
        to: (vk::Buffer, usize),
        bytes: usize,
    ) -> Result<(), RunError> {
        let region = vk::BufferCopy::default()
            .src_offset(from.1 as u64)
            .dst_offset(to.1 as u64)
            .size(bytes as u64);
        let record = |device: &ash::Device, commands| {
            let (stage, access) = (
                vk::PipelineStageFlags::TRANSFER,
                vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::TRANSFER_WRITE,
            );
            make_visible(device, commands, stage, access);
            // SAFETY: the command buffer is being recorded; the buffers hold as many bytes, do not
            // overlap, and live until the work has ended.
            unsafe { device.cmd_copy_buffer(commands, from.0, to.0, &[region]) };
            let (stage, access) = (vk::PipelineStageFlags::HOST, vk::AccessFlags::HOST_READ);
            make_visible(device, commands, stage, access);
        };
        submit(&self.context, "a copy", None, record).map_err(|trouble| match trouble {
            Trouble::Error(error) => error,
            Trouble::Failed(result) => {
                let context = &self.context;
                let why = describe(result);
                failure::error(format!("{context} failed while it copied: {why}"), result)
            }
            // No limit was given.
            Trouble::Stuck => RunError::Device(format!("{} does not copy", self.context)),
        })
    }
}

/// Writes memory that a device shows.
///
/// # Safety
/// There are as many bytes behind `host`, and no work of the device runs, which holds whenever the
/// device is not lost.
unsafe fn write(host: NonNull<u8>, bytes: &[u8]) {
    // SAFETY: as said above; what Rust owns is not what a device shows.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), host.as_ptr(), bytes.len()) };
}

/// Reads memory that a device shows.
///
/// # Safety
/// As [`write`], and the bytes were written once.
unsafe fn read(host: NonNull<u8>, bytes: &mut [u8]) {
    // SAFETY: as said above.
    unsafe { ptr::copy_nonoverlapping(host.as_ptr(), bytes.as_mut_ptr(), bytes.len()) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Instance;
    use crate::settings::Settings;

    /// Memory out of the host's sight is copied through other memory, in parts. All of lavapipe's
    /// is seen, so that the buffer has to forget it.
    #[test]
    fn copies_in_parts() {
        let settings = Settings {
            device: Some("llvmpipe".into()),
            validation: true,
            ..Settings::default()
        };
        let instance = Instance::new(&settings).unwrap();
        let found = instance.devices().unwrap().pop().unwrap();
        let context = Rc::new(Context::new(instance, found, &settings).unwrap());
        let bytes = STAGED + (STAGED / 2) + 3;
        let mut buffer = VulkanBuffer::new(&context, bytes as u64, Memory::DeviceLocal).unwrap();
        buffer.allocation.host = None;
        let content: Vec<u8> = (0..bytes).map(|index| (index % 251) as u8).collect();
        buffer.upload(&content).unwrap();
        let mut back = vec![0; bytes];
        buffer.download(&mut back).unwrap();
        assert!(back == content);
        buffer.upload(&[]).unwrap();
        buffer.download(&mut []).unwrap();
        context.check_messages("the copies").unwrap();
    }
}
