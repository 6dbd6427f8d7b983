//! The Vulkan device, through ash.
