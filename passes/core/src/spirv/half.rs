//! Numbers of 16 bits, which Vulkan need not have, as their bits in 32-bit integers.
//!
//! Only widening and narrowing is done here; arithmetic is in f32 (upstream's
//! `arith-emulate-unsupported-floats`). No step reads or gives a subnormal f32, which a device may flush,
//! but those that a bf16 is.

use crate::expand::arith::{Arith, Compare};
use xpu_dialect::ir::{Builder, Type, Value};
use xpu_dialect::types;

/// A format of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// IEEE half.
    F16,
    /// Brain float: the upper half of an f32.
    Bf16,
}

impl Half {
    /// The format of a type.
    pub(crate) fn of(ty: Type<'_>) -> Option<Self> {
        match ty.to_string().as_str() {
            "f16" => Some(Self::F16),
            "bf16" => Some(Self::Bf16),
            _ => None,
        }
    }
}

/// The f32 of the number whose bits are in the low half of a word, the upper half being zero.
pub(crate) fn widened<'c>(builder: Builder<'c>, format: Half, bits: Value<'c>) -> Value<'c> {
    let (word, float) = (word(builder), Type::float32(builder.context()));
    let constant = |number| builder.integer(word, number);
    let bits = match format {
        Half::Bf16 => builder.shift_left(bits, constant(16)),
        Half::F16 => {
            let sign = builder.shift_left(builder.and(bits, constant(0x8000)), constant(16));
            let magnitude = builder.and(bits, constant(0x7FFF));
            let shifted = builder.shift_left(magnitude, constant(13));
            let normal = builder.add(shifted, constant((127 - 15) << 23));
            let special = builder.or(shifted, constant(0x7F80_0000));
            // A subnormal is its bits as an integer, times 2^-24.
            let units = builder.value("arith.uitofp", &[magnitude], float);
            let scaled = builder.subtract(builder.bits(units), constant(24 << 23));
            let is_zero = builder.compare(Compare::Equal, magnitude, constant(0));
            let small = builder.select(is_zero, constant(0), scaled);
            let is_special =
                builder.compare(Compare::UnsignedGreaterOrEqual, magnitude, constant(0x7C00));
            let is_normal =
                builder.compare(Compare::UnsignedGreaterOrEqual, magnitude, constant(0x400));
            let number = builder.select(is_normal, normal, small);
            let number = builder.select(is_special, special, number);
            builder.or(number, sign)
        }
    };
    builder.cast_bits(bits, float)
}

/// The bits of the number nearest to an f32, ties to even, in the low half of a word.
pub(crate) fn narrowed<'c>(builder: Builder<'c>, format: Half, value: Value<'c>) -> Value<'c> {
    let word = word(builder);
    let constant = |number| builder.integer(word, number);
    let bits = builder.bits(value);
    let sign = builder.and(builder.shift_right(bits, constant(16)), constant(0x8000));
    let magnitude = builder.and(bits, constant(0x7FFF_FFFF));
    let is_nan = builder.compare(Compare::UnsignedGreater, magnitude, constant(0x7F80_0000));
    let number = match format {
        Half::Bf16 => {
            let rounded = round(builder, magnitude, constant(16));
            let nan = builder.or(builder.shift_right(magnitude, constant(16)), constant(0x40));
            builder.select(is_nan, nan, rounded)
        }
        Half::F16 => {
            let rebased = builder.subtract(magnitude, constant((127 - 15) << 23));
            let normal = round(builder, rebased, constant(13));
            let small = small_f16(builder, magnitude);
            let is_normal = builder.compare(
                Compare::UnsignedGreaterOrEqual,
                magnitude,
                constant(0x3880_0000),
            );
            let finite = builder.select(is_normal, normal, small);
            // From 65520 on, halfway to what would be the next number.
            let is_large = builder.compare(
                Compare::UnsignedGreaterOrEqual,
                magnitude,
                constant(0x477F_F000),
            );
            let number = builder.select(is_large, constant(0x7C00), finite);
            let payload = builder.and(
                builder.shift_right(magnitude, constant(13)),
                constant(0x3FF),
            );
            let nan = builder.or(payload, constant(0x7E00));
            builder.select(is_nan, nan, number)
        }
    };
    builder.or(number, sign)
}

/// The f32 that an f64 rounds to an odd number of: what is then rounded to 16 bits is rounded once.
pub(crate) fn rounded_to_odd<'c>(builder: Builder<'c>, value: Value<'c>) -> Value<'c> {
    let float = Type::float32(builder.context());
    let word = word(builder);
    let nearest = builder.value("arith.truncf", &[value], float);
    let back = builder.value("arith.extf", &[nearest], value.ty());
    let compare = |predicate: i64, left: Value<'c>, right: Value<'c>| {
        let context = builder.context();
        builder
            .op("arith.cmpf")
            .operands(&[left, right])
            .attribute("predicate", types::i64_attribute(context, predicate))
            .result(types::integer(context, 1))
            .build()
            .result(0)
    };
    let [far, near] = [back, value].map(|one| builder.value("math.absf", &[one], one.ty()));
    // Ordered predicates: a NaN is neither.
    let (is_above, is_below) = (compare(2, far, near), compare(4, far, near));
    let bits = builder.bits(nearest);
    let one = builder.integer(word, 1);
    let is_odd = builder.compare(Compare::Equal, builder.and(bits, one), one);
    let lower = builder.select(is_above, builder.subtract(bits, one), bits);
    let moved = builder.select(is_below, builder.add(bits, one), lower);
    let bits = builder.select(is_odd, bits, moved);
    builder.cast_bits(bits, float)
}

/// The bits of an f16 below the normal ones: a multiple of 2^-24.
fn small_f16<'c>(builder: Builder<'c>, magnitude: Value<'c>) -> Value<'c> {
    let word = word(builder);
    let constant = |number| builder.integer(word, number);
    let exponent = builder.shift_right(magnitude, constant(23));
    let fraction = builder.and(magnitude, constant(0x007F_FFFF));
    let digits = builder.or(fraction, constant(0x0080_0000));
    let shift = builder.subtract(constant(126), exponent);
    // Below 2^-25 the result is zero, which a shift by 25 gives; normal numbers are not asked for.
    let shift = builder.binary("arith.maxsi", shift, constant(1));
    let shift = builder.binary("arith.minsi", shift, constant(25));
    let is_none = builder.compare(Compare::UnsignedGreater, constant(0x3300_0001), magnitude);
    let rounded = round(builder, digits, shift);
    builder.select(is_none, constant(0), rounded)
}

/// Shifts right, to the nearest number, ties to even. The shift is at least 1.
fn round<'c>(builder: Builder<'c>, value: Value<'c>, shift: Value<'c>) -> Value<'c> {
    let one = builder.integer(value.ty(), 1);
    let below_half = builder.subtract(builder.shift_left(one, builder.subtract(shift, one)), one);
    let is_odd = builder.and(builder.shift_right(value, shift), one);
    let sum = builder.add(builder.add(value, below_half), is_odd);
    builder.shift_right(sum, shift)
}

fn word<'c>(builder: Builder<'c>) -> Type<'c> {
    types::integer(builder.context(), 32)
}
