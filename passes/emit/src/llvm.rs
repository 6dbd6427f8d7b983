//! LLVM's code generation.

use crate::CompileError;
use crate::explain::Isa;
use inkwell::OptimizationLevel;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::support::error_handling::install_fatal_error_handler;
use inkwell::targets::{
    CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};
use xpu_dialect::ir::Op;

pub(crate) use inkwell::context::Context;

/// A context for one compilation.
pub(crate) fn new_context() -> Context {
    Context::create()
}

/// Makes errors that LLVM cannot recover from end the process with status 1, in place of a signal.
pub(crate) fn exit_on_fatal_errors() {
    extern "C" fn exit(message: *const std::ffi::c_char) {
        // SAFETY: LLVM hands over a text that a zero byte ends.
        let message = unsafe { std::ffi::CStr::from_ptr(message) };
        eprintln!("error: LLVM cannot go on: {}", message.to_string_lossy());
        std::process::exit(1);
    }
    static ONCE: std::sync::Once = std::sync::Once::new();
    // SAFETY: the handler takes what LLVM gives, and does not return to LLVM. LLVM wants one at
    // most.
    ONCE.call_once(|| unsafe { install_fatal_error_handler(exit) });
}

/// The chips that LLVM's NVPTX back end knows, of those that the tables know.
#[rustfmt::skip]
const NVPTX_CHIPS: &[&str] = &[
    "sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a",
    "sm_100f", "sm_101", "sm_101a", "sm_101f", "sm_103", "sm_103a", "sm_103f", "sm_110", "sm_110a", "sm_110f", "sm_120",
    "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f",
];

/// What code is generated for.
#[derive(Debug)]
pub(crate) struct Machine {
    machine: TargetMachine,
    emission_kind: &'static str,
    isa: Isa,
}

impl Machine {
    /// The machine that this program runs on, with the features of its CPU.
    ///
    /// Without its conversions to bf16: they flush subnormals and quiet signalling NaNs, and LLVM
    /// uses them also on values that are only moved.
    pub(crate) fn host() -> Result<Self, CompileError> {
        const ACTION: &str = "make code for this machine";
        Target::initialize_native(&InitializationConfig::default())
            .map_err(|error| failed(ACTION, &error))?;
        let triple = TargetMachine::get_default_triple();
        let target = Target::from_triple(&triple).map_err(|error| failed(ACTION, &error))?;
        let mut features = TargetMachine::get_host_cpu_features().to_string();
        if cfg!(target_arch = "x86_64") {
            features += ",-avx512bf16,-avxneconvert";
        }
        let machine = target.create_target_machine(
            &triple,
            &TargetMachine::get_host_cpu_name().to_string(),
            &features,
            OptimizationLevel::Aggressive,
            RelocMode::PIC,
            CodeModel::Small,
        );
        Ok(Self {
            machine: machine.ok_or_else(|| failed(ACTION, &"it has no back end for it"))?,
            emission_kind: "LineTablesOnly",
            isa: Isa::HOST,
        })
    }

    /// An NVIDIA chip.
    pub(crate) fn nvptx(chip: &str, features: &str) -> Result<Self, CompileError> {
        const ACTION: &str = "make PTX";
        // LLVM would go on with another chip, and abort where that lacks something.
        if !NVPTX_CHIPS.contains(&chip) {
            return Err(CompileError::Refused(format!(
                "error: LLVM has no code generation for chip '{chip}'; it has it for {}",
                NVPTX_CHIPS.join(", ")
            )));
        }
        Target::initialize_nvptx(&InitializationConfig::default());
        let triple = TargetTriple::create("nvptx64-nvidia-cuda");
        let target = Target::from_triple(&triple).map_err(|error| failed(ACTION, &error))?;
        let machine = target.create_target_machine(
            &triple,
            chip,
            features,
            OptimizationLevel::Aggressive,
            RelocMode::Default,
            CodeModel::Default,
        );
        Ok(Self {
            machine: machine.ok_or_else(|| failed(ACTION, &"it has no back end for it"))?,
            emission_kind: "DebugDirectivesOnly",
            isa: Isa::Ptx,
        })
    }

