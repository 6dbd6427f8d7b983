//! What the conversions to LLVM's dialects share: the address of an element, and integers for
//! floats.
//!
//! Values cross between memrefs and LLVM types by `builtin.unrealized_conversion_cast`, as in
//! upstream's partial conversions; `reconcile-unrealized-casts` removes them in the end.

use xpu_dialect::Context;
use xpu_dialect::axes::Storage;
use xpu_dialect::ir::{Builder, Type, Value};
use xpu_dialect::types::{self, MemRef};
use xpu_dialect::views::Reinterpret;

/// The structure that describes a memref of some rank in an address space.
pub(crate) fn descriptor(context: &Context, rank: usize, space: u32) -> Type<'_> {
    let pointer = types::llvm_pointer(context, space);
    let word = types::integer(context, 64);
    let mut fields = vec![pointer, pointer, word];
    if rank > 0 {
        let extents = types::llvm_array(word, rank as u32);
        fields.extend([extents, extents]);
    }
    types::llvm_struct(context, &fields)
}

/// A field of a structure.
pub(crate) fn extract<'c>(
    builder: Builder<'c>,
    from: Value<'c>,
    position: &[i64],
    ty: Type<'c>,
) -> Value<'c> {
    builder
        .op("llvm.extractvalue")
        .operands(&[from])
        .attribute(
            "position",
            types::i64_array_attribute(builder.context(), position),
        )
        .result(ty)
        .build()
        .result(0)
}

/// A structure with a field replaced.
pub(crate) fn insert<'c>(
    builder: Builder<'c>,
    into: Value<'c>,
    value: Value<'c>,
    position: &[i64],
) -> Value<'c> {
    builder
        .op("llvm.insertvalue")
        .operands(&[into, value])
        .attribute(
            "position",
            types::i64_array_attribute(builder.context(), position),
        )
        .result(into.ty())
        .build()
        .result(0)
}

/// The address `index` elements after `base`.
pub(crate) fn element_address<'c>(
    builder: Builder<'c>,
    base: Value<'c>,
    index: Value<'c>,
    element: Type<'c>,
) -> Value<'c> {
    builder
        .op("llvm.getelementptr")
        .operands(&[base, index])
        .attribute("elem_type", types::type_attribute(element))
        .attribute(
            "rawConstantIndices",
            types::i32_array_attribute(builder.context(), &[i32::MIN]),
        )
        .result(base.ty())
        .build()
        .result(0)
}

/// The address of an element of a memref.
pub(crate) fn address<'c>(
    builder: Builder<'c>,
    memref: Value<'c>,
    indices: &[Value<'c>],
    space: u32,
) -> Value<'c> {
    let context = builder.context();
    let word = types::integer(context, 64);
    let layout = MemRef::of(memref.ty())
        .unwrap_or_else(|| unreachable!("a verified atomic is on a strided memref"));
    let described = builder.unrealized_cast(memref, descriptor(context, layout.rank(), space));
    let base = extract(
        builder,
        described,
        &[1],
        types::llvm_pointer(context, space),
    );
    let mut index = match layout.offset {
        Some(0) => None,
        Some(offset) => Some(builder.llvm_integer(word, offset)),
        None => Some(extract(builder, described, &[2], word)),
    };
    for (dim, (at, stride)) in indices.iter().zip(&layout.strides).enumerate() {
        let at = builder.unrealized_cast(*at, word);
        let term = match stride {
            Some(1) => at,
            Some(stride) => {
                let stride = builder.llvm_integer(word, *stride);
                multiply(builder, at, stride)
            }
            None => {
                let stride = extract(builder, described, &[4, dim as i64], word);
                multiply(builder, at, stride)
            }
        };
        index = Some(index.map_or(term, |sum| add(builder, sum, term)));
    }
    match index {
        Some(index) => element_address(builder, base, index, layout.element),
        None => base,
    }
}

/// `llvm.add` of 64-bit integers.
pub(crate) fn add<'c>(builder: Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    builder.value("llvm.add", &[left, right], left.ty())
}

/// `llvm.mul` of 64-bit integers.
pub(crate) fn multiply<'c>(builder: Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    builder.value("llvm.mul", &[left, right], left.ty())
}

