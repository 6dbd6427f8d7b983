//! `xpu-c/Ops.h`.

use super::{list, text, view};
use mlir_sys::{
    MlirAttribute, MlirBlock, MlirContext, MlirDialectHandle, MlirLocation, MlirNamedAttribute,
    MlirOperation, MlirRegion, MlirStringRef, MlirType, MlirValue,
};
use std::ptr::null_mut;
use xpu_dialect::axes::{Dimension, Kind, Ordering};
use xpu_dialect::diagnostic;
use xpu_dialect::ir::{Location, Op};

unsafe extern "C" {
    /// `dialects/xpu/shim/CApi.cpp`
    fn mlirGetDialectHandle__xpu__() -> MlirDialectHandle;
    fn xpuAttributeIsAOrdering(attribute: MlirAttribute) -> bool;
    fn xpuAttributeIsAScope(attribute: MlirAttribute) -> bool;
    fn xpuAttributeIsADenormalMode(attribute: MlirAttribute) -> bool;
}

/// `XpuClauses`: null for what is absent.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct XpuClauses {
    ordering: MlirAttribute,
    failure: MlirAttribute,
    scope: MlirAttribute,
    denormals: MlirAttribute,
    fastmath: MlirAttribute,
}

const NO_OPERATION: MlirOperation = MlirOperation { ptr: null_mut() };
const NO_ATTRIBUTE: MlirAttribute = MlirAttribute {
    ptr: std::ptr::null(),
};
const NO_VALUE: MlirValue = MlirValue {
    ptr: std::ptr::null(),
};
const NO_CLAUSES: XpuClauses = XpuClauses {
    ordering: NO_ATTRIBUTE,
    failure: NO_ATTRIBUTE,
    scope: NO_ATTRIBUTE,
    denormals: NO_ATTRIBUTE,
    fastmath: NO_ATTRIBUTE,
};

/// The atomics, each with the number of the operand that is the memory; indices follow it.
const ATOMICS: &[(&str, isize)] = &[
    ("xpu.atomic_rmw", 1),
    ("xpu.cas", 2),
    ("xpu.atomic_load", 0),
    ("xpu.atomic_store", 1),
];

/// `XpuId`, in the order of the header.
const IDS: &[&str] = &[
    "xpu.global_id",
    "xpu.local_id",
    "xpu.group_id",
    "xpu.group_count",
    "xpu.workgroup_size",
];

/// An operation being made, and the first thing that is wrong with it.
///
/// What it holds is alive, as the callers of the functions below vouch.
struct Making {
    location: MlirLocation,
    context: MlirContext,
    name: &'static str,
    operands: Vec<MlirValue>,
    results: Vec<MlirType>,
    attributes: Vec<(&'static str, MlirAttribute)>,
    body: Option<MlirRegion>,
    problem: Option<String>,
}

impl Making {
    /// `None` for a null location, at which nothing can be said.
    ///
    /// # Safety
    ///
    /// The location must be alive, or null.
    unsafe fn new(location: MlirLocation, name: &'static str) -> Option<Self> {
        if location.ptr.is_null() {
            return None;
        }
        // SAFETY: the caller vouches for the location, which belongs to a context.
        let context = unsafe {
            let context = mlir_sys::mlirLocationGetContext(location);
            mlir_sys::mlirDialectHandleLoadDialect(mlirGetDialectHandle__xpu__(), context);
            context
        };
        Some(Self {
            location,
            context,
            name,
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            body: None,
            problem: None,
        })
    }

    fn refuse(&mut self, problem: String) {
        self.problem.get_or_insert(problem);
    }

    fn operand(&mut self, what: &str, value: MlirValue) {
        if value.ptr.is_null() {
            self.refuse(format!("{what} is null"));
        }
        self.operands.push(value);
    }

    fn result(&mut self, what: &str, ty: MlirType) {
        if ty.ptr.is_null() {
            self.refuse(format!("{what} is null"));
        }
        self.results.push(ty);
    }

