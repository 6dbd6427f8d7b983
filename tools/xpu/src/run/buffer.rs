//! What buffers and scalars are made of.

use super::RunError;
use xpu_runtime::{ElementType, Sign, Values, Width};

/// A Rust type that elements and scalars may have: `bool`, the integers of 8 to 64 bits, `f32`, `f64`.
/// Whether an integer has a sign makes no difference to the kernel. A [`Buffer`] takes other types.
pub trait Element: sealed::Element {}

mod sealed {
    use super::ElementType;

    pub trait Element: Copy {
        const TYPE: ElementType;

        fn append_to(self, bytes: &mut Vec<u8>);

        /// From as many bytes as the type has.
        fn from_bytes(bytes: &[u8]) -> Self;
    }
}

macro_rules! elements {
    ($($ty:ty = $element:expr;)*) => {$(
        impl Element for $ty {}

        impl sealed::Element for $ty {
            const TYPE: ElementType = $element;

            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<Self>()];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }
        }
    )*};
}

elements! {
    i8 = ElementType::I8;
    i16 = ElementType::I16;
    i32 = ElementType::I32;
    i64 = ElementType::I64;
    u8 = ElementType::Integer(Sign::Unsigned, Width::W8);
    u16 = ElementType::Integer(Sign::Unsigned, Width::W16);
    u32 = ElementType::UI32;
    u64 = ElementType::Integer(Sign::Unsigned, Width::W64);
    f32 = ElementType::F32;
    f64 = ElementType::F64;
}

impl Element for bool {}

impl sealed::Element for bool {
    const TYPE: ElementType = ElementType::I1;

    fn append_to(self, bytes: &mut Vec<u8>) {
        bytes.push(self.into());
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        bytes.iter().any(|byte| *byte != 0)
    }
}

fn bytes<T: Element>(elements: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size_of_val(elements));
    for element in elements {
        element.append_to(&mut bytes);
    }
    bytes
}

/// A buffer of one dimension.
pub(super) fn values<T: Element>(elements: &[T]) -> Values {
    Values::buffer(T::TYPE, vec![elements.len() as u64], bytes(elements))
        .expect("a list is as long as it is")
}

pub(super) fn scalar<T: Element>(value: T) -> Values {
    let mut bits = [0; 8];
    for (to, from) in bits.iter_mut().zip(bytes(&[value])) {
        *to = from;
    }
    Values::scalar(T::TYPE, u64::from_le_bytes(bits))
}

pub(super) fn index(value: u64) -> Values {
    Values::scalar(ElementType::Index, value)
}

/// A slice of any element type.
pub(super) trait Slice {
    fn values(&self, shape: &[u64]) -> Result<Values, String>;

    fn take(&mut self, values: &Values);
}

impl<T: Element> Slice for &mut [T] {
    fn values(&self, shape: &[u64]) -> Result<Values, String> {
        let length = self.len();
        Values::buffer(T::TYPE, shape.to_vec(), bytes(self)).ok_or_else(|| {
            format!("the shape {shape:?} does not have the {length} elements of the slice")
        })
    }

    fn take(&mut self, values: &Values) {
        let each = values.bytes().chunks_exact(T::TYPE.size());
        for (element, bytes) in self.iter_mut().zip(each) {
            *element = T::from_bytes(bytes);
        }
    }
}

/// A buffer of any element type that a kernel may have, also one that Rust has no type for.
///
/// ```
/// let buffer = xpu::Buffer::new("bf16", &[2, 2], vec![0; 8])?;
/// assert_eq!(buffer.element_type(), "bf16");
/// assert!(xpu::Buffer::new("bf16", &[2, 2], vec![0; 7]).is_err());
/// # Ok::<(), xpu::RunError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    pub(super) values: Values,
}

impl Buffer {
    /// A buffer of that element type, named as MLIR names it, and that shape; the bytes are the
    /// elements, little-endian, row-major, with nothing between them.
    ///
    /// # Errors
    ///
    /// Where there is no such type, and where the bytes are not as many as the shape says.
    pub fn new(element_type: &str, shape: &[usize], bytes: Vec<u8>) -> Result<Self, RunError> {
        let element: ElementType = element_type.parse().map_err(RunError::input)?;
        let extents = shape.iter().map(|extent| *extent as u64).collect();
        let count = bytes.len();
        let values = Values::buffer(element, extents, bytes).ok_or_else(|| {
            RunError::input(format!(
                "a buffer of shape {shape:?} of {element}, which has {} bytes each, is not of {count} \
                 bytes",
                element.size()
            ))
        })?;
        Ok(Self { values })
    }

    /// The type of its elements, as MLIR names it.
    pub fn element_type(&self) -> String {
        self.values.element().to_string()
    }

    /// Its elements: what a kernel left in them.
    pub fn bytes(&self) -> &[u8] {
        self.values.bytes()
    }
}
