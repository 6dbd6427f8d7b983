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

use crate::atomic::{self, Access};
use crate::cpu_kernels;
use crate::llvm_lowering::{self as lowering, bits_type, byte_size, from_bits, to_bits};
use crate::{axes, target};
use xpu_dialect::axes::Storage;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Builder, Op, OpBuilder};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types::{self, MemRef};
use xpu_dialect::views::{Reinterpret, SignCast};
use xpu_targets::{Cell, How, Sync, Target};

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "convert-xpu-to-llvm",
    summary: "Lower code for the CPU to LLVM's atomics, and kernels to functions",
    options: &[],
    dialects: &["arith", "func", "llvm", "memref", "scf"],
    run,
};

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    let mut kernels = Vec::new();
    let mut code = Vec::new();
    cpu_code(root, &mut code, &mut kernels)?;
    let cpu = Target::parse("cpu").map_err(|error| root.error(&error.to_string()))?;
    let functions: Vec<Op<'_>> = code.iter().copied().filter(|op| op.is("func.func")).collect();
    for op in code {
        lower(op, &cpu)?;
    }
    functions.into_iter().for_each(cpu_kernels::strip_memory_spaces);
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
        return lower_access(access, cpu);
    }
    if let Some(view) = Reinterpret::of(op) {
        lower_reinterpret(view);
    } else if SignCast::of(op).is_some() {
        return Err(op.error("has no lowering; run 'xpu-resolve-signedness' first"));
    }
    Ok(())
}

fn lower_access(access: Access<'_>, cpu: &Target) -> Result<(), Reported> {
    let op = access.op();
    let scope = access
        .scope()
        .map(axes::scope)
        .ok_or_else(|| op.error("has no scope; run 'xpu-assign-scope' first"))?;
    let ordering = access
        .ordering()
        .map(axes::ordering)
        .ok_or_else(|| op.error("has no ordering; run 'xpu-assign-ordering' first"))?;
    let refuse = |error: xpu_targets::CellError| op.error(&error.to_string());

    if let Access::Fence(fence) = access {
        let sync = cpu.fence(ordering, scope).map_err(refuse)?;
        lower_fence(fence.op(), sync);
        return Ok(());
    }
    let cell = Cell::new(
        match access {
            Access::Rmw(rmw) => xpu_targets::Op::Rmw(axes::kind(rmw.kind())),
            Access::Cas(_) => xpu_targets::Op::Cas,
            Access::Load(_) => xpu_targets::Op::Load,
            Access::Store(_) | Access::Fence(_) => xpu_targets::Op::Store,
        },
        access
            .element()
            .and_then(atomic::table_type)
            .ok_or_else(|| op.error("has an element type that the tables do not know"))?,
        axes::storage(access.storage().unwrap_or(Storage::Global)),
        scope,
        ordering,
    );
    let plan = cpu.plan(cell).map_err(refuse)?;
    match (plan.how, plan.sync) {
        (How::Native(instruction), Sync::Ordered(ordered)) => {
            lower_native(access, instruction.stem, ordered)
        }
        _ => Err(op.error(&format!(
            "has no instruction for '{}' on the CPU; run 'xpu-expand-atomics' first",
            cell.op
        ))),
    }
}

fn lower_fence(op: Op<'_>, sync: Sync) {
    let (ordering, scope) = match sync {
        Sync::Ordered(ordered) => (ordered.own, ordered.word.llvm),
        // Binds the compiler only.
        Sync::Plain => (xpu_targets::Ordering::SeqCst, "singlethread"),
    };
    let fence = Builder::before(op)
        .op("llvm.fence")
        .attribute("ordering", ordering_attribute(op, ordering));
    with_scope(op, fence, scope).build();
    op.erase();
}

