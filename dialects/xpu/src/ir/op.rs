//! Operations and modules.

use super::{Attribute, Block, Location, Region, Type, Value};
use crate::diagnostic::{self, Reported};
use crate::ffi;
use melior::ir::attribute::AttributeLike;
use melior::ir::r#type::TypeLike;
use melior::{Context, ContextRef};
use mlir_sys::{self as sys, MlirContext, MlirModule, MlirOperation, MlirStringRef, MlirType};
use std::cell::RefCell;
use std::ffi::c_void;
use std::marker::PhantomData;

/// An operation.
#[derive(Clone, Copy, Debug)]
pub struct Op<'c> {
    raw: MlirOperation,
    context: PhantomData<&'c Context>,
}

impl PartialEq for Op<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }
}
impl Eq for Op<'_> {}
impl std::hash::Hash for Op<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.ptr.hash(state);
    }
}

impl<'c> Op<'c> {
    /// A handle on a raw operation.
    ///
    /// # Safety
    ///
    /// The operation must be alive, of a context that lives for `'c`.
    pub unsafe fn from_raw(raw: MlirOperation) -> Self {
        Self {
            raw,
            context: PhantomData,
        }
    }

    /// As [`Op::from_raw`]; `None` for a null pointer.
    ///
    /// # Safety
    ///
    /// As for [`Op::from_raw`].
    pub unsafe fn from_option_raw(raw: MlirOperation) -> Option<Self> {
        // SAFETY: the caller vouches for it.
        (!raw.ptr.is_null()).then(|| unsafe { Self::from_raw(raw) })
    }

    /// The raw operation.
    pub fn to_raw(self) -> MlirOperation {
        self.raw
    }

