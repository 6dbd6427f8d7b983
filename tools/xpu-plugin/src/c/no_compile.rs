//! `xpu-c/Compile.h` in a library that was built without code generation.

use mlir_sys::{MlirLogicalResult, MlirModule, MlirStringCallback, MlirStringRef};
use std::ffi::c_void;
use xpu_dialect::diagnostic;
use xpu_dialect::ir::Location;

/// Fails, and says what would have been needed.
///
/// # Safety
///
/// The module must be alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuCompile(
    module: MlirModule,
    _target: MlirStringRef,
    _image_file: MlirStringRef,
    _on_image: MlirStringCallback,
    _on_manifest: MlirStringCallback,
    _user_data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the caller vouches for the module.
    unsafe { refuse(module) }
}

/// The same.
///
/// # Safety
///
/// The module must be alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuCompileWithOptions(
    module: MlirModule,
    _target: MlirStringRef,
    _options: MlirStringRef,
    _image_file: MlirStringRef,
    _on_image: MlirStringCallback,
    _on_manifest: MlirStringCallback,
    _user_data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the caller vouches for the module.
    unsafe { refuse(module) }
}

/// # Safety
///
/// The module must be alive.
unsafe fn refuse(module: MlirModule) -> MlirLogicalResult {
    // SAFETY: the caller vouches for the module, and its location lives as long as it.
    let location = unsafe {
        Location::from_raw(mlir_sys::mlirOperationGetLocation(
            mlir_sys::mlirModuleGetOperation(module),
        ))
    };
    diagnostic::error(
        location,
        "this libxpu.so has the dialect and its passes alone: build xpu-plugin with its feature `compile`, or `vulkan`",
    );
    super::FAILURE
}
