//! Pointers of the ptr dialect as LLVM's.
//!
//! Upstream's conversion knows those in `#ptr.generic_space` only. Where code does nothing with them but
//! move them and access what they lead to by atomics, they become `!llvm.ptr` of their address space
//! here:
//!
//! ```mlir
//! %q = ptr.ptr_add %p, %n : !ptr.ptr<#llvm.address_space<1>>, i64
//! // becomes
//! %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
//! ```
//!
//! With any other operation on them they are left to upstream.

use crate::llvm_lowering::element_address;
use xpu_dialect::Context;
use xpu_dialect::ir::{Builder, Op, Type};
use xpu_dialect::types;

/// Converts the pointers in and below an operation, if it can convert all.
pub(crate) fn convert(root: Op<'_>) {
    let ops = root.descendants();
    let (moves, others): (Vec<Op<'_>>, Vec<Op<'_>>) = ops
        .into_iter()
        .filter(|op| op.name().starts_with("ptr."))
        .partition(|op| is_move(*op));
    if !others.is_empty() {
        return;
    }
    for op in moves {
        lower(op);
    }
    let context = root.context();
    root.replace_types(|ty| llvm(context, ty));
}

/// Whether it moves one pointer.
fn is_move(op: Op<'_>) -> bool {
    let is_one = |ty: Type<'_>| types::is_index(ty) || types::integer_parts(ty).is_some();
    op.is("ptr.ptr_add")
        && llvm(op.context(), op.operand(0).ty()).is_some()
        && is_one(op.operand(1).ty())
}

/// The LLVM pointer that another one is.
fn llvm<'c>(context: &'c Context, ty: Type<'c>) -> Option<Type<'c>> {
    let ours = types::llvm_pointer(context, types::address_space(ty)?);
    (ours != ty).then_some(ours)
}

fn lower(op: Op<'_>) {
    let (pointer, offset) = (op.operand(0), op.operand(1));
    let Some(ty) = llvm(op.context(), pointer.ty()) else {
        return;
    };
    let builder = Builder::before(op);
    let context = builder.context();
    let base = builder.unrealized_cast(pointer, ty);
    let offset = if types::is_index(offset.ty()) {
        builder.unrealized_cast(offset, types::integer(context, 64))
    } else {
        offset
    };
    let moved = element_address(builder, base, offset, types::integer(context, 8));
    let moved = builder.unrealized_cast(moved, op.result(0).ty());
    op.replace_with(&[moved]);
}
