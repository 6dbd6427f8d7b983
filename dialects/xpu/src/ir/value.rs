//! Values.

use super::{Block, Op, Type};
use crate::axes::Storage;
use crate::ffi;
use melior::Context;
use mlir_sys::{self as sys, MlirValue};
use std::marker::PhantomData;

/// A result of an operation or an argument of a block.
#[derive(Clone, Copy, Debug)]
pub struct Value<'c> {
    raw: MlirValue,
    context: PhantomData<&'c Context>,
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }
}
impl Eq for Value<'_> {}
impl std::hash::Hash for Value<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.ptr.hash(state);
    }
}

impl<'c> Value<'c> {
    /// A handle on a raw value.
    ///
    /// # Safety
    ///
    /// The value must be alive, of a context that lives for `'c`.
    pub unsafe fn from_raw(raw: MlirValue) -> Self {
        Self {
            raw,
            context: PhantomData,
        }
    }

    /// The raw value.
    pub fn to_raw(self) -> MlirValue {
        self.raw
    }

    /// Its type.
    pub fn ty(self) -> Type<'c> {
        // SAFETY: the value is alive.
        unsafe { Type::from_raw(sys::mlirValueGetType(self.raw)) }
    }

    /// Changes its type.
    pub fn set_ty(self, ty: Type<'c>) {
        // SAFETY: the value is alive.
        unsafe { sys::mlirValueSetType(self.raw, melior::ir::r#type::TypeLike::to_raw(&ty)) }
    }

    /// The operation whose result it is.
    pub fn defining_op(self) -> Option<Op<'c>> {
        // SAFETY: the value is alive, and the owner is asked for only of a result.
        unsafe {
            sys::mlirValueIsAOpResult(self.raw)
                .then(|| Op::from_raw(sys::mlirOpResultGetOwner(self.raw)))
        }
    }

    /// The block and place of a block argument.
    pub fn as_block_argument(self) -> Option<(Block<'c>, usize)> {
        // SAFETY: the value is alive, and the owner is asked for only of a block argument.
        unsafe {
            sys::mlirValueIsABlockArgument(self.raw).then(|| {
                (
                    Block::from_raw(sys::mlirBlockArgumentGetOwner(self.raw)),
                    sys::mlirBlockArgumentGetArgNumber(self.raw) as usize,
                )
            })
        }
    }

    /// The operations that use it, each with the operand's number.
    pub fn uses(self) -> Vec<(Op<'c>, usize)> {
        let mut found = Vec::new();
        // SAFETY: the value is alive, and its use list is not changed while it is read.
        unsafe {
            let mut one = sys::mlirValueGetFirstUse(self.raw);
            while !one.ptr.is_null() {
                let owner = Op::from_raw(sys::mlirOpOperandGetOwner(one));
                found.push((owner, sys::mlirOpOperandGetOperandNumber(one) as usize));
                one = sys::mlirOpOperandGetNextUse(one);
            }
        }
        found
    }

    /// Whether anything uses it.
    pub fn has_uses(self) -> bool {
        // SAFETY: the value is alive.
        unsafe { !sys::mlirValueGetFirstUse(self.raw).ptr.is_null() }
    }

    /// Makes every user use `with` instead.
    pub fn replace_all_uses_with(self, with: Value<'c>) {
        // SAFETY: both values are alive.
        unsafe { sys::mlirValueReplaceAllUsesOfWith(self.raw, with.raw) }
    }

    /// Who can see the memory that this memref or pointer names, traced through views to an alloca.
    pub fn storage(self) -> Storage {
        // SAFETY: the value is alive.
        storage_from_number(unsafe { ffi::xpuStorageOfValue(self.raw) })
    }
}

/// The door's number as the enum.
pub(crate) fn storage_from_number(number: i32) -> Storage {
    match number {
        1 => Storage::Workgroup,
        2 => Storage::Private,
        3 => Storage::Generic,
        _ => Storage::Global,
    }
}
