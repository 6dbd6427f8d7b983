//! Types and attributes: making them and taking them apart.

use crate::axes::Storage;
use crate::ffi;
use crate::ir::value_storage;
use melior::Context;
use melior::ir::attribute::AttributeLike;
use melior::ir::r#type::TypeLike;
use melior::ir::{Attribute, Type};
use mlir_sys as sys;

/// The sign of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `i32`
    Signless,
    /// `si32`
    Signed,
    /// `ui32`
    Unsigned,
}

/// The type index.
pub fn index(context: &Context) -> Type<'_> {
    // SAFETY: the context is alive for the result's lifetime.
    unsafe { Type::from_raw(sys::mlirIndexTypeGet(context.to_raw())) }
}

/// A signless integer type.
pub fn integer(context: &Context, width: u32) -> Type<'_> {
    // SAFETY: as above.
    unsafe { Type::from_raw(sys::mlirIntegerTypeGet(context.to_raw(), width)) }
}

/// The type none.
pub fn none(context: &Context) -> Type<'_> {
    // SAFETY: as above.
    unsafe { Type::from_raw(sys::mlirNoneTypeGet(context.to_raw())) }
}

/// `!llvm.ptr`, in an address space.
pub fn llvm_pointer(context: &Context, space: u32) -> Type<'_> {
    // SAFETY: as above.
    unsafe { Type::from_raw(sys::mlirLLVMPointerTypeGet(context.to_raw(), space)) }
}

/// LLVM's number of the address space of an `!llvm.ptr` or `!ptr.ptr`; `None` for another type, and
/// where the memory space has no number.
pub fn address_space(pointer: Type<'_>) -> Option<u32> {
    // SAFETY: the type is alive.
    u32::try_from(unsafe { ffi::xpuAddressSpace(pointer.to_raw()) }).ok()
}

/// `!llvm.void`.
pub fn llvm_void(context: &Context) -> Type<'_> {
    // SAFETY: as above.
    unsafe { Type::from_raw(sys::mlirLLVMVoidTypeGet(context.to_raw())) }
}

/// An LLVM array type.
pub fn llvm_array<'c>(element: Type<'c>, count: u32) -> Type<'c> {
    // SAFETY: the element type is alive.
    unsafe { Type::from_raw(sys::mlirLLVMArrayTypeGet(element.to_raw(), count)) }
}

/// A literal LLVM structure type.
pub fn llvm_struct<'c>(context: &'c Context, fields: &[Type<'c>]) -> Type<'c> {
    let fields: Vec<_> = fields.iter().map(|ty| ty.to_raw()).collect();
    // SAFETY: the list is alive for the call.
    unsafe {
        Type::from_raw(sys::mlirLLVMStructTypeLiteralGet(
            context.to_raw(),
            fields.len() as isize,
            fields.as_ptr(),
            false,
        ))
    }
}

/// An LLVM function type.
pub fn llvm_function<'c>(result: Type<'c>, arguments: &[Type<'c>]) -> Type<'c> {
    let arguments: Vec<_> = arguments.iter().map(|ty| ty.to_raw()).collect();
    // SAFETY: the list is alive for the call.
    unsafe {
        Type::from_raw(sys::mlirLLVMFunctionTypeGet(
            result.to_raw(),
            arguments.len() as isize,
            arguments.as_ptr(),
            false,
        ))
    }
}

/// A function type.
pub fn function<'c>(context: &'c Context, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
    let inputs: Vec<_> = inputs.iter().map(|ty| ty.to_raw()).collect();
    let results: Vec<_> = results.iter().map(|ty| ty.to_raw()).collect();
    // SAFETY: the lists are alive for the call.
    unsafe {
        Type::from_raw(sys::mlirFunctionTypeGet(
            context.to_raw(),
            inputs.len() as isize,
            inputs.as_ptr(),
            results.len() as isize,
            results.as_ptr(),
        ))
    }
}

/// The inputs and results of a function type.
pub fn function_parts<'c>(ty: Type<'c>) -> Option<(Vec<Type<'c>>, Vec<Type<'c>>)> {
    let raw = ty.to_raw();
    // SAFETY: the type is alive, is a function type where its parts are asked for, and the indices
    // are in range.
    unsafe {
        sys::mlirTypeIsAFunction(raw).then(|| {
            (
                (0..sys::mlirFunctionTypeGetNumInputs(raw))
                    .map(|at| Type::from_raw(sys::mlirFunctionTypeGetInput(raw, at)))
                    .collect(),
                (0..sys::mlirFunctionTypeGetNumResults(raw))
                    .map(|at| Type::from_raw(sys::mlirFunctionTypeGetResult(raw, at)))
                    .collect(),
            )
        })
    }
}

/// Whether it is the type index.
pub fn is_index(ty: Type<'_>) -> bool {
    // SAFETY: the type is alive.
    unsafe { sys::mlirTypeIsAIndex(ty.to_raw()) }
}

