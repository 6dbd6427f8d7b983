//! The passes of xpu, each in its own file, and the named pipelines.
//!
//! [`registry::register`] makes them known to MLIR by name; every tool calls it once.
#![forbid(unsafe_code)]

pub mod atomic;
pub mod registry;
pub mod target;

mod xpu_attach_cpu_target;
