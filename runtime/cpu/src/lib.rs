//! The CPU as a device: compiled work-groups over threads, work-items that meet at barriers.

mod abi;
mod buffer;
mod device;
mod fault;
mod fiber;
mod items;
mod lane;
mod launch;
mod object;
mod program;
mod settings;
mod stacks;
mod worker;

pub use abi::{
    Entry, Group, NO_ITEM, SHARED_ALIGNMENT, callbacks, xpu_cpu_barrier, xpu_cpu_out_of_bounds,
};
pub use buffer::CpuBuffer;
pub use device::CpuDevice;
pub use program::CpuProgram;
pub use settings::Settings;