    /// An AMD chip.
    pub(crate) fn amdgpu(chip: &str) -> Result<Self, CompileError> {
        const ACTION: &str = "make code for AMD chips";
        Target::initialize_amd_gpu(&InitializationConfig::default());
        let triple = TargetTriple::create("amdgcn-amd-amdhsa");
        let target = Target::from_triple(&triple).map_err(|error| failed(ACTION, &error))?;
        let machine = target.create_target_machine(
            &triple,
            chip,
            "",
            OptimizationLevel::Aggressive,
            RelocMode::PIC,
            CodeModel::Default,
        );
        Ok(Self {
            machine: machine.ok_or_else(|| failed(ACTION, &"it has no back end for it"))?,
            emission_kind: "LineTablesOnly",
            isa: Isa::Amdgpu,
        })
    }

    /// How much debug information this target wants for lines alone, as MLIR's pass names it.
    pub(crate) fn emission_kind(&self) -> &'static str {
        self.emission_kind
    }

    /// The language of its text.
    pub(crate) fn isa(&self) -> Isa {
        self.isa
    }
}

/// A module of LLVM.
#[derive(Debug)]
pub(crate) struct Code<'a> {
    module: Module<'a>,
    machine: &'a TargetMachine,
}

impl<'a> Code<'a> {
    /// LLVM IR of a module in LLVM's dialect.
    pub(crate) fn translate(
        context: &'a Context,
        module: Op<'_>,
        machine: &'a Machine,
    ) -> Result<Self, CompileError> {
        // SAFETY: both contexts and the operation are alive; the result is null or a module that
        // the caller owns. The bindings of MLIR and of LLVM declare the same pointer types.
        let module = unsafe {
            let raw = mlir_sys::mlirTranslateModuleToLLVMIR(module.to_raw(), context.raw().cast());
            if raw.is_null() {
                return Err(CompileError::Reported);
            }
            Module::new(raw.cast())
        };
        let machine = &machine.machine;
        module.set_triple(&machine.get_triple());
        module.set_data_layout(&machine.get_target_data().get_data_layout());
        Ok(Self { module, machine })
    }

    /// Runs LLVM's optimizer.
    pub(crate) fn optimize(&self) -> Result<(), CompileError> {
        self.module
            .run_passes("default<O3>", self.machine, PassBuilderOptions::create())
            .map_err(|error| failed("optimize the module", &error))
    }

    /// Removes line information.
    pub(crate) fn strip_lines(&self) {
        self.module.strip_debug_info();
    }

    /// LLVM's text.
    pub(crate) fn text(&self) -> String {
        self.module.print_to_string().to_string()
    }

    /// The target's text. Uses the module up, as the back end does.
    pub(crate) fn assembly(self) -> Result<String, CompileError> {
        self.machine.set_asm_verbosity(true);
        let bytes = self.generate(FileType::Assembly, "write assembly")?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// An object file. Uses the module up.
    pub(crate) fn object(self) -> Result<Vec<u8>, CompileError> {
        self.generate(FileType::Object, "write an object file")
    }

    /// Another module with the same code. The back end changes the one that it makes code of.
    pub(crate) fn copy(&self) -> Self {
        Self {
            module: self.module.clone(),
            machine: self.machine,
        }
    }

    fn generate(self, kind: FileType, action: &'static str) -> Result<Vec<u8>, CompileError> {
        let made = self
            .machine
            .write_to_memory_buffer(&self.module, kind)
            .map_err(|error| failed(action, &error))?;
        Ok(made.as_slice().to_vec())
    }
}

fn failed(action: &'static str, message: &dyn std::fmt::Display) -> CompileError {
    CompileError::Llvm {
        action,
        message: message.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_back_end_knows_the_chips() {
        let context = new_context();
        for chip in NVPTX_CHIPS {
            let machine = Machine::nvptx(chip, "").unwrap();
            let module = context.create_module("empty");
            module.set_triple(&machine.machine.get_triple());
            let machine = &machine.machine;
            let text = Code { module, machine }.assembly().unwrap();
            // Of a chip that it does not know, it writes another.
            assert!(text.contains(&format!(".target {chip}\n")), "{text}");
        }
        assert!(Machine::nvptx("sm_91", "").is_err());
    }
}
