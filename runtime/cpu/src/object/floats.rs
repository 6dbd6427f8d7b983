//! Conversions to bf16, which LLVM calls. GCC's library has them since version 13; these do more.
//!
//! They round to the nearest, ties to even, and once. A NaN stays one, and a signalling NaN that a
//! bf16 can hold stays as it is: LLVM keeps a bf16 that is only moved in an f32 for a while, and comes
//! here to get it back, bit for bit.

use std::ffi::c_void;

/// The address of one of these functions.
pub(super) fn find(name: &str) -> Option<*const c_void> {
    match name {
        "__truncsfbf2" => Some(truncate_f32 as *const c_void),
        "__truncdfbf2" => Some(truncate_f64 as *const c_void),
        _ => None,
    }
}

/// A bf16 is returned in the low half of the register in which an f32 is (System V ABI for x86-64).
/// Above it is zero, and a word like that is no NaN as an f32, so that nothing alters it on the way.
extern "C" fn truncate_f32(value: f32) -> f32 {
    f32::from_bits(u32::from(bf16_bits(value)))
}

extern "C" fn truncate_f64(value: f64) -> f32 {
    truncate_f32(round_to_odd(value))
}

/// The bits of the bf16 nearest to `value`.
fn bf16_bits(value: f32) -> u16 {
    const QUIET: u32 = 1 << 22;
    let bits = value.to_bits();
    let rounded = if bits & 0xffff == 0 {
        bits
    } else if value.is_nan() {
        bits | QUIET
    } else {
        // Half of what is cut off, less one where the last bit that stays is even.
        bits + 0x7fff + (bits >> 16 & 1)
    };
    (rounded >> 16) as u16
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f32_to_bf16() {
        let check = |value: f32, expect: u16| {
            assert_eq!(bf16_bits(value), expect, "{value:e}");
            assert_eq!(bf16_bits(-value), expect | 0x8000, "-{value:e}");
        };
        check(0.0, 0);
        check(1.0, 0x3f80);
        // Ties, and next to one.
        check(f32::from_bits(0x3f80_8000), 0x3f80);
        check(f32::from_bits(0x3f81_8000), 0x3f82);
        check(f32::from_bits(0x3f80_8001), 0x3f81);
        check(f32::from_bits(0x3f80_7fff), 0x3f80);
        check(f32::MAX, 0x7f80);
        check(f32::INFINITY, 0x7f80);
        check(f32::from_bits(1), 0);
        check(f32::from_bits(0x8001), 1);
        check(f32::from_bits(0x7f80_0001), 0x7fc0);
        check(f32::from_bits(0x7fff_ffff), 0x7fff);
        check(f32::from_bits(0x7f81_0000), 0x7f81);
    }

    #[test]
    fn f64_is_rounded_once() {
        let check = |value: f64, expect: u16| {
            assert_eq!(bf16_bits(round_to_odd(value)), expect, "{value:e}");
            assert_eq!(
                bf16_bits(round_to_odd(-value)),
                expect | 0x8000,
                "-{value:e}"
            );
        };
        let half_step = 1.0 + 2f64.powi(-8);
        check(half_step, 0x3f80);
        // By way of the nearest f32, both would be ties.
        check(half_step + 2f64.powi(-40), 0x3f81);
        check(half_step + 2f64.powi(-7) - 2f64.powi(-40), 0x3f81);
        check(0.0, 0);
        check(f64::MAX, 0x7f80);
        check(f64::INFINITY, 0x7f80);
        check(f64::from_bits(1), 0);
        check(f64::NAN.abs(), 0x7fc0);
    }
}
