//! Memory for code: written first, then executable and no longer writable.

use std::io;
use std::ptr::{self, NonNull};

use xpu_runtime::RunError;

/// A mapping of this process, zero at first.
#[derive(Debug)]
pub(crate) struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: nothing writes to it through this object once it is shared; what the code in it does
// with its variables is the code's own matter.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    pub(super) fn new(bytes: usize) -> Result<Self, RunError> {
        let bytes = bytes.max(1);
        let (access, flags) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
        );
        // SAFETY: a new mapping, at an address that the system chooses.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(failed(bytes));
        }
        let start = NonNull::new(start.cast()).ok_or_else(|| failed(bytes))?;
        Ok(Self { start, bytes })
    }

    /// The address of the byte at `offset`, which is in the mapping.
    pub(super) fn address(&self, offset: usize) -> *const u8 {
        self.start.as_ptr().wrapping_add(offset)
    }

    /// Writes `bytes` at `offset`.
    pub(super) fn write(&mut self, offset: usize, bytes: &[u8]) -> Result<(), String> {
        if offset
            .checked_add(bytes.len())
            .is_none_or(|end| end > self.bytes)
        {
            return Err("has a relocation outside of its section".into());
        }
        // SAFETY: within the mapping, which is writable until `protect`, after which nothing calls
        // this, and which nobody else has been given.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.as_ptr().add(offset), bytes.len());
        }
        Ok(())
    }

    /// Makes what is before `code` executable, and from there to `constants` read-only; both are at
    /// pages.
    pub(super) fn protect(&mut self, code: usize, constants: usize) -> Result<(), RunError> {
        let parts = [
            (0, code, libc::PROT_READ | libc::PROT_EXEC),
            (code, constants - code, libc::PROT_READ),
        ];
        for (offset, bytes, access) in parts {
            if bytes == 0 {
                continue;
            }
            // SAFETY: whole pages of this mapping, in which no code runs yet.
            let result =
                unsafe { libc::mprotect(self.start.as_ptr().add(offset).cast(), bytes, access) };
            if result != 0 {
                return Err(failed(bytes));
            }
        }
        Ok(())
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: made by `new`; programs and threads that use the code hold it.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

/// Bytes of a page.
pub(super) fn page() -> usize {
    // SAFETY: only asks.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(page).unwrap_or(4096)
}

fn failed(bytes: usize) -> RunError {
    let error = io::Error::last_os_error();
    RunError::OutOfMemory(format!("{bytes} bytes for a kernel's code: {error}"))
}
