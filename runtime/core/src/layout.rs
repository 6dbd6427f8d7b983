//! Where a buffer's elements lie: a memref's type made whole by the values given for it.

use crate::element::ElementType;
use crate::manifest::Memref;
use crate::values::{Values, display_shape, element_count, plural};

/// Extents, strides and offset, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    extents: Vec<u64>,
    strides: Vec<u64>,
    offset: u64,
    /// Elements from the buffer's start to the end of its last element.
    span: u64,
    /// Bytes of an element on the device.
    size: usize,
}

impl Layout {
    /// The layout of `memref` when `shape`, of elements `element`, is given for it.
    ///
    /// A flat buffer stands for any shape with as many elements if at most one extent is dynamic,
    /// and any buffer stands for a flat one. Dynamic strides are those of row-major elements with
    /// nothing between them.
    ///
    /// # Errors
    /// If the shape is none that the memref takes, or one that no memory could hold.
    pub fn new(memref: &Memref, shape: &[u64], index_bits: u32) -> Result<Self, String> {
        let extents = extents(memref, shape)?;
        let too_large = || format!("{} is larger than any memory", display(memref, &extents));
        let mut strides = vec![0; extents.len()];
        let mut contiguous = 1u64;
        for dimension in (0..extents.len()).rev() {
            let declared = memref
                .strides
                .as_ref()
                .and_then(|strides| strides[dimension]);
            let stride = match declared {
                None => contiguous,
                Some(stride) => u64::try_from(stride).map_err(|_| {
                    format!("{memref} has a negative stride, which launchers do not lay out")
                })?,
            };
            strides[dimension] = stride;
            contiguous = stride
                .checked_mul(extents[dimension])
                .ok_or_else(too_large)?;
        }
        let offset = memref.offset.unwrap_or(0);
        let last = extents
            .iter()
            .zip(&strides)
            .try_fold(offset, |last, (extent, stride)| {
                last.checked_add(extent.saturating_sub(1).checked_mul(*stride)?)
            });
        let last = last.ok_or_else(too_large)?;
        let empty = extents.contains(&0);
        let span = if empty {
            0
        } else {
            last.checked_add(1).ok_or_else(too_large)?
        };
        let size = device_size(memref.element, index_bits);
        if span
            .checked_mul(size as u64)
            .is_none_or(|bytes| bytes > isize::MAX as u64)
        {
            return Err(too_large());
        }
        if index_bits == 32 && span > 1 << 31 {
            return Err(format!(
                "{} has {span} elements: this target counts them in 32 bits, so at most 2^31",
                display(memref, &extents)
            ));
        }
        Ok(Self {
            extents,
            strides,
            offset,
            span,
            size,
        })
    }

    /// The extents, outermost first.
    pub fn extents(&self) -> &[u64] {
        &self.extents
    }

    /// The strides, in elements.
    pub fn strides(&self) -> &[u64] {
        &self.strides
    }

    /// Bytes from the buffer's start to the end of its last element.
    pub fn bytes(&self) -> u64 {
        self.span * self.size as u64
    }

    /// Lays the elements of `values` out in `memory`, which holds at least [`bytes`](Self::bytes).
    ///
    /// # Errors
    /// If an `index` does not fit the device's.
    pub fn scatter(&self, values: &Values, memory: &mut [u8]) -> Result<(), String> {
        let size = values.element().size();
        if self.dense() && self.size == size {
            memory[..values.bytes().len()].copy_from_slice(values.bytes());
            return Ok(());
        }
        for (element, place) in values.bytes().chunks_exact(size).zip(self.places()) {
            if element[self.size..].iter().any(|byte| *byte != 0) {
                return Err("holds an index of more than the 32 bits that this target has".into());
            }
            let start = place * self.size;
            memory[start..start + self.size].copy_from_slice(&element[..self.size]);
        }
        Ok(())
    }

    /// The elements that lie in `memory`, as many as `like` has, with its type and shape.
    pub fn gather(&self, memory: &[u8], like: &Values) -> Values {
        let size = like.element().size();
        if self.dense() && self.size == size {
            return like.with_bytes(memory[..like.bytes().len()].to_vec());
        }
        let mut bytes = vec![0; like.bytes().len()];
        for (element, place) in bytes.chunks_exact_mut(size).zip(self.places()) {
            let start = place * self.size;
            element[..self.size].copy_from_slice(&memory[start..start + self.size]);
        }
        like.with_bytes(bytes)
    }