    /// Its full name, such as `xpu.fence`.
    pub fn name(self) -> &'c str {
        // SAFETY: the operation is alive, and names are owned by the context.
        unsafe { ffi::text(sys::mlirIdentifierStr(sys::mlirOperationGetName(self.raw))) }
    }

    /// Whether it is called `name`.
    pub fn is(self, name: &str) -> bool {
        self.name() == name
    }

    /// The context.
    pub fn context(self) -> &'c Context {
        // SAFETY: the operation is alive, and its context outlives `'c`.
        unsafe { context_at(sys::mlirOperationGetContext(self.raw)) }
    }

    /// Where it stands in the source.
    pub fn location(self) -> Location<'c> {
        // SAFETY: the operation is alive.
        unsafe { Location::from_raw(sys::mlirOperationGetLocation(self.raw)) }
    }

    /// Says where it stands in the source.
    pub fn set_location(self, location: Location<'c>) {
        // SAFETY: the operation and the location are alive, and of one context.
        unsafe { sys::mlirOperationSetLocation(self.raw, location.to_raw()) }
    }

    /// Its operands.
    pub fn operands(self) -> Vec<Value<'c>> {
        (0..self.operand_count())
            .map(|index| self.operand(index))
            .collect()
    }

    /// How many operands it has.
    pub fn operand_count(self) -> usize {
        // SAFETY: the operation is alive.
        unsafe { sys::mlirOperationGetNumOperands(self.raw) as usize }
    }

    /// An operand. Panics where there is none.
    pub fn operand(self, index: usize) -> Value<'c> {
        assert!(
            index < self.operand_count(),
            "'{}' has no operand {index}",
            self.name()
        );
        // SAFETY: the operation is alive, and the index in range.
        unsafe { Value::from_raw(sys::mlirOperationGetOperand(self.raw, index as isize)) }
    }

    /// Changes an operand. Panics where there is none.
    pub fn set_operand(self, index: usize, value: Value<'c>) {
        assert!(
            index < self.operand_count(),
            "'{}' has no operand {index}",
            self.name()
        );
        // SAFETY: as above.
        unsafe { sys::mlirOperationSetOperand(self.raw, index as isize, value.to_raw()) }
    }

    /// Gives it other operands, as many as there are.
    pub fn set_operands(self, values: &[Value<'c>]) {
        let values: Vec<_> = values.iter().map(|value| value.to_raw()).collect();
        // SAFETY: the operation and the values are alive, and the list is for the call.
        unsafe {
            sys::mlirOperationSetOperands(self.raw, values.len() as isize, values.as_ptr());
        }
    }

    /// Its results.
    pub fn results(self) -> Vec<Value<'c>> {
        // SAFETY: the operation is alive, and the indices are in range.
        unsafe {
            (0..sys::mlirOperationGetNumResults(self.raw))
                .map(|index| Value::from_raw(sys::mlirOperationGetResult(self.raw, index)))
                .collect()
        }
    }

    /// A result. Panics where there is none.
    pub fn result(self, index: usize) -> Value<'c> {
        self.results()[index]
    }

    /// Its regions.
    pub fn regions(self) -> Vec<Region<'c>> {
        // SAFETY: the operation is alive, and the indices are in range.
        unsafe {
            (0..sys::mlirOperationGetNumRegions(self.raw))
                .map(|index| Region::from_raw(sys::mlirOperationGetRegion(self.raw, index)))
                .collect()
        }
    }

    /// A region. Panics where there is none.
    pub fn region(self, index: usize) -> Region<'c> {
        self.regions()[index]
    }

    /// The blocks that it may go on to, in order; only a terminator has some.
    pub fn successors(self) -> Vec<Block<'c>> {
        // SAFETY: the operation is alive, and the indices are in range.
        unsafe {
            (0..sys::mlirOperationGetNumSuccessors(self.raw))
                .map(|index| Block::from_raw(sys::mlirOperationGetSuccessor(self.raw, index)))
                .collect()
        }
    }

    /// The block it is in.
    pub fn block(self) -> Option<Block<'c>> {
        // SAFETY: the operation is alive.
        unsafe {
            let block = sys::mlirOperationGetBlock(self.raw);
            (!block.ptr.is_null()).then(|| Block::from_raw(block))
        }
    }

    /// The operation whose region it is in.
    pub fn parent(self) -> Option<Op<'c>> {
        // SAFETY: the operation is alive.
        unsafe { Self::from_option_raw(sys::mlirOperationGetParentOperation(self.raw)) }
    }

    /// The nearest operation around it for which `wanted` holds.
    pub fn enclosing(self, wanted: impl Fn(Op<'c>) -> bool) -> Option<Op<'c>> {
        std::iter::successors(self.parent(), |op| op.parent()).find(|op| wanted(*op))
    }

    /// The operation after it in its block.
    pub fn next(self) -> Option<Op<'c>> {
        // SAFETY: the operation is alive.
        unsafe { Self::from_option_raw(sys::mlirOperationGetNextInBlock(self.raw)) }
    }

    /// An attribute, inherent or discardable.
    pub fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        // SAFETY: the operation is alive.
        unsafe {
            let found = sys::mlirOperationGetAttributeByName(self.raw, ffi::string_ref(name));
            (!found.ptr.is_null()).then(|| Attribute::from_raw(found))
        }
    }

    /// Sets an attribute, inherent or discardable.
    pub fn set_attribute(self, name: &str, value: Attribute<'c>) {
        // SAFETY: the operation is alive.
        unsafe {
            sys::mlirOperationSetAttributeByName(self.raw, ffi::string_ref(name), value.to_raw())
        }
    }

    /// Removes an attribute, inherent or discardable; says whether there was one.
    pub fn remove_attribute(self, name: &str) -> bool {
        // SAFETY: the operation is alive.
        unsafe { sys::mlirOperationRemoveAttributeByName(self.raw, ffi::string_ref(name)) }
    }

    /// Its discardable attributes.
    pub fn discardable_attributes(self) -> Vec<(&'c str, Attribute<'c>)> {
        // SAFETY: the operation is alive, the indices in range, and names owned by the context.
        unsafe {
            (0..sys::mlirOperationGetNumDiscardableAttributes(self.raw))
                .map(|index| {
                    let named = sys::mlirOperationGetDiscardableAttribute(self.raw, index);
                    (
                        ffi::text(sys::mlirIdentifierStr(named.name)),
                        Attribute::from_raw(named.attribute),
                    )
                })
                .collect()
        }
    }

    /// The text of a string attribute, such as `sym_name`.
    pub fn string_attribute(self, name: &str) -> Option<&'c str> {
        self.attribute(name).and_then(crate::types::string_value)
    }

    /// The symbol it defines.
    pub fn symbol_name(self) -> Option<&'c str> {
        self.string_attribute("sym_name")
    }

    /// It and all below, each operation before what it holds.
    pub fn descendants(self) -> Vec<Op<'c>> {
        let mut found = vec![self];
        let mut at = 0;
        // Breadth first within a region would lose source order, so walk with a stack.
        let mut stack: Vec<Op<'c>> = self.children().into_iter().rev().collect();
        while let Some(op) = stack.pop() {
            found.push(op);
            at += 1;
            stack.extend(op.children().into_iter().rev());
        }
        debug_assert_eq!(found.len(), at + 1);
        found
    }

    /// The operations of its regions, in order, without what they hold.
    pub fn children(self) -> Vec<Op<'c>> {
        self.regions()
            .into_iter()
            .flat_map(|region| region.blocks())
            .flat_map(|block| block.ops())
            .collect()
    }

    /// Takes it out of its block, alive.
    pub fn detach(self) {
        // SAFETY: the operation is alive.
        unsafe { sys::mlirOperationRemoveFromParent(self.raw) }
    }

    /// Puts it before another operation.
    pub fn move_before(self, other: Op<'c>) {
        // SAFETY: both are alive.
        unsafe { sys::mlirOperationMoveBefore(self.raw, other.raw) }
    }

    /// Puts a detached operation before this one.
    pub fn insert_before(self, new: Op<'c>) {
        if let Some(block) = self.block() {
            // SAFETY: all are alive, this operation is in the block, and the block takes ownership.
            unsafe { sys::mlirBlockInsertOwnedOperationBefore(block.to_raw(), self.raw, new.raw) }
        }
    }

    /// Puts a detached operation after this one.
    pub fn insert_after(self, new: Op<'c>) {
        if let Some(block) = self.block() {
            // SAFETY: as above.
            unsafe { sys::mlirBlockInsertOwnedOperationAfter(block.to_raw(), self.raw, new.raw) }
        }
    }

    /// A detached copy.
    pub fn clone_detached(self) -> Self {
        // SAFETY: the operation is alive.
        unsafe { Self::from_raw(sys::mlirOperationClone(self.raw)) }
    }

    /// Removes it. Its results must have no uses.
    pub fn erase(self) {
        debug_assert!(self.results().iter().all(|result| !result.has_uses()));
        // SAFETY: the operation is alive; handles on it are not used again.
        unsafe { sys::mlirOperationDestroy(self.raw) }
    }

    /// Makes every user of its results use `values`, and removes it.
    pub fn replace_with(self, values: &[Value<'c>]) {
        let results = self.results();
        assert_eq!(results.len(), values.len(), "one value for each result");
        for (result, value) in results.iter().zip(values) {
            result.replace_all_uses_with(*value);
        }
        self.erase();
    }

    /// Whether it and all below verify; diagnostics are emitted where not.
    pub fn verifies(self) -> bool {
        // SAFETY: the operation is alive.
        unsafe { sys::mlirOperationVerify(self.raw) }
    }

    /// Its text with the locations of all operations.
    pub fn text_with_locations(self) -> String {
        unsafe extern "C" fn append(part: MlirStringRef, into: *mut c_void) {
            // SAFETY: `into` is the String below, and the text is alive for the call.
            unsafe { (*into.cast::<String>()).push_str(ffi::text(part)) }
        }
        let mut text = String::new();
        // SAFETY: the operation is alive, the flags are destroyed once, and the callback and its
        // data live for the call.
        unsafe {
            let flags = sys::mlirOpPrintingFlagsCreate();
            sys::mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
            let into = (&raw mut text).cast();
            sys::mlirOperationPrintWithFlags(self.raw, flags, Some(append), into);
            sys::mlirOpPrintingFlagsDestroy(flags);
        }
        text
    }

    /// Emits an error that names the operation, in the form of MLIR's own.
    pub fn error(self, message: &str) -> Reported {
        diagnostic::error(self.location(), &self.message(message))
    }

    /// As [`Op::error`], with a note at another operation.
    pub fn error_with_note(self, message: &str, at: Op<'c>, note: &str) -> Reported {
        diagnostic::error_with_notes(
            self.location(),
            &self.message(message),
            &[(at.location(), note)],
        )
    }

    /// Emits a warning that names the operation.
    pub fn warning(self, message: &str) {
        diagnostic::warning(self.location(), &self.message(message));
    }

    /// Emits a remark that names the operation.
    pub fn remark(self, message: &str) {
        diagnostic::remark(self.location(), &self.message(message));
    }

    fn message(self, message: &str) -> String {
        format!("'{}' op {message}", self.name())
    }

    /// Replaces every type in and below it: of results, of block arguments and in attributes.
    /// `replacement` says what a type becomes; `None` keeps it and goes on with the types inside it.
    pub fn replace_types(self, replacement: impl Fn(Type<'c>) -> Option<Type<'c>>) {
        unsafe extern "C" fn replace<'c, F: Fn(Type<'c>) -> Option<Type<'c>>>(
            ty: MlirType,
            data: *mut c_void,
        ) -> MlirType {
            // SAFETY: `data` is the closure below, alive for the call; the type is of the context.
            unsafe {
                let replacement = &*data.cast::<F>();
                let ty = Type::from_raw(ty);
                replacement(ty).unwrap_or(ty).to_raw()
            }
        }
        fn door<'c, F: Fn(Type<'c>) -> Option<Type<'c>>>(op: MlirOperation, replacement: &F) {
            // SAFETY: the closure is alive for the call, which does not keep it.
            unsafe {
                ffi::xpuReplaceTypes(
                    op,
                    replace::<F>,
                    std::ptr::from_ref(replacement).cast_mut().cast(),
                );
            }
        }
        door(self.raw, &replacement);
    }
}

