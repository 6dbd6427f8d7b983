//! NVIDIA GPUs as devices, through the driver's own library, which is loaded at run time.
//!
//! Building needs nothing of CUDA. A machine that runs kernels needs the driver alone: it compiles
//! PTX itself.

mod buffer;
mod context;
mod device;
mod driver;
mod image;
mod launch;
mod limits;
mod meaning;
mod program;
mod settings;

pub use buffer::CudaBuffer;
pub use device::CudaDevice;
pub use program::CudaProgram;
pub use settings::Settings;