    /// Whether the elements lie in order from the start with nothing between them.
    fn dense(&self) -> bool {
        let mut contiguous = 1u64;
        self.offset == 0
            && self
                .extents
                .iter()
                .zip(&self.strides)
                .rev()
                .all(|(extent, stride)| {
                    let expected = contiguous;
                    // Wraps only around an extent of 0, where no element is anywhere.
                    contiguous = contiguous.wrapping_mul(*extent);
                    *extent == 1 || *stride == expected
                })
    }

    /// The place of every element, row-major, in elements from the buffer's start.
    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let count = element_count(&self.extents).unwrap_or(0);
        (0..count).map(|mut index| {
            let mut place = self.offset;
            for (extent, stride) in self.extents.iter().zip(&self.strides).rev() {
                place += index % extent * stride;
                index /= extent;
            }
            place as usize
        })
    }
}

/// Bytes of an element where an `index` has `index_bits` bits.
pub(crate) fn device_size(element: ElementType, index_bits: u32) -> usize {
    match element {
        ElementType::Index => index_bits as usize / 8,
        ElementType::I1
        | ElementType::Integer(..)
        | ElementType::F16
        | ElementType::Bf16
        | ElementType::F32
        | ElementType::F64 => element.size(),
    }
}

/// The memref's extents when a buffer of `shape` is given for it.
fn extents(memref: &Memref, shape: &[u64]) -> Result<Vec<u64>, String> {
    let declared = &memref.shape;
    let given = display(memref, shape);
    if shape.len() == declared.len() {
        let fits = declared
            .iter()
            .zip(shape)
            .all(|(d, s)| d.is_none_or(|d| d == *s));
        return if fits {
            Ok(shape.to_vec())
        } else {
            Err(match static_count(declared) {
                Some(count) => format!("{memref} takes exactly {}, not {given}", elements(count)),
                None => format!("{memref} does not take the shape {given}"),
            })
        };
    }
    let count = element_count(shape).ok_or_else(|| format!("{given} is too large"))?;
    // Flat for any shape, any shape for flat; two different shapes of several dimensions are more
    // likely a mistake.
    if shape.len() > 1 && declared.len() > 1 {
        return Err(format!("{memref} does not take the shape {given}"));
    }
    let open = declared.iter().filter(|extent| extent.is_none()).count();
    if open > 1 {
        let example: String = (2..)
            .take(declared.len())
            .map(|n| format!("{n}x"))
            .collect();
        return Err(format!(
            "{memref} has {open} dynamic extents: write the shape, like zeros:{example}{}",
            memref.element
        ));
    }
    let fixed: Vec<u64> = declared.iter().copied().flatten().collect();
    let fixed = element_count(&fixed).ok_or_else(|| format!("{memref} is too large"))?;
    if open == 0 {
        if fixed != count {
            return Err(format!(
                "{memref} takes exactly {}, not {count}",
                elements(fixed)
            ));
        }
        return Ok(declared.iter().copied().flatten().collect());
    }
    let extent = match (count, fixed) {
        (0, _) => 0,
        (_, 1..) if count % fixed == 0 => count / fixed,
        _ => {
            return Err(format!(
                "{memref} takes a multiple of {}, not {count}",
                elements(fixed)
            ));
        }
    };
    Ok(declared
        .iter()
        .map(|declared| declared.unwrap_or(extent))
        .collect())
}

fn static_count(declared: &[Option<u64>]) -> Option<u64> {
    let fixed: Option<Vec<u64>> = declared.iter().copied().collect();
    element_count(&fixed?).filter(|_| declared.len() == 1)
}

fn elements(count: u64) -> String {
    format!("{count} {}", plural(count, "element"))
}

