//! What each kind of read-modify-write computes, in `arith`.
//!
//! Exact on every target: nothing here depends on how a back end treats zeros, NaNs, subnormals or
//! 16-bit floats.
//!
//! - Minimum and maximum of floats are done on their bits. `arith.minimumf` would read better, but
//!   `arith-expand` makes a comparison of it that may choose either zero (LLVM 22.1.8), and
//!   `arith.minnumf` leaves open what it makes of zeros and of signalling NaNs.
//! - Sums of f16 and bf16 are done in f32, which gives the correctly rounded sum: the sum of two in
//!   f32 has 24 bits, at least twice those of f16 (11) and bf16 (8) and two more, so rounding twice
//!   is as rounding once; and subnormal sums are exact in both steps.
//!   A NaN stays one, also where `arith-expand` makes integer operations of the step down to bf16.

use super::arith::{Arith, Compare};
use crate::spirv::sums::KEEPS_SUBNORMALS;
use xpu_dialect::axes::Kind;
use xpu_dialect::ir::{Builder, Type, Value};
use xpu_dialect::types;
use xpu_targets::Ty;

/// The value that a read-modify-write stores where it read `old`.
pub(super) fn combine<'c>(
    builder: Builder<'c>,
    kind: Kind,
    ty: Ty,
    old: Value<'c>,
    operand: Value<'c>,
) -> Value<'c> {
    match kind {
        Kind::Add => builder.add(old, operand),
        Kind::Sub => builder.subtract(old, operand),
        Kind::And => builder.and(old, operand),
        Kind::Or => builder.or(old, operand),
        Kind::Xor => builder.xor(old, operand),
        Kind::Xchg => operand,
        Kind::SMin => builder.binary("arith.minsi", old, operand),
        Kind::SMax => builder.binary("arith.maxsi", old, operand),
        Kind::UMin => builder.binary("arith.minui", old, operand),
        Kind::UMax => builder.binary("arith.maxui", old, operand),
        Kind::UIncWrap => up(builder, old, operand),
        Kind::UDecWrap => down(builder, old, operand),
        Kind::Min | Kind::Max => unreachable!("a plan refuses kinds whose sign is not resolved"),
        Kind::FAdd => sum(builder, ty, old, operand),
        Kind::FSub => {
            let negated = negate(builder, operand);
            sum(builder, ty, old, negated)
        }
        Kind::FMin => number(builder, ty, old, operand, Compare::SignedLess),
        Kind::FMax => number(builder, ty, old, operand, Compare::SignedGreater),
        Kind::FMinimum => propagating(builder, ty, old, operand, Compare::SignedLess),
        Kind::FMaximum => propagating(builder, ty, old, operand, Compare::SignedGreater),
    }
}

/// The float with its sign turned over.
pub(super) fn negate<'c>(builder: Builder<'c>, value: Value<'c>) -> Value<'c> {
    builder.value("arith.negf", &[value], value.ty())
}

/// `old >= limit ? 0 : old + 1`, unsigned.
fn up<'c>(builder: Builder<'c>, old: Value<'c>, limit: Value<'c>) -> Value<'c> {
    let zero = builder.integer(old.ty(), 0);
    let one = builder.integer(old.ty(), 1);
    let wraps = builder.compare(Compare::UnsignedGreaterOrEqual, old, limit);
    let next = builder.add(old, one);
    builder.select(wraps, zero, next)
}

/// `old == 0 || old > limit ? limit : old - 1`, unsigned.
fn down<'c>(builder: Builder<'c>, old: Value<'c>, limit: Value<'c>) -> Value<'c> {
    let zero = builder.integer(old.ty(), 0);
    let one = builder.integer(old.ty(), 1);
    let ends = builder.compare(Compare::Equal, old, zero);
    let above = builder.compare(Compare::UnsignedGreater, old, limit);
    let wraps = builder.or(ends, above);
    let next = builder.subtract(old, one);
    builder.select(wraps, limit, next)
}

fn sum<'c>(builder: Builder<'c>, ty: Ty, old: Value<'c>, operand: Value<'c>) -> Value<'c> {
    if ty.bits() >= 32 {
        return exact(builder, old, operand);
    }
    let wide = Type::float32(builder.context());
    let old_wide = builder.value("arith.extf", &[old], wide);
    let operand_wide = builder.value("arith.extf", &[operand], wide);
    let sum = exact(builder, old_wide, operand_wide);
    builder.value("arith.truncf", &[sum], old.ty())
}

