//! LLVM's code generation.

use crate::CompileError;
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{
    CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine,
};
use xpu_dialect::ir::Op;

/// An object file of a module in LLVM's dialect, optimized for this machine's CPU.
pub(crate) fn object_for_host(module: Op<'_>) -> Result<Vec<u8>, CompileError> {
    let context = Context::create();
    let translated = translate(&context, module)?;
    let machine = host_machine()?;
    translated.set_triple(&machine.get_triple());
    translated.set_data_layout(&machine.get_target_data().get_data_layout());
    translated
        .run_passes("default<O3>", &machine, PassBuilderOptions::create())
        .map_err(|error| failed("optimize the module", &error))?;
    let object = machine
        .write_to_memory_buffer(&translated, FileType::Object)
        .map_err(|error| failed("write an object file", &error))?;
    Ok(object.as_slice().to_vec())
}

fn failed(action: &'static str, message: &dyn std::fmt::Display) -> CompileError {
    CompileError::Llvm {
        action,
        message: message.to_string(),
    }
}

/// LLVM IR of a module in LLVM's dialect.
fn translate<'a>(context: &'a Context, module: Op<'_>) -> Result<Module<'a>, CompileError> {
    // SAFETY: both contexts and the operation are alive; the result is null or a module that the
    // caller owns. The bindings of MLIR and of LLVM declare the same pointer types.
    unsafe {
        let raw = mlir_sys::mlirTranslateModuleToLLVMIR(module.to_raw(), context.raw().cast());
        if raw.is_null() {
            return Err(CompileError::Reported);
        }
        Ok(Module::new(raw.cast()))
    }
}

/// The machine that this program runs on, with every feature of its CPU.
fn host_machine() -> Result<TargetMachine, CompileError> {
    Target::initialize_native(&InitializationConfig::default())
        .map_err(|error| failed("make code for this machine", &error))?;
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple)
        .map_err(|error| failed("make code for this machine", &error))?;
    target
        .create_target_machine(
            &triple,
            &TargetMachine::get_host_cpu_name().to_string(),
            &TargetMachine::get_host_cpu_features().to_string(),
            OptimizationLevel::Aggressive,
            RelocMode::PIC,
            CodeModel::Small,
        )
        .ok_or_else(|| failed("make code for this machine", &"it has no back end for it"))
}
