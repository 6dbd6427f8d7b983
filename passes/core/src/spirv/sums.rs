//! Sums that keep subnormal numbers, on a target that may flush them.
//!
//! Vulkan lets a device flush subnormals to zero, in what an operation reads and in what it gives, unless
//! the module asks for their preservation, which few devices offer. Flushing does not show where one of
//! the operands is at least 2^-101 (f32) or 2^-968 (f64) large: a subnormal is then less than half a unit
//! in the last place of the sum, and operands that cancel leave no subnormal. Else both operands are
//! scaled up by a power of two, added, and scaled down:
//!
//! - scaled up, each is a normal number or zero, without error: a subnormal one is its bits as an integer,
//!   made a float, times a power of two;
//! - the sum is rounded as without the scale;
//! - scaled down, a normal sum is exact. A sum below the normal numbers is a whole multiple of the least
//!   one, and fewer of them than a float has digits: that number is its bits.
//!
//! No step reads or gives a subnormal.

use crate::expand::arith::{Arith, Compare};
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types;

/// Marks a sum of floats whose subnormals are to be kept.
pub(crate) const KEEPS_SUBNORMALS: &str = "keeps_subnormals";

/// What the numbers of a float type are made of.
struct Format {
    /// Bits of the fraction.
    fraction: u32,
    /// The exponent of the least normal number.
    least: i32,
    /// From which power of two on flushing does not show.
    safe: i32,
    /// The power of two that operands are scaled by.
    scale: i32,
}

const F32: Format = Format {
    fraction: 23,
    least: -126,
    safe: -101,
    scale: 64,
};
const F64: Format = Format {
    fraction: 52,
    least: -1022,
    safe: -968,
    scale: 128,
};

impl Format {
    /// The bits of a power of two that is a normal number.
    fn power(&self, exponent: i32) -> i64 {
        i64::from(exponent - self.least + 1) << self.fraction
    }

    /// The exponent of the least number.
    fn unit(&self) -> i32 {
        self.least - self.fraction as i32
    }
}

/// Replaces a marked sum by one that keeps subnormals on every device.
pub(crate) fn keep_subnormals(op: Op<'_>) {
    let builder = Builder::before(op);
    let (left, right) = (op.operand(0), op.operand(1));
    let sum = exact_sum(builder, left, right);
    op.replace_with(&[sum]);
}

fn exact_sum<'c>(builder: Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    let float = left.ty();
    let format = if types::bit_width(float) == Some(64) {
        F64
    } else {
        F32
    };
    let numbers = Numbers::of(builder, float, &format);
    let plain = builder.binary("arith.addf", left, right);
    let (left, right) = (numbers.parts(left), numbers.parts(right));
    let larger = builder.binary("arith.maxui", left.magnitude, right.magnitude);
    let safe = builder.integer(numbers.integer, format.power(format.safe));
    let is_safe = builder.compare(Compare::UnsignedGreaterOrEqual, larger, safe);

    let [left, right] = [left, right].map(|one| numbers.scaled_up(one));
    let sum = builder.binary("arith.addf", left, right);
    let kept = numbers.scaled_down(sum);
    builder.select(is_safe, plain, kept)
}

struct Numbers<'a, 'c> {
    builder: Builder<'c>,
    format: &'a Format,
    float: Type<'c>,
    integer: Type<'c>,
}

struct Parts<'c> {
    value: Value<'c>,
    sign: Value<'c>,
    magnitude: Value<'c>,
}

impl<'a, 'c> Numbers<'a, 'c> {
    fn of(builder: Builder<'c>, float: Type<'c>, format: &'a Format) -> Self {
        let integer = types::integer(builder.context(), types::bit_width(float).unwrap_or(32));
        Self {
            builder,
            format,
            float,
            integer,
        }
    }

    fn parts(&self, value: Value<'c>) -> Parts<'c> {
        let builder = self.builder;
        let bits = builder.bits(value);
        let width = types::bit_width(self.integer).unwrap_or(32);
        let sign_bit = builder.integer(
            self.integer,
            if width == 64 {
                i64::MIN
            } else {
                i64::from(i32::MIN)
            },
        );
        let sign = builder.and(bits, sign_bit);
        Parts {
            value,
            sign,
            magnitude: builder.xor(bits, sign),
        }
    }

    fn power(&self, exponent: i32) -> Value<'c> {
        let bits = self
            .builder
            .integer(self.integer, self.format.power(exponent));
        self.builder.cast_bits(bits, self.float)
    }

    fn scaled_up(&self, one: Parts<'c>) -> Value<'c> {
        let (builder, format) = (self.builder, self.format);
        let normal = builder.binary("arith.mulf", one.value, self.power(format.scale));
        let units = builder.value("arith.uitofp", &[one.magnitude], self.float);
        let small = builder.binary(
            "arith.mulf",
            units,
            self.power(format.unit() + format.scale),
        );
        let small = builder.or(builder.bits(small), one.sign);
        let small = builder.cast_bits(small, self.float);
        let least = builder.integer(self.integer, format.power(format.least));
        let is_normal = builder.compare(Compare::UnsignedGreaterOrEqual, one.magnitude, least);
        builder.select(is_normal, normal, small)
    }

    fn scaled_down(&self, sum: Value<'c>) -> Value<'c> {
        let (builder, format) = (self.builder, self.format);
        let normal = builder.binary("arith.mulf", sum, self.power(-format.scale));
        let parts = self.parts(sum);
        let least = builder.integer(self.integer, format.power(format.least + format.scale));
        let is_normal = builder.compare(Compare::UnsignedGreaterOrEqual, parts.magnitude, least);
        // Where the sum is no small one, the conversion might not fit: zero then.
        let zero = builder.integer(self.integer, 0);
        let magnitude = builder.select(is_normal, zero, parts.magnitude);
        let magnitude = builder.cast_bits(magnitude, self.float);
        let units = builder.binary(
            "arith.mulf",
            magnitude,
            self.power(-format.unit() - format.scale),
        );
        let units = builder.value("arith.fptoui", &[units], self.integer);
        let small = builder.cast_bits(builder.or(units, parts.sign), self.float);
        builder.select(is_normal, normal, small)
    }
}
