//! Updates of a 16-bit float by an instruction on the two that are in one 32-bit word.
//!
//! ```mlir
//! %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf16>
//! // becomes, with -0 at the place of the neighbour
//! %word = llvm.call_intrinsic "llvm.ptrmask"(%address, %c-4) : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>
//! %pair = … : vector<2xf16>
//! %both = llvm.atomicrmw fadd %word, %pair … : !llvm.ptr<1>, vector<2xf16>
//! ```
//!
//! A sum with -0 is what was there: each zero, each subnormal, infinity. A NaN stays one.

use crate::llvm_lowering::{bits_type, call_intrinsic, from_bits, to_bits};
use xpu_dialect::ir::{Builder, Type, Value};
use xpu_dialect::types;

/// The bits of -0, for f16 and bf16 alike.
const NEGATIVE_ZERO: i64 = 0x8000;

/// Adds to the float at an address; the bits of what it was. `add` adds a pair to the one at the
/// address of a word.
pub(crate) fn update<'c>(
    builder: Builder<'c>,
    address: Value<'c>,
    value: Value<'c>,
    add: impl FnOnce(Value<'c>, Value<'c>) -> Value<'c>,
) -> Value<'c> {
    let context = builder.context();
    let int = types::integer(context, 32);
    let constant = |number| builder.llvm_integer(int, number);
    let binary = |name, left: Value<'c>, right| builder.value(name, &[left, right], left.ty());

    // Pointers to workgroup memory have 32 bits; a mask is as wide as the pointer.
    let is_narrow = address.ty().to_string() == "!llvm.ptr<3>";
    let width = types::integer(context, if is_narrow { 32 } else { 64 });
    let mask = builder.llvm_integer(width, -4);
    let word = call_intrinsic(builder, "llvm.ptrmask", &[address, mask], address.ty());
    let low = builder.value("llvm.ptrtoint", &[address], int);
    let odd = binary("llvm.and", low, constant(2));
    // 0 for the float in the low half, 16 for the one in the high half.
    let shift = binary("llvm.shl", odd, constant(3));
    let other = binary("llvm.xor", shift, constant(16));

    let bits = to_bits(builder, value);
    let bits = builder.value("llvm.zext", &[bits], int);
    let ours = binary("llvm.shl", bits, shift);
    let theirs = binary("llvm.shl", constant(NEGATIVE_ZERO), other);
    let both = binary("llvm.or", ours, theirs);
    let pair = builder.value("llvm.bitcast", &[both], Type::vector(&[2], value.ty()));
    let old = add(word, pair);
    let old = builder.value("llvm.bitcast", &[old], int);
    let old = binary("llvm.lshr", old, shift);
    let old = builder.value("llvm.trunc", &[old], bits_type(context, value.ty()));
    from_bits(builder, old, value.ty())
}
