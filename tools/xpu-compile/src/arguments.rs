//! The command line.

use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use xpu_targets::Target;

/// Compile kernels.
///
/// Diagnostics go to standard error. Exit status: 0 right; 1 the input is wrong; 2 usage; 3 out of
/// memory or threads.
#[derive(Clone, Debug, Parser)]
#[command(version, about)]
pub(crate) struct Arguments {
    /// MLIR text or bytecode with the kernels; - for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,

    /// What to compile for: cpu (this machine's), nvptx:sm_XX, such as nvptx:sm_90, amdgpu:gfxN, such
    /// as amdgpu:gfx1100, or a version of Vulkan with features, such as vulkan:1.3,+shader_int64
    #[arg(long, value_name = "T", value_parser = |text: &str| Target::parse(text))]
    pub(crate) target: Target,

    /// What to write; bin where it is not given
    #[arg(long, value_name = "WHAT")]
    pub(crate) emit: Option<Emit>,

    /// Where to write it; - for standard output, which text goes to where it is not given
    #[arg(short, long = "output", value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Where to write the manifest; beside OUT, with the extension .json, where it is not given
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,

    /// Tell what became of each atomic, fence and barrier: on standard output, or on standard error
    /// where that is taken
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text"
    )]
    pub(crate) explain: Option<Explain>,

    /// Refuse changes and weakenings of scope or ordering
    #[arg(long)]
    pub(crate) strict: bool,

    /// Refuse atomics that become compare-and-swap loops
    #[arg(long, value_name = "WHAT")]
    pub(crate) forbid: Vec<Forbid>,

    /// Where memory is taken to be: scope has atomics of scope device or narrower promise memory of
    /// the device; any has no scope promise it; only for amdgpu (docs/amdgpu.md)
    #[arg(long, value_name = "WHERE", value_parser = ["scope", "any"], default_value = "scope")]
    pub(crate) assume_memory: String,

    /// Keep line information in what is written
    #[arg(short = 'g')]
    pub(crate) lines: bool,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The module after all passes, in LLVM's dialect, or SPIR-V's
    Mlir,
    /// LLVM IR, optimized; not for Vulkan
    Llvm,
    /// Assembly, PTX, or SPIR-V as spirv-dis prints it
    Asm,
    /// An object file; a cubin where ptxas is found, else PTX; SPIR-V; a code object for AMD
    Bin,
}

/// The form of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Explain {
    /// For people
    Text,
    /// For programs; docs/explain.md says what is in it
    Json,
}

/// What is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Forbid {
    /// Compare-and-swap loops, those of LLVM's back end too
    CasLoop,
}
