//! Operations on integers that MLIR's conversions to SPIR-V lack or get wrong.
//!
//! - All arithmetic on `i1`, which SPIR-V's booleans do not have.
//! - `remsi`: upstream takes the remainder of absolute values, and then the sign of the dividend to be
//!   that of its absolute value, which is not so for the least integer.
//! - Divisions that round up or down, carries, and counts of bits in other than 32.

use super::gaps::Gap;
use crate::expand::arith::{Arith, Compare};
use xpu_dialect::ir::{Type, Value};
use xpu_dialect::types;

/// The values of the results of an operation that upstream lacks.
pub(super) fn fill<'c>(gap: &Gap<'_, 'c>) -> Option<Vec<Value<'c>>> {
    let bits = width(gap.ty()?)?;
    if bits == 1 {
        return fill_bool(gap);
    }
    let one = |value| Some(vec![value]);
    match gap.op.name() {
        "arith.ceildivui" => one(gap.divided_up()),
        "arith.ceildivsi" | "arith.floordivsi" => one(gap.divided_signed()),
        "arith.remsi" => one(gap.remainder(gap.operand(0), gap.operand(1)).1),
        "arith.addui_extended" => Some(gap.carry()),
        "arith.mului_extended" | "arith.mulsi_extended" if bits < 32 => Some(gap.product(bits)),
        "arith.fptosi" | "arith.fptoui" => None,
        "math.absi" if bits < 32 => one(gap.absolute()),
        "math.ctlz" if bits != 32 => one(gap.leading_zeros(gap.operand(0), bits)),
        "math.cttz" => one(gap.trailing_zeros(bits)),
        "math.ctpop" => one(gap.ones(bits)),
        _ => None,
    }
}

/// How many bits an integer has; an index is a word.
fn width(ty: Type<'_>) -> Option<u32> {
    match types::integer_parts(ty) {
        Some((bits, _)) => Some(bits),
        None => types::is_index(ty).then_some(32),
    }
}

/// As an integer, `true` is -1 signed and 1 unsigned. A shift by 1 is poison, and so is a division by 0.
fn fill_bool<'c>(gap: &Gap<'_, 'c>) -> Option<Vec<Value<'c>>> {
    let builder = gap.builder;
    let zero = || builder.integer(types::integer(builder.context(), 1), 0);
    let [left, right] = match gap.op.operands()[..] {
        [left, right] => [left, right],
        [value] if gap.op.is("arith.sitofp") => {
            let wide = gap.unary("arith.extsi", value, gap.word());
            return Some(vec![gap.unary("arith.sitofp", wide, gap.op.result(0).ty())]);
        }
        _ => return None,
    };
    Some(match gap.op.name() {
        "arith.addi" | "arith.subi" => vec![builder.xor(left, right)],
        "arith.muli" | "arith.minui" | "arith.maxsi" => vec![builder.and(left, right)],
        "arith.maxui" | "arith.minsi" => vec![builder.or(left, right)],
        "arith.divui" | "arith.divsi" | "arith.ceildivui" | "arith.ceildivsi"
        | "arith.floordivsi" | "arith.shli" | "arith.shrsi" | "arith.shrui" => vec![left],
        "arith.remui" | "arith.remsi" => vec![zero()],
        "arith.addui_extended" => vec![builder.xor(left, right), builder.and(left, right)],
        "arith.mului_extended" | "arith.mulsi_extended" => vec![builder.and(left, right), zero()],
        "arith.cmpi" => vec![signed_bool_comparison(gap, left, right)?],
        _ => return None,
    })
}

/// -1 is less than 0, and 1 more: a signed comparison is the unsigned one of exchanged operands.
fn signed_bool_comparison<'c>(
    gap: &Gap<'_, 'c>,
    left: Value<'c>,
    right: Value<'c>,
) -> Option<Value<'c>> {
    let predicate = gap.op.attribute("predicate").and_then(types::integer_value);
    let signed = predicate.filter(|number| (2..=5).contains(number))?;
    let context = gap.builder.context();
    let made = gap
        .builder
        .op("arith.cmpi")
        .operands(&[right, left])
        // ult, ule, ugt and uge are four numbers above.
        .attribute("predicate", types::i64_attribute(context, signed + 4))
        .result(types::integer(context, 1))
        .build();
    Some(made.result(0))
}