    /// An attribute, where it is not null.
    fn attribute(&mut self, name: &'static str, value: MlirAttribute) {
        if !value.ptr.is_null() {
            self.attributes.push((name, value));
        }
    }

    /// An enum, whose number C may have made up.
    fn number(&mut self, name: &'static str, number: Option<i32>, given: i32) {
        let Some(number) = number else {
            return self.refuse(format!("{given} is no {name}"));
        };
        // SAFETY: the context is alive.
        let attribute = unsafe {
            let i32_type = mlir_sys::mlirIntegerTypeGet(self.context, 32);
            mlir_sys::mlirIntegerAttrGet(i32_type, i64::from(number))
        };
        self.attribute(name, attribute);
    }

    /// The memory of an atomic and its indices.
    fn place(&mut self, memory: MlirValue, indices: &[MlirValue]) {
        self.operand("the memory", memory);
        for index in indices {
            self.operand("an index", *index);
        }
    }

    /// The clauses that `allowed` names. Another is refused, and so is an attribute of another kind.
    fn clauses(&mut self, clauses: &XpuClauses, allowed: &[&str]) {
        let given: [(
            &str,
            MlirAttribute,
            Option<unsafe extern "C" fn(MlirAttribute) -> bool>,
        ); 5] = [
            ("ordering", clauses.ordering, Some(xpuAttributeIsAOrdering)),
            ("failure", clauses.failure, Some(xpuAttributeIsAOrdering)),
            ("scope", clauses.scope, Some(xpuAttributeIsAScope)),
            (
                "denormals",
                clauses.denormals,
                Some(xpuAttributeIsADenormalMode),
            ),
            // Has no function of the C API; seen in what the operation makes of it.
            ("fastmath", clauses.fastmath, None),
        ];
        for (name, value, is_a) in given {
            if value.ptr.is_null() {
                continue;
            }
            if !allowed.contains(&name) {
                self.refuse(format!("has no clause '{name}'"));
            }
            // SAFETY: the attribute is alive.
            if is_a.is_some_and(|is_a| unsafe { !is_a(value) }) {
                self.refuse(format!("clause '{name}' is another kind of attribute"));
            }
            self.attributes.push((name, value));
        }
    }

    /// Makes it; null, with the problem emitted, where there is one.
    fn done(mut self) -> MlirOperation {
        if self.problem.is_none() {
            let op = self.create();
            let lost = |op: MlirOperation, name: &str, value: MlirAttribute| {
                // SAFETY: the operation is alive.
                let kept =
                    unsafe { mlir_sys::mlirOperationGetAttributeByName(op, view(name.as_bytes())) };
                kept.ptr != value.ptr
            };
            let lost = self
                .attributes
                .iter()
                .find(|(name, value)| lost(op, name, *value));
            let Some((name, _)) = lost else {
                return op;
            };
            let problem = format!("'{name}' is another kind of attribute");
            // SAFETY: the operation is in no block, and nobody else has it.
            unsafe { mlir_sys::mlirOperationDestroy(op) };
            self.body = None;
            self.refuse(problem);
        }
        if let Some(body) = self.body {
            // SAFETY: no operation has taken it.
            unsafe { mlir_sys::mlirRegionDestroy(body) };
        }
        let problem = self.problem.unwrap_or_default();
        // SAFETY: the location is alive.
        let location = unsafe { Location::from_raw(self.location) };
        diagnostic::error(location, &format!("'{}' op {problem}", self.name));
        NO_OPERATION
    }