fn display(memref: &Memref, shape: &[u64]) -> String {
    display_shape(shape, memref.element)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_argument;

    const OPEN: Option<u64> = None;

    fn check(shape: &[Option<u64>], given: &[u64], expect: Result<&[u64], &str>) {
        let memref = Memref::new(ElementType::I32, shape.to_vec());
        let layout = Layout::new(&memref, given, 64);
        let extents = layout.as_ref().map(Layout::extents).map_err(String::as_str);
        assert_eq!(extents, expect, "{memref} given {given:?}");
    }

    #[test]
    fn shapes() {
        check(&[OPEN], &[5], Ok(&[5]));
        check(&[OPEN], &[2, 3], Ok(&[6]));
        check(&[Some(5)], &[5], Ok(&[5]));
        check(
            &[Some(5)],
            &[4],
            Err("memref<5xi32> takes exactly 5 elements, not 4xi32"),
        );
        check(&[Some(6)], &[2, 3], Ok(&[6]));
        check(
            &[Some(5)],
            &[2, 3],
            Err("memref<5xi32> takes exactly 5 elements, not 6"),
        );
        check(&[Some(2), Some(3)], &[6], Ok(&[2, 3]));
        check(
            &[Some(2), Some(3)],
            &[5],
            Err("memref<2x3xi32> takes exactly 6 elements, not 5"),
        );
        check(
            &[Some(2), Some(3)],
            &[3, 2],
            Err("memref<2x3xi32> does not take the shape 3x2xi32"),
        );
        check(&[OPEN, Some(3)], &[6], Ok(&[2, 3]));
        check(
            &[OPEN, Some(3)],
            &[7],
            Err("memref<?x3xi32> takes a multiple of 3 elements, not 7"),
        );
        check(&[OPEN, OPEN], &[2, 3], Ok(&[2, 3]));
        check(
            &[OPEN, OPEN],
            &[6],
            Err("memref<?x?xi32> has 2 dynamic extents: write the shape, like zeros:2x3xi32"),
        );
        check(
            &[OPEN, OPEN],
            &[1, 2, 3],
            Err("memref<?x?xi32> does not take the shape 1x2x3xi32"),
        );
        check(&[], &[1], Ok(&[]));
        check(&[], &[2], Err("memref<i32> takes exactly 1 element, not 2"));
        check(&[OPEN], &[0], Ok(&[0]));
        check(&[OPEN, Some(0)], &[0], Ok(&[0, 0]));
        check(
            &[OPEN, Some(0)],
            &[3],
            Err("memref<?x0xi32> takes a multiple of 0 elements, not 3"),
        );
    }

    fn strided(strides: &[Option<i64>], offset: Option<u64>) -> Memref {
        let shape = vec![None; strides.len()];
        Memref {
            strides: Some(strides.to_vec()),
            offset,
            ..Memref::new(ElementType::I16, shape)
        }
    }

    #[test]
    fn strides() {
        let check = |strides: &[Option<i64>], shape: &[u64], expect: &[u64], bytes| {
            let layout = Layout::new(&strided(strides, None), shape, 64).unwrap();
            assert_eq!((layout.strides(), layout.bytes()), (expect, bytes));
        };
        check(&[None, None], &[2, 3], &[3, 1], 12);
        check(&[None, Some(2)], &[2, 3], &[6, 2], 22);
        check(&[Some(16), None], &[2, 3], &[16, 1], 38);
        check(&[Some(16), None], &[0, 3], &[16, 1], 0);
        let error = Layout::new(&strided(&[Some(-1)], None), &[4], 64).unwrap_err();
        let expect = "memref<?xi16, strided<[-1], offset: ?>> has a negative stride, which \
                      launchers do not lay out";
        assert_eq!(error, expect);
        let error = Layout::new(&strided(&[Some(i64::MAX)], None), &[4], 64).unwrap_err();
        assert_eq!(error, "4xi16 is larger than any memory");
    }

    #[test]
    fn elements_come_back_from_where_they_were_put() {
        let memref = strided(&[Some(4), Some(2)], Some(1));
        let values = parse_argument("it", "[1,2,3,4]:2x2xi16").unwrap();
        let layout = Layout::new(&memref, values.shape().unwrap(), 64).unwrap();
        let mut memory = vec![0; layout.bytes() as usize];
        layout.scatter(&values, &mut memory).unwrap();
        assert_eq!(memory, [0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0]);
        assert_eq!(layout.gather(&memory, &values), values);
    }

    #[test]
    fn narrow_indices() {
        let memref = Memref::new(ElementType::Index, vec![None]);
        let values = parse_argument("it", "[1,2]:index").unwrap();
        let layout = Layout::new(&memref, &[2], 32).unwrap();
        let mut memory = vec![0; layout.bytes() as usize];
        layout.scatter(&values, &mut memory).unwrap();
        assert_eq!(memory, [1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(layout.gather(&memory, &values), values);
        let values = parse_argument("it", "[0x100000000,2]:index").unwrap();
        let error = layout.scatter(&values, &mut memory).unwrap_err();
        assert_eq!(
            error,
            "holds an index of more than the 32 bits that this target has"
        );
        let bytes = Memref::new(ElementType::I8, vec![None]);
        let error = Layout::new(&bytes, &[(1 << 31) + 1], 32).unwrap_err();
        let expect = "2147483649xi8 has 2147483649 elements: this target counts them in 32 bits, \
                      so at most 2^31";
        assert_eq!(error, expect);
    }
}
