//! Operations on floats that MLIR's conversions to SPIR-V lack or get wrong.
//!
//! - `minimumf`, `maximumf`, `minnumf`, `maxnumf`: GLSL's `FMin` and `FMax`, which upstream takes, may give
//!   either zero, and a device may flush what they are given; here the bits are compared.
//! - `isnan`, `isinf`, `isfinite`, `isnormal`: a device need not keep NaN and infinity in a test of floats,
//!   and `OpIsFinite` and `OpIsNormal` are not for Vulkan at all; here bits are tested.
//! - `roundeven`: a device may give +0 for what rounds to -0.
//! - What GLSL's extended instructions have for 32 bits alone is refused for 64.

use super::gaps::Gap;
use crate::expand::arith::{Arith, Compare};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Type, Value};
use xpu_dialect::types;

/// What GLSL.std.450 has for f32, and not for f64.
const NOT_F64: &[&str] = &[
    "math.acos",
    "math.acosh",
    "math.asin",
    "math.asinh",
    "math.atan",
    "math.atanh",
    "math.cos",
    "math.cosh",
    "math.exp",
    "math.exp2",
    "math.expm1",
    "math.log",
    "math.log10",
    "math.log1p",
    "math.log2",
    "math.powf",
    "math.sin",
    "math.sincos",
    "math.sinh",
    "math.tan",
    "math.tanh",
];

/// The values of the results of an operation that upstream lacks.
pub(super) fn fill<'c>(gap: &Gap<'_, 'c>) -> Result<Option<Vec<Value<'c>>>, Reported> {
    let op = gap.op;
    let Some(ty) = gap.ty() else {
        return Ok(None);
    };
    if ty.to_string().starts_with("vector<") {
        return fill_vector(gap);
    }
    if types::bit_width(ty) == Some(64) && NOT_F64.contains(&op.name()) {
        return Err(op.error("on f64 has no lowering for Vulkan; compute in f32"));
    }
    let result = |at: usize| op.result(at).ty();
    let value = match op.name() {
        "arith.minimumf" | "arith.maximumf" | "arith.minnumf" | "arith.maxnumf" => gap.extreme()?,
        "math.isnan" | "math.isinf" | "math.isfinite" | "math.isnormal" => gap.class()?,
        "arith.cmpf" => match op.attribute("predicate").and_then(types::integer_value) {
            Some(0) => gap.builder.integer(result(0), 0),
            Some(15) => gap.builder.integer(result(0), 1),
            _ => return Ok(None),
        },
        "arith.fptosi" | "arith.fptoui" if types::bit_width(result(0)) == Some(1) => {
            let wide = gap.unary(op.name(), gap.operand(0), gap.word());
            gap.unary("arith.trunci", wide, result(0))
        }
        "math.roundeven" => {
            let whole = gap.unary(op.name(), gap.operand(0), ty);
            gap.builder.binary("math.copysign", whole, gap.operand(0))
        }
        "math.exp2" => gap.unary("spirv.GL.Exp2", gap.operand(0), ty),
        "math.trunc" => {
            let magnitude = gap.unary("math.absf", gap.operand(0), ty);
            let whole = gap.unary("math.floor", magnitude, ty);
            gap.builder.binary("math.copysign", whole, gap.operand(0))
        }
        "math.sincos" => {
            let both = ["math.sin", "math.cos"].map(|name| gap.unary(name, gap.operand(0), ty));
            return Ok(Some(both.to_vec()));
        }
        _ => return Ok(None),
    };
    Ok(Some(vec![value]))
}

/// Vectors are upstream's matter, but where it would be wrong.
fn fill_vector<'c>(gap: &Gap<'_, 'c>) -> Result<Option<Vec<Value<'c>>>, Reported> {
    match gap.op.name() {
        "arith.minimumf" | "arith.maximumf" | "arith.minnumf" | "arith.maxnumf" | "arith.remsi"
        | "math.isnan" | "math.isinf" | "math.isfinite" => Err(gap
            .op
            .error("on vectors has no lowering for Vulkan; compute on their elements")),
        _ => Ok(None),
    }
}