/// A sum that keeps subnormals: the mark is for targets whose own sums need not.
fn exact<'c>(builder: Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    let mark = types::unit_attribute(builder.context());
    builder
        .op("arith.addf")
        .operands(&[left, right])
        .attribute(KEEPS_SUBNORMALS, mark)
        .result(left.ty())
        .build()
        .result(0)
}

/// IEEE 754-2019 minimumNumber or maximumNumber, with -0 < +0: a NaN counts only where both are,
/// and then what was there stays.
fn number<'c>(
    builder: Builder<'c>,
    ty: Ty,
    old: Value<'c>,
    operand: Value<'c>,
    keeps: Compare,
) -> Value<'c> {
    let (old_bits, operand_bits) = (builder.bits(old), builder.bits(operand));
    let old_stays = ordered(builder, ty, old_bits, operand_bits, keeps);
    let among_numbers = builder.select(old_stays, old, operand);
    let old_is_nan = is_nan(builder, ty, old_bits);
    let without_old_nan = builder.select(old_is_nan, operand, among_numbers);
    let operand_is_nan = is_nan(builder, ty, operand_bits);
    builder.select(operand_is_nan, old, without_old_nan)
}

/// IEEE 754-2019 minimum or maximum: a NaN wins, first the one that was there; -0 < +0.
fn propagating<'c>(
    builder: Builder<'c>,
    ty: Ty,
    old: Value<'c>,
    operand: Value<'c>,
    keeps: Compare,
) -> Value<'c> {
    let (old_bits, operand_bits) = (builder.bits(old), builder.bits(operand));
    let old_stays = ordered(builder, ty, old_bits, operand_bits, keeps);
    let among_numbers = builder.select(old_stays, old, operand);
    let operand_is_nan = is_nan(builder, ty, operand_bits);
    let without_old_nan = builder.select(operand_is_nan, operand, among_numbers);
    let old_is_nan = is_nan(builder, ty, old_bits);
    builder.select(old_is_nan, old, without_old_nan)
}

/// Compares two floats that are no NaNs by their bits, with -0 < +0.
fn ordered<'c>(
    builder: Builder<'c>,
    ty: Ty,
    left: Value<'c>,
    right: Value<'c>,
    how: Compare,
) -> Value<'c> {
    let (left, right) = (rank(builder, ty, left), rank(builder, ty, right));
    builder.compare(how, left, right)
}

/// A signed integer that grows with the float: the bits, with all but the sign turned over where
/// the sign is set, since those of negative floats grow downwards. -0 gives -1, and +0 gives 0.
fn rank<'c>(builder: Builder<'c>, ty: Ty, bits: Value<'c>) -> Value<'c> {
    let last = builder.integer(bits.ty(), i64::from(ty.bits()) - 1);
    let one = builder.integer(bits.ty(), 1);
    let sign = builder.binary("arith.shrsi", bits, last);
    let below_sign = builder.shift_right(sign, one);
    builder.xor(bits, below_sign)
}

/// Whether bits are those of a NaN: without the sign, above those of infinity.
pub(super) fn is_nan<'c>(builder: Builder<'c>, ty: Ty, bits: Value<'c>) -> Value<'c> {
    let magnitude = magnitude(builder, ty, bits);
    let infinity = builder.integer(bits.ty(), infinity(ty));
    builder.compare(Compare::UnsignedGreater, magnitude, infinity)
}

/// The bits without the sign.
pub(super) fn magnitude<'c>(builder: Builder<'c>, ty: Ty, bits: Value<'c>) -> Value<'c> {
    let all_but_sign = builder.integer(bits.ty(), largest(ty));
    builder.and(bits, all_but_sign)
}

/// The largest signed integer as wide as the type.
pub(super) fn largest(ty: Ty) -> i64 {
    i64::MAX >> (64 - ty.bits())
}

/// The bits of positive infinity of a float type.
pub(super) fn infinity(ty: Ty) -> i64 {
    match ty {
        Ty::F16 => 0x7c00,
        Ty::Bf16 => 0x7f80,
        Ty::F32 => 0x7f80_0000,
        Ty::F64 => 0x7ff0_0000_0000_0000,
        Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 => unreachable!("integers have no infinity"),
    }
}
