//! PTX for an NVIDIA chip.

use crate::gpu::GpuOptions;
use crate::llvm::Machine;
use crate::merge::{Linking, merge};
use crate::{CompileError, Compiled, Outputs, Wanted, kernels, stages};
use xpu_dialect::Context;
use xpu_passes::{pipelines, target};
use xpu_runtime::{ABI, Image, ImageFormat, Kernel, Manifest};

const LINKING: Linking = Linking {
    target: "nvptx",
    maker: "NVIDIA",
    kernel: "nvvm.kernel",
    dialects: &["llvm", "nvvm", "gpu"],
    // CUDA C++ programming guide, assertion, formatted output, dynamic allocation.
    provided: &["__assertfail", "free", "malloc", "vprintf"],
    library: "__nv_",
    in_library: "is in NVIDIA's libdevice, which is not linked; PTX itself has roots, sums, products, \
                 roundings, minimum and maximum",
};

/// Compiles every kernel of a source, text or bytecode, to PTX for a chip such as `sm_90`. A
/// `gpu.module` that names a chip keeps it.
///
/// # Errors
///
/// Where the source does not parse, verify or lower, with diagnostics emitted to the context; where
/// its modules are for several chips; and where LLVM cannot make code.
pub fn compile_for_nvptx(
    context: &Context,
    source: &[u8],
    name: &str,
    chip: &str,
    options: GpuOptions,
) -> Result<Compiled, CompileError> {
    let wanted = Wanted {
        asm: true,
        ..Wanted::default()
    };
    let outputs = outputs_for_nvptx(context, source, name, chip, options, wanted)?;
    Ok(Compiled {
        manifest: outputs.manifest,
        image: outputs.asm.unwrap_or_default().into_bytes(),
    })
}

/// As [`compile_for_nvptx`], with what is wanted of it. There is no object file: the image is PTX.
///
/// # Errors
///
/// As [`compile_for_nvptx`].
pub fn outputs_for_nvptx(
    context: &Context,
    source: &[u8],
    name: &str,
    chip: &str,
    options: GpuOptions,
    wanted: Wanted,
) -> Result<Outputs, CompileError> {
    let module = stages::parse(context, source, name)?;
    let mut explainer = stages::explainer(&module, wanted);
    stages::run(context, &module, &pipelines::front(options.forbid_cas_loop))?;
    stages::keep(
        &module,
        |module| !target::has_target(module) || target::is_nvidia(module),
        "is left out, because it names a target that is not an NVIDIA chip",
    );
    let mut found = kernels::collect(module.op()).map_err(|_| CompileError::Reported)?;
    let pipeline = pipelines::to_nvvm_back(chip, options.strict, options.forbid_cas_loop);
    stages::lower(context, &module, &pipeline, explainer.as_mut())?;
    let (code, target) = merge(&module, chip, &mut found, &LINKING)?;
    let machine = Machine::nvptx(target.chip().unwrap_or(chip), target.llvm_features())?;
    let wanted = Wanted {
        object: false,
        ..wanted
    };
    let texts = stages::outputs(context, &module, code, &machine, wanted)?;
    let manifest = manifest(&target.to_string(), found);
    Ok(Outputs::new(manifest, texts, explainer, machine.isa()))
}

fn manifest(target: &str, kernels: Vec<Kernel>) -> Manifest {
    Manifest {
        abi: ABI,
        target: target.to_string(),
        index_bits: 64,
        image: Some(Image {
            file: String::new(),
            format: ImageFormat::Ptx,
        }),
        kernels,
        features: Vec::new(),
        weakenings: Vec::new(),
    }
}
