//! Passes and pipelines, by name, on a melior module.
//!
//! ```
//! use melior::ir::Module;
//! use melior::ir::operation::OperationLike;
//!
//! let context = xpu::new_context();
//! let source = "xpu.kernel @k(%m: memref<?xi32>, %v: i32) workgroup_size(64, 1, 1) {
//!   %i = xpu.global_id x
//!   %old = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32>
//!   xpu.return
//! }";
//! let mut module = Module::parse(&context, source).unwrap();
//! xpu::pipelines::run(&context, &mut module, "xpu-assign-scope")?;
//! assert!(module.as_operation().to_string().contains("ordering(relaxed) scope(device)"));
//!
//! xpu::pipelines::run(&context, &mut module, "xpu-to-nvvm{chip=sm_90}")?;
//! assert!(module.as_operation().to_string().contains("nvvm.kernel"));
//!
//! let error = xpu::pipelines::run(&context, &mut module, "xpu-to-nvptx").unwrap_err();
//! assert!(matches!(error, xpu::PipelineError::Text { .. }));
//! # Ok::<(), xpu::PipelineError>(())
//! ```

use crate::Diagnostic;
use crate::diagnostic::display;
use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use xpu_passes::registry;

/// Why a pipeline left a module as it should not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The text is no pipeline.
    #[error("\"{pipeline}\" is no pipeline: {message}")]
    Text {
        /// The text.
        pipeline: String,
        /// What is wrong with it.
        message: String,
    },
    /// The module is of another context than the one that was given.
    #[error("the module is of another context than the one that it is run in")]
    OtherContext,
    /// A pass refuses the module.
    #[error("{}", display(diagnostics))]
    Failed {
        /// What was said, errors and the rest.
        diagnostics: Vec<Diagnostic>,
    },
}

/// Makes xpu's passes and pipelines, and upstream's passes, known by name to textual pipelines, also
/// to those that melior parses. Later calls do nothing.
pub fn register() {
    xpu_dialect::context::register_upstream_passes();
    registry::register();
}

/// The passes that xpu has: name and what it does.
pub fn passes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let passes = registry::PASSES.iter();
    passes.map(|pass| (pass.argument, pass.summary))
}

/// The pipelines that xpu has: name and what it does.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pipelines = registry::PIPELINES.iter();
    pipelines.map(|pipeline| (pipeline.argument, pipeline.summary))
}

/// Runs a textual pipeline on a module, such as `xpu-to-nvvm{chip=sm_90}` or
/// `xpu-assign-scope,canonicalize`, of xpu's and upstream's passes. The result is what was said:
/// warnings and remarks.
///
/// # Errors
///
/// Where the text is no pipeline, where the module is not of `context`, and where a pass refuses the
/// module, which is then in between.
pub fn run(
    context: &Context,
    module: &mut Module<'_>,
    pipeline: &str,
) -> Result<Vec<Diagnostic>, PipelineError> {
    if module.context() != *context {
        return Err(PipelineError::OtherContext);
    }
    register();
    let text = match pipeline.trim() {
        anchored if anchored.starts_with("builtin.module(") || anchored.starts_with("any(") => {
            anchored.to_owned()
        }
        passes => format!("builtin.module({passes})"),
    };
    let manager = PassManager::new(context);
    let (outcome, collected) = xpu_dialect::diagnostic::collect(context, || {
        parse_pass_pipeline(manager.as_operation_pass_manager(), &text)
            .map_err(|error| error.to_string())
            .map(|()| manager.run(module))
    });
    let diagnostics = Diagnostic::all(collected);
    match outcome {
        Err(message) => Err(PipelineError::Text {
            pipeline: pipeline.to_owned(),
            message,
        }),
        Ok(Err(_)) => Err(PipelineError::Failed { diagnostics }),
        Ok(Ok(())) => Ok(diagnostics),
    }
}
