//! Memory of an emulated device: bytes of the host, which every launch is given and gives back.

use std::cell::RefCell;

use xpu_runtime::{RunError, check_host_memory, display_bytes};

/// A buffer on an emulated AMD GPU.
#[derive(Debug)]
pub struct AmdgpuBuffer {
    pub(crate) bytes: RefCell<Vec<u8>>,
}

impl AmdgpuBuffer {
    /// A buffer of `bytes` zeros.
    pub(crate) fn new(bytes: u64) -> Result<Self, RunError> {
        check_host_memory("a buffer", bytes)?;
        let too_large = || RunError::OutOfMemory(format!("a buffer of {}", display_bytes(bytes)));
        let length = usize::try_from(bytes).map_err(|_| too_large())?;
        let mut memory = Vec::new();
        memory.try_reserve_exact(length).map_err(|_| too_large())?;
        memory.resize(length, 0);
        Ok(Self {
            bytes: RefCell::new(memory),
        })
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<(), RunError> {
        let mut memory = self.bytes.borrow_mut();
        let length = memory.len();
        let start = memory.get_mut(..bytes.len());
        let start = start.ok_or_else(|| too_many(bytes.len(), length))?;
        start.copy_from_slice(bytes);
        Ok(())
    }

    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), RunError> {
        let memory = self.bytes.borrow();
        let start = memory.get(..bytes.len());
        bytes.copy_from_slice(start.ok_or_else(|| too_many(bytes.len(), memory.len()))?);
        Ok(())
    }
}

fn too_many(bytes: usize, length: usize) -> RunError {
    RunError::Input(format!(
        "{} do not fit a buffer of {}",
        display_bytes(bytes as u64),
        display_bytes(length as u64)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies() {
        let buffer = AmdgpuBuffer::new(4).unwrap();
        buffer.upload(&[1, 2]).unwrap();
        let mut out = [9; 4];
        buffer.download(&mut out).unwrap();
        assert_eq!(out, [1, 2, 0, 0]);
        assert_eq!(buffer.upload(&[0; 5]).unwrap_err().exit_code(), 1);
        assert_eq!(buffer.download(&mut [0; 5]).unwrap_err().exit_code(), 1);
    }
}
