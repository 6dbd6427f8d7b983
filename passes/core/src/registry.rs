//! Every pass and pipeline, one row each. Names, help, docs and the textual pipelines derive from
//! these two lists.

use xpu_dialect::passes::{PassInfo, PipelineInfo};

/// The passes, in alphabetical order.
pub const PASSES: &[PassInfo] = &[
    crate::xpu_attach_cpu_target::PASS,
];

/// The pipelines, in alphabetical order.
pub const PIPELINES: &[PipelineInfo] = &[];

/// Makes the passes and pipelines known to MLIR by name. Calling it again does nothing.
pub fn register() {
    xpu_dialect::passes::register(PASSES, PIPELINES);
}
