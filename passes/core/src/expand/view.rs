//! The memory of an element seen as integers.
//!
//! `xpu.reinterpret` does it where the layout is the identity. Any other memref is first seen as a
//! row of elements that starts where its buffer does, in which the element's place is its offset
//! and its indices times their strides:
//!
//! ```mlir
//! %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m
//! %at = … // %offset + %i * %strides#0 + %j * %strides#1
//! %row = memref.reinterpret_cast %base to offset: [0], sizes: [%at + 1], strides: [1]
//! ```

use super::arith::{Arith, bits_type};
use super::place::Place;
use super::pointer;
use xpu_dialect::ir::{Builder, Value};
use xpu_dialect::types::{self, MemRef};

/// The same element as the integer of its width.
pub(super) fn as_integer<'c>(builder: Builder<'c>, place: &Place<'c>) -> Place<'c> {
    let layout = layout(place);
    let bits = bits_type(builder.context(), layout.element);
    if layout.is_identity && layout.rank() > 0 {
        let ty = types::memref(bits, &layout.shape, layout.space);
        return reinterpret(builder, place, place.memref, &place.indices, ty);
    }
    let (row, at) = row(builder, place);
    let ty = types::memref(bits, &[None], layout.space);
    reinterpret(builder, place, row, &[at], ty)
}

/// The 32-bit word that the element is in, and the element's place in the row of elements that the
/// buffer is. The buffer must begin at a word, unless it is what a pointer leads to.
pub(super) fn as_word<'c>(builder: Builder<'c>, place: &Place<'c>) -> (Place<'c>, Value<'c>) {
    let layout = layout(place);
    if let Some(word) = pointer::word(builder, place, layout.space) {
        return word;
    }
    let element_bits = i64::from(types::bit_width(layout.element).unwrap_or(32));
    let word = types::integer(builder.context(), 32);
    let (row, at, extent) = match (layout.is_identity, place.indices.as_slice()) {
        (true, [at]) => (place.memref, *at, layout.shape[0]),
        _ => {
            let (row, at) = row(builder, place);
            (row, at, None)
        }
    };
    // Widths are powers of two.
    let elements_log2 = builder.index((32 / element_bits).ilog2().into());
    let word_at = builder.shift_right(at, elements_log2);
    let words = extent.map(|extent| (extent * element_bits + 31) / 32);
    let ty = types::memref(word, &[words], layout.space);
    (reinterpret(builder, place, row, &[word_at], ty), at)
}

fn layout<'c>(place: &Place<'c>) -> MemRef<'c> {
    match MemRef::of(place.memref.ty()) {
        Some(layout) => layout,
        None => unreachable!("atomics are on strided memrefs: the dialect verifies it"),
    }
}

fn reinterpret<'c>(
    builder: Builder<'c>,
    place: &Place<'c>,
    memref: Value<'c>,
    indices: &[Value<'c>],
    ty: xpu_dialect::ir::Type<'c>,
) -> Place<'c> {
    Place {
        memref: builder.value("xpu.reinterpret", &[memref], ty),
        indices: indices.to_vec(),
        scope: place.scope,
    }
}

/// The buffer as a row of elements, up to this one, and this one's place in it.
fn row<'c>(builder: Builder<'c>, place: &Place<'c>) -> (Value<'c>, Value<'c>) {
    let layout = layout(place);
    let (element, space, rank) = (layout.element, layout.space, layout.rank());
    let index = types::index(builder.context());
    let mut results = vec![types::memref(element, &[], space)];
    results.resize(2 + 2 * rank, index);
    let metadata = builder
        .op("memref.extract_strided_metadata")
        .operands(&[place.memref])
        .results(&results)
        .build();

    let mut at = known(builder, layout.offset, metadata.result(1));
    for (dim, (position, stride)) in place.indices.iter().zip(&layout.strides).enumerate() {
        let step = match stride {
            Some(1) => *position,
            _ => {
                let stride = known(builder, *stride, metadata.result(2 + rank + dim));
                builder.multiply(*position, stride)
            }
        };
        at = match (dim, layout.offset) {
            (0, Some(0)) => step,
            _ => builder.add(at, step),
        };
    }

    let one = builder.index(1);
    let extent = builder.add(at, one);
    let context = builder.context();
    let row = builder
        .op("memref.reinterpret_cast")
        .operands(&[metadata.result(0), extent])
        .attribute("static_offsets", types::i64_array_attribute(context, &[0]))
        .attribute(
            "static_sizes",
            types::i64_array_attribute(context, &[types::dynamic_extent()]),
        )
        .attribute("static_strides", types::i64_array_attribute(context, &[1]))
        .attribute(
            "operandSegmentSizes",
            types::i32_array_attribute(context, &[1, 0, 1, 0]),
        )
        .result(types::memref(element, &[None], space))
        .build()
        .result(0);
    (row, at)
}

/// The constant where it is known, else the value.
fn known<'c>(builder: Builder<'c>, constant: Option<i64>, value: Value<'c>) -> Value<'c> {
    constant.map_or(value, |constant| builder.index(constant))
}
