//! Memory of the CPU device: buffers, and the work-group memory of a running group.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::{self, NonNull};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use xpu_runtime::{RunError, check_host_memory, display_bytes};

use crate::abi::SHARED_ALIGNMENT;

/// Alignment of buffers: a cache line.
const ALIGNMENT: usize = 64;

/// What work-group memory holds when a group starts, so that reads of what nothing wrote show.
const RUBBISH: u8 = 0xa5;

/// A buffer on the CPU device.
///
/// While a launch uses it, be it one that was left behind because it hangs, the host cannot.
#[derive(Debug)]
pub struct CpuBuffer {
    memory: Arc<Memory>,
}

#[derive(Debug)]
struct Memory {
    start: NonNull<u8>,
    layout: Layout,
    bytes: usize,
    /// Launches that use it. Locked while the host does.
    launches: Mutex<usize>,
}

// SAFETY: the memory belongs to this object. The host touches it only with `launches` locked and
// zero; compiled code, which may from any thread, is bound by the promise of `CpuProgram::new`.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl CpuBuffer {
    /// A buffer of `bytes` bytes, all zero.
    pub(crate) fn new(bytes: u64) -> Result<Self, RunError> {
        let what = "a buffer on the CPU device";
        check_host_memory(what, bytes)?;
        let out_of_memory =
            || RunError::OutOfMemory(format!("{what} needs {}", display_bytes(bytes)));
        let bytes = usize::try_from(bytes).map_err(|_| out_of_memory())?;
        // Never empty, so that every buffer has an address of its own.
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT)
            .map_err(|_| out_of_memory())?
            .pad_to_align();
        // SAFETY: the layout's size is not 0.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(out_of_memory)?;
        let launches = Mutex::new(0);
        Ok(Self {
            memory: Arc::new(Memory {
                start,
                layout,
                bytes,
                launches,
            }),
        })
    }

    /// The address that compiled code is given.
    pub(crate) fn address(&self) -> u64 {
        self.memory.start.as_ptr().expose_provenance() as u64
    }

    /// Takes the buffer for a launch, until the result is dropped.
    pub(crate) fn enter_launch(&self) -> BufferUse {
        *self.memory.launches() += 1;
        BufferUse {
            memory: Arc::clone(&self.memory),
        }
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<(), RunError> {
        let _host = self.memory.host(bytes.len())?;
        // SAFETY: the buffer holds as many bytes, and while `_host` lives no launch uses them.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.memory.start.as_ptr(), bytes.len());
        }
        Ok(())
    }

    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), RunError> {
        let _host = self.memory.host(bytes.len())?;
        // SAFETY: as in `upload`; all of it was written, by `alloc_zeroed` if by nothing else.
        unsafe {
            ptr::copy_nonoverlapping(self.memory.start.as_ptr(), bytes.as_mut_ptr(), bytes.len());
        }
        Ok(())
    }
}

impl Memory {
    fn launches(&self) -> MutexGuard<'_, usize> {
        self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps launches off while the host touches the first `bytes` bytes.
    fn host(&self, bytes: usize) -> Result<MutexGuard<'_, usize>, RunError> {
        let launches = self.launches();
        if *launches > 0 {
            return Err(RunError::Device(
                "the CPU device still runs a launch that uses this buffer".into(),
            ));
        }
        if bytes > self.bytes {
            return Err(RunError::Input(format!(
                "{} do not fit a buffer of {}",
                display_bytes(bytes as u64),
                display_bytes(self.bytes as u64)
            )));
        }
        Ok(launches)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and nobody refers to it any more.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// A launch's hold on a buffer.
#[derive(Debug)]
pub(crate) struct BufferUse {
    memory: Arc<Memory>,
}

impl Drop for BufferUse {
    fn drop(&mut self) {
        *self.memory.launches() -= 1;
    }
}

/// The work-group memory of the groups that one thread runs, one after the other.
pub(crate) struct SharedBlock {
    start: NonNull<u8>,
    layout: Layout,
    bytes: usize,
}

impl SharedBlock {
    pub(crate) fn new(bytes: u64) -> Result<Self, RunError> {
        let what = "work-group memory";
        check_host_memory(what, bytes)?;
        let out_of_memory =
            || RunError::OutOfMemory(format!("{what} needs {}", display_bytes(bytes)));
        let bytes = usize::try_from(bytes).map_err(|_| out_of_memory())?;
        let layout = Layout::from_size_align(bytes.max(1), SHARED_ALIGNMENT)
            .map_err(|_| out_of_memory())?
            .pad_to_align();
        // SAFETY: the layout's size is not 0.
        let start = NonNull::new(unsafe { alloc(layout) }).ok_or_else(out_of_memory)?;
        let block = Self {
            start,
            layout,
            bytes,
        };
        block.spoil();
        Ok(block)
    }

    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Takes away what the last group left; only between groups.
    #[inline]
    pub(crate) fn spoil(&self) {
        if self.bytes > 0 {
            // SAFETY: it has that many bytes, and no group runs that has been given it.
            unsafe { ptr::write_bytes(self.start.as_ptr(), RUBBISH, self.bytes) };
        }
    }
}

impl Drop for SharedBlock {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and the thread that ran groups with it has ended.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_uploaded() {
        let buffer = CpuBuffer::new(10).unwrap();
        assert_eq!(buffer.address() % ALIGNMENT as u64, 0);
        buffer.upload(&[1, 2, 3]).unwrap();
        let mut bytes = [9; 10];
        buffer.download(&mut bytes).unwrap();
        assert_eq!(bytes, [1, 2, 3, 0, 0, 0, 0, 0, 0, 0]);
        let error = buffer.upload(&[0; 11]).unwrap_err().to_string();
        assert_eq!(error, "11 bytes do not fit a buffer of 10 bytes");
        assert!(CpuBuffer::new(0).unwrap().address() != 0);
    }

    #[test]
    fn a_launch_keeps_the_host_off() {
        let buffer = CpuBuffer::new(4).unwrap();
        let launch = buffer.enter_launch();
        let error = buffer.upload(&[1]).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        assert_eq!(
            error.to_string(),
            "the CPU device still runs a launch that uses this buffer"
        );
        drop(launch);
        assert!(buffer.download(&mut [0]).is_ok());
    }

    #[test]
    fn too_large_is_an_error() {
        assert_eq!(CpuBuffer::new(u64::MAX).unwrap_err().exit_code(), 3);
        assert_eq!(CpuBuffer::new(1 << 55).unwrap_err().exit_code(), 3);
        assert_eq!(SharedBlock::new(1 << 55).err().unwrap().exit_code(), 3);
    }
}
