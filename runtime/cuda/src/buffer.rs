//! Memory of a CUDA device, or of the host where the device sees it.

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::rc::Rc;

use xpu_runtime::{Memory, RunError, check_host_memory, display_bytes};

use crate::context::{Context, Current};
use crate::driver::{DeviceAddress, Failure, HOST_DEVICE_MAP};
use crate::meaning::{Meaning, meaning};

/// A buffer on a CUDA device.
pub struct CudaBuffer {
    pub(crate) context: Rc<Context>,
    /// The address that kernels are given.
    pub(crate) address: DeviceAddress,
    /// Where the host sees the memory, if it does.
    host: Option<NonNull<u8>>,
    bytes: usize,
}

impl CudaBuffer {
    /// A buffer of `bytes` bytes.
    ///
    /// The driver aligns device memory to 256 bytes and host memory to pages, which is enough for
    /// every element type.
    pub(crate) fn new(context: &Rc<Context>, bytes: u64, memory: Memory) -> Result<Self, RunError> {
        let too_large = || RunError::OutOfMemory(format!("a buffer of {}", display_bytes(bytes)));
        let bytes = usize::try_from(bytes).map_err(|_| too_large())?;
        let current = context.enter()?;
        // Never empty, which the driver refuses.
        let wanted = bytes.max(1);
        let (address, host) = match memory {
            Memory::DeviceLocal | Memory::Unspecified => {
                (device_memory(context, &current, wanted)?, None)
            }
            Memory::HostVisible => {
                let (address, host) = host_memory(context, &current, wanted)?;
                (address, Some(host))
            }
        };
        Ok(Self {
            context: Rc::clone(context),
            address,
            host,
            bytes,
        })
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<(), RunError> {
        self.check(bytes.len())?;
        let _current = self.context.enter()?;
        let from = bytes.as_ptr();
        match self.host {
            // SAFETY: the buffer holds as many bytes, and no kernel runs: a launch returns when its
            // kernel has ended, or with the device lost, and then `enter` refuses.
            Some(host) => unsafe {
                ptr::copy_nonoverlapping(from, host.as_ptr(), bytes.len());
            },
            // SAFETY: a context is current, and both sides have as many bytes.
            None => unsafe {
                let driver = &self.context.driver;
                driver.copy_to_device(self.address, from.cast(), bytes.len())
            }
            .map_err(|failure| self.not_copied("to", failure))?,
        }
        Ok(())
    }

    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), RunError> {
        self.check(bytes.len())?;
        let _current = self.context.enter()?;
        let to = bytes.as_mut_ptr();
        match self.host {
            // SAFETY: as in `upload`; all of it was written, by `host_memory` if by nothing else.
            Some(host) => unsafe {
                ptr::copy_nonoverlapping(host.as_ptr(), to, bytes.len());
            },
            // SAFETY: as in `upload`.
            None => unsafe {
                let driver = &self.context.driver;
                driver.copy_to_host(to.cast(), self.address, bytes.len())
            }
            .map_err(|failure| self.not_copied("from", failure))?,
        }
        Ok(())
    }

    fn check(&self, bytes: usize) -> Result<(), RunError> {
        if bytes <= self.bytes {
            return Ok(());
        }
        Err(RunError::Input(format!(
            "{} do not fit a buffer of {}",
            display_bytes(bytes as u64),
            display_bytes(self.bytes as u64)
        )))
    }

    fn not_copied(&self, direction: &str, failure: Failure) -> RunError {
        let what = format!("cannot copy {direction} a buffer of {} bytes", self.bytes);
        self.context.error(&what, failure)
    }
}

impl Drop for CudaBuffer {
    fn drop(&mut self) {
        let Some(current) = self.context.enter_to_free() else {
            return;
        };
        match self.host {
            Some(host) => free_host_memory(&self.context, &current, host),
            // SAFETY: allocated in `new`, and nothing uses it: no kernel runs, as in `upload`.
            // There is nobody to tell that it cannot be freed.
            None => drop(unsafe { self.context.driver.memory_free(self.address) }),
        }
    }
}

fn device_memory(
    context: &Context,
    current: &Current<'_>,
    bytes: usize,
) -> Result<DeviceAddress, RunError> {
    let mut address = 0;
    // SAFETY: a context is current, and the place can be written.
    unsafe { context.driver.memory_alloc(&raw mut address, bytes) }
        .map_err(|failure| not_allocated(context, current, "a buffer", bytes, failure))?;
    Ok(address)
}

fn host_memory(
    context: &Context,
    current: &Current<'_>,
    bytes: usize,
) -> Result<(DeviceAddress, NonNull<u8>), RunError> {
    let what = "a buffer that the host sees";
    // It is pinned: more than there is ends the process, not the call.
    check_host_memory(what, bytes as u64)?;
    let mut start: *mut c_void = ptr::null_mut();
    // SAFETY: a context is current, and the place can be written.
    let allocated = unsafe {
        let driver = &context.driver;
        driver.host_alloc(&raw mut start, bytes, HOST_DEVICE_MAP)
    };
    allocated.map_err(|failure| not_allocated(context, current, what, bytes, failure))?;
    let host = NonNull::new(start.cast::<u8>())
        .ok_or_else(|| RunError::Device(format!("{context} gives no address for {what}")))?;
    // SAFETY: it has that many bytes.
    unsafe { ptr::write_bytes(host.as_ptr(), 0, bytes) };
    let mut address = 0;
    // SAFETY: a context is current, the memory was allocated in it, and the place can be written.
    let mapped = unsafe {
        let driver = &context.driver;
        driver.host_get_device_pointer(&raw mut address, start, 0)
    };
    mapped.map_err(|failure| {
        free_host_memory(context, current, host);
        context.error(&format!("cannot use {what}"), failure)
    })?;
    Ok((address, host))
}

/// Frees what `host_memory` allocated and nothing uses any more.
fn free_host_memory(context: &Context, _current: &Current<'_>, host: NonNull<u8>) {
    // SAFETY: as said above, and a context is current. There is nobody to tell that it cannot be
    // freed.
    let _ = unsafe { context.driver.host_free(host.as_ptr().cast()) };
}

fn not_allocated(
    context: &Context,
    current: &Current<'_>,
    what: &str,
    bytes: usize,
    failure: Failure,
) -> RunError {
    if meaning(failure.code) != Meaning::Memory {
        return context.error(&format!("cannot allocate {what}"), failure);
    }
    let (needed, free) = (display_bytes(bytes as u64), context.free_memory(current));
    let why = context.driver.describe(failure);
    RunError::OutOfMemory(format!(
        "{what} on {context} needs {needed}, {free} ({why})"
    ))
}
