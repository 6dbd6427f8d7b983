//! One element as text: reading the numbers of `--arg`, printing those of `--print`.

use half::{bf16, f16};

use crate::element::{ElementType, Sign};

/// Reads `text` as a value of type `ty`; the result is the value's bits, zero-extended.
///
/// Integers take decimal, in the signed or the unsigned range of the width, and hexadecimal bits.
/// Floats take decimal (rounded to nearest even; f16 and bf16 by way of f64), `nan`, `-nan`,
/// `inf`, `-inf` and hexadecimal bits. `i1` takes also `true` and `false`.
///
/// # Errors
/// Says what is wrong with the text and what the type takes.
pub fn parse_literal(ty: ElementType, text: &str) -> Result<u64, String> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return parse_bits(ty, text, digits);
    }
    match ty {
        ElementType::I1 => match text {
            "0" | "false" => Ok(0),
            "1" | "-1" | "true" => Ok(1),
            _ => Err(format!("\"{text}\" is not an i1: 0, 1, false or true")),
        },
        ElementType::Integer(..) | ElementType::Index => parse_integer(ty, text),
        ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64 => {
            parse_float(ty, text)
        }
    }
}

/// Prints the value with bits `bits` so that [`parse_literal`] reads the same value back.
///
/// Integers are decimal, unsigned for `ui` types and signed otherwise. Floats are the shortest
/// decimal that reads back as the same value; a NaN is `nan` or, with its sign bit set, `-nan`
/// (its payload is not shown).
pub fn print_literal(ty: ElementType, bits: u64) -> String {
    match ty {
        ElementType::I1 => (bits & 1).to_string(),
        ElementType::Integer(Sign::Unsigned, _) => bits.to_string(),
        ElementType::Integer(..) | ElementType::Index => sign_extend(bits, ty.bits()).to_string(),
        _ if is_nan(ty, bits) => {
            let negative = bits >> (ty.bits() - 1) & 1 == 1;
            if negative { "-nan" } else { "nan" }.to_owned()
        }
        ElementType::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        ElementType::F64 => format!("{:?}", f64::from_bits(bits)),
        ElementType::F16 | ElementType::Bf16 => print_half(ty, bits),
    }
}

/// Whether `bits` are a NaN of type `ty`; never for integers.
pub fn is_nan(ty: ElementType, bits: u64) -> bool {
    match ty {
        ElementType::I1 | ElementType::Integer(..) | ElementType::Index => false,
        ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64 => {
            to_f64(ty, bits).is_nan()
        }
    }
}

/// The bits of the value of type `ty` nearest to `value`; for integers, the value's low bits.
pub(crate) fn from_f64(ty: ElementType, value: f64) -> u64 {
    match ty {
        ElementType::I1 | ElementType::Integer(..) | ElementType::Index => {
            (value as i64 as u64) & mask(ty)
        }
        // Not by their own `from_f64`, which do not look at the last 32 bits.
        ElementType::F16 => u64::from(f16::from_f32(round_to_odd(value)).to_bits()),
        ElementType::Bf16 => u64::from(bf16::from_f32(round_to_odd(value)).to_bits()),
        ElementType::F32 => u64::from((value as f32).to_bits()),
        ElementType::F64 => value.to_bits(),
    }
}

/// `value` as an f32; where that is inexact, the neighbour with an odd last bit. Rounding that
/// again to a shorter type gives what rounding `value` once would.
fn round_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    if value.is_nan() || f64::from(nearest) == value {
        return nearest;
    }
    let is_beyond = f64::from(nearest).abs() > value.abs();
    let towards_zero = nearest.to_bits() - u32::from(is_beyond);
    f32::from_bits(towards_zero | 1)
}

/// The bits that a value of type `ty` has.
pub(crate) fn mask(ty: ElementType) -> u64 {
    u64::MAX >> (64 - ty.bits())
}

fn to_f64(ty: ElementType, bits: u64) -> f64 {
    match ty {
        ElementType::I1 | ElementType::Integer(..) | ElementType::Index => bits as f64,
        ElementType::F16 => f16::from_bits(bits as u16).to_f64(),
        ElementType::Bf16 => bf16::from_bits(bits as u16).to_f64(),
        ElementType::F32 => f64::from(f32::from_bits(bits as u32)),
        ElementType::F64 => f64::from_bits(bits),
    }
}