impl std::fmt::Display for Op<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        unsafe extern "C" fn append(part: MlirStringRef, into: *mut c_void) {
            // SAFETY: `into` is the String below, and the text is alive for the call.
            unsafe { (*into.cast::<String>()).push_str(ffi::text(part)) }
        }
        let mut text = String::new();
        // SAFETY: the operation is alive; the callback and its data live for the call.
        unsafe { sys::mlirOperationPrint(self.raw, Some(append), (&raw mut text).cast()) }
        formatter.write_str(&text)
    }
}

/// A reference to the context behind a raw pointer.
///
/// melior's contexts are a pointer in a structure, and a reference to one needs the structure to
/// live somewhere: each thread leaks one word for each context that it asks for, because references
/// may live as long as the context itself.
///
/// # Safety
///
/// The context must outlive `'c`.
unsafe fn context_at<'c>(raw: MlirContext) -> &'c Context {
    type Known = (*mut c_void, &'static ContextRef<'static>);
    thread_local! {
        static KNOWN: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
    }
    KNOWN.with_borrow_mut(|known| {
        let found = known
            .iter()
            .rev()
            .find(|(pointer, _)| *pointer == raw.ptr)
            .map(|(_, one)| *one);
        let found = found.unwrap_or_else(|| {
            // SAFETY: the caller vouches for the context while references to it are used.
            let made: &'static _ = Box::leak(Box::new(unsafe { ContextRef::from_raw(raw) }));
            known.push((raw.ptr, made));
            made
        });
        // SAFETY: as above; the reference is to the leaked word.
        unsafe { found.to_ref() }
    })
}

