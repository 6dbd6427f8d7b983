//! Which element of which buffer an access means, and how many elements a memref has.
//!
//! Under logical addressing a pointer cannot be computed or chosen at run time: each access is an index
//! into a variable. So every memref is followed to the argument or allocation that it comes from, and
//! what views change is kept as an offset, extents and strides, in elements.

use std::collections::HashMap;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types::{self, MemRef};

/// A number that is known now or when the kernel runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number<'c> {
    /// A constant.
    Known(i64),
    /// An `index`.
    Value(Value<'c>),
}

impl<'c> Number<'c> {
    /// As a value.
    pub(crate) fn value(self, builder: Builder<'c>) -> Value<'c> {
        match self {
            Self::Known(number) => builder.index(number),
            Self::Value(value) => value,
        }
    }

    fn plus(self, builder: Builder<'c>, other: Self) -> Self {
        match (self, other) {
            (Self::Known(0), one) | (one, Self::Known(0)) => one,
            (Self::Known(one), Self::Known(other)) => Self::Known(one.wrapping_add(other)),
            _ => self.binary(builder, "arith.addi", other),
        }
    }

    fn times(self, builder: Builder<'c>, other: Self) -> Self {
        match (self, other) {
            (Self::Known(1), one) | (one, Self::Known(1)) => one,
            (Self::Known(0), _) | (_, Self::Known(0)) => Self::Known(0),
            (Self::Known(one), Self::Known(other)) => Self::Known(one.wrapping_mul(other)),
            _ => self.binary(builder, "arith.muli", other),
        }
    }

    /// The same number of bytes in other units, rounded up.
    fn rescaled(self, builder: Builder<'c>, from_bytes: i64, to_bytes: i64) -> Self {
        if from_bytes == to_bytes {
            return self;
        }
        if from_bytes % to_bytes == 0 {
            return self.times(builder, Self::Known(from_bytes / to_bytes));
        }
        let bytes = self.times(builder, Self::Known(from_bytes));
        match bytes.plus(builder, Self::Known(to_bytes - 1)) {
            Self::Known(bytes) => Self::Known(bytes / to_bytes),
            padded => padded.binary(builder, "arith.divui", Self::Known(to_bytes)),
        }
    }

    fn binary(self, builder: Builder<'c>, name: &'static str, other: Self) -> Self {
        let (left, right) = (self.value(builder), other.value(builder));
        Self::Value(builder.value(name, &[left, right], left.ty()))
    }
}

/// A memref as a part of a root.
#[derive(Clone, Debug)]
pub(crate) struct View<'c> {
    /// The number of the root.
    pub(crate) root: usize,
    /// The type of its elements.
    pub(crate) element: Type<'c>,
    offset: Number<'c>,
    sizes: Vec<Number<'c>>,
    strides: Vec<Number<'c>>,
}

impl<'c> View<'c> {
    /// All of a root, whose type is a memref's with these dynamic extents and strides.
    pub(crate) fn of_root(
        root: usize,
        layout: &MemRef<'c>,
        dynamic: &mut impl Iterator<Item = Value<'c>>,
        builder: Builder<'c>,
    ) -> Self {
        let mut number = |known: Option<i64>| match known {
            Some(known) => Number::Known(known),
            None => dynamic.next().map_or(Number::Known(0), Number::Value),
        };
        let sizes: Vec<_> = layout.shape.iter().map(|extent| number(*extent)).collect();
        let strides = if layout.is_identity {
            row_major(builder, &sizes)
        } else {
            layout
                .strides
                .iter()
                .map(|stride| number(*stride))
                .collect()
        };
        Self {
            root,
            element: layout.element,
            // What is bound begins where a dynamic offset would lead.
            offset: Number::Known(layout.offset.unwrap_or(0)),
            sizes,
            strides,
        }
    }

    /// The place of an element among those of the root, were it of the view's elements.
    pub(crate) fn index(&self, builder: Builder<'c>, indices: &[Value<'c>]) -> Value<'c> {
        let steps = indices.iter().zip(&self.strides);
        let place = steps.fold(self.offset, |place, (index, stride)| {
            let step = Number::Value(*index).times(builder, *stride);
            place.plus(builder, step)
        });
        place.value(builder)
    }

    /// An extent.
    pub(crate) fn size(&self, dimension: usize) -> Option<Number<'c>> {
        self.sizes.get(dimension).copied()
    }
}

/// The strides of the identity layout.
fn row_major<'c>(builder: Builder<'c>, sizes: &[Number<'c>]) -> Vec<Number<'c>> {
    let mut strides = vec![Number::Known(1); sizes.len()];
    for dimension in (1..sizes.len()).rev() {
        strides[dimension - 1] = strides[dimension].times(builder, sizes[dimension]);
    }
    strides
}

/// What is known about the memrefs of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Views<'c> {
    known: HashMap<Value<'c>, View<'c>>,
}

impl<'c> Views<'c> {
    /// Says what a memref is.
    pub(crate) fn insert(&mut self, memref: Value<'c>, view: View<'c>) {
        self.known.insert(memref, view);
    }