/// Whether it is a float type.
pub fn is_float(ty: Type<'_>) -> bool {
    // SAFETY: the type is alive.
    unsafe { sys::mlirTypeIsAFloat(ty.to_raw()) }
}

/// Width and sign of an integer type.
pub fn integer_parts(ty: Type<'_>) -> Option<(u32, Sign)> {
    let raw = ty.to_raw();
    // SAFETY: the type is alive, and an integer type where its parts are asked for.
    unsafe {
        sys::mlirTypeIsAInteger(raw).then(|| {
            let sign = if sys::mlirIntegerTypeIsSigned(raw) {
                Sign::Signed
            } else if sys::mlirIntegerTypeIsUnsigned(raw) {
                Sign::Unsigned
            } else {
                Sign::Signless
            };
            (sys::mlirIntegerTypeGetWidth(raw), sign)
        })
    }
}

/// Width of an integer or float type.
pub fn bit_width(ty: Type<'_>) -> Option<u32> {
    if let Some((width, _)) = integer_parts(ty) {
        return Some(width);
    }
    // SAFETY: the type is alive, and a float type where its width is asked for.
    unsafe { sys::mlirTypeIsAFloat(ty.to_raw()).then(|| sys::mlirFloatTypeGetWidth(ty.to_raw())) }
}

/// A ranked memref type, taken apart.
#[derive(Clone, Debug)]
pub struct MemRef<'c> {
    /// The type of its elements.
    pub element: Type<'c>,
    /// Its extents; `None` is dynamic.
    pub shape: Vec<Option<i64>>,
    /// Its strides in elements; `None` is dynamic.
    pub strides: Vec<Option<i64>>,
    /// The offset of its first element; `None` is dynamic.
    pub offset: Option<i64>,
    /// Whether the layout is the identity.
    pub is_identity: bool,
    /// Its memory space.
    pub space: Option<Attribute<'c>>,
}

impl<'c> MemRef<'c> {
    /// Takes a type apart; `None` where it is no ranked, strided memref.
    pub fn of(ty: Type<'c>) -> Option<Self> {
        let raw = ty.to_raw();
        // SAFETY: the type is alive, and a memref where its parts are asked for; the stride list
        // has as many elements as the rank.
        unsafe {
            if !sys::mlirTypeIsAMemRef(raw) {
                return None;
            }
            let rank = sys::mlirShapedTypeGetRank(raw) as usize;
            let dynamic_size = sys::mlirShapedTypeGetDynamicSize();
            let shape = (0..rank)
                .map(|dim| sys::mlirShapedTypeGetDimSize(raw, dim as isize))
                .map(|size| (size != dynamic_size).then_some(size))
                .collect();
            let mut strides = vec![0i64; rank];
            let mut offset = 0i64;
            let ok = sys::mlirMemRefTypeGetStridesAndOffset(raw, strides.as_mut_ptr(), &mut offset);
            if ok.value == 0 {
                return None;
            }
            let dynamic = sys::mlirShapedTypeGetDynamicStrideOrOffset();
            let known = |value: i64| (value != dynamic).then_some(value);
            let layout = sys::mlirMemRefTypeGetAffineMap(raw);
            let space = sys::mlirMemRefTypeGetMemorySpace(raw);
            Some(Self {
                element: Type::from_raw(sys::mlirShapedTypeGetElementType(raw)),
                shape,
                strides: strides.into_iter().map(known).collect(),
                offset: known(offset),
                is_identity: sys::mlirAffineMapIsIdentity(layout),
                space: (!space.ptr.is_null()).then(|| Attribute::from_raw(space)),
            })
        }
    }

    /// How many dimensions it has.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of its elements, where every extent is static.
    pub fn element_count(&self) -> Option<i64> {
        self.shape
            .iter()
            .try_fold(1i64, |count, extent| count.checked_mul((*extent)?))
    }

    /// Who can see its memory, as the memory space says.
    pub fn storage(&self) -> Storage {
        storage_of_space(self.space)
    }
}

/// A memref type with the identity layout; an extent of `None` is dynamic.
pub fn memref<'c>(
    element: Type<'c>,
    shape: &[Option<i64>],
    space: Option<Attribute<'c>>,
) -> Type<'c> {
    // SAFETY: the element type is of integers or floats wherever a memref type was taken apart, and
    // the shape list is alive for the call. A null attribute is the absent memory space.
    unsafe {
        let dynamic = sys::mlirShapedTypeGetDynamicSize();
        let shape: Vec<i64> = shape
            .iter()
            .map(|extent| extent.unwrap_or(dynamic))
            .collect();
        let space = space.map_or(sys::mlirAttributeGetNull(), |space| space.to_raw());
        Type::from_raw(sys::mlirMemRefTypeContiguousGet(
            element.to_raw(),
            shape.len() as isize,
            shape.as_ptr(),
            space,
        ))
    }
}

