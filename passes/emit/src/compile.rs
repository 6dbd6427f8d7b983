//! One compilation, whatever the target.

#[cfg(feature = "vulkan")]
use crate::vulkan;
use crate::{
    CompileError, Compiled, CpuOptions, GpuOptions, Outputs, Source, Wanted, amdgpu, cpu, nvptx,
};
use xpu_dialect::Context;
use xpu_targets::Target;

/// How code is made, for any target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// A change or weakening of scope or ordering is an error.
    pub strict: bool,
    /// An atomic that becomes a compare-and-swap loop is an error.
    pub forbid_cas_loop: bool,
    /// An access outside of a memref is an error that says where; on the CPU only.
    pub check_bounds: bool,
    /// No scope promises where memory is; an error where none does anyway.
    pub assume_any_memory: bool,
}

/// Compiles for a chip.
type Compile = fn(&Context, &Source, &str, Options, Wanted) -> Result<Outputs, CompileError>;

struct Row {
    target: &'static str,
    compile: Compile,
    /// The text is what launchers load.
    is_text: bool,
    /// Which instructions there are for an atomic depends on where its memory is.
    minds_memory: bool,
}

const ROWS: &[Row] = &[
    Row {
        target: "cpu",
        compile: |context, Source { name, text }, _, options, wanted| {
            let options = CpuOptions {
                strict: options.strict,
                check_bounds: options.check_bounds,
                forbid_cas_loop: options.forbid_cas_loop,
            };
            cpu::outputs_for_cpu(context, text, name, options, wanted)
        },
        is_text: false,
        minds_memory: false,
    },
    Row {
        target: "nvptx",
        compile: |context, Source { name, text }, chip, options, wanted| {
            nvptx::outputs_for_nvptx(context, text, name, chip, gpu(options), wanted)
        },
        is_text: true,
        minds_memory: false,
    },
    Row {
        target: "vulkan",
        #[cfg(feature = "vulkan")]
        compile: |context, Source { name, text }, version, options, wanted| {
            vulkan::outputs_for_vulkan(context, text, name, version, gpu(options), wanted)
        },
        #[cfg(not(feature = "vulkan"))]
        compile: |_, _, _, _, _| {
            Err(CompileError::Refused(
                "error: this build makes no code for Vulkan: build it with the feature `vulkan`"
                    .to_string(),
            ))
        },
        is_text: false,
        minds_memory: false,
    },
    Row {
        target: "amdgpu",
        compile: |context, Source { name, text }, chip, options, wanted| {
            amdgpu::outputs_for_amdgpu(context, text, name, chip, gpu(options), wanted)
        },
        is_text: false,
        minds_memory: true,
    },
];

fn gpu(options: Options) -> GpuOptions {
    GpuOptions {
        strict: options.strict,
        forbid_cas_loop: options.forbid_cas_loop,
        assume_any_memory: options.assume_any_memory,
    }
}

/// Compiles every kernel of a source for a target, with what is wanted of it. The object of an NVIDIA
/// chip is PTX.
///
/// # Errors
///
/// Where the source does not parse, verify or lower, with diagnostics emitted to the context, where
/// code cannot be made, and where an option has no meaning for the target.
pub fn outputs(
    context: &Context,
    source: &Source,
    target: &Target,
    options: Options,
    wanted: Wanted,
) -> Result<Outputs, CompileError> {
    let Some(row) = ROWS.iter().find(|row| row.target == target.name()) else {
        return Err(CompileError::Refused(format!(
            "error: {} is not in this build",
            target.name()
        )));
    };
    if options.assume_any_memory && !row.minds_memory {
        return Err(CompileError::Usage(format!(
            "assume-memory=any has no meaning for {}: there every atomic is right in any memory; leave it out",
            target.name()
        )));
    }
    let asked = wanted;
    let wanted = Wanted {
        asm: asked.asm || asked.object && row.is_text,
        object: asked.object && !row.is_text,
        ..asked
    };
    let chip = target.chip().unwrap_or_default();
    let mut outputs = (row.compile)(context, source, chip, options, wanted)?;
    if asked.object && row.is_text {
        outputs.image = outputs.asm.clone().map(String::into_bytes);
    }
    if !asked.asm {
        outputs.asm = None;
    }
    Ok(outputs)
}

/// Compiles every kernel of a source for a target, to what launchers load.
///
/// # Errors
///
/// As [`outputs`].
pub fn compile(
    context: &Context,
    source: &Source,
    target: &Target,
    options: Options,
) -> Result<Compiled, CompileError> {
    let wanted = Wanted {
        object: true,
        ..Wanted::default()
    };
    let outputs = outputs(context, source, target, options, wanted)?;
    Ok(Compiled {
        manifest: outputs.manifest,
        image: outputs.image.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_row() {
        let tables = xpu_targets::TARGETS.iter().map(|tables| tables.name);
        let rows: Vec<_> = ROWS.iter().map(|row| row.target).collect();
        assert!(tables.eq(rows.iter().copied()));
    }
}
