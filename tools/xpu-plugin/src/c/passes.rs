//! `xpu-c/Passes.h` and `xpu-c/Pipelines.h`.

use super::{FAILURE, collect, hand_over, text, view};
use mlir_sys::{
    MlirLogicalResult, MlirModule, MlirOpPassManager, MlirPass, MlirStringCallback, MlirStringRef,
};
use std::ffi::c_void;
use xpu_passes::registry;

unsafe extern "C" {
    /// `dialects/xpu/shim/Doors.h`
    fn xpuMakePass(
        name: MlirStringRef,
        options: MlirStringRef,
        on_error: MlirStringCallback,
        user_data: *mut c_void,
    ) -> MlirPass;
}

/// Registers the passes and pipelines of xpu.
#[unsafe(no_mangle)]
pub extern "C" fn xpuRegisterPasses() {
    registry::register();
}

/// Makes a pass.
///
/// # Safety
///
/// The views and the callback must be what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuCreatePass(
    name: MlirStringRef,
    options: MlirStringRef,
    on_error: MlirStringCallback,
    user_data: *mut c_void,
) -> MlirPass {
    registry::register();
    // SAFETY: the caller vouches for the arguments.
    unsafe { xpuMakePass(name, options, on_error, user_data) }
}

/// Registers the pipelines, and all passes that are in them.
#[unsafe(no_mangle)]
pub extern "C" fn xpuRegisterPipelines() {
    xpu_dialect::context::register_upstream_passes();
    registry::register();
}

/// Adds a pipeline to a pass manager.
///
/// # Safety
///
/// The pass manager must be alive, the views and the callback what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuAddPipeline(
    manager: MlirOpPassManager,
    name: MlirStringRef,
    options: MlirStringRef,
    on_error: MlirStringCallback,
    user_data: *mut c_void,
) -> MlirLogicalResult {
    xpuRegisterPipelines();
    // SAFETY: the caller vouches for the views.
    let (name, options) = unsafe { (text(name), text(options)) };
    let known: Vec<_> = registry::PIPELINES.iter().map(|one| one.argument).collect();
    if !known.contains(&name.as_ref()) {
        let problem = format!(
            "xpu has no pipeline '{name}'; its pipelines are {}",
            known.join(", ")
        );
        // SAFETY: the caller vouches for the callback.
        unsafe { hand_over(on_error, problem.as_bytes(), user_data) };
        return FAILURE;
    }
    let pipeline = format!("{name}{{{options}}}");
    let mut problem = Vec::new();
    // SAFETY: the pass manager is alive; the texts, and the buffer for problems, live for the call.
    let added = unsafe {
        mlir_sys::mlirOpPassManagerAddPipeline(
            manager,
            view(pipeline.as_bytes()),
            Some(collect),
            (&raw mut problem).cast(),
        )
    };
    if added.value == 0 {
        // SAFETY: the caller vouches for the callback.
        unsafe { hand_over(on_error, problem.trim_ascii_end(), user_data) };
    }
    added
}

/// Runs a pipeline on a module.
///
/// # Safety
///
/// The module must be alive, the views and the callback what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuRunPipeline(
    module: MlirModule,
    name: MlirStringRef,
    options: MlirStringRef,
    on_error: MlirStringCallback,
    user_data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the caller vouches for the module, whose context outlives it, and the rest; the pass
    // manager is made and destroyed here.
    unsafe {
        let context = mlir_sys::mlirModuleGetContext(module);
        let manager = mlir_sys::mlirPassManagerCreate(context);
        let passes = mlir_sys::mlirPassManagerGetAsOpPassManager(manager);
        let mut done = xpuAddPipeline(passes, name, options, on_error, user_data);
        if done.value != 0 {
            let op = mlir_sys::mlirModuleGetOperation(module);
            done = mlir_sys::mlirPassManagerRunOnOp(manager, op);
        }
        mlir_sys::mlirPassManagerDestroy(manager);
        done
    }
}
