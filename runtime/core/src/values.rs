//! What an argument holds: elements as raw little-endian bytes, their type and their shape.

use std::fmt;

use crate::element::{ElementType, Sign};
use crate::literal::{is_nan, print_literal};

/// The elements of a buffer, or one scalar.
///
/// Displays as `--print` shows it: `[1, 2, 3]`, or `7` for a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    element: ElementType,
    shape: Option<Vec<u64>>,
    bytes: Vec<u8>,
}

impl Values {
    /// A buffer of `shape` whose elements, row-major, are `bytes`; `None` if the bytes are not as
    /// many as the shape says.
    pub fn buffer(element: ElementType, shape: Vec<u64>, bytes: Vec<u8>) -> Option<Self> {
        let count = element_count(&shape)?;
        let needed = count.checked_mul(element.size() as u64)?;
        (needed == bytes.len() as u64).then_some(Self {
            element,
            shape: Some(shape),
            bytes,
        })
    }

    /// The scalar whose bits are the low bits of `bits`.
    pub fn scalar(element: ElementType, bits: u64) -> Self {
        let bytes = bits.to_le_bytes()[..element.size()].to_vec();
        Self {
            element,
            shape: None,
            bytes,
        }
    }

    /// The elements' type.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The extents, outermost first; `None` for a scalar.
    pub fn shape(&self) -> Option<&[u64]> {
        self.shape.as_deref()
    }

    /// The number of elements.
    pub fn count(&self) -> u64 {
        (self.bytes.len() / self.element.size()) as u64
    }

    /// The elements, little-endian, row-major, with nothing between them.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bits of element `index`, zero-extended; `None` beyond the end.
    pub fn bits(&self, index: u64) -> Option<u64> {
        let size = self.element.size();
        let start = usize::try_from(index).ok()?.checked_mul(size)?;
        let element = self.bytes.get(start..start.checked_add(size)?)?;
        Some(to_bits(element))
    }

    /// The same type and shape with other bytes.
    ///
    /// # Panics
    /// If they are not as many.
    pub(crate) fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        assert_eq!(
            bytes.len(),
            self.bytes.len(),
            "as many bytes as elements need"
        );
        Self {
            element: self.element,
            shape: self.shape.clone(),
            bytes,
        }
    }

    /// Takes the sign of `declared`, an integer type of the same width, unless these values' type
    /// says one itself: a `ui32` buffer prints as unsigned also when it was given as `i32`.
    pub(crate) fn take_sign_of(&mut self, declared: ElementType) {
        if let (ElementType::Integer(Sign::Signless, own), ElementType::Integer(_, width)) =
            (self.element, declared)
            && own == width
        {
            self.element = declared;
        }
    }

    /// Whether these values can be compared with `expected`: as many, of a type that fits.
    ///
    /// # Errors
    /// Says what these values hold and what was expected.
    pub fn check_comparable(&self, expected: &Self) -> Result<(), String> {
        let (ty, wanted) = (self.element, expected.element);
        if !wanted.fits(ty) {
            return Err(format!("holds {ty}, but {wanted} was expected"));
        }
        let (count, wanted) = (self.count(), expected.count());
        if count != wanted {
            return Err(format!(
                "holds {count} {}, expected {wanted}",
                plural(count, "element")
            ));
        }
        Ok(())
    }

    /// Whether these values are `expected`: as many, of the same bits, any NaN being equal to any
    /// NaN. Shapes are not compared, nor what integer types say of the sign.
    ///
    /// # Errors
    /// Names the first element that differs, what it is and what was expected, and how many do.
    pub fn check(&self, expected: &Self) -> Result<(), String> {
        self.check_comparable(expected)?;
        let (ty, wanted) = (self.element, expected.element);
        if self.bytes == expected.bytes {
            return Ok(());
        }
        let size = ty.size();
        let pairs = self
            .bytes
            .chunks_exact(size)
            .zip(expected.bytes.chunks_exact(size));
        let mut first = None;
        let mut differing = 0u64;
        for (index, (got, want)) in pairs.enumerate() {
            let (got, want) = (to_bits(got), to_bits(want));
            if got != want && !(is_nan(ty, got) && is_nan(ty, want)) {
                differing += 1;
                first.get_or_insert((index, got, want));
            }
        }
        let Some((index, got, want)) = first else {
            return Ok(());
        };
        // Both in the expectation's type, so that they can be compared by eye.
        let (got, want) = (print_literal(wanted, got), print_literal(wanted, want));
        if self.shape.is_none() {
            return Err(format!("is {got}, expected {want}"));
        }
        let (count, place) = (self.count(), self.place(index as u64));
        let elements = plural(count, "element");
        let differ = if differing == 1 { "differs" } else { "differ" };
        Err(format!(
            "element {index}{place} is {got}, expected {want}; \
             {differing} of {count} {elements} {differ}"
        ))
    }

    /// " ([1, 2])" for an element of a buffer of several dimensions.
    fn place(&self, mut index: u64) -> String {
        let Some(shape) = self.shape.as_deref().filter(|shape| shape.len() > 1) else {
            return String::new();
        };
        let mut indices: Vec<u64> = shape
            .iter()
            .rev()
            .map(|extent| {
                let at = index % extent.max(&1);
                index /= extent.max(&1);
                at
            })
            .collect();
        indices.reverse();
        format!(" ({indices:?})")
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elements = self.bytes.chunks_exact(self.element.size()).map(to_bits);
        if self.shape.is_some() {
            f.write_str("[")?;
        }
        for (index, bits) in elements.enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            f.write_str(&print_literal(self.element, bits))?;
        }
        if self.shape.is_some() {
            f.write_str("]")?;
        }
        Ok(())
    }
}

