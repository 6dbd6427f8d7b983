//! Khronos' own tools: the validator, the disassembler, the assembler.

use crate::{Error, VulkanVersion};
use spirv_tools::assembler::{self, Assembler, DisassembleOptions};
use spirv_tools::val::{self, Validator};

/// Validates a module for a version of Vulkan.
///
/// # Errors
///
/// What `spirv-val --target-env vulkan1.X` says of it.
pub fn validate(words: &[u32], version: VulkanVersion) -> Result<(), Error> {
    let validator = val::create(Some(version.environment()));
    validator.validate(words, None).map_err(|error| {
        let message = error.diagnostic.map_or_else(
            || error.inner.to_string(),
            |diagnostic| {
                let lines = [diagnostic.message, diagnostic.notes];
                lines.join("\n").trim_end().to_string()
            },
        );
        Error::Invalid { version, message }
    })
}

/// The text of a module, in the format of `spirv-dis`.
///
/// # Errors
///
/// Where the words are no module.
pub fn disassemble(words: &[u32]) -> Result<String, Error> {
    let options = DisassembleOptions {
        comment: false,
        ..DisassembleOptions::default()
    };
    let tool = assembler::create(Some(VulkanVersion::V1_3.environment()));
    let text = tool
        .disassemble(words, options)
        .map_err(|error| Error::Text(error.to_string()))?;
    Ok(text.unwrap_or_default())
}
