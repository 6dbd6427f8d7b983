//! Code objects for an AMD chip, without a ROCm installation.

use crate::gpu::GpuOptions;
use crate::llvm::Machine;
use crate::merge::{Linking, merge};
use crate::{CompileError, Compiled, Outputs, Wanted, kernels, lld, stages};
use xpu_dialect::ir::{Attribute, Builder, Op};
use xpu_dialect::{Context, types};
use xpu_passes::memory::RELIES_ON_DEVICE_LOCAL;
use xpu_passes::pipelines::{self, RocdlOptions};
use xpu_passes::target;
use xpu_runtime::{ABI, Argument, Image, ImageFormat, Kernel, Manifest};

const LINKING: Linking = Linking {
    target: "amdgpu",
    maker: "AMD",
    kernel: "rocdl.kernel",
    dialects: &["llvm", "rocdl", "gpu"],
    provided: &[],
    library: "__o",
    in_library: "is in AMD's device libraries, which are not linked; the chip itself has roots, sums, \
                 products, roundings, minimum and maximum",
};

/// The version of the code object's ABI: the launcher and `convert-xpu-to-rocdl` go by the implicit
/// arguments that it lays down.
const CODE_OBJECT: &str =
    "[#llvm.mlir.module_flag<error, \"amdhsa_code_object_version\", 500 : i32>]";

/// Compiles every kernel of a source, text or bytecode, to a code object for a chip such as
/// `gfx1100`. A `gpu.module` that names a chip keeps it.
///
/// # Errors
///
/// Where the source does not parse, verify or lower, with diagnostics emitted to the context; where
/// its modules are for several chips; where LLVM cannot make code; and where there is no linker.
pub fn compile_for_amdgpu(
    context: &Context,
    source: &[u8],
    name: &str,
    chip: &str,
    options: GpuOptions,
) -> Result<Compiled, CompileError> {
    let wanted = Wanted {
        object: true,
        ..Wanted::default()
    };
    let outputs = outputs_for_amdgpu(context, source, name, chip, options, wanted)?;
    Ok(Compiled {
        manifest: outputs.manifest,
        image: outputs.image.unwrap_or_default(),
    })
}

/// As [`compile_for_amdgpu`], with what is wanted of it. The linker is needed for the image alone.
///
/// # Errors
///
/// As [`compile_for_amdgpu`].
pub fn outputs_for_amdgpu(
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
        |module| !target::has_target(module) || target::is_amd(module),
        "is left out, because it names a target that is not an AMD chip",
    );
    let mut found = kernels::collect(module.op()).map_err(|_| CompileError::Reported)?;
    let back = RocdlOptions {
        strict: options.strict,
        forbid_cas_loop: options.forbid_cas_loop,
        assume_any_memory: options.assume_any_memory,
    };
    let pipeline = pipelines::to_rocdl_back(chip, back);
    stages::lower(context, &module, &pipeline, explainer.as_mut())?;
    let (code, target) = merge(&module, chip, &mut found, &LINKING)?;
    take_promises(code, &mut found);
    declare_code_object(code);
    let machine = Machine::amdgpu(target.chip().unwrap_or(chip))?;
    let mut texts = stages::outputs(context, &module, code, &machine, wanted)?;
    texts.object = texts.object.map(|object| lld::link(&object)).transpose()?;
    let manifest = manifest(&target.to_string(), found);
    Ok(Outputs::new(manifest, texts, explainer, machine.isa()))
}

/// Moves what kernels rely on from the code to the manifest.
fn take_promises(code: Op<'_>, kernels: &mut [Kernel]) {
    for function in code.children() {
        let relied = function
            .attribute(RELIES_ON_DEVICE_LOCAL)
            .and_then(types::i32_array_value);
        function.remove_attribute(RELIES_ON_DEVICE_LOCAL);
        let kernel = kernels
            .iter_mut()
            .find(|kernel| Some(kernel.symbol.as_str()) == function.symbol_name());
        let (Some(relied), Some(kernel)) = (relied, kernel) else {
            continue;
        };
        for at in relied {
            let argument = usize::try_from(at)
                .ok()
                .and_then(|at| kernel.args.get_mut(at));
            match argument {
                Some(Argument::Memref(memref)) => memref.relies_on_device_local = true,
                Some(Argument::Pointer(pointer)) => pointer.relies_on_device_local = true,
                Some(Argument::Scalar(_)) | None => {}
            }
        }
    }
}

fn declare_code_object(code: Op<'_>) {
    let context = code.context();
    let flags = Attribute::parse(context, CODE_OBJECT);
    if let (Some(flags), Some(block)) = (flags, code.region(0).first()) {
        Builder::at_start(context, block, code.location())
            .op("llvm.module_flags")
            .attribute("flags", flags)
            .build();
    }
}

fn manifest(target: &str, kernels: Vec<Kernel>) -> Manifest {
    Manifest {
        abi: ABI,
        target: target.to_string(),
        index_bits: 64,
        image: Some(Image {
            file: String::new(),
            format: ImageFormat::Hsaco,
        }),
        kernels,
        weakenings: Vec::new(),
        features: Vec::new(),
    }
}
