//! Element types, as MLIR writes them, and their bits.

use half::{bf16, f16};

/// What the bits of an element mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// An integer whose sign the operation says.
    Signless,
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// IEEE binary16.
    F16,
    /// The upper half of a binary32.
    Bf16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// As MLIR writes it.
    pub name: &'static str,
    /// How many bits it has.
    pub bits: u32,
    /// What they mean.
    pub format: Format,
}

const fn ty(name: &'static str, bits: u32, format: Format) -> Type {
    Type { name, bits, format }
}

impl Type {
    /// Integers without a sign.
    pub const SIGNLESS: [Type; 4] = [
        ty("i8", 8, Format::Signless),
        ty("i16", 16, Format::Signless),
        ty("i32", 32, Format::Signless),
        ty("i64", 64, Format::Signless),
    ];
    /// Integers with one.
    pub const SIGNED: [Type; 8] = [
        ty("si8", 8, Format::Signed),
        ty("ui8", 8, Format::Unsigned),
        ty("si16", 16, Format::Signed),
        ty("ui16", 16, Format::Unsigned),
        ty("si32", 32, Format::Signed),
        ty("ui32", 32, Format::Unsigned),
        ty("si64", 64, Format::Signed),
        ty("ui64", 64, Format::Unsigned),
    ];
    /// Floats.
    pub const FLOATS: [Type; 4] = [
        ty("f16", 16, Format::F16),
        ty("bf16", 16, Format::Bf16),
        ty("f32", 32, Format::F32),
        ty("f64", 64, Format::F64),
    ];

    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        self.bits as usize / 8
    }

    /// The bits of an element.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(
            self.format,
            Format::F16 | Format::Bf16 | Format::F32 | Format::F64
        )
    }

    /// The largest integer below which every integer is a value of this float.
    pub fn exact_integers(self) -> u64 {
        match self.format {
            Format::F16 => 1 << 11,
            Format::Bf16 => 1 << 8,
            Format::F32 => 1 << 24,
            Format::F64 | Format::Signless | Format::Signed | Format::Unsigned => 1 << 53,
        }
    }

    /// The float with these bits.
    pub fn to_f64(self, bits: u64) -> f64 {
        match self.format {
            Format::F16 => f16::from_bits(bits as u16).to_f64(),
            Format::Bf16 => bf16::from_bits(bits as u16).to_f64(),
            Format::F32 => f64::from(f32::from_bits(bits as u32)),
            Format::F64 | Format::Signless | Format::Signed | Format::Unsigned => {
                f64::from_bits(bits)
            }
        }
    }

    /// The bits of the float nearest to `value`.
    pub fn from_f64(self, value: f64) -> u64 {
        match self.format {
            Format::F16 => u64::from(f16::from_f64(value).to_bits()),
            Format::Bf16 => u64::from(bf16::from_f64(value).to_bits()),
            Format::F32 => u64::from((value as f32).to_bits()),
            Format::F64 | Format::Signless | Format::Signed | Format::Unsigned => value.to_bits(),
        }
    }

    /// The bits that both kinds of NaN are compared as, or the bits themselves.
    pub fn one_nan(self, bits: u64) -> u64 {
        if self.is_float() && self.to_f64(bits).is_nan() {
            self.from_f64(f64::NAN)
        } else {
            bits
        }
    }

    /// The integer, with its sign.
    pub fn to_signed(self, bits: u64) -> i64 {
        let unused = 64 - self.bits;
        ((bits << unused) as i64) >> unused
    }

    /// The elements that lie in `bytes`.
    pub fn read(self, bytes: &[u8]) -> Vec<u64> {
        bytes
            .chunks_exact(self.bytes())
            .map(|element| {
                let mut word = [0; 8];
                word[..element.len()].copy_from_slice(element);
                u64::from_le_bytes(word)
            })
            .collect()
    }

    /// The bytes of elements.
    pub fn write(self, elements: &[u64]) -> Vec<u8> {
        elements
            .iter()
            .flat_map(|element| element.to_le_bytes().into_iter().take(self.bytes()))
            .collect()
    }
}