fn lower_native(
    access: Access<'_>,
    instruction: &str,
    ordered: xpu_targets::Ordered,
) -> Result<(), Reported> {
    let op = access.op();
    let builder = Builder::before(op);
    let context = builder.context();
    let Some(memref) = access.memref() else {
        return Ok(());
    };
    let Some(element) = access.element() else {
        return Ok(());
    };
    let bits = bits_type(context, element);
    let address = lowering::address(builder, memref, &access.indices(), 0);
    let ordering = ordering_attribute(op, ordered.own);
    let alignment = types::i64_attribute(context, byte_size(element));
    let scope = ordered.word.llvm;
    match access {
        Access::Rmw(rmw) => {
            let bin_op = lowering::bin_op(instruction)
                .ok_or_else(|| op.error(&format!("has no atomicrmw '{instruction}'")))?;
            let value = to_bits(builder, rmw.value());
            let made = builder
                .op("llvm.atomicrmw")
                .operands(&[address, value])
                .attribute("bin_op", types::i64_attribute(context, bin_op))
                .attribute("ordering", ordering)
                .attribute("alignment", alignment)
                .result(bits);
            let old = with_scope(op, made, scope).build().result(0);
            op.replace_with(&[from_bits(builder, old, element)]);
        }
        Access::Cas(cas) => {
            let failure = cas.failure().map(axes::ordering).ok_or_else(|| {
                op.error("has no failure ordering; run 'xpu-assign-ordering' first")
            })?;
            let (expected, desired) = (
                to_bits(builder, cas.expected()),
                to_bits(builder, cas.desired()),
            );
            let pair = types::llvm_struct(context, &[bits, types::integer(context, 1)]);
            let made = builder
                .op("llvm.cmpxchg")
                .operands(&[address, expected, desired])
                .attribute("success_ordering", ordering)
                .attribute("failure_ordering", ordering_attribute(op, failure))
                .attribute("alignment", alignment)
                .result(pair);
            let both = with_scope(op, made, scope).build().result(0);
            let old = lowering::extract(builder, both, &[0], bits);
            op.replace_with(&[from_bits(builder, old, element)]);
        }
        Access::Load(_) => {
            let made = builder
                .op("llvm.load")
                .operands(&[address])
                .attribute("ordering", ordering)
                .attribute("alignment", alignment)
                .result(bits);
            let loaded = with_scope(op, made, scope).build().result(0);
            op.replace_with(&[from_bits(builder, loaded, element)]);
        }
        Access::Store(store) => {
            let value = to_bits(builder, store.value());
            let made = builder
                .op("llvm.store")
                .operands(&[value, address])
                .attribute("ordering", ordering)
                .attribute("alignment", alignment);
            with_scope(op, made, scope).build();
            op.erase();
        }
        Access::Fence(_) => {}
    }
    Ok(())
}

/// LLVM's number of an ordering.
fn ordering_attribute(op: Op<'_>, ordering: xpu_targets::Ordering) -> Attribute<'_> {
    types::i64_attribute(op.context(), lowering::ordering_number(ordering))
}

/// With the syncscope, where it is not LLVM's default.
fn with_scope<'c>(op: Op<'c>, made: OpBuilder<'c>, scope: &str) -> OpBuilder<'c> {
    let attribute = (!scope.is_empty()).then(|| types::string_attribute(op.context(), scope));
    made.optional_attribute("syncscope", attribute)
}

/// The same pointer with the extents of the other type.
fn lower_reinterpret(view: Reinterpret<'_>) {
    let op = view.op();
    let builder = Builder::before(op);
    let context = builder.context();
    let word = types::integer(context, 64);
    let (from, to) = (view.source().ty(), view.result_result().ty());
    let (Some(source), Some(result)) = (MemRef::of(from), MemRef::of(to)) else {
        return;
    };
    let described = builder.unrealized_cast(
        view.source(),
        lowering::descriptor(context, source.rank(), 0),
    );
    let pointer = lowering::extract(builder, described, &[1], types::llvm_pointer(context, 0));
    let (from_bytes, to_bytes) = (byte_size(source.element), byte_size(result.element));
    let last = result.rank() - 1;
    let mut extents = Vec::new();
    for (dim, extent) in result.shape.iter().enumerate() {
        if extent.is_some() {
            continue;
        }
        let mut count = lowering::extract(builder, described, &[3, dim as i64], word);
        if dim == last && from_bytes != to_bytes {
            // Rounded up: buffers are allocated in whole words.
            let scale = builder.llvm_integer(word, from_bytes);
            let bytes = lowering::multiply(builder, count, scale);
            let round = builder.llvm_integer(word, to_bytes - 1);
            let padded = lowering::add(builder, bytes, round);
            let divisor = builder.llvm_integer(word, to_bytes);
            count = builder.value("llvm.udiv", &[padded, divisor], word);
        }
        extents.push(count);
    }
    let made = lowering::describe(builder, to, pointer, extents.into_iter(), 0);
    op.replace_with(&[made]);
}