fn sign_extend(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (bits << unused) as i64 >> unused
}

fn parse_bits(ty: ElementType, text: &str, digits: &str) -> Result<u64, String> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(format!(
            "\"{text}\" is not hexadecimal: 0x and digits 0-9 a-f"
        ));
    }
    u64::from_str_radix(digits, 16)
        .ok()
        .filter(|bits| *bits <= mask(ty))
        .ok_or_else(|| format!("{text} has more than the {} bits of {ty}", ty.bits()))
}

fn parse_integer(ty: ElementType, text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!(
            "\"{text}\" is not an integer, which {ty} takes: decimal or 0x bits"
        ));
    }
    let (low, high) = (-(1i128 << (ty.bits() - 1)), (1i128 << ty.bits()) - 1);
    // More digits than an i128 holds are out of every range too.
    match text.parse::<i128>() {
        Ok(value) if (low..=high).contains(&value) => Ok(value as u64 & mask(ty)),
        _ => Err(format!("{text} does not fit {ty}: {low} to {high}")),
    }
}

fn parse_float(ty: ElementType, text: &str) -> Result<u64, String> {
    let sign = 1u64 << (ty.bits() - 1);
    let (infinity, nan) = (from_f64(ty, f64::INFINITY), from_f64(ty, f64::NAN) & !sign);
    match text {
        "nan" | "+nan" => return Ok(nan),
        "-nan" => return Ok(nan | sign),
        "inf" | "+inf" => return Ok(infinity),
        "-inf" => return Ok(infinity | sign),
        _ => {}
    }
    // Rust's own parser also takes "infinity" and "NaN" in any case.
    let decimal = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let bits = match ty {
        _ if !decimal => None,
        // Directly, for by way of f64 it would be rounded twice.
        ElementType::F32 => text
            .parse::<f32>()
            .ok()
            .map(|value| u64::from(value.to_bits())),
        _ => text.parse::<f64>().ok().map(|value| from_f64(ty, value)),
    };
    match bits {
        None => Err(format!(
            "\"{text}\" is not a number, which {ty} takes: decimal, nan, inf, -inf or 0x bits"
        )),
        Some(bits) if bits & !sign == infinity => {
            let largest = print_literal(ty, infinity - 1);
            Err(format!(
                "{text} does not fit {ty}, whose largest is {largest}: write inf"
            ))
        }
        Some(bits) => Ok(bits),
    }
}

