//! Devices, buffers and launches: what `xpu-run` and `xpu-launch` share. Never sees MLIR.
#![forbid(unsafe_code)]

mod abi;
mod argument;
mod call;
mod device;
mod driver;
mod element;
mod error;
mod layout;
mod literal;
mod manifest;
mod memory;
mod options;
mod random;
mod size;
mod target;
mod values;

pub use abi::{Arguments, BufferPlan, Slot, declared_slots};
pub use argument::{ARGUMENT_LANGUAGE, ArgumentSpec, parse_argument};
pub use call::call;
pub use device::{Device, DeviceInfo, Launch, no_such_device};
pub use driver::run;
pub use element::{ElementType, Sign, Width};
pub use error::RunError;
pub use layout::Layout;
pub use literal::{is_nan, parse_literal, print_literal};
pub use manifest::{
    ABI, Argument, Binding, CpuEntry, EntryMode, Image, ImageFormat, Kernel, Manifest, Memory,
    Memref, Pointer, Scalar, VulkanEntry, Weakening, Words, WordsPlace,
};
pub use memory::{check_host_memory, display_bytes};
pub use options::{Expect, Extents, LaunchOptions, Save, SizeOptions};
pub use size::{LaunchSize, group_size, item_count};
pub use target::{RunnableTarget, Target, name_targets_here};
pub use values::Values;