/// The integer of the same width, for a float; the value itself, for an integer.
pub(crate) fn to_bits<'c>(builder: Builder<'c>, value: Value<'c>) -> Value<'c> {
    let bits = bits_type(builder.context(), value.ty());
    if bits == value.ty() {
        value
    } else {
        builder.value("llvm.bitcast", &[value], bits)
    }
}

/// A value of `ty` with the bits of an integer.
pub(crate) fn from_bits<'c>(builder: Builder<'c>, bits: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if bits.ty() == ty {
        bits
    } else {
        builder.value("llvm.bitcast", &[bits], ty)
    }
}

/// The signless integer of the width of a type.
pub(crate) fn bits_type<'c>(context: &'c Context, ty: Type<'c>) -> Type<'c> {
    types::integer(context, types::bit_width(ty).unwrap_or(64))
}

/// Bytes of an element.
pub(crate) fn byte_size(ty: Type<'_>) -> i64 {
    i64::from(types::bit_width(ty).unwrap_or(64).div_ceil(8))
}

/// A memref of `ty` made of a pointer, with its dynamic extents and strides in order. Static ones,
/// and the strides of the identity layout, follow from the type.
pub(crate) fn describe<'c>(
    builder: Builder<'c>,
    ty: Type<'c>,
    pointer: Value<'c>,
    mut dynamic: impl Iterator<Item = Value<'c>>,
    space: u32,
) -> Value<'c> {
    let context = builder.context();
    let word = types::integer(context, 64);
    let layout =
        MemRef::of(ty).unwrap_or_else(|| unreachable!("a kernel's buffers are strided memrefs"));
    let constant = |value: i64| builder.llvm_integer(word, value);
    let mut next = || {
        dynamic
            .next()
            .unwrap_or_else(|| unreachable!("one value for each '?'"))
    };
    let extents: Vec<Value<'c>> = layout
        .shape
        .iter()
        .map(|extent| extent.map_or_else(&mut next, constant))
        .collect();
    let mut strides: Vec<Value<'c>> = Vec::with_capacity(layout.rank());
    if layout.is_identity {
        // Row-major, innermost last.
        let mut stride = constant(1);
        for extent in extents.iter().rev() {
            strides.push(stride);
            stride = multiply(builder, stride, *extent);
        }
        strides.reverse();
    } else {
        strides.extend(
            layout
                .strides
                .iter()
                .map(|one| one.map_or_else(&mut next, constant)),
        );
    }
    let empty = descriptor(context, layout.rank(), space);
    let mut described = builder
        .op("llvm.mlir.poison")
        .result(empty)
        .build()
        .result(0);
    described = insert(builder, described, pointer, &[0]);
    described = insert(builder, described, pointer, &[1]);
    // A dynamic offset is part of the pointer that is passed.
    described = insert(
        builder,
        described,
        constant(layout.offset.unwrap_or(0)),
        &[2],
    );
    for (dim, (extent, stride)) in extents.into_iter().zip(strides).enumerate() {
        described = insert(builder, described, extent, &[3, dim as i64]);
        described = insert(builder, described, stride, &[4, dim as i64]);
    }
    builder.unrealized_cast(described, ty)
}

/// How many values [`describe`] takes for a memref type: its dynamic extents and strides.
pub(crate) fn dynamic_count(ty: Type<'_>) -> usize {
    MemRef::of(ty).map_or(0, |layout| {
        let extents = layout.shape.iter().filter(|one| one.is_none()).count();
        let strides = layout.strides.iter().filter(|one| one.is_none()).count();
        extents + if layout.is_identity { 0 } else { strides }
    })
}

/// A call of one of LLVM's intrinsics.
pub(crate) fn call_intrinsic<'c>(
    builder: Builder<'c>,
    name: &str,
    operands: &[Value<'c>],
    result: Type<'c>,
) -> Value<'c> {
    let context = builder.context();
    let segments = [operands.len() as i32, 0];
    builder
        .op("llvm.call_intrinsic")
        .operands(operands)
        .attribute("intrin", types::string_attribute(context, name))
        .attribute("op_bundle_sizes", types::i32_array_attribute(context, &[]))
        .attribute(
            "operandSegmentSizes",
            types::i32_array_attribute(context, &segments),
        )
        .result(result)
        .build()
        .result(0)
}

