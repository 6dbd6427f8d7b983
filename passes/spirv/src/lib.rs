//! SPIR-V binaries: completed where MLIR cannot say something, checked by our own rules, and validated.
//!
//! MLIR serializes a `spirv.module`. [`finish`] makes the result a module for Vulkan: calls that stand
//! for instructions become these, unused definitions go, interfaces and execution modes are completed,
//! and capabilities and extensions are declared exactly where the instructions require them. [`check`]
//! holds it against rules about atomics and memory that validators do not know, and [`validate`] is
//! Khronos' validator.
#![forbid(unsafe_code)]

mod error;
mod float_controls;
mod ids;
mod interfaces;
mod lines;
mod merge;
mod placeholders;
mod requirements;
mod rules;
mod tools;
mod unused;
mod version;
mod words;
mod workgroup_size;

pub use error::Error;
pub use float_controls::{FloatControl, FloatMode};
pub use interfaces::{Buffer, buffers};
pub use lines::COLUMN_BITS;
pub use merge::merge;
pub use rules::{Violation, check};
pub use tools::{disassemble, validate};
pub use version::VulkanVersion;
pub use words::{scope_name, semantics_name};

use requirements::Requirements;
use rspirv::binary::Assemble;
use rspirv::dr::{Module, load_words};

/// What is completed.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Execution modes to add to the entry points that compute with floats of their width.
    pub float_controls: Vec<FloatControl>,
    /// Entry points whose workgroup size the launcher decides, by the specialization constants 0, 1
    /// and 2. Where there is one, these are the size for every entry point of the module.
    pub workgroup_size_by_spec_constants: Vec<String>,
    /// The files of line information. Where there are some, each column has the number of its file
    /// above its lowest [`COLUMN_BITS`] bits.
    pub files: Vec<String>,
}

/// Completes a module.
///
/// # Errors
///
/// Where the words are no module, a call stands for no instruction, or something in it is not known to
/// be in Vulkan's compute shaders.
pub fn finish(words: &[u32], options: &Options) -> Result<Vec<u32>, Error> {
    let mut module = load(words)?;
    placeholders::replace(&mut module)?;
    lines::resolve(&mut module, &options.files);
    unused::remove(&mut module);
    workgroup_size::by_spec_constants(&mut module, &options.workgroup_size_by_spec_constants)?;
    float_controls::add(&mut module, &options.float_controls);
    interfaces::recompute(&mut module);
    Requirements::of(&module)?.declare(&mut module);
    unused::renumber(&mut module);
    Ok(module.assemble())
}

/// The features of Vulkan that a device must have for a module, by Vulkan's names in `snake_case`,
/// sorted.
///
/// # Errors
///
/// As [`finish`].
pub fn features(words: &[u32]) -> Result<Vec<&'static str>, Error> {
    let required = Requirements::of(&load(words)?)?;
    Ok(required.features.into_iter().collect())
}

/// The execution modes whose features a device has, by Vulkan's names in `snake_case`.
pub fn float_controls(has: impl Fn(&str) -> bool) -> Vec<FloatControl> {
    let known = requirements::float_controls();
    let had = known.into_iter().filter(|(_, feature)| has(feature));
    had.map(|(control, _)| control).collect()
}

fn load(words: &[u32]) -> Result<Module, Error> {
    let words = lines::without_debug_information(words);
    load_words(&words).map_err(|state| Error::Malformed(state.to_string()))
}

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tests;
