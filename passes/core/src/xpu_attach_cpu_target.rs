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
    for op in target::gpu_modules(root) {
        if !target::has_target(op) {
            op.set_attribute(target::CPU_TARGET, types::unit_attribute(op.context()));
        }
    }
    Ok(())
}
