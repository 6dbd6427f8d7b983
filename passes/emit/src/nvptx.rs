//! PTX for an NVIDIA chip.

use crate::llvm::Machine;
use crate::{CompileError, Compiled, Outputs, Wanted, kernels, stages};
use std::collections::{HashMap, HashSet};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Module, Op};
use xpu_dialect::{Context, types};
use xpu_passes::{pipelines, target};
use xpu_runtime::{ABI, Image, ImageFormat, Kernel, Manifest};
use xpu_targets::Target;

/// How a GPU's code is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct GpuOptions {
    /// A change or weakening of scope or ordering is an error.
    pub strict: bool,
    /// An atomic that becomes a compare-and-swap loop is an error.
    pub forbid_cas_loop: bool,
}

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
    let (code, target) = merge(&module, chip, &mut found)?;
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

/// Puts what every `gpu.module` holds into the first, since an image is one module; with the target.
/// Where there is none, there is no code, for the chip that was asked for.
fn merge<'c>(
    root: &Module<'c>,
    chip: &str,
    kernels: &mut [Kernel],
) -> Result<(Op<'c>, Target), CompileError> {
    let modules: Vec<Op<'c>> = root
        .op()
        .children()
        .into_iter()
        .filter(|op| op.is("gpu.module"))
        .collect();
    let Some((first, rest)) = modules.split_first() else {
        return match Target::parse(&format!("nvptx:{chip}")) {
            Ok(target) => Ok((root.op(), target)),
            Err(error) => Err(CompileError::Refused(format!("error: {error}"))),
        };
    };
    let target = target::of(*first).map_err(|_| CompileError::Reported)?;
    let body = first
        .region(0)
        .first()
        .unwrap_or_else(|| unreachable!("a gpu.module has a block"));
    let mut names: HashSet<String> = first
        .children()
        .into_iter()
        .filter_map(|op| op.symbol_name())
        .map(str::to_string)
        .collect();
    for module in rest {
        let mut renamed = HashMap::new();
        let other = target::of(*module).map_err(|_| CompileError::Reported)?;
        if other.to_string() != target.to_string() {
            module.error_with_note(
                &format!("is for {other}, but an image is for one chip, and another module is for {target}"),
                *first,
                "the other module",
            );
            return Err(CompileError::Reported);
        }
        for op in module.children() {
            if let Some(name) = op.symbol_name()
                && !names.insert(name.to_string())
            {
                let fresh = fresh_name(module.symbol_name().unwrap_or_default(), name, &names);
                names.insert(fresh.clone());
                renamed.insert(name.to_string(), fresh);
            }
        }
        rename(*module, &renamed);
        for kernel in kernels
            .iter_mut()
            .filter(|kernel| Some(kernel.module.as_str()) == module.symbol_name())
        {
            if let Some(fresh) = renamed.get(&kernel.symbol) {
                kernel.symbol.clone_from(fresh);
            }
        }
        for op in module.children() {
            op.detach();
            body.append(op);
        }
        module.erase();
    }
    if !first.verifies() {
        return Err(CompileError::Reported);
    }
    complete(*first).map_err(|_| CompileError::Reported)?;
    Ok((*first, target))
}

/// Refuses what is not in the module though its code needs it, and hides from others all but the
/// kernels, so that LLVM drops what it has inlined.
fn complete(module: Op<'_>) -> Result<(), Reported> {
    let internal = Attribute::parse(module.context(), "#llvm.linkage<internal>")
        .unwrap_or_else(|| unreachable!("the llvm dialect is loaded"));
    let mut missing: HashSet<&str> = HashSet::new();
    for function in module
        .children()
        .into_iter()
        .filter(|op| op.is("llvm.func"))
    {
        if function.region(0).first().is_none() {
            let name = function.symbol_name().unwrap_or_default();
            // CUDA C++ programming guide, assertion, formatted output, dynamic allocation: the driver
            // has these.
            if !matches!(name, "__assertfail" | "free" | "malloc" | "vprintf") {
                missing.insert(name);
            }
        } else if function.attribute("nvvm.kernel").is_none() {
            function.set_attribute("linkage", internal);
        }
    }
    let mut ops = module.descendants();
    // Casts that stay are to and from other operations that do: those are to blame.
    ops.sort_by_key(|op| op.is("builtin.unrealized_conversion_cast"));
    for op in ops {
        let dialect = op.name().split('.').next().unwrap_or("");
        if !matches!(dialect, "llvm" | "nvvm" | "gpu") {
            return Err(op.error("has no lowering for NVIDIA chips"));
        }
        let callee = op.attribute("callee").and_then(types::symbol_value);
        if let Some(name) = callee.filter(|name| missing.contains(name)) {
            let whose = if name.starts_with("__nv_") {
                "is in NVIDIA's libdevice, which is not linked; PTX itself has roots, sums, products, \
                 roundings, minimum and maximum"
            } else {
                "is not in the module"
            };
            return Err(op.error(&format!("calls '{name}', which {whose}")));
        }
    }
    Ok(())
}

/// A name that no symbol has, for a symbol of a module.
fn fresh_name(module: &str, name: &str, names: &HashSet<String>) -> String {
    let base = format!("{module}_{name}");
    std::iter::once(base.clone())
        .chain((0u32..).map(|number| format!("{base}_{number}")))
        .find(|one| !names.contains(one))
        .unwrap_or(base)
}

/// Gives symbols of a module other names, and what refers to them.
fn rename(module: Op<'_>, renamed: &HashMap<String, String>) {
    if renamed.is_empty() {
        return;
    }
    let context = module.context();
    for op in module.children() {
        if let Some(fresh) = op.symbol_name().and_then(|name| renamed.get(name)) {
            op.set_attribute("sym_name", types::string_attribute(context, fresh));
        }
    }
    for op in module.descendants() {
        for attribute in ["callee", "global_name"] {
            let name = op.attribute(attribute).and_then(types::symbol_value);
            if let Some(fresh) = name.and_then(|name| renamed.get(name)) {
                op.set_attribute(attribute, types::symbol_attribute(context, fresh));
            }
        }
    }
}
