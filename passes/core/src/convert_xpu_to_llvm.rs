//! `convert-xpu-to-llvm`: lowers code for the CPU to LLVM's atomics, and kernels to functions.
//!
//! Requires: scopes, orderings and signs are resolved, and what the CPU lacks is expanded.
//! Guarantees: no xpu operation is left in code for the CPU; a `gpu.module` that is marked
//! `xpu.cpu_target` is gone, and its kernels are functions of the module around it (see
//! `cpu_kernels.rs` for their form); memory spaces are gone from such code. Does not: touch
//! `gpu.module`s of other targets; convert arith, scf, memref or func (upstream does).
//!
//! ```mlir
//! %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
//! // becomes
//! %d = builtin.unrealized_conversion_cast %m : memref<?xi32> to !llvm.struct<(ptr, ptr, i64, …)>
//! %p = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr, i64, …)>
//! %e = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
//! %old = llvm.atomicrmw add %e, %v acq_rel : !llvm.ptr, i32
//! ```
//!
//! Refuses: operations without scope or ordering, kinds that are not expanded, and a `gpu.module`
//! without a target.

use crate::atomic::Access;
use crate::llvm_atomics::{self, Machine};
use crate::{cpu_kernels, llvm_lowering, llvm_pointers, target};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::views::{Reinterpret, SignCast};
use xpu_targets::Target;

/// The CPU has one memory, and LLVM's atomics are right there.
const MACHINE: Machine = Machine {
    described_space: |_| 0,
    accessed_space: |_| 0,
    bind_compiler: llvm_atomics::fence_for_one_thread,
    wait: None,
    write_text: None,
    as_divergent: None,
    fences_need_results: true,
};

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "convert-xpu-to-llvm",
    summary: "Lower code for the CPU to LLVM's atomics, and kernels to functions",
    options: &[],
    dialects: &["arith", "func", "llvm", "memref", "scf"],
    run,
};

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    let (mut code, mut kernels) = (Vec::new(), Vec::new());
    cpu_code(root, &mut code, &mut kernels)?;
    let cpu = Target::parse("cpu").map_err(|error| root.error(&error.to_string()))?;
    let functions: Vec<Op<'_>> = code
        .iter()
        .copied()
        .filter(|op| op.is("func.func"))
        .collect();
    for holder in functions.iter().chain(&kernels) {
        llvm_pointers::convert(*holder);
    }
    // Again, since some operations have been replaced.
    let (mut code, mut kernels) = (Vec::new(), Vec::new());
    cpu_code(root, &mut code, &mut kernels)?;
    for op in code {
        lower(op, &cpu)?;
    }
    functions
        .into_iter()
        .for_each(cpu_kernels::strip_memory_spaces);
    if !kernels.is_empty() {
        cpu_kernels::convert(root, &kernels)?;
    }
    Ok(())
}

/// The operations that are compiled for the CPU, and the marked modules among what holds them.
fn cpu_code<'c>(
    op: Op<'c>,
    code: &mut Vec<Op<'c>>,
    modules: &mut Vec<Op<'c>>,
) -> Result<(), Reported> {
    if op.is("gpu.module") {
        if target::is_cpu(op) {
            target::of(op)?;
            modules.push(op);
        } else if target::has_target(op) {
            return Ok(());
        } else {
            return target::of(op).map(|_| ());
        }
    }
    code.push(op);
    op.children()
        .into_iter()
        .try_for_each(|child| cpu_code(child, code, modules))
}

/// Lowers an operation where it is one of ours.
fn lower(op: Op<'_>, cpu: &Target) -> Result<(), Reported> {
    if let Some(access) = Access::of(op) {
        return llvm_atomics::lower(access, cpu, &MACHINE, None).map(|_| ());
    }
    if let Some(view) = Reinterpret::of(op) {
        llvm_lowering::lower_reinterpret(view, MACHINE.described_space);
    } else if SignCast::of(op).is_some() {
        return Err(op.error("has no lowering; run 'xpu-resolve-signedness' first"));
    }
    Ok(())
}