/// The extent or offset of an upstream attribute that means a dynamic one.
pub fn dynamic_extent() -> i64 {
    // SAFETY: reads a constant.
    unsafe { sys::mlirShapedTypeGetDynamicSize() }
}

/// The memref type with another element type and memory space; everything else stays.
pub fn memref_with<'c>(ty: Type<'c>, element: Type<'c>, space: Option<Attribute<'c>>) -> Type<'c> {
    let raw = ty.to_raw();
    // SAFETY: the type is a ranked memref (the caller has taken it apart), and the shape list is
    // alive for the call. A null attribute is the absent memory space.
    unsafe {
        let rank = sys::mlirShapedTypeGetRank(raw);
        let shape: Vec<i64> = (0..rank)
            .map(|dim| sys::mlirShapedTypeGetDimSize(raw, dim as isize))
            .collect();
        let space = space.map_or(sys::mlirAttributeGetNull(), |space| space.to_raw());
        Type::from_raw(sys::mlirMemRefTypeGet(
            element.to_raw(),
            shape.len() as isize,
            shape.as_ptr(),
            sys::mlirMemRefTypeGetLayout(raw),
            space,
        ))
    }
}

/// Who can see memory of this memory space.
pub fn storage_of_space(space: Option<Attribute<'_>>) -> Storage {
    let Some(space) = space else {
        return Storage::Global;
    };
    // SAFETY: the attribute is alive.
    value_storage(unsafe { ffi::xpuStorageOfSpace(space.to_raw()) })
}

/// An integer attribute of an integer type or index.
pub fn integer_attribute(ty: Type<'_>, value: i64) -> Attribute<'_> {
    // SAFETY: the type is alive.
    unsafe { Attribute::from_raw(sys::mlirIntegerAttrGet(ty.to_raw(), value)) }
}

/// A signless 32-bit integer attribute, as the enums of the dialect are stored.
pub fn i32_attribute(context: &Context, value: i32) -> Attribute<'_> {
    integer_attribute(integer(context, 32), i64::from(value))
}

/// A signless 64-bit integer attribute.
pub fn i64_attribute(context: &Context, value: i64) -> Attribute<'_> {
    integer_attribute(integer(context, 64), value)
}

/// The value of an integer attribute of at most 64 bits.
pub fn integer_value(attribute: Attribute<'_>) -> Option<i64> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, and an integer where its value is asked for.
    unsafe {
        if !sys::mlirAttributeIsAInteger(raw) {
            return None;
        }
        let ty = Type::from_raw(sys::mlirAttributeGetType(raw));
        match integer_parts(ty) {
            Some((width, _)) if width > 64 => None,
            Some((_, Sign::Signed)) => Some(sys::mlirIntegerAttrGetValueSInt(raw)),
            Some((_, Sign::Unsigned)) => Some(sys::mlirIntegerAttrGetValueUInt(raw) as i64),
            Some((_, Sign::Signless)) | None => Some(sys::mlirIntegerAttrGetValueInt(raw)),
        }
    }
}

/// The value of a float attribute; that of an f16 or bf16 is exact.
pub fn float_value(attribute: Attribute<'_>) -> Option<f64> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, and a float where its value is asked for.
    unsafe { sys::mlirAttributeIsAFloat(raw).then(|| sys::mlirFloatAttrGetValueDouble(raw)) }
}

/// A string attribute.
pub fn string_attribute<'c>(context: &'c Context, text: &str) -> Attribute<'c> {
    // SAFETY: the text is alive for the call, and copied.
    unsafe {
        Attribute::from_raw(sys::mlirStringAttrGet(
            context.to_raw(),
            ffi::string_ref(text),
        ))
    }
}

/// The text of a string attribute.
pub fn string_value(attribute: Attribute<'_>) -> Option<&str> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, and a string where its text is asked for; the text is owned
    // by the context.
    unsafe { sys::mlirAttributeIsAString(raw).then(|| ffi::text(sys::mlirStringAttrGetValue(raw))) }
}

/// A reference to a symbol of the same table.
pub fn symbol_attribute<'c>(context: &'c Context, name: &str) -> Attribute<'c> {
    // SAFETY: the text is alive for the call, and copied.
    unsafe {
        Attribute::from_raw(sys::mlirFlatSymbolRefAttrGet(
            context.to_raw(),
            ffi::string_ref(name),
        ))
    }
}

/// The name of a reference to a symbol of the same table.
pub fn symbol_value(attribute: Attribute<'_>) -> Option<&str> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, and a flat reference where its name is asked for; the text is
    // owned by the context.
    unsafe {
        sys::mlirAttributeIsAFlatSymbolRef(raw)
            .then(|| ffi::text(sys::mlirFlatSymbolRefAttrGetValue(raw)))
    }
}

