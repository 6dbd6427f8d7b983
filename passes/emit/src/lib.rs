//! From source to something that runs: the pipeline of a target, LLVM's code generation, and the
//! manifest.
//!
//! ```
//! let context = xpu_dialect::context::new();
//! let source = b"xpu.kernel @k() workgroup_size(1, 1, 1) { xpu.return }";
//! let compiled = xpu_emit::compile_for_cpu(&context, source, "k.mlir", xpu_emit::CpuOptions::default())?;
//! assert_eq!(compiled.manifest.kernels[0].name, "k");
//! # Ok::<(), xpu_emit::CompileError>(())
//! ```

mod cpu;
mod kernels;
mod llvm;

pub use cpu::compile_for_cpu;
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
    /// LLVM cannot make code; what it says.
    #[error("LLVM cannot {action}: {message}")]
    Llvm {
        /// What was tried.
        action: &'static str,
        /// What LLVM says.
        message: String,
    },
}