    /// The results are given, so this cannot fail.
    fn create(&self) -> MlirOperation {
        // SAFETY: everything that is handed over is alive; the region is the operation's from then
        // on.
        unsafe {
            let attributes: Vec<_> = self
                .attributes
                .iter()
                .map(|(name, value)| MlirNamedAttribute {
                    name: mlir_sys::mlirIdentifierGet(self.context, view(name.as_bytes())),
                    attribute: *value,
                })
                .collect();
            let mut state =
                mlir_sys::mlirOperationStateGet(view(self.name.as_bytes()), self.location);
            mlir_sys::mlirOperationStateAddOperands(
                &mut state,
                self.operands.len().cast_signed(),
                self.operands.as_ptr(),
            );
            mlir_sys::mlirOperationStateAddResults(
                &mut state,
                self.results.len().cast_signed(),
                self.results.as_ptr(),
            );
            mlir_sys::mlirOperationStateAddAttributes(
                &mut state,
                attributes.len().cast_signed(),
                attributes.as_ptr(),
            );
            if let Some(body) = self.body {
                mlir_sys::mlirOperationStateAddOwnedRegions(&mut state, 1, &body);
            }
            mlir_sys::mlirOperationCreate(&mut state)
        }
    }
}

/// Makes an operation at a location: null for a null location.
///
/// # Safety
///
/// The location must be alive, or null, and so must what `with` hands over.
unsafe fn make(
    location: MlirLocation,
    name: &'static str,
    with: impl FnOnce(&mut Making),
) -> MlirOperation {
    // SAFETY: the caller vouches for the location.
    let Some(mut making) = (unsafe { Making::new(location, name) }) else {
        return NO_OPERATION;
    };
    with(&mut making);
    making.done()
}

/// The element type of a memref; that of `otherwise` for memory that does not say one.
///
/// # Safety
///
/// What is given must be alive, or null.
unsafe fn element(memory: MlirValue, otherwise: MlirType) -> MlirType {
    if memory.ptr.is_null() {
        return otherwise;
    }
    // SAFETY: the value is alive.
    unsafe {
        let ty = mlir_sys::mlirValueGetType(memory);
        if mlir_sys::mlirTypeIsAMemRef(ty) {
            mlir_sys::mlirShapedTypeGetElementType(ty)
        } else {
            otherwise
        }
    }
}

/// # Safety
///
/// The value must be alive, or null.
unsafe fn type_of(value: MlirValue) -> MlirType {
    if value.ptr.is_null() {
        return MlirType {
            ptr: std::ptr::null(),
        };
    }
    // SAFETY: the value is alive.
    unsafe { mlir_sys::mlirValueGetType(value) }
}

/// `xpu.kernel`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuKernelCreate(
    location: MlirLocation,
    name: MlirStringRef,
    count: isize,
    types: *const MlirType,
    workgroup_size: *const i32,
) -> MlirOperation {
    // SAFETY: the caller vouches for what is given; the block and region go to the operation.
    unsafe {
        make(location, "xpu.kernel", |making| {
            let types = list(count, types);
            let size = list(3, workgroup_size);
            if size.is_empty() {
                making.refuse("the workgroup size is null".to_string());
            }
            if types.len().cast_signed() != count || types.iter().any(|one| one.ptr.is_null()) {
                return making.refuse("an argument's type is null".to_string());
            }
            let context = making.context;
            let function =
                mlir_sys::mlirFunctionTypeGet(context, count, types.as_ptr(), 0, std::ptr::null());
            let name = text(name);
            let name = mlir_sys::mlirStringAttrGet(context, view(name.as_bytes()));
            making.attribute("sym_name", name);
            making.attribute("function_type", mlir_sys::mlirTypeAttrGet(function));
            let size =
                mlir_sys::mlirDenseI32ArrayGet(context, size.len().cast_signed(), size.as_ptr());
            making.attribute("workgroup_size", size);
            let locations = vec![location; types.len()];
            let block = mlir_sys::mlirBlockCreate(count, types.as_ptr(), locations.as_ptr());
            let body = mlir_sys::mlirRegionCreate();
            mlir_sys::mlirRegionAppendOwnedBlock(body, block);
            making.body = Some(body);
        })
    }
}

/// The block of a kernel.
///
/// # Safety
///
/// The operation must be alive, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuKernelGetEntryBlock(kernel: MlirOperation) -> MlirBlock {
    // SAFETY: the caller vouches for the operation.
    unsafe {
        match Op::from_option_raw(kernel) {
            Some(op) if op.is("xpu.kernel") => {
                mlir_sys::mlirRegionGetFirstBlock(mlir_sys::mlirOperationGetRegion(kernel, 0))
            }
            _ => MlirBlock { ptr: null_mut() },
        }
    }
}