    /// What a memref is a part of. `user` is blamed where that is not known.
    ///
    /// # Errors
    ///
    /// Where the memref is chosen at run time, or made by an operation that is no view.
    pub(crate) fn of(&self, memref: Value<'c>, user: Op<'c>) -> Result<View<'c>, Reported> {
        if let Some(view) = self.known.get(&memref) {
            return Ok(view.clone());
        }
        let by = memref
            .defining_op()
            .map_or("an argument of a block", |op| op.name());
        Err(user.error(&format!(
            "accesses a memref that comes from {by}; on Vulkan the buffer of each access must be known \
             when the kernel is compiled, so choose between values or indices, not between memrefs"
        )))
    }

    /// Follows an operation that sees a memref in another way; whether it is one.
    ///
    /// # Errors
    ///
    /// As [`Self::of`].
    pub(crate) fn follow(&mut self, op: Op<'c>) -> Result<bool, Reported> {
        let builder = Builder::before(op);
        let view = match op.name() {
            "memref.cast" | "memref.memory_space_cast" | "memref.assume_alignment" => {
                self.of(op.operand(0), op)?
            }
            "xpu.reinterpret" => self.reinterpret(op, builder)?,
            "memref.reinterpret_cast" => self.reinterpret_cast(op)?,
            "memref.transpose" => self.transpose(op)?,
            "memref.view" => self.view(op, builder)?,
            "memref.extract_strided_metadata" => {
                self.metadata(op, builder)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.insert(op.result(0), view);
        Ok(true)
    }

    fn reinterpret(&self, op: Op<'c>, builder: Builder<'c>) -> Result<View<'c>, Reported> {
        let source = self.of(op.operand(0), op)?;
        let element = element_of(op.result(0));
        let (from, to) = (byte_size(source.element), byte_size(element));
        let mut sizes = source.sizes;
        if let Some(last) = sizes.last_mut() {
            *last = last.rescaled(builder, from, to);
        }
        Ok(View {
            element,
            offset: source.offset.rescaled(builder, from, to),
            // Both types have the identity layout: the dialect verifies it.
            strides: row_major(builder, &sizes),
            sizes,
            ..source
        })
    }

    fn reinterpret_cast(&self, op: Op<'c>) -> Result<View<'c>, Reported> {
        let source = self.of(op.operand(0), op)?;
        let mut dynamic = op.operands().into_iter().skip(1);
        let mut numbers = |name: &str| -> Vec<Number<'c>> {
            let list = op.attribute(name).and_then(types::i64_array_value);
            list.unwrap_or_default()
                .into_iter()
                .map(|number| {
                    if number == types::dynamic_extent() {
                        dynamic.next().map_or(Number::Known(0), Number::Value)
                    } else {
                        Number::Known(number)
                    }
                })
                .collect()
        };
        let offset = numbers("static_offsets").first().copied();
        let (sizes, strides) = (numbers("static_sizes"), numbers("static_strides"));
        Ok(View {
            offset: offset.unwrap_or(Number::Known(0)),
            sizes,
            strides,
            ..source
        })
    }

    fn transpose(&self, op: Op<'c>) -> Result<View<'c>, Reported> {
        let source = self.of(op.operand(0), op)?;
        let text = op.attribute("permutation").map(|map| map.to_string());
        // (d0, d1) -> (d1, d0): each dimension of the result is one of the source.
        let results = text.as_deref().and_then(|text| text.split("->").nth(1));
        let from: Vec<usize> = results
            .unwrap_or_default()
            .split(|sign: char| !sign.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .collect();
        let permuted = |numbers: &[Number<'c>]| {
            let list: Vec<_> = from.iter().filter_map(|at| numbers.get(*at)).collect();
            list.into_iter().copied().collect::<Vec<_>>()
        };
        let (sizes, strides) = (permuted(&source.sizes), permuted(&source.strides));
        if sizes.len() != source.sizes.len() {
            return Err(op.error("has no lowering for Vulkan"));
        }
        Ok(View {
            sizes,
            strides,
            ..source
        })
    }

    fn view(&self, op: Op<'c>, builder: Builder<'c>) -> Result<View<'c>, Reported> {
        let source = self.of(op.operand(0), op)?;
        let element = element_of(op.result(0));
        let shift = Number::Value(op.operand(1));
        let from = source
            .offset
            .times(builder, Number::Known(byte_size(source.element)));
        let bytes = from.plus(builder, shift);
        let mut dynamic = op.operands().into_iter().skip(2);
        let shape = MemRef::of(op.result(0).ty()).map(|layout| layout.shape);
        let sizes: Vec<_> = shape
            .unwrap_or_default()
            .into_iter()
            .map(|extent| match extent {
                Some(extent) => Number::Known(extent),
                None => dynamic.next().map_or(Number::Known(0), Number::Value),
            })
            .collect();
        Ok(View {
            root: source.root,
            element,
            offset: bytes.rescaled(builder, 1, byte_size(element)),
            strides: row_major(builder, &sizes),
            sizes,
        })
    }

    /// Gives the users of the metadata the numbers.
    fn metadata(&mut self, op: Op<'c>, builder: Builder<'c>) -> Result<(), Reported> {
        let view = self.of(op.operand(0), op)?;
        let numbers = [view.offset].into_iter();
        let numbers = numbers
            .chain(view.sizes.iter().copied())
            .chain(view.strides.iter().copied());
        for (result, number) in op.results().into_iter().skip(1).zip(numbers) {
            if result.has_uses() {
                result.replace_all_uses_with(number.value(builder));
            }
        }
        let base = View {
            offset: Number::Known(0),
            sizes: Vec::new(),
            strides: Vec::new(),
            ..view
        };
        self.insert(op.result(0), base);
        Ok(())
    }
}

fn element_of(memref: Value<'_>) -> Type<'_> {
    MemRef::of(memref.ty()).map_or(memref.ty(), |layout| layout.element)
}

/// Bytes of an element; an index is a word on Vulkan.
pub(crate) fn byte_size(element: Type<'_>) -> i64 {
    let bits = types::bit_width(element).unwrap_or(32);
    i64::from(bits.div_ceil(8))
}