/// The number of elements of a shape; `None` if it does not fit.
pub(crate) fn element_count(shape: &[u64]) -> Option<u64> {
    // A zero anywhere is zero elements, however large the others are.
    if shape.contains(&0) {
        return Some(0);
    }
    shape
        .iter()
        .try_fold(1u64, |count, extent| count.checked_mul(*extent))
}

/// "4x8xi32".
pub(crate) fn display_shape(shape: &[u64], element: ElementType) -> String {
    let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
    format!("{extents}{element}")
}

/// `word`, in the plural unless there is one.
pub(crate) fn plural(count: u64, word: &str) -> String {
    if count == 1 {
        word.to_owned()
    } else {
        format!("{word}s")
    }
}

fn to_bits(element: &[u8]) -> u64 {
    element
        .iter()
        .rev()
        .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::ArgumentSpec;

    fn values(text: &str) -> Values {
        text.parse::<ArgumentSpec>()
            .unwrap()
            .evaluate(text)
            .unwrap()
    }

    fn check(got: &str, expected: &str, result: Result<(), &str>) {
        let outcome = values(got).check(&values(expected));
        assert_eq!(
            outcome,
            result.map_err(str::to_owned),
            "{got} against {expected}"
        );
    }

    #[test]
    fn display() {
        assert_eq!(values("[1,-2,3]:i32").to_string(), "[1, -2, 3]");
        assert_eq!(values("[1,-2]:ui16").to_string(), "[1, 65534]");
        assert_eq!(
            values("[nan,-nan,-0.0,0.1]:f32").to_string(),
            "[nan, -nan, -0.0, 0.1]"
        );
        assert_eq!(values("zeros:0xi32").to_string(), "[]");
        assert_eq!(values("iota:2x3xi8").to_string(), "[0, 1, 2, 3, 4, 5]");
        assert_eq!(values("2.5:bf16").to_string(), "2.5");
        assert_eq!(values("-7:index").to_string(), "-7");
    }

    #[test]
    fn bits() {
        let buffer = values("[-1,2]:i16");
        assert_eq!(
            (buffer.bits(0), buffer.bits(1), buffer.bits(2)),
            (Some(0xffff), Some(2), None)
        );
        assert_eq!(buffer.bits(u64::MAX), None);
    }

    #[test]
    fn comparisons() {
        check("[1,2]:i32", "[1,2]:ui32", Ok(()));
        check("[nan,1.0]:f32", "[0xffc00001,1.0]:f32", Ok(()));
        check("[nan]:bf16", "[-nan]:bf16", Ok(()));
        check("5:i32", "5:i32", Ok(()));
        check("zeros:2x2xi32", "zeros:4xi32", Ok(()));
        check(
            "[1,2,3]:i32",
            "[1,5,6]:i32",
            Err("element 1 is 2, expected 5; 2 of 3 elements differ"),
        );
        check(
            "[-1]:i32",
            "[7]:ui32",
            Err("element 0 is 4294967295, expected 7; \
             1 of 1 element differs"),
        );
        check(
            "iota:2x3xi32",
            "fill(0):2x3xi32",
            Err("element 1 ([0, 1]) is 1, expected 0; 5 of 6 elements differ"),
        );
        check(
            "[0.0]:f32",
            "[-0.0]:f32",
            Err("element 0 is 0.0, expected -0.0; \
             1 of 1 element differs"),
        );
        check(
            "[nan]:f32",
            "[1]:f32",
            Err("element 0 is nan, expected 1.0; \
             1 of 1 element differs"),
        );
        check("[1,2]:i32", "[1]:i32", Err("holds 2 elements, expected 1"));
        check(
            "[1]:i32",
            "[1.0]:f32",
            Err("holds i32, but f32 was expected"),
        );
        check("5:i32", "6:i32", Err("is 5, expected 6"));
    }
}
