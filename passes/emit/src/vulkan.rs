//! SPIR-V for Vulkan.

mod abi;
mod binary;

use crate::explain::Isa;
use crate::{CompileError, Compiled, GpuOptions, Outputs, Wanted, kernels, stages};
use std::cell::Cell;
use std::collections::HashSet;
use xpu_dialect::Context;
use xpu_dialect::diagnostic::{self, Reported};
use xpu_dialect::ir::{Module, Op};
use xpu_passes::atomic::Access;
use xpu_passes::pipelines::{self, SpirvOptions};
use xpu_passes::strategy;
use xpu_passes::target::{self, PerModule};
use xpu_runtime::{ABI, Image, ImageFormat, Kernel, Manifest, Weakening};
use xpu_targets::{Target, Verdict};

/// Compiles every kernel of a source, text or bytecode, to SPIR-V for a version of Vulkan with features,
/// such as `1.3,+shader_int64`. A `gpu.module` that names its own keeps them.
///
/// # Errors
///
/// Where the source does not parse, verify or lower, with diagnostics emitted to the context; where
/// its modules are for several targets; and where the code needs a feature that the target lacks.
pub fn compile_for_vulkan(
    context: &Context,
    source: &[u8],
    name: &str,
    target: &str,
    options: GpuOptions,
) -> Result<Compiled, CompileError> {
    let wanted = Wanted {
        object: true,
        ..Wanted::default()
    };
    let outputs = outputs_for_vulkan(context, source, name, target, options, wanted)?;
    Ok(Compiled {
        manifest: outputs.manifest,
        image: outputs.image.unwrap_or_default(),
    })
}

/// As [`compile_for_vulkan`], with what is wanted of it. There is no LLVM IR; the text is in the format
/// of `spirv-dis`.
///
/// # Errors
///
/// As [`compile_for_vulkan`].
pub fn outputs_for_vulkan(
    context: &Context,
    source: &[u8],
    name: &str,
    target: &str,
    options: GpuOptions,
    wanted: Wanted,
) -> Result<Outputs, CompileError> {
    let module = stages::parse(context, source, name)?;
    let mut explainer = stages::explainer(&module, wanted);
    stages::run(context, &module, &pipelines::front(options.forbid_cas_loop))?;
    keep_vulkan(&module)?;
    let mut found = kernels::collect(module.op()).map_err(|_| CompileError::Reported)?;
    let options = SpirvOptions {
        strict: options.strict,
        forbid_cas_loop: options.forbid_cas_loop,
    };
    let settle = pipelines::to_spirv_settle(target, options);
    stages::lower(context, &module, &settle, explainer.as_mut())?;
    let target = common_target(&module, target)?;
    let weakenings = weakenings(&module).map_err(|_| CompileError::Reported)?;
    let lower = pipelines::to_spirv_lower(target.chip().unwrap_or_default(), options);
    stages::lower(context, &module, &lower, explainer.as_mut())?;
    rename(&mut found);

    let mut texts = stages::Texts::default();
    if wanted.mlir {
        texts.mlir = Some(if wanted.lines {
            module.op().text_with_locations()
        } else {
            module.op().to_string() + "\n"
        });
    }
    let image = binary::make(&module, &found, &target, wanted.lines)?;
    let features = binary::features(&image, &target)?;
    abi::complete(&mut found, &image)?;
    if wanted.explanation {
        let with_lines = binary::make(&module, &found, &target, true)?;
        texts.explained = Some(binary::text(&with_lines)?);
    }
    if wanted.asm {
        texts.asm = Some(binary::text(&image)?);
    }
    if wanted.object {
        texts.object = Some(image.iter().flat_map(|word| word.to_le_bytes()).collect());
    }
    let manifest = Manifest {
        abi: ABI,
        target: target.to_string(),
        index_bits: 32,
        image: Some(Image {
            file: String::new(),
            format: ImageFormat::Spirv,
        }),
        features,
        kernels: found,
        weakenings,
    };
    Ok(Outputs::new(manifest, texts, explainer, Isa::Spirv))
}

/// Leaves the modules that are for Vulkan, or for nothing yet.
fn keep_vulkan(module: &Module<'_>) -> Result<(), CompileError> {
    let refused = Cell::new(false);
    let wanted = |module: Op<'_>| {
        if !target::has_target(module) {
            return true;
        }
        let is_vulkan = target::is_vulkan(module);
        refused.set(refused.get() || is_vulkan.is_err());
        is_vulkan.unwrap_or(true)
    };
    stages::keep(
        module,
        wanted,
        "is left out, because it names a target that is not Vulkan",
    );
    if refused.get() {
        Err(CompileError::Reported)
    } else {
        Ok(())
    }
}

/// The target that every `gpu.module` is for, since an image is one module; the one that was asked for
/// where there is none.
fn common_target(root: &Module<'_>, asked: &str) -> Result<Target, CompileError> {
    let mut modules = root.op().children().into_iter();
    let Some(first) = modules.find(|op| op.is("gpu.module")) else {
        return Target::parse(&format!("vulkan:{asked}"))
            .map_err(|error| CompileError::Refused(format!("error: {error}")));
    };
    let target = target::of(first).map_err(|_| CompileError::Reported)?;
    for module in modules.filter(|op| op.is("gpu.module")) {
        let other = target::of(module).map_err(|_| CompileError::Reported)?;
        if other.to_string() != target.to_string() {
            module.error_with_note(
                &format!("is for {other}, but an image is for one target, and another module is for {target}"),
                first,
                "the other module",
            );
            return Err(CompileError::Reported);
        }
    }
    Ok(target)
}

/// What the target does less than was asked, of each atomic and fence.
fn weakenings(module: &Module<'_>) -> Result<Vec<Weakening>, Reported> {
    let mut targets = PerModule::new(target::of);
    let mut found = Vec::new();
    for access in Access::all(module.op()) {
        let op = access.op();
        let notes = strategy::legalization(access, targets.get(op)?)?;
        let position = diagnostic::file_position(op.location());
        let location = position.map_or("<unknown>".to_string(), |position| {
            let diagnostic::FilePosition { file, line, column } = position;
            format!("{file}:{line}:{column}")
        });
        let weaker = notes.iter().filter(|note| note.verdict == Verdict::Weaken);
        found.extend(weaker.map(|note| Weakening {
            location: location.clone(),
            op: op.name().to_string(),
            asked: note.asked.to_string(),
            given: note.given.to_string(),
            lost: note.why.to_string(),
        }));
    }
    Ok(found)
}

/// Gives kernels of one name in several modules different symbols in the image.
fn rename(kernels: &mut [Kernel]) {
    let mut taken: HashSet<String> = HashSet::new();
    let mut clashing = Vec::new();
    for (at, kernel) in kernels.iter().enumerate() {
        if !taken.insert(kernel.symbol.clone()) {
            clashing.push(at);
        }
    }
    for at in clashing {
        let kernel = &mut kernels[at];
        let base = format!("{}_{}", kernel.module, kernel.name);
        let fresh = std::iter::once(base.clone())
            .chain((0u32..).map(|number| format!("{base}_{number}")))
            .find(|one| !taken.contains(one))
            .unwrap_or(base);
        taken.insert(fresh.clone());
        kernel.symbol = fresh;
    }
}
