//! Mathematics that GPUs have instructions for.
//!
//! Upstream's `convert-gpu-to-nvvm` calls NVIDIA's libdevice for all of `math` and for some of `arith`,
//! and `convert-gpu-to-rocdl` calls AMD's, though a driver has no such library and LLVM's back ends make
//! instructions of these themselves, with the same results.

use crate::llvm_lowering::call_intrinsic;
use xpu_dialect::ir::{Builder, Op, Value};
use xpu_dialect::types;

/// An operation, LLVM's intrinsic that does the same, and what else the intrinsic is told.
struct Row(&'static str, &'static str, Option<Told>);

/// A constant that an intrinsic takes.
#[derive(Clone, Copy)]
enum Told {
    /// The case that the option would leave open is defined.
    No,
    /// The classes that `llvm.is.fpclass` looks for.
    Classes(i64),
}

const NAN: Told = Told::Classes(0x003);
const INFINITE: Told = Told::Classes(0x204);
const NORMAL: Told = Told::Classes(0x108);
const FINITE: Told = Told::Classes(0x1F8);

#[rustfmt::skip] // one row a line: read down the columns
const ROWS: &[Row] = &[
    Row("arith.maxnumf",  "llvm.maxnum",     None),
    Row("arith.minnumf",  "llvm.minnum",     None),
    Row("math.absf",      "llvm.fabs",       None),
    Row("math.absi",      "llvm.abs",        Some(Told::No)),
    Row("math.ceil",      "llvm.ceil",       None),
    Row("math.copysign",  "llvm.copysign",   None),
    Row("math.ctlz",      "llvm.ctlz",       Some(Told::No)),
    Row("math.ctpop",     "llvm.ctpop",      None),
    Row("math.cttz",      "llvm.cttz",       Some(Told::No)),
    Row("math.floor",     "llvm.floor",      None),
    Row("math.fma",       "llvm.fma",        None),
    Row("math.isfinite",  "llvm.is.fpclass", Some(FINITE)),
    Row("math.isinf",     "llvm.is.fpclass", Some(INFINITE)),
    Row("math.isnan",     "llvm.is.fpclass", Some(NAN)),
    Row("math.isnormal",  "llvm.is.fpclass", Some(NORMAL)),
    Row("math.round",     "llvm.round",      None),
    Row("math.roundeven", "llvm.roundeven",  None),
    Row("math.sqrt",      "llvm.sqrt",       None),
    Row("math.trunc",     "llvm.trunc",      None),
];

/// Replaces an operation by its instruction, where it has one.
pub(crate) fn lower(op: Op<'_>) {
    let Some(Row(_, intrinsic, told)) = ROWS.iter().find(|row| op.is(row.0)) else {
        return;
    };
    let (operands, result) = (op.operands(), op.result(0));
    // LLVM has no index type; upstream gives these one.
    if operands.iter().any(|operand| types::is_index(operand.ty())) {
        return;
    }
    let builder = Builder::before(op);
    let mut given = operands;
    given.extend(told.map(|told| constant(builder, told)));
    // As a call, because upstream's conversion takes the operations of these intrinsics for libdevice
    // as well.
    let made = call_intrinsic(builder, intrinsic, &given, result.ty());
    op.replace_with(&[made]);
}

fn constant(builder: Builder<'_>, told: Told) -> Value<'_> {
    let (width, value) = match told {
        Told::No => (1, 0),
        Told::Classes(classes) => (32, classes),
    };
    builder.llvm_integer(types::integer(builder.context(), width), value)
}
