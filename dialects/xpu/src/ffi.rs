//! The doors of `shim/Doors.h`, declared for Rust.

use melior::StringRef;
use mlir_sys::{
    MlirAttribute, MlirContext, MlirDialectRegistry, MlirLocation, MlirModule, MlirOperation,
    MlirStringCallback, MlirStringRef, MlirType, MlirValue,
};
use std::ffi::{c_char, c_int, c_void};

#[repr(C)]
pub(crate) struct XpuOption {
    pub(crate) name: MlirStringRef,
    pub(crate) description: MlirStringRef,
    pub(crate) default_value: MlirStringRef,
    pub(crate) is_flag: bool,
    pub(crate) num_values: isize,
    pub(crate) values: *const MlirStringRef,
}

#[repr(C)]
pub(crate) struct XpuRegistration {
    pub(crate) argument: MlirStringRef,
    pub(crate) summary: MlirStringRef,
    pub(crate) num_options: isize,
    pub(crate) options: *const XpuOption,
    pub(crate) num_dialects: isize,
    pub(crate) dialects: *const MlirStringRef,
    pub(crate) index: usize,
}

pub(crate) type XpuPassCallback =
    unsafe extern "C" fn(usize, MlirOperation, isize, *const MlirStringRef) -> bool;
pub(crate) type XpuPipelineCallback = unsafe extern "C" fn(
    usize,
    isize,
    *const MlirStringRef,
    MlirStringCallback,
    *mut c_void,
) -> bool;
pub(crate) type XpuInputCheck = unsafe extern "C" fn(MlirStringRef, MlirStringRef) -> bool;

unsafe extern "C" {
    pub(crate) fn xpuSerializeSpirv(
        module: MlirOperation,
        lines: bool,
        sink: unsafe extern "C" fn(*const u32, isize, *mut c_void),
        user_data: *mut c_void,
    ) -> bool;
    pub(crate) fn xpuRegisterDialect(registry: MlirDialectRegistry);
    pub(crate) fn xpuParseModule(
        context: MlirContext,
        text: MlirStringRef,
        name: MlirStringRef,
    ) -> MlirModule;
    pub(crate) fn xpuStorageOfSpace(space: MlirAttribute) -> i32;
    pub(crate) fn xpuStorageOfValue(memory: MlirValue) -> i32;
    pub(crate) fn xpuAddressSpace(pointer: MlirType) -> i64;
    pub(crate) fn xpuEmitDiagnostic(
        location: MlirLocation,
        severity: i32,
        message: MlirStringRef,
        num_notes: isize,
        note_locations: *const MlirLocation,
        notes: *const MlirStringRef,
    );
    pub(crate) fn xpuReplaceTypes(
        op: MlirOperation,
        callback: unsafe extern "C" fn(MlirType, *mut c_void) -> MlirType,
        user_data: *mut c_void,
    );
    pub(crate) fn xpuFileLocation(
        location: MlirLocation,
        file: *mut MlirStringRef,
        line: *mut u32,
        column: *mut u32,
    ) -> bool;
    pub(crate) fn xpuRegisterPass(registration: *const XpuRegistration, callback: XpuPassCallback);
    pub(crate) fn xpuRegisterPipeline(
        registration: *const XpuRegistration,
        callback: XpuPipelineCallback,
    );
    pub(crate) fn xpuOptMain(argc: c_int, argv: *mut *mut c_char, check: XpuInputCheck) -> c_int;
    pub(crate) fn xpuLspMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
}

/// A view of text that lives as long as `text`.
pub(crate) fn string_ref(text: &str) -> MlirStringRef {
    StringRef::new(text).to_raw()
}

/// The text behind a view.
///
/// # Safety
///
/// The view must point at text that lives for `'a`.
pub(crate) unsafe fn text<'a>(view: MlirStringRef) -> &'a str {
    if view.data.is_null() {
        return "";
    }
    // SAFETY: the caller vouches for the pointer, length and lifetime.
    let bytes = unsafe { std::slice::from_raw_parts(view.data.cast::<u8>(), view.length) };
    std::str::from_utf8(bytes).unwrap_or("<not UTF-8>")
}
