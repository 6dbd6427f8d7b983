//! The generator behind `random(SEED)`: splitmix64, and how each element type is made from it.

use crate::element::ElementType;
use crate::literal::{from_f64, mask};

/// Steele, Lea and Flood's splitmix64; [`ARGUMENT_LANGUAGE`](crate::ARGUMENT_LANGUAGE) spells it out.
pub(crate) struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The bits of the next element of type `ty`.
    pub(crate) fn element(&mut self, ty: ElementType) -> u64 {
        let z = self.next();
        // `unused` low bits dropped leave an integer that the float's significand holds exactly.
        let float = |unused: u32, step: f64| (z >> unused) as f64 * step - 1.0;
        match ty {
            ElementType::I1 | ElementType::Integer(..) => z & mask(ty),
            ElementType::Index => z >> 33,
            ElementType::F64 => from_f64(ty, float(11, 2f64.powi(-52))),
            ElementType::F32 => from_f64(ty, float(40, 2f64.powi(-23))),
            ElementType::F16 => from_f64(ty, float(53, 2f64.powi(-10))),
            ElementType::Bf16 => from_f64(ty, float(56, 2f64.powi(-7))),
        }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literal::print_literal;

    #[test]
    fn published_sequence() {
        // The first outputs of the reference implementation for the seed 1234567.
        let mut generator = SplitMix64::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| generator.next()).collect();
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn elements() {
        let first = |ty: &str| {
            let ty = ty.parse().unwrap();
            print_literal(ty, SplitMix64::new(1_234_567).element(ty))
        };
        assert_eq!(first("ui64"), "6457827717110365317");
        assert_eq!(
            first("ui8"),
            (6_457_827_717_110_365_317u64 & 0xff).to_string()
        );
        assert_eq!(
            first("index"),
            (6_457_827_717_110_365_317u64 >> 33).to_string()
        );
        assert_eq!(first("f16"), "-0.3008");
        assert_eq!(first("f32"), "-0.29984093");
    }

    #[test]
    fn floats_stay_in_range() {
        for ty in ["f16", "bf16", "f32", "f64"] {
            let ty = ty.parse().unwrap();
            let mut generator = SplitMix64::new(0);
            let (mut low, mut high) = (1.0f64, -1.0f64);
            for _ in 0..10_000 {
                let value: f64 = print_literal(ty, generator.element(ty)).parse().unwrap();
                assert!((-1.0..1.0).contains(&value), "{value}");
                (low, high) = (low.min(value), high.max(value));
            }
            assert!(low < -0.9 && high > 0.9);
        }
    }
}