/// The shortest decimal that rounds to the same f16 or bf16; five digits always do.
///
/// Whole numbers of everyday size are printed in full: 65504.0, although 65500 would do.
fn print_half(ty: ElementType, bits: u64) -> String {
    let value = to_f64(ty, bits);
    if value.fract() == 0.0 && value.abs() < 1e6 {
        return format!("{value:?}");
    }
    (0..5)
        .filter_map(|digits| format!("{value:.digits$e}").parse::<f64>().ok())
        .find(|shorter| from_f64(ty, *shorter) == bits)
        .map_or_else(|| format!("{value:?}"), |shorter| format!("{shorter:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ty: &str, text: &str, expect: Result<u64, &str>) {
        let got = parse_literal(ty.parse().unwrap(), text);
        assert_eq!(got, expect.map_err(str::to_owned), "{text}:{ty}");
    }

    #[test]
    fn integers() {
        check("i8", "-128", Ok(0x80));
        check("i8", "255", Ok(0xff));
        check("i8", "+7", Ok(7));
        check("i8", "256", Err("256 does not fit i8: -128 to 255"));
        check("i8", "-129", Err("-129 does not fit i8: -128 to 255"));
        check("i8", "0xff", Ok(0xff));
        check("i8", "0x100", Err("0x100 has more than the 8 bits of i8"));
        check("si32", "-1", Ok(0xffff_ffff));
        check("ui64", "18446744073709551615", Ok(u64::MAX));
        check("index", "7", Ok(7));
        let huge = "9".repeat(60);
        let error = format!("{huge} does not fit i32: -2147483648 to 4294967295");
        check("i32", &huge, Err(&error));
        for bad in ["", "-", "1.5", "x", "1_000", "--1", "nan"] {
            let error = format!("\"{bad}\" is not an integer, which i32 takes: decimal or 0x bits");
            check("i32", bad, Err(&error));
        }
        check(
            "i32",
            "0x",
            Err("\"0x\" is not hexadecimal: 0x and digits 0-9 a-f"),
        );
        check(
            "i32",
            "0x-1",
            Err("\"0x-1\" is not hexadecimal: 0x and digits 0-9 a-f"),
        );
        check("i1", "true", Ok(1));
        check("i1", "2", Err("\"2\" is not an i1: 0, 1, false or true"));
    }

    #[test]
    fn floats() {
        check("f32", "nan", Ok(0x7fc0_0000));
        check("f32", "-nan", Ok(0xffc0_0000));
        check("f32", "0x7fa00001", Ok(0x7fa0_0001));
        check("f32", "-inf", Ok(0xff80_0000));
        check("f32", "-0.0", Ok(0x8000_0000));
        check("f32", "1e-45", Ok(1));
        check("f32", "2", Ok(0x4000_0000));
        check("f64", "2.5", Ok(2.5f64.to_bits()));
        check("f16", "65504", Ok(0x7bff));
        check("bf16", "1.0", Ok(0x3f80));
        check("f16", "nan", Ok(0x7e00));
        // Halfway between two, and a little more.
        check("f16", "1.00048828125", Ok(0x3c00));
        check("f16", "1.00048828126", Ok(0x3c01));
        check("bf16", "1.00390625", Ok(0x3f80));
        check("bf16", "1.0039062500000002", Ok(0x3f81));
        check("bf16", "1e-300", Ok(0));
        check("bf16", "-nan", Ok(0xffc0));
        check(
            "f16",
            "65520",
            Err("65520 does not fit f16, whose largest is 65504.0: write inf"),
        );
        check(
            "f32",
            "-1e39",
            Err("-1e39 does not fit f32, whose largest is 3.4028235e38: write inf"),
        );
        for bad in ["", "infinity", "NaN", "1,5", "e", ".", "1e", "--1"] {
            let error = format!(
                "\"{bad}\" is not a number, which f32 takes: decimal, nan, inf, -inf or 0x bits"
            );
            check("f32", bad, Err(&error));
        }
        // A double rounding by way of f64 would give 1.0.
        check("f32", "1.00000005960464477540", Ok(0x3f80_0001));
    }

    #[test]
    fn every_half_reads_back() {
        for ty in [ElementType::F16, ElementType::Bf16] {
            for bits in 0..=0xffffu64 {
                let text = print_literal(ty, bits);
                let back = parse_literal(ty, &text).unwrap();
                assert!(
                    back == bits || is_nan(ty, bits) && is_nan(ty, back),
                    "{text}:{ty}"
                );
            }
        }
    }

    #[test]
    fn printing() {
        let print = |ty: &str, bits| print_literal(ty.parse().unwrap(), bits);
        assert_eq!(print("i8", 0xff), "-1");
        assert_eq!(print("si16", 0x8000), "-32768");
        assert_eq!(print("ui8", 0xff), "255");
        assert_eq!(print("ui64", u64::MAX), "18446744073709551615");
        assert_eq!(print("index", u64::MAX), "-1");
        assert_eq!(print("i1", 1), "1");
        assert_eq!(print("f32", u64::from(0.1f32.to_bits())), "0.1");
        assert_eq!(print("f32", 0x3f80_0000), "1.0");
        assert_eq!(print("f32", 0x8000_0000), "-0.0");
        assert_eq!(print("f32", 1), "1e-45");
        assert_eq!(print("f32", 0x7f80_0000), "inf");
        assert_eq!(print("f32", 0xff80_0000), "-inf");
        assert_eq!(print("f32", 0x7f80_0001), "nan");
        assert_eq!(print("f64", u64::MAX), "-nan");
        assert_eq!(print("f64", 1e300f64.to_bits()), "1e300");
        assert_eq!(print("f16", 0x2e66), "0.1");
        assert_eq!(print("f16", 0xfc00), "-inf");
        assert_eq!(print("bf16", 0x3dcd), "0.1");
        assert_eq!(print("bf16", 0x7f7f), "3.39e38");
    }
}