/// `xpu.return`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuReturnCreate(location: MlirLocation) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe { make(location, "xpu.return", |_| {}) }
}

/// `xpu.global_id` and its like.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuIdCreate(
    location: MlirLocation,
    id: i32,
    dimension: i32,
) -> MlirOperation {
    let name = usize::try_from(id).ok().and_then(|id| IDS.get(id));
    // SAFETY: the caller vouches for what is given.
    unsafe {
        make(location, name.unwrap_or(&IDS[0]), |making| {
            if name.is_none() {
                making.refuse(format!("{id} is no id"));
            }
            let known = Dimension::from_number(dimension.into());
            making.number("dimension", known.map(Dimension::number), dimension);
            making
                .results
                .push(mlir_sys::mlirIndexTypeGet(making.context));
        })
    }
}

/// `xpu.shared`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuSharedCreate(location: MlirLocation, ty: MlirType) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe {
        make(location, "xpu.shared", |making| {
            making.result("the type", ty)
        })
    }
}

/// `xpu.reinterpret`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuReinterpretCreate(
    location: MlirLocation,
    source: MlirValue,
    ty: MlirType,
) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe { cast(location, "xpu.reinterpret", source, ty) }
}

/// `xpu.sign_cast`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuSignCastCreate(
    location: MlirLocation,
    source: MlirValue,
    ty: MlirType,
) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe { cast(location, "xpu.sign_cast", source, ty) }
}

/// # Safety
///
/// As for those who call it.
unsafe fn cast(
    location: MlirLocation,
    name: &'static str,
    source: MlirValue,
    ty: MlirType,
) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe {
        make(location, name, |making| {
            making.operand("the source", source);
            making.result("the type", ty);
        })
    }
}

/// `xpu.atomic_rmw`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuAtomicRmwCreate(
    location: MlirLocation,
    kind: i32,
    value: MlirValue,
    memory: MlirValue,
    count: isize,
    indices: *const MlirValue,
    clauses: XpuClauses,
) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe {
        make(location, "xpu.atomic_rmw", |making| {
            making.number(
                "kind",
                Kind::from_number(kind.into()).map(Kind::number),
                kind,
            );
            making.operand("the value", value);
            making.place(memory, list(count, indices));
            making.clauses(&clauses, &["ordering", "scope", "denormals", "fastmath"]);
            making.result("the result's type", element(memory, type_of(value)));
        })
    }
}

/// `xpu.cas`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuCasCreate(
    location: MlirLocation,
    expected: MlirValue,
    desired: MlirValue,
    memory: MlirValue,
    count: isize,
    indices: *const MlirValue,
    clauses: XpuClauses,
) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe {
        make(location, "xpu.cas", |making| {
            making.operand("the expected value", expected);
            making.operand("the desired value", desired);
            making.place(memory, list(count, indices));
            making.clauses(&clauses, &["ordering", "failure", "scope"]);
            making.result("the result's type", element(memory, type_of(expected)));
        })
    }
}

/// `xpu.atomic_load`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuAtomicLoadCreate(
    location: MlirLocation,
    ty: MlirType,
    memory: MlirValue,
    count: isize,
    indices: *const MlirValue,
    clauses: XpuClauses,
) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe {
        make(location, "xpu.atomic_load", |making| {
            making.place(memory, list(count, indices));
            making.clauses(&clauses, &["ordering", "scope"]);
            making.result("the element's type", element(memory, ty));
        })
    }
}

/// `xpu.atomic_store`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuAtomicStoreCreate(
    location: MlirLocation,
    value: MlirValue,
    memory: MlirValue,
    count: isize,
    indices: *const MlirValue,
    clauses: XpuClauses,
) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe {
        make(location, "xpu.atomic_store", |making| {
            making.operand("the value", value);
            making.place(memory, list(count, indices));
            making.clauses(&clauses, &["ordering", "scope"]);
        })
    }
}

