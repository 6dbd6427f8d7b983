//! What can be wrong with a module.

use crate::rules::Violation;

/// Why a module is not finished, or not right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The words are no SPIR-V module.
    #[error("this is no SPIR-V module: {0}")]
    Malformed(String),
    /// A call that stands for an instruction, and cannot be replaced by it.
    #[error("the call of \"{name}\" cannot become an instruction: {reason}")]
    Placeholder {
        /// The name that the function is imported by.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// Something that no row of the table of requirements is about.
    #[error(
        "{0} is not known to be in Vulkan's compute shaders, so what it requires is not known \
         either"
    )]
    Unknown(String),
    /// Options name an entry point that the module does not have.
    #[error("there is no entry point \"{0}\"")]
    EntryPoint(String),
    /// Rules of ours that the module breaks.
    #[error("{}", list(.0))]
    Rules(Vec<Violation>),
    /// What Khronos' validator says.
    #[error("spirv-val for Vulkan {version} refuses the module: {message}")]
    Invalid {
        /// The version of Vulkan.
        version: crate::VulkanVersion,
        /// The message.
        message: String,
    },
    /// The text of a module cannot be made; what Khronos' disassembler says.
    #[error("the module cannot be printed: {0}")]
    Text(String),
}

fn list(violations: &[Violation]) -> String {
    let lines: Vec<String> = violations.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
