//! `xpu-attach-cpu-target`: marks each `gpu.module` that names no target as code for the CPU.
//!
//! Upstream attaches `#nvvm.target` and the like; it has no such attribute for the CPU.

use crate::target;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types;

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-attach-cpu-target",
    summary: "Mark each gpu.module that names no target as code for the CPU",
    options: &[],
    dialects: &["gpu", "xpu"],
    run,
};

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    for op in modules(root) {
        if !target::has_target(op) {
            op.set_attribute(target::CPU_TARGET, types::unit_attribute(op.context()));
        }
    }
    Ok(())
}

/// The gpu.modules in and below an operation. They hold no other, so their bodies are passed over.
fn modules(root: Op<'_>) -> Vec<Op<'_>> {
    if root.is("gpu.module") {
        return vec![root];
    }
    root.children()
        .into_iter()
        .filter(|op| !op.is("func.func"))
        .flat_map(modules)
        .collect()
}
