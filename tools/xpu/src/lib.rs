//! Scoped, ordered atomics for GPU kernels in MLIR, from Rust: the one door to the xpu dialect.
//!
//! - [`register`] adds the dialect to a registry of your own; [`new_context`] is a context with all.
//! - [`ops`] has a builder for every operation; each gives a verified melior operation.
//! - [`pipelines`] runs passes on a melior module, by name.
//! - [`compile()`] makes code and a manifest for a [`Target`]: CPU, NVIDIA, AMD, Vulkan.
//! - [`Device`] runs that: buffers in, buffers out.
//!
//! ```no_run
//! use melior::ir::Module;
//! use xpu::{CompileOptions, Device};
//!
//! let context = xpu::new_context();
//! let module = Module::parse(&context, "…").unwrap(); // or built with `xpu::ops`
//! let device = Device::open("vulkan")?;
//! let compiled = xpu::compile(&module, &device.target()?, &CompileOptions::new())?;
//!
//! let (mut bins, data) = (vec![0u32; 256], vec![7u32; 1000]);
//! let launch = device.launch(&compiled, "histogram").buffer(&mut bins).input(&data);
//! launch.scalar(1000).threads(1000).run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! All are on by default. Without them there are the dialect, its passes and the builders.
//!
//! - `compile`: code for the CPU, NVIDIA and AMD.
//! - `vulkan`: code for Vulkan too. It brings Khronos' SPIR-V tools, which take the longest to build.
//! - `run`: devices. Their drivers are loaded at run time, and needed by nothing else.
//!
//! # What is public
//!
//! The types of this crate, and of other crates those of melior alone: [`melior`] is the version that
//! goes with it. Enums and structs may grow. docs/rust.md is the guide.
#![forbid(unsafe_code)]

mod axes;
#[cfg(feature = "compile")]
mod compile;
#[cfg(any(feature = "compile", feature = "run"))]
mod compiled;
mod context;
mod diagnostic;
#[cfg(any(feature = "compile", feature = "run"))]
mod files;
pub mod ops;
pub mod pipelines;
#[cfg(feature = "run")]
mod run;
mod target;

pub use axes::{Dimension, Kind, MemoryKind, Ordering, Scope, UnknownWord};
#[cfg(feature = "compile")]
pub use compile::{CompileError, CompileOptions, compile, compile_source};
#[cfg(any(feature = "compile", feature = "run"))]
pub use compiled::Compiled;
pub use context::{new_context, register};
pub use diagnostic::{Diagnostic, Severity};
#[cfg(any(feature = "compile", feature = "run"))]
pub use files::FileError;
pub use melior;
pub use ops::{BuildError, MeliorError};
pub use pipelines::PipelineError;
#[cfg(feature = "run")]
pub use run::{Buffer, Device, Element, Launch, RunError};
pub use target::{Target, TargetError};

/// The programs of the guide, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
mod guide {}
