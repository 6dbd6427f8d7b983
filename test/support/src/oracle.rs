//! What one read-modify-write does, one at a time.

use crate::types::{Format, Type};

/// The kinds on integers without a sign.
pub const INTEGER_KINDS: [&str; 12] = [
    "add",
    "sub",
    "and",
    "or",
    "xor",
    "xchg",
    "smin",
    "smax",
    "umin",
    "umax",
    "uinc_wrap",
    "udec_wrap",
];
/// The kinds on integers with a sign.
pub const SIGNED_KINDS: [&str; 2] = ["min", "max"];
/// The kinds on floats.
pub const FLOAT_KINDS: [&str; 7] = [
    "xchg", "fadd", "fsub", "fmin", "fmax", "fminimum", "fmaximum",
];

/// The value after `kind` with the operand `value` on `old`, all of them bits of `ty`.
pub fn apply(kind: &str, ty: Type, old: u64, value: u64) -> u64 {
    let result = if ty.is_float() && kind != "xchg" {
        float(kind, ty, old, value)
    } else {
        integer(kind, ty, old, value)
    };
    result & ty.mask()
}

fn integer(kind: &str, ty: Type, old: u64, value: u64) -> u64 {
    let least = |signed: bool| {
        if signed {
            ty.to_signed(old) <= ty.to_signed(value)
        } else {
            old <= value
        }
    };
    let pick = |first: bool| if first { old } else { value };
    let signed = ty.format == Format::Signed;
    match kind {
        "add" => old.wrapping_add(value),
        "sub" => old.wrapping_sub(value),
        "and" => old & value,
        "or" => old | value,
        "xor" => old ^ value,
        "smin" => pick(least(true)),
        "smax" => pick(!least(true)),
        "umin" => pick(least(false)),
        "umax" => pick(!least(false)),
        "min" => pick(least(signed)),
        "max" => pick(!least(signed)),
        "uinc_wrap" if old >= value => 0,
        "uinc_wrap" => old + 1,
        "udec_wrap" if old == 0 || old > value => value,
        "udec_wrap" => old - 1,
        // xchg
        _ => value,
    }
}

fn float(kind: &str, ty: Type, old: u64, value: u64) -> u64 {
    let (a, b) = (ty.to_f64(old), ty.to_f64(value));
    let negative = |bits: u64| bits >> (ty.bits - 1) != 0;
    let less = a < b || (a == b && negative(old) && !negative(value));
    let pick = |first: bool| if first { old } else { value };
    match kind {
        "fadd" => ty.from_f64(a + b),
        "fsub" => ty.from_f64(a - b),
        "fmin" | "fmax" if a.is_nan() => value,
        "fmin" | "fmax" if b.is_nan() => old,
        "fminimum" | "fmaximum" if a.is_nan() || b.is_nan() => ty.from_f64(f64::NAN),
        "fmin" | "fminimum" => pick(less),
        // fmax, fmaximum
        _ => pick(!less),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_of_each() {
        let [i8, ..] = Type::SIGNLESS;
        assert_eq!(apply("add", i8, 0xff, 2), 1);
        assert_eq!(apply("smin", i8, 0x80, 1), 0x80);
        assert_eq!(apply("umin", i8, 0x80, 1), 1);
        assert_eq!(apply("uinc_wrap", i8, 7, 7), 0);
        assert_eq!(apply("udec_wrap", i8, 9, 7), 7);
        let [f16, _, f32, _] = Type::FLOATS;
        assert_eq!(apply("fadd", f16, 0x3c00, 0x3c00), 0x4000);
        let nan = f32.from_f64(f64::NAN);
        assert_eq!(apply("fmin", f32, nan, 5), 5);
        assert_eq!(apply("fminimum", f32, 0, 0x8000_0000), 0x8000_0000);
        assert_eq!(apply("fmaximum", f32, 0x8000_0000, 0), 0);
    }
}
