//! Kernels that tests share over devices, with the answers that are right: no MLIR, no device.
//!
//! [`matrix`] has every kind of read-modify-write on every type, under contention; [`litmus`] the
//! litmus tests of the memory model. Each gives the kernels' source, what to launch them with, and
//! what to make of the results.
#![forbid(unsafe_code)]

pub mod litmus;
pub mod matrix;
pub mod oracle;
mod random;
mod types;

pub use random::Random;
pub use types::{Format, Type};

/// The file that holds sources, to be compiled as one module.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, without an extension.
    pub name: String,
    /// MLIR text.
    pub text: String,
}
