//! The element types of buffers and scalars, with their names, sizes and what may stand for what.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whether an integer type says its sign, as MLIR's `i32`, `si32` and `ui32` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `i32`: only the bits; printed as signed.
    Signless,
    /// `si32`.
    Signed,
    /// `ui32`.
    Unsigned,
}

/// The width of an integer type, `i1` aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 8 bits.
    W8,
    /// 16 bits.
    W16,
    /// 32 bits.
    W32,
    /// 64 bits.
    W64,
}

impl Width {
    /// The number of bits.
    pub fn bits(self) -> u32 {
        match self {
            Width::W8 => 8,
            Width::W16 => 16,
            Width::W32 => 32,
            Width::W64 => 64,
        }
    }
}

/// The type of a buffer's elements or of a scalar.
///
/// Written and read as MLIR writes it:
/// ```
/// use xpu_runtime::ElementType;
/// let ty: ElementType = "ui32".parse().unwrap();
/// assert_eq!((ty.to_string().as_str(), ty.size()), ("ui32", 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum ElementType {
    /// A truth value; one byte in memory, 0 or 1.
    I1,
    /// An integer.
    Integer(Sign, Width),
    /// IEEE 754 binary16.
    F16,
    /// The upper half of a binary32.
    Bf16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// MLIR's `index`: 8 bytes here, 4 on a target whose [`index_bits`] are 32.
    ///
    /// [`index_bits`]: crate::Manifest::index_bits
    Index,
}

impl ElementType {
    /// Signless 8-bit.
    pub const I8: Self = Self::Integer(Sign::Signless, Width::W8);
    /// Signless 16-bit.
    pub const I16: Self = Self::Integer(Sign::Signless, Width::W16);
    /// Signless 32-bit.
    pub const I32: Self = Self::Integer(Sign::Signless, Width::W32);
    /// Signless 64-bit.
    pub const I64: Self = Self::Integer(Sign::Signless, Width::W64);
    /// Signed 32-bit.
    pub const SI32: Self = Self::Integer(Sign::Signed, Width::W32);
    /// Unsigned 32-bit.
    pub const UI32: Self = Self::Integer(Sign::Unsigned, Width::W32);

    /// Every element type, in the order in which messages list them.
    pub const ALL: [Self; 18] = [
        Self::I1,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::Integer(Sign::Signed, Width::W8),
        Self::Integer(Sign::Signed, Width::W16),
        Self::SI32,
        Self::Integer(Sign::Signed, Width::W64),
        Self::Integer(Sign::Unsigned, Width::W8),
        Self::Integer(Sign::Unsigned, Width::W16),
        Self::UI32,
        Self::Integer(Sign::Unsigned, Width::W64),
        Self::F16,
        Self::Bf16,
        Self::F32,
        Self::F64,
        Self::Index,
    ];

    /// Bytes of one element in a buffer on the host.
    pub fn size(self) -> usize {
        (self.bits() as usize).div_ceil(8)
    }

    /// Bits of the value: 1 for `i1`, 64 for `index`, else the width in the name.
    pub fn bits(self) -> u32 {
        match self {
            Self::I1 => 1,
            Self::Integer(_, width) => width.bits(),
            Self::F16 | Self::Bf16 => 16,
            Self::F32 => 32,
            Self::F64 | Self::Index => 64,
        }
    }

    /// Whether the value is a float.
    pub fn is_float(self) -> bool {
        match self {
            Self::I1 | Self::Integer(..) | Self::Index => false,
            Self::F16 | Self::Bf16 | Self::F32 | Self::F64 => true,
        }
    }

    /// Whether buffers of this type are allocated in whole 4-byte words, so that an atomic on an
    /// element may work on the word around it.
    pub fn whole_words(self) -> bool {
        self.size() < 4
    }

    /// Whether a value of type `self` may be given where `wanted` is declared: integers of one
    /// width whatever they say of the sign, otherwise only the same type.
    pub fn fits(self, wanted: Self) -> bool {
        match (self, wanted) {
            (Self::Integer(_, given), Self::Integer(_, wanted)) => given == wanted,
            (given, wanted) => given == wanted,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::I1 => f.pad("i1"),
            Self::Integer(sign, width) => {
                let sign = match sign {
                    Sign::Signless => "",
                    Sign::Signed => "s",
                    Sign::Unsigned => "u",
                };
                f.pad(&format!("{sign}i{}", width.bits()))
            }
            Self::F16 => f.pad("f16"),
            Self::Bf16 => f.pad("bf16"),
            Self::F32 => f.pad("f32"),
            Self::F64 => f.pad("f64"),
            Self::Index => f.pad("index"),
        }
    }
}

impl FromStr for ElementType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|ty| ty.to_string() == text)
            .ok_or_else(|| {
                let known: Vec<String> = Self::ALL.iter().map(Self::to_string).collect();
                format!(
                    "unknown element type \"{text}\": one of {}",
                    known.join(" ")
                )
            })
    }
}

impl From<ElementType> for String {
    fn from(ty: ElementType) -> String {
        ty.to_string()
    }
}

impl TryFrom<String> for ElementType {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for ty in ElementType::ALL {
            assert_eq!(ty.to_string().parse(), Ok(ty));
        }
        let error = "i33".parse::<ElementType>().unwrap_err();
        assert!(
            error.starts_with("unknown element type \"i33\": one of i1 i8"),
            "{error}"
        );
    }

    #[test]
    fn sizes() {
        let sizes: Vec<String> = ElementType::ALL
            .iter()
            .map(|ty| format!("{ty}={}", ty.size()))
            .collect();
        assert_eq!(
            sizes.join(" "),
            "i1=1 i8=1 i16=2 i32=4 i64=8 si8=1 si16=2 si32=4 si64=8 ui8=1 ui16=2 ui32=4 ui64=8 \
             f16=2 bf16=2 f32=4 f64=8 index=8"
        );
    }

    #[test]
    fn what_stands_for_what() {
        assert!(ElementType::I32.fits(ElementType::UI32));
        assert!(ElementType::SI32.fits(ElementType::I32));
        assert!(!ElementType::I32.fits(ElementType::I64));
        assert!(!ElementType::I32.fits(ElementType::F32));
        assert!(!ElementType::F16.fits(ElementType::Bf16));
        assert!(!ElementType::I64.fits(ElementType::Index));
    }
}
