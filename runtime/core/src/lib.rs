//! Devices, buffers and launches: what `xpu-run` and `xpu-launch` share. Never sees MLIR.
#![forbid(unsafe_code)]

mod argument;
mod element;
mod error;
mod literal;
mod memory;
mod random;
mod values;

pub use argument::{ARGUMENT_LANGUAGE, ArgumentSpec, parse_argument};
pub use element::{ElementType, Sign, Width};
pub use error::RunError;
pub use literal::{is_nan, parse_literal, print_literal};
pub use memory::{check_host_memory, display_bytes};
pub use values::Values;