/// A float's bits without its sign, and those of what is not finite.
struct Magnitude<'c> {
    bits: Value<'c>,
    infinity: Value<'c>,
}

impl<'c> Gap<'_, 'c> {
    /// The width of a float whose bits can be had.
    fn bits(&self, ty: Type<'c>) -> Result<u32, Reported> {
        let bits = types::bit_width(ty).unwrap_or(32);
        if bits == 64 && !self.target.has("shader_int64") {
            return Err(self.op.error(&format!(
                "on f64 needs 64-bit integers, which target '{}' does not have; add '+shader_int64' where \
                 the device has them",
                self.target
            )));
        }
        Ok(bits)
    }

    fn magnitude(&self, value: Value<'c>) -> Result<Magnitude<'c>, Reported> {
        let builder = self.builder;
        let (sign, infinity) = match self.bits(value.ty())? {
            64 => (i64::MIN, 0x7FF0_0000_0000_0000),
            _ => (i64::from(i32::MIN), 0x7F80_0000),
        };
        let bits = builder.bits(value);
        Ok(Magnitude {
            bits: builder.and(bits, builder.integer(bits.ty(), !sign)),
            infinity: builder.integer(bits.ty(), infinity),
        })
    }

    fn is_nan(&self, value: Value<'c>) -> Result<Value<'c>, Reported> {
        let magnitude = self.magnitude(value)?;
        Ok(self
            .builder
            .compare(Compare::UnsignedGreater, magnitude.bits, magnitude.infinity))
    }

    fn class(&self) -> Result<Value<'c>, Reported> {
        let (builder, value) = (self.builder, self.operand(0));
        let Magnitude { bits, infinity } = self.magnitude(value)?;
        Ok(match self.op.name() {
            "math.isnan" => builder.compare(Compare::UnsignedGreater, bits, infinity),
            "math.isinf" => builder.compare(Compare::Equal, bits, infinity),
            "math.isfinite" => builder.compare(Compare::UnsignedGreater, infinity, bits),
            _ => {
                let least = match self.bits(value.ty())? {
                    64 => 1 << 52,
                    _ => 1 << 23,
                };
                let least = builder.integer(bits.ty(), least);
                // What is less than the least normal number wraps to a large one.
                let above = builder.subtract(bits, least);
                let range = builder.subtract(infinity, least);
                builder.compare(Compare::UnsignedGreater, range, above)
            }
        })
    }

    /// A number that orders floats as integers, -0 below +0.
    fn rank(&self, value: Value<'c>) -> Result<Value<'c>, Reported> {
        let builder = self.builder;
        let width = i64::from(self.bits(value.ty())?);
        let bits = builder.bits(value);
        let by = |number| builder.integer(bits.ty(), number);
        let signs = builder.binary("arith.shrsi", bits, by(width - 1));
        Ok(builder.xor(bits, builder.shift_right(signs, by(1))))
    }

    fn extreme(&self) -> Result<Value<'c>, Reported> {
        let (builder, left, right) = (self.builder, self.operand(0), self.operand(1));
        let less = builder.compare(Compare::SignedLess, self.rank(left)?, self.rank(right)?);
        let number = match self.op.name() {
            "arith.minimumf" | "arith.minnumf" => builder.select(less, left, right),
            _ => builder.select(less, right, left),
        };
        let (left_is_nan, right_is_nan) = (self.is_nan(left)?, self.is_nan(right)?);
        // The one rule gives the NaN, the other what is not the NaN.
        let (for_left, for_right) = match self.op.name() {
            "arith.minimumf" | "arith.maximumf" => (left, right),
            _ => (right, left),
        };
        let number = builder.select(right_is_nan, for_right, number);
        Ok(builder.select(left_is_nan, for_left, number))
    }
}
