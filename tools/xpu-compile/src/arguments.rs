//! The command line.

use clap::{Parser, ValueEnum};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

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
    #[arg(long, value_name = "T")]
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

/// What is compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// This machine's CPU.
    Cpu,
    /// An NVIDIA chip.
    Nvptx {
        /// Its name, such as `sm_90`.
        chip: String,
    },
    /// A version of Vulkan.
    Vulkan {
        /// It and features, such as `1.3,+shader_int64`.
        version: String,
    },
    /// An AMD chip.
    Amdgpu {
        /// Its name, such as `gfx1100`.
        chip: String,
    },
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const HERE: &str = "the targets here: cpu, nvptx:sm_XX, amdgpu:gfxN, vulkan:1.X";
        let target = xpu_targets::Target::parse(text).map_err(|error| error.to_string())?;
        match (target.name(), target.chip()) {
            ("cpu", None) => Ok(Self::Cpu),
            ("nvptx", Some(chip)) => Ok(Self::Nvptx {
                chip: chip.to_string(),
            }),
            ("vulkan", Some(version)) => Ok(Self::Vulkan {
                version: version.to_string(),
            }),
            ("amdgpu", Some(chip)) => Ok(Self::Amdgpu {
                chip: chip.to_string(),
            }),
            _ => Err(format!("{text} is not in this build; {HERE}")),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Nvptx { chip } => write!(f, "nvptx:{chip}"),
            Self::Vulkan { version } => write!(f, "vulkan:{version}"),
            Self::Amdgpu { chip } => write!(f, "amdgpu:{chip}"),
        }
    }
}
