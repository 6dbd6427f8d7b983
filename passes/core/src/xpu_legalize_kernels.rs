//! `xpu-legalize-kernels`: computes ids of subgroups that upstream's conversion lacks, and refuses other
//! operations that it does not take.
//!
//! Requires: each `gpu.module` names its target. Guarantees: no operation is left there of which the
//! target's list says that upstream's conversion lacks it. Does not: look at code outside of
//! `gpu.module`s, at operations of xpu, nor at what no list has, which is the conversions' to take or
//! refuse.
//!
//! ```mlir
//! %id = gpu.subgroup_id : index
//! // becomes, for NVIDIA and AMD chips
//! %row = arith.muli %size_y, %thread_z : index
//! %rows = arith.addi %row, %thread_y : index
//! %first = arith.muli %size_x, %rows : index
//! %place = arith.addi %first, %thread_x : index
//! %id = arith.divui %place, %subgroup_size : index
//! ```
//!
//! Refuses: on the targets that lack them, `gpu`'s reductions, exchanges between lanes, clusters and
//! printing; on every target, `linalg`, `tensor` and `bufferization` and what only a host can do. The
//! message says what to write, or which pass of upstream's to run first.

use crate::convert_xpu_to_gpu::gpu_id;
use crate::target;
use xpu_dialect::axes::Dimension;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Value};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types;
use xpu_targets::{KernelOpHow, SubgroupNumber, Target};

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-legalize-kernels",
    summary: "Compute ids of subgroups, and refuse what the target's conversion does not take",
    options: &[],
    dialects: &["arith", "gpu", "nvvm"],
    run,
};

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for module in target::gpu_modules(root) {
        let target = target::of(module)?;
        outcome = legalize_all(module.children(), &target).and(outcome);
    }
    outcome
}

/// All that is wrong is told, but of what is in a refused operation nothing.
fn legalize_all(ops: Vec<Op<'_>>, target: &Target) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for child in ops {
        // Before the operation itself, which is gone where it is replaced.
        let below = child.children();
        let done = legalize(child, target).and_then(|()| legalize_all(below, target));
        outcome = done.and(outcome);
    }
    outcome
}

fn legalize(op: Op<'_>, target: &Target) -> Result<(), Reported> {
    let how = target.kernel_op(op.name());
    let value = match how {
        None => return Ok(()),
        Some(KernelOpHow::Refused(advice)) => {
            return Err(op.error(&format!("{}; {advice}", target.lacks())));
        }
        Some(KernelOpHow::Register(name)) => read(Builder::before(op), name),
        Some(KernelOpHow::FromIds(number)) => number_of(Builder::before(op), number, target),
    };
    op.replace_with(&[value]);
    Ok(())
}

/// A number that an operation without operands gives.
fn read<'c>(builder: Builder<'c>, name: &'static str) -> Value<'c> {
    let context = builder.context();
    let word = builder.value(name, &[], types::integer(context, 32));
    builder.value("arith.index_castui", &[word], types::index(context))
}

fn number_of<'c>(builder: Builder<'c>, number: SubgroupNumber, target: &Target) -> Value<'c> {
    let index = types::index(builder.context());
    let value = |name, left, right| builder.value(name, &[left, right], index);
    let ids = |name| {
        [Dimension::X, Dimension::Y, Dimension::Z].map(|dimension| gpu_id(builder, name, dimension))
    };
    let sizes = ids("gpu.block_dim");
    let size = target.kernel_op("gpu.subgroup_size");
    let lanes = match size {
        Some(KernelOpHow::Register(name)) => read(builder, name),
        Some(KernelOpHow::FromIds(_) | KernelOpHow::Refused(_)) | None => {
            builder.value("gpu.subgroup_size", &[], index)
        }
    };
    match number {
        SubgroupNumber::Id => {
            let [x, y, z] = ids("gpu.thread_id");
            let rows = value("arith.addi", value("arith.muli", sizes[1], z), y);
            let place = value("arith.addi", value("arith.muli", sizes[0], rows), x);
            value("arith.divui", place, lanes)
        }
        SubgroupNumber::Count => {
            let plane = value("arith.muli", sizes[0], sizes[1]);
            let items = value("arith.muli", plane, sizes[2]);
            let last = value("arith.subi", lanes, builder.index(1));
            value("arith.divui", value("arith.addi", items, last), lanes)
        }
    }
}