/// `xpu.fence`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuFenceCreate(
    location: MlirLocation,
    ordering: i32,
    scope: MlirAttribute,
) -> MlirOperation {
    let clauses = XpuClauses {
        scope,
        ..NO_CLAUSES
    };
    // SAFETY: the caller vouches for what is given.
    unsafe {
        make(location, "xpu.fence", |making| {
            let known = Ordering::from_number(ordering.into());
            making.number("ordering", known.map(Ordering::number), ordering);
            making.clauses(&clauses, &["scope"]);
        })
    }
}

/// `xpu.barrier`.
///
/// # Safety
///
/// What is given must be what the header says, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuBarrierCreate(location: MlirLocation) -> MlirOperation {
    // SAFETY: the caller vouches for what is given.
    unsafe { make(location, "xpu.barrier", |_| {}) }
}

/// The number of the operand that is the memory, of an atomic.
///
/// # Safety
///
/// The operation must be alive, or null.
unsafe fn memory_operand(op: MlirOperation) -> Option<isize> {
    // SAFETY: the caller vouches for the operation.
    let name = unsafe { Op::from_option_raw(op)?.name() };
    let row = ATOMICS.iter().find(|(atomic, _)| *atomic == name);
    row.map(|(_, operand)| *operand)
}

/// Whether an operation is an atomic.
///
/// # Safety
///
/// The operation must be alive, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuOperationIsAAtomic(op: MlirOperation) -> bool {
    // SAFETY: the caller vouches for the operation.
    unsafe { memory_operand(op).is_some() }
}

/// The clauses of an atomic or a fence.
///
/// # Safety
///
/// The operation must be alive, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuOperationGetClauses(op: MlirOperation) -> XpuClauses {
    // SAFETY: the caller vouches for the operation.
    unsafe {
        let Some(found) = Op::from_option_raw(op) else {
            return NO_CLAUSES;
        };
        if memory_operand(op).is_none() && !found.is("xpu.fence") {
            return NO_CLAUSES;
        }
        let get = |name: &str| mlir_sys::mlirOperationGetAttributeByName(op, view(name.as_bytes()));
        XpuClauses {
            ordering: get("ordering"),
            failure: get("failure"),
            scope: get("scope"),
            denormals: get("denormals"),
            fastmath: get("fastmath"),
        }
    }
}

/// What an `xpu.atomic_rmw` computes.
///
/// # Safety
///
/// The operation must be alive, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuOperationGetKind(op: MlirOperation) -> MlirAttribute {
    // SAFETY: the caller vouches for the operation.
    unsafe {
        match Op::from_option_raw(op) {
            Some(found) if found.is("xpu.atomic_rmw") => {
                mlir_sys::mlirOperationGetAttributeByName(op, view(b"kind"))
            }
            _ => NO_ATTRIBUTE,
        }
    }
}

/// The memory that an atomic accesses.
///
/// # Safety
///
/// The operation must be alive, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuAtomicGetMemory(op: MlirOperation) -> MlirValue {
    // SAFETY: the caller vouches for the operation.
    unsafe {
        match memory_operand(op) {
            Some(number) if number < mlir_sys::mlirOperationGetNumOperands(op) => {
                mlir_sys::mlirOperationGetOperand(op, number)
            }
            _ => NO_VALUE,
        }
    }
}

/// How many indices an atomic has.
///
/// # Safety
///
/// The operation must be alive, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuAtomicGetNumIndices(op: MlirOperation) -> isize {
    // SAFETY: the caller vouches for the operation.
    unsafe {
        match memory_operand(op) {
            Some(number) => (mlir_sys::mlirOperationGetNumOperands(op) - number - 1).max(0),
            None => 0,
        }
    }
}

/// An index of an atomic.
///
/// # Safety
///
/// The operation must be alive, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuAtomicGetIndex(op: MlirOperation, number: isize) -> MlirValue {
    // SAFETY: the caller vouches for the operation.
    unsafe {
        match memory_operand(op) {
            Some(memory) if (0..xpuAtomicGetNumIndices(op)).contains(&number) => {
                mlir_sys::mlirOperationGetOperand(op, memory + 1 + number)
            }
            _ => NO_VALUE,
        }
    }
}