/// LLVM's number of an atomic ordering (`llvm::AtomicOrdering`).
pub(crate) fn ordering_number(ordering: xpu_targets::Ordering) -> i64 {
    use xpu_targets::Ordering;
    match ordering {
        Ordering::Relaxed => 2,
        Ordering::Acquire => 4,
        Ordering::Release => 5,
        Ordering::AcqRel => 6,
        Ordering::SeqCst => 7,
    }
}

/// MLIR's number of an `atomicrmw` operation (`mlir::LLVM::AtomicBinOp`).
pub(crate) fn bin_op(kind: xpu_targets::Kind) -> i64 {
    use xpu_targets::Kind;
    match kind {
        Kind::Xchg => 0,
        Kind::Add => 1,
        Kind::Sub => 2,
        Kind::And => 3,
        Kind::Or => 5,
        Kind::Xor => 6,
        Kind::Smax | Kind::Max => 7,
        Kind::Smin | Kind::Min => 8,
        Kind::Umax => 9,
        Kind::Umin => 10,
        Kind::Fadd => 11,
        Kind::Fsub => 12,
        Kind::Fmax => 13,
        Kind::Fmin => 14,
        Kind::UincWrap => 15,
        Kind::UdecWrap => 16,
        Kind::Fmaximum => 19,
        Kind::Fminimum => 20,
    }
}

/// The storage that a memref's type says, views and allocas aside.
pub(crate) fn declared_storage(ty: Type<'_>) -> Storage {
    MemRef::of(ty).map_or(Storage::Global, |layout| layout.storage())
}

/// The pointer in another address space; itself where it is there already.
pub(crate) fn in_space<'c>(
    builder: Builder<'c>,
    pointer: Value<'c>,
    from: u32,
    to: u32,
) -> Value<'c> {
    if from == to {
        return pointer;
    }
    let ty = types::llvm_pointer(builder.context(), to);
    builder.value("llvm.addrspacecast", &[pointer], ty)
}

/// Replaces a reinterpretation by the same pointer with the extents of the other type.
pub(crate) fn lower_reinterpret(view: Reinterpret<'_>, described_space: fn(Storage) -> u32) {
    let op = view.op();
    let builder = Builder::before(op);
    let context = builder.context();
    let word = types::integer(context, 64);
    let (from, to) = (view.source().ty(), view.result_result().ty());
    if let Some(space) = types::address_space(from) {
        let wanted = described_space(declared_storage(to));
        let pointer = builder.unrealized_cast(view.source(), types::llvm_pointer(context, space));
        let pointer = in_space(builder, pointer, space, wanted);
        let made = describe(builder, to, pointer, std::iter::empty(), wanted);
        op.replace_with(&[made]);
        return;
    }
    let (Some(source), Some(result)) = (MemRef::of(from), MemRef::of(to)) else {
        return;
    };
    let space = described_space(source.storage());
    let described =
        builder.unrealized_cast(view.source(), descriptor(context, source.rank(), space));
    let pointer = extract(
        builder,
        described,
        &[1],
        types::llvm_pointer(context, space),
    );
    let (from_bytes, to_bytes) = (byte_size(source.element), byte_size(result.element));
    let last = result.rank() - 1;
    let mut extents = Vec::new();
    for (dim, extent) in result.shape.iter().enumerate() {
        if extent.is_some() {
            continue;
        }
        let mut count = extract(builder, described, &[3, dim as i64], word);
        if dim == last && from_bytes != to_bytes {
            // Rounded up: buffers are allocated in whole words.
            let scale = builder.llvm_integer(word, from_bytes);
            let bytes = multiply(builder, count, scale);
            let round = builder.llvm_integer(word, to_bytes - 1);
            let padded = add(builder, bytes, round);
            let divisor = builder.llvm_integer(word, to_bytes);
            count = builder.value("llvm.udiv", &[padded, divisor], word);
        }
        extents.push(count);
    }
    let made = describe(builder, to, pointer, extents.into_iter(), space);
    op.replace_with(&[made]);
}
