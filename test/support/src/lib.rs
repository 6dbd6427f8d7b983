//! Kernels that tests share over devices, with the answers that are right: no MLIR, no device.
//!
//! [`matrix`] has every kind of read-modify-write on every type, under contention; [`exact`] the same
//! on special values; [`litmus`] the litmus tests of the memory model. Each gives the kernels'
//! source, what to launch them with, and what to make of the results. [`cases`] launches the shared
//! cases through a launcher, [`emulator`] launches on emulated AMD chips, [`do_all`] does jobs on all cores, and [`links_none_of`] looks at what a
//! program links.
#![forbid(unsafe_code)]

pub mod cases;
pub mod emulator;
pub mod exact;
mod jobs;
mod launch;
mod links;
pub mod litmus;
pub mod matrix;
pub mod oracle;
mod random;
mod report;
mod types;

pub use jobs::do_all;
pub use launch::{Buffer, launch};
pub use links::links_none_of;
pub use random::Random;
pub use report::Report;
pub use types::{Format, Type};

/// The file that holds sources, to be compiled as one module.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, without an extension.
    pub name: String,
    /// MLIR text.
    pub text: String,
}
