//! From source to something that runs: the pipeline of a target, LLVM's code generation, and the
//! manifest.
//!
//! ```no_run
//! let context = xpu_dialect::context::new();
//! let source = b"xpu.kernel @k() workgroup_size(1, 1, 1) { xpu.return }";
//! let compiled = xpu_emit::compile_for_cpu(&context, source, "k.mlir", xpu_emit::CpuOptions::default())?;
//! assert_eq!(compiled.manifest.kernels[0].name, "k");
//! # Ok::<(), xpu_emit::CompileError>(())
//! ```

mod amdgpu;
mod compile;
mod cpu;
pub mod explain;
mod gpu;
mod kernels;
mod lld;
mod llvm;
mod merge;
mod nvptx;
mod source;
mod stages;
#[cfg(feature = "vulkan")]
mod vulkan;

pub use amdgpu::{compile_for_amdgpu, outputs_for_amdgpu};
pub use compile::{Options, compile, outputs};
pub use cpu::{compile_for_cpu, outputs_for_cpu};
pub use gpu::GpuOptions;
pub use nvptx::{compile_for_nvptx, outputs_for_nvptx};
pub use source::Source;
#[cfg(feature = "vulkan")]
pub use vulkan::{compile_for_vulkan, outputs_for_vulkan};
pub use xpu_passes::pipelines::CpuOptions;

use xpu_runtime::Manifest;

/// What a compilation gives.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What the kernels are and take.
    pub manifest: Manifest,
    /// The code, in the format that the manifest says.
    pub image: Vec<u8>,
}

/// What is wanted of a compilation beside the manifest.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one output, and any of them go together"
)]
pub struct Wanted {
    /// The module after all passes.
    pub mlir: bool,
    /// LLVM IR, optimized.
    pub llvm: bool,
    /// Assembly, PTX, or SPIR-V as text.
    pub asm: bool,
    /// The image that launchers load.
    pub object: bool,
    /// Line information in all of these.
    pub lines: bool,
    /// What became of each atomic, fence and barrier.
    pub explanation: bool,
}

/// What was wanted.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// What the kernels are and take.
    pub manifest: Manifest,
    /// The module after all passes.
    pub mlir: Option<String>,
    /// LLVM IR, optimized.
    pub llvm: Option<String>,
    /// Assembly, PTX, or SPIR-V as text.
    pub asm: Option<String>,
    /// The image, in the format that the manifest says.
    pub image: Option<Vec<u8>>,
    /// What became of each atomic, fence and barrier.
    pub explanation: Option<explain::Report>,
}

impl Outputs {
    fn new(
        manifest: Manifest,
        texts: stages::Texts,
        explainer: Option<explain::Explainer>,
        isa: explain::Isa,
    ) -> Self {
        let explanation = explainer.map(|explainer| {
            let text = texts.explained.as_deref().unwrap_or_default();
            explainer.report(&manifest.target, text, isa)
        });
        Self {
            explanation,
            manifest,
            mlir: texts.mlir,
            llvm: texts.llvm,
            asm: texts.asm,
            image: texts.object,
        }
    }
}

/// Why a compilation gave nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The input is wrong, and diagnostics that say how have been emitted.
    #[error("the input does not compile; the diagnostics say why")]
    Reported,
    /// The input is wrong before it is parsed; the diagnostic.
    #[error("{0}")]
    Refused(String),
    /// An option has no meaning for the target; what to do.
    #[error("{0}")]
    Usage(String),
    /// A panic, which has been printed.
    #[error("the compiler stopped on an internal error")]
    Internal,
    /// There is no thread to compile on.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// There is no linker, or it fails.
    #[error("{0}")]
    Linker(String),
    /// LLVM cannot make code; what it says.
    #[error("LLVM cannot {action}: {message}")]
    Llvm {
        /// What was tried.
        action: &'static str,
        /// What LLVM says.
        message: String,
    },
    /// The SPIR-V that came out is not right; what is wrong with it.
    #[error("the SPIR-V is not right, which is a mistake of this compiler: {0}")]
    Spirv(String),
}

impl CompileError {
    /// Says it on standard error, unless that has been done; what a program then exits with.
    pub fn report(&self) -> u8 {
        match self {
            Self::Reported => 1,
            // Carries its own place and severity.
            Self::Refused(diagnostic) => {
                eprintln!("{diagnostic}");
                1
            }
            Self::Internal | Self::Llvm { .. } | Self::Spirv(_) => {
                eprintln!("error: {self}");
                1
            }
            Self::Usage(_) => {
                eprintln!("error: {self}");
                2
            }
            Self::Thread(_) | Self::Linker(_) => {
                eprintln!("error: {self}");
                3
            }
        }
    }
}