/// A module that is owned.
#[derive(Debug)]
pub struct Module<'c> {
    raw: MlirModule,
    context: PhantomData<&'c Context>,
}

impl<'c> Module<'c> {
    /// Reads a module from text or bytecode; diagnostics are emitted where it does not parse or
    /// verify.
    pub fn parse(context: &'c Context, source: &str) -> Option<Self> {
        Self::parse_named(context, source.as_bytes(), "-")
    }

    /// As [`Module::parse`], with the name of the file for locations.
    pub fn parse_named(context: &'c Context, source: &[u8], name: &str) -> Option<Self> {
        // MLIR's parser wants text that a zero byte ends.
        let mut owned = source.to_vec();
        owned.push(0);
        let view = MlirStringRef {
            data: owned.as_ptr().cast(),
            length: source.len(),
        };
        // SAFETY: the text and name are alive for the call, and a zero byte follows the text. The
        // result is null or a module that is owned here.
        let raw = unsafe { ffi::xpuParseModule(context.to_raw(), view, ffi::string_ref(name)) };
        (!raw.ptr.is_null()).then_some(Self {
            raw,
            context: PhantomData,
        })
    }

    /// The module's operation.
    pub fn op(&self) -> Op<'c> {
        // SAFETY: the module is alive.
        unsafe { Op::from_raw(sys::mlirModuleGetOperation(self.raw)) }
    }

    /// Its block.
    pub fn body(&self) -> Block<'c> {
        // SAFETY: the module is alive.
        unsafe { Block::from_raw(sys::mlirModuleGetBody(self.raw)) }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: owned, and destroyed once.
        unsafe { sys::mlirModuleDestroy(self.raw) }
    }
}
