//! Vulkan devices, through the loader, which is loaded at run time.
//!
//! Building needs nothing of Vulkan. A machine that runs kernels needs the loader and a driver of
//! Vulkan 1.1 at least, which compiles SPIR-V itself.

mod buffer;
mod cache;
mod context;
mod device;
mod failure;
mod features;
mod image;
mod instance;
mod launch;
mod limits;
mod memory;
mod program;
mod settings;
mod submit;
mod validation;
mod version;

pub use buffer::VulkanBuffer;
pub use device::VulkanDevice;
pub use program::VulkanProgram;
pub use settings::Settings;
