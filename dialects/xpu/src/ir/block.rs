//! Blocks and regions.

use super::{Location, Op, Type, Value};
use melior::Context;
use melior::ir::r#type::TypeLike;
use mlir_sys::{self as sys, MlirBlock, MlirRegion};
use std::marker::PhantomData;

/// A block.
#[derive(Clone, Copy, Debug)]
pub struct Block<'c> {
    raw: MlirBlock,
    context: PhantomData<&'c Context>,
}

impl PartialEq for Block<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }
}
impl Eq for Block<'_> {}

impl<'c> Block<'c> {
    /// A handle on a raw block.
    ///
    /// # Safety
    ///
    /// The block must be alive, of a context that lives for `'c`.
    pub unsafe fn from_raw(raw: MlirBlock) -> Self {
        Self {
            raw,
            context: PhantomData,
        }
    }

    /// The raw block.
    pub fn to_raw(self) -> MlirBlock {
        self.raw
    }

    /// A block in no region yet.
    pub fn detached(arguments: &[(Type<'c>, Location<'c>)]) -> Self {
        let types: Vec<_> = arguments.iter().map(|(ty, _)| ty.to_raw()).collect();
        let locations: Vec<_> = arguments
            .iter()
            .map(|(_, location)| location.to_raw())
            .collect();
        // SAFETY: both lists are of one length and alive for the call.
        unsafe {
            Self::from_raw(sys::mlirBlockCreate(
                arguments.len() as isize,
                types.as_ptr(),
                locations.as_ptr(),
            ))
        }
    }

    /// Its arguments.
    pub fn arguments(self) -> Vec<Value<'c>> {
        // SAFETY: the block is alive, and the indices are in range.
        unsafe {
            (0..sys::mlirBlockGetNumArguments(self.raw))
                .map(|index| Value::from_raw(sys::mlirBlockGetArgument(self.raw, index)))
                .collect()
        }
    }

    /// Adds an argument at the end.
    pub fn add_argument(self, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        // SAFETY: the block is alive.
        unsafe {
            Value::from_raw(sys::mlirBlockAddArgument(
                self.raw,
                ty.to_raw(),
                location.to_raw(),
            ))
        }
    }

    /// Removes an argument that has no uses.
    pub fn erase_argument(self, index: usize) {
        assert!(
            !self.arguments()[index].has_uses(),
            "an erased block argument has no uses"
        );
        // SAFETY: the block is alive, the index in range, and nothing uses the argument.
        unsafe { sys::mlirBlockEraseArgument(self.raw, index as u32) }
    }

    /// Its operations, in order.
    pub fn ops(self) -> Vec<Op<'c>> {
        let mut found = Vec::new();
        let mut next = self.first();
        while let Some(op) = next {
            found.push(op);
            next = op.next();
        }
        found
    }

    /// Its first operation.
    pub fn first(self) -> Option<Op<'c>> {
        // SAFETY: the block is alive.
        unsafe { Op::from_option_raw(sys::mlirBlockGetFirstOperation(self.raw)) }
    }

    /// Its terminator.
    pub fn terminator(self) -> Option<Op<'c>> {
        // SAFETY: the block is alive.
        unsafe { Op::from_option_raw(sys::mlirBlockGetTerminator(self.raw)) }
    }

    /// Puts a detached operation at the end.
    pub fn append(self, op: Op<'c>) {
        // SAFETY: both are alive; the block takes ownership of the detached operation.
        unsafe { sys::mlirBlockAppendOwnedOperation(self.raw, op.to_raw()) }
    }

    /// Removes it with all its operations. No value of it has uses outside, and no operation outside
    /// goes on to it.
    pub fn erase(self) {
        for op in self.ops().into_iter().rev() {
            op.erase();
        }
        // SAFETY: the block is alive and empty; handles on it are not used again.
        unsafe {
            sys::mlirBlockDetach(self.raw);
            sys::mlirBlockDestroy(self.raw);
        }
    }

    /// The operation whose region it is in.
    pub fn parent_op(self) -> Option<Op<'c>> {
        // SAFETY: the block is alive.
        unsafe { Op::from_option_raw(sys::mlirBlockGetParentOperation(self.raw)) }
    }
}

/// A region.
#[derive(Clone, Copy, Debug)]
pub struct Region<'c> {
    raw: MlirRegion,
    context: PhantomData<&'c Context>,
}

impl<'c> Region<'c> {
    /// A handle on a raw region.
    ///
    /// # Safety
    ///
    /// The region must be alive, of a context that lives for `'c`.
    pub unsafe fn from_raw(raw: MlirRegion) -> Self {
        Self {
            raw,
            context: PhantomData,
        }
    }

    /// The raw region.
    pub fn to_raw(self) -> MlirRegion {
        self.raw
    }

    /// A region of no operation yet; [`super::OpBuilder::region`] takes it.
    pub fn detached() -> Self {
        // SAFETY: creates a region.
        unsafe { Self::from_raw(sys::mlirRegionCreate()) }
    }

    /// A region of one block, of no operation yet.
    pub fn with_block(arguments: &[(Type<'c>, Location<'c>)]) -> (Self, Block<'c>) {
        let region = Self::detached();
        let block = Block::detached(arguments);
        region.append(block);
        (region, block)
    }

    /// Its blocks, in order.
    pub fn blocks(self) -> Vec<Block<'c>> {
        let mut found = Vec::new();
        // SAFETY: the region is alive.
        unsafe {
            let mut next = sys::mlirRegionGetFirstBlock(self.raw);
            while !next.ptr.is_null() {
                found.push(Block::from_raw(next));
                next = sys::mlirBlockGetNextInRegion(next);
            }
        }
        found
    }

    /// Its first block.
    pub fn first(self) -> Option<Block<'c>> {
        // SAFETY: the region is alive.
        unsafe {
            let first = sys::mlirRegionGetFirstBlock(self.raw);
            (!first.ptr.is_null()).then(|| Block::from_raw(first))
        }
    }

    /// Puts a detached block at the end.
    pub fn append(self, block: Block<'c>) {
        // SAFETY: both are alive; the region takes ownership of the detached block.
        unsafe { sys::mlirRegionAppendOwnedBlock(self.raw, block.to_raw()) }
    }

    /// Moves every block of `from` here; what was here is gone.
    pub fn take(self, from: Region<'c>) {
        // SAFETY: both are alive.
        unsafe { sys::mlirRegionTakeBody(self.raw, from.raw) }
    }
}