/// The unit attribute.
pub fn unit_attribute(context: &Context) -> Attribute<'_> {
    // SAFETY: the context is alive for the result's lifetime.
    unsafe { Attribute::from_raw(sys::mlirUnitAttrGet(context.to_raw())) }
}

/// A type attribute.
pub fn type_attribute(ty: Type<'_>) -> Attribute<'_> {
    // SAFETY: the type is alive.
    unsafe { Attribute::from_raw(sys::mlirTypeAttrGet(ty.to_raw())) }
}

/// The type of a type attribute.
pub fn type_value(attribute: Attribute<'_>) -> Option<Type<'_>> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, and a type attribute where its type is asked for.
    unsafe {
        sys::mlirAttributeIsAType(raw).then(|| Type::from_raw(sys::mlirTypeAttrGetValue(raw)))
    }
}

/// A dense array of 32-bit integers.
pub fn i32_array_attribute<'c>(context: &'c Context, values: &[i32]) -> Attribute<'c> {
    // SAFETY: the list is alive for the call, and copied.
    unsafe {
        Attribute::from_raw(sys::mlirDenseI32ArrayGet(
            context.to_raw(),
            values.len() as isize,
            values.as_ptr(),
        ))
    }
}

/// A dense array of 64-bit integers.
pub fn i64_array_attribute<'c>(context: &'c Context, values: &[i64]) -> Attribute<'c> {
    // SAFETY: the list is alive for the call, and copied.
    unsafe {
        Attribute::from_raw(sys::mlirDenseI64ArrayGet(
            context.to_raw(),
            values.len() as isize,
            values.as_ptr(),
        ))
    }
}

/// The values of a dense array of 32-bit integers.
pub fn i32_array_value(attribute: Attribute<'_>) -> Option<Vec<i32>> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, an array where its elements are asked for, and the indices
    // are in range.
    unsafe {
        sys::mlirAttributeIsADenseI32Array(raw).then(|| {
            (0..sys::mlirDenseArrayGetNumElements(raw))
                .map(|at| sys::mlirDenseI32ArrayGetElement(raw, at))
                .collect()
        })
    }
}

/// The values of a dense array of 64-bit integers.
pub fn i64_array_value(attribute: Attribute<'_>) -> Option<Vec<i64>> {
    let raw = attribute.to_raw();
    // SAFETY: as above.
    unsafe {
        sys::mlirAttributeIsADenseI64Array(raw).then(|| {
            (0..sys::mlirDenseArrayGetNumElements(raw))
                .map(|at| sys::mlirDenseI64ArrayGetElement(raw, at))
                .collect()
        })
    }
}

/// An array attribute.
pub fn array_attribute<'c>(context: &'c Context, values: &[Attribute<'c>]) -> Attribute<'c> {
    let values: Vec<_> = values.iter().map(|value| value.to_raw()).collect();
    // SAFETY: the list is alive for the call, and copied.
    unsafe {
        Attribute::from_raw(sys::mlirArrayAttrGet(
            context.to_raw(),
            values.len() as isize,
            values.as_ptr(),
        ))
    }
}

/// The elements of an array attribute.
pub fn array_value<'c>(attribute: Attribute<'c>) -> Option<Vec<Attribute<'c>>> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, an array where its elements are asked for, and the indices
    // are in range.
    unsafe {
        sys::mlirAttributeIsAArray(raw).then(|| {
            (0..sys::mlirArrayAttrGetNumElements(raw))
                .map(|at| Attribute::from_raw(sys::mlirArrayAttrGetElement(raw, at)))
                .collect()
        })
    }
}

/// A dictionary attribute.
pub fn dictionary_attribute<'c>(
    context: &'c Context,
    entries: &[(&str, Attribute<'c>)],
) -> Attribute<'c> {
    // SAFETY: names and attributes are alive for the call, and copied.
    unsafe {
        let entries: Vec<_> = entries
            .iter()
            .map(|(name, value)| sys::MlirNamedAttribute {
                name: sys::mlirIdentifierGet(context.to_raw(), ffi::string_ref(name)),
                attribute: value.to_raw(),
            })
            .collect();
        Attribute::from_raw(sys::mlirDictionaryAttrGet(
            context.to_raw(),
            entries.len() as isize,
            entries.as_ptr(),
        ))
    }
}

/// An entry of a dictionary attribute.
pub fn dictionary_entry<'c>(attribute: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, and a dictionary where it is looked into.
    unsafe {
        if !sys::mlirAttributeIsADictionary(raw) {
            return None;
        }
        let found = sys::mlirDictionaryAttrGetElementByName(raw, ffi::string_ref(name));
        (!found.ptr.is_null()).then(|| Attribute::from_raw(found))
    }
}