impl<'c> Gap<'_, 'c> {
    fn constant(&self, value: i64) -> Value<'c> {
        self.builder.integer(self.operand(0).ty(), value)
    }

    /// Quotient and remainder, towards zero.
    fn remainder(&self, left: Value<'c>, right: Value<'c>) -> (Value<'c>, Value<'c>) {
        let builder = self.builder;
        let quotient = builder.binary("arith.divsi", left, right);
        let product = builder.multiply(quotient, right);
        (quotient, builder.subtract(left, product))
    }

    /// An unsigned division that rounds up.
    fn divided_up(&self) -> Value<'c> {
        let (builder, left, right) = (self.builder, self.operand(0), self.operand(1));
        let (zero, one) = (self.constant(0), self.constant(1));
        let below = builder.binary("arith.divui", builder.subtract(left, one), right);
        let is_zero = builder.compare(Compare::Equal, left, zero);
        builder.select(is_zero, zero, builder.add(below, one))
    }

    /// A signed division that rounds up, or down.
    fn divided_signed(&self) -> Value<'c> {
        let (builder, left, right) = (self.builder, self.operand(0), self.operand(1));
        let (quotient, rest) = self.remainder(left, right);
        let zero = self.constant(0);
        let is_inexact = builder.compare(Compare::NotEqual, rest, zero);
        let signs = builder.xor(rest, right);
        // Whether the exact quotient is on the side of zero that the rounding leads away from.
        let (is_away, step) = if self.op.is("arith.floordivsi") {
            (builder.compare(Compare::SignedLess, signs, zero), -1)
        } else {
            let least = self.constant(-1);
            (builder.compare(Compare::SignedGreater, signs, least), 1)
        };
        let moved = builder.add(quotient, self.constant(step));
        builder.select(builder.and(is_inexact, is_away), moved, quotient)
    }

    fn carry(&self) -> Vec<Value<'c>> {
        let (builder, left, right) = (self.builder, self.operand(0), self.operand(1));
        let sum = builder.add(left, right);
        vec![sum, builder.compare(Compare::UnsignedGreater, left, sum)]
    }

    /// Both halves of a product of small numbers.
    fn product(&self, bits: u32) -> Vec<Value<'c>> {
        let (builder, ty) = (self.builder, self.operand(0).ty());
        let wide = match self.op.name() {
            "arith.mulsi_extended" => "arith.extsi",
            _ => "arith.extui",
        };
        let [left, right] = [0, 1].map(|at| self.unary(wide, self.operand(at), self.word()));
        let product = builder.multiply(left, right);
        let by = builder.integer(self.word(), bits.into());
        let high = builder.shift_right(product, by);
        vec![product, high]
            .into_iter()
            .map(|half| self.unary("arith.trunci", half, ty))
            .collect()
    }

    fn absolute(&self) -> Value<'c> {
        let value = self.operand(0);
        let negative = self.builder.subtract(self.constant(0), value);
        self.builder.binary("arith.maxsi", value, negative)
    }

    /// The low 32 bits.
    fn low_word(&self, value: Value<'c>) -> Value<'c> {
        let how = match width(value.ty()) {
            _ if types::is_index(value.ty()) => "arith.index_castui",
            Some(32) => return value,
            Some(64) => "arith.trunci",
            _ => "arith.extui",
        };
        self.unary(how, value, self.word())
    }

    /// A count of bits as a number of the result's type.
    fn count(&self, word: Value<'c>) -> Value<'c> {
        let ty = self.op.result(0).ty();
        let how = match width(ty) {
            _ if types::is_index(ty) => "arith.index_castui",
            Some(32) => return word,
            Some(64) => "arith.extui",
            _ => "arith.trunci",
        };
        self.unary(how, word, ty)
    }

    /// Both words of 64 bits.
    fn halves(&self, value: Value<'c>) -> [Value<'c>; 2] {
        let by = self.builder.integer(value.ty(), 32);
        let high = self.builder.shift_right(value, by);
        [self.low_word(value), self.low_word(high)]
    }

    fn leading_zeros(&self, value: Value<'c>, bits: u32) -> Value<'c> {
        let (builder, word) = (self.builder, self.word());
        let zeros = |value| self.unary("math.ctlz", value, word);
        let of = |number: u32| builder.integer(word, number.into());
        let count = if bits == 64 {
            let [low, high] = self.halves(value);
            let is_low = builder.compare(Compare::Equal, high, of(0));
            builder.select(is_low, builder.add(zeros(low), of(32)), zeros(high))
        } else {
            builder.subtract(zeros(self.low_word(value)), of(32 - bits))
        };
        self.count(count)
    }

    /// The zeros below the lowest one are all that is set in what is below it.
    fn trailing_zeros(&self, bits: u32) -> Value<'c> {
        let (builder, value) = (self.builder, self.operand(0));
        let below = builder.and(
            builder.not(value),
            builder.subtract(value, self.constant(1)),
        );
        let above = self.leading_zeros(below, bits);
        let all = builder.integer(above.ty(), bits.into());
        builder.subtract(all, above)
    }

    fn ones(&self, bits: u32) -> Value<'c> {
        let count = |value| self.unary("spirv.BitCount", value, self.word());
        let value = self.operand(0);
        self.count(if bits == 64 {
            let [low, high] = self.halves(value);
            self.builder.add(count(low), count(high))
        } else {
            count(self.low_word(value))
        })
    }
}
