//! The xpu dialect: registration, typed views of its operations, and handles on the IR.
//!
//! This is the only crate with C++ in it (`shim/`): the classes that mlir-tblgen generates from
//! `ods/`, their hooks, and one small function for each thing that MLIR's C API has no door for.
//! Everything above works through [`ir`], [`views`] and [`axes`] and needs no `unsafe`.
//!
//! ```no_run
//! use xpu_dialect::{context, ir::Module};
//!
//! let context = context::new();
//! let module = Module::parse(&context, "xpu.kernel @k() workgroup_size(1, 1, 1) { xpu.return }");
//! assert!(module.is_some());
//! ```

pub mod axes;
pub mod context;
pub mod diagnostic;
mod ffi;
pub mod ir;
pub mod nesting;
pub mod passes;
pub mod spirv;
pub mod tools;
pub mod types;

/// Typed views of the dialect's operations, generated from `ods/`.
pub mod views {
    include!(concat!(env!("OUT_DIR"), "/views.rs"));
}

pub use melior::Context;
