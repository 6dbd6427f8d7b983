//! AMD GPUs as devices, through an emulator of their instruction set: a command that is given a
//! request file and runs a code object instruction by instruction.
//!
//! The project's own emulator is in `runtime/amdgpu-emulator`; docs/amdgpu-emulator.md has the
//! format of requests, for others.
#![forbid(unsafe_code)]

mod buffer;
mod command;
mod device;
mod folder;
mod program;
mod request;
mod settings;

pub use buffer::AmdgpuBuffer;
pub use device::AmdgpuDevice;
pub use program::AmdgpuProgram;
pub use settings::{MemoryModel, Settings};
