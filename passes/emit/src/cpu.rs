//! Code for the CPU of this machine.

use crate::llvm::Machine;
use crate::stages;
use crate::{CompileError, Compiled, Outputs, Wanted, kernels};
use std::collections::HashMap;
use xpu_dialect::ir::Op;
use xpu_dialect::{Context, types};
use xpu_passes::cpu_kernels::ENTRY_ATTRIBUTE;
use xpu_passes::pipelines::{self, CpuOptions};
use xpu_passes::target;
use xpu_runtime::{ABI, CpuEntry, EntryMode, Image, ImageFormat, Kernel, Manifest};

/// Compiles every kernel of a source, text or bytecode, to an object file for this machine's CPU.
///
/// # Errors
///
/// Where the source does not parse, verify or lower, with diagnostics emitted to the context, and
/// where LLVM cannot make code.
pub fn compile_for_cpu(
    context: &Context,
    source: &[u8],
    name: &str,
    options: CpuOptions,
) -> Result<Compiled, CompileError> {
    let wanted = Wanted {
        object: true,
        ..Wanted::default()
    };
    let outputs = outputs_for_cpu(context, source, name, options, wanted)?;
    Ok(Compiled {
        manifest: outputs.manifest,
        image: outputs.image.unwrap_or_default(),
    })
}

/// As [`compile_for_cpu`], with what is wanted of it.
///
/// # Errors
///
/// As [`compile_for_cpu`].
pub fn outputs_for_cpu(
    context: &Context,
    source: &[u8],
    name: &str,
    options: CpuOptions,
    wanted: Wanted,
) -> Result<Outputs, CompileError> {
    let module = stages::parse(context, source, name)?;
    let mut explainer = stages::explainer(&module, wanted);
    stages::run(context, &module, &pipelines::front(options.forbid_cas_loop))?;
    stages::keep(
        &module,
        |module| target::is_cpu(module) || !target::has_target(module),
        "is left out, because it names a target that is not the CPU",
    );
    let mut found = kernels::collect(module.op()).map_err(|_| CompileError::Reported)?;
    let pipeline = pipelines::to_cpu_back(options);
    stages::lower(context, &module, &pipeline, explainer.as_mut())?;
    refuse_unconverted(module.op())?;

    let entries = entries(module.op());
    for kernel in &mut found {
        complete(kernel, &entries, options.check_bounds);
    }
    let machine = Machine::host()?;
    let texts = stages::outputs(context, &module, module.op(), &machine, wanted)?;
    Ok(Outputs::new(
        manifest(found),
        texts,
        explainer,
        machine.isa(),
    ))
}

/// Refuses what no conversion took, at the operation.
fn refuse_unconverted(module: Op<'_>) -> Result<(), CompileError> {
    let left: Vec<Op<'_>> = module
        .descendants()
        .into_iter()
        .filter(|op| !op.name().starts_with("llvm.") && !op.is("builtin.module"))
        .collect();
    // Casts are left because something else is.
    let culprit = left
        .iter()
        .find(|op| !op.is("builtin.unrealized_conversion_cast"))
        .or(left.first());
    match culprit {
        None => Ok(()),
        Some(op) => {
            op.error("has no form on the CPU: no conversion to LLVM takes it");
            Err(CompileError::Reported)
        }
    }
}

fn manifest(kernels: Vec<Kernel>) -> Manifest {
    Manifest {
        abi: ABI,
        target: "cpu".to_string(),
        index_bits: 64,
        image: Some(Image {
            file: String::new(),
            format: ImageFormat::Object,
        }),
        kernels,
        features: Vec::new(),
        weakenings: Vec::new(),
    }
}

/// An entry function, as `convert-xpu-to-llvm` describes it.
struct Entry {
    symbol: String,
    mode: EntryMode,
    uses_barrier: bool,
    shared_bytes: u64,
}

/// The entry functions by module and kernel.
fn entries(module: Op<'_>) -> HashMap<(String, String), Entry> {
    let mut found = HashMap::new();
    for op in module.children() {
        let Some(entry) = op.attribute(ENTRY_ATTRIBUTE) else {
            continue;
        };
        let text = |name: &str| {
            types::dictionary_entry(entry, name)
                .and_then(types::string_value)
                .unwrap_or_default()
                .to_string()
        };
        let number = |name: &str| {
            types::dictionary_entry(entry, name)
                .and_then(types::integer_value)
                .unwrap_or(0)
        };
        found.insert(
            (text("module"), text("kernel")),
            Entry {
                symbol: op.symbol_name().unwrap_or_default().to_string(),
                mode: if text("mode") == "item" {
                    EntryMode::Item
                } else {
                    EntryMode::Group
                },
                uses_barrier: number("uses_barrier") != 0,
                shared_bytes: number("shared_bytes").unsigned_abs(),
            },
        );
    }
    found
}

fn complete(kernel: &mut Kernel, entries: &HashMap<(String, String), Entry>, checks_bounds: bool) {
    let key = (kernel.module.clone(), kernel.name.clone());
    let Some(entry) = entries.get(&key) else {
        return;
    };
    kernel.symbol.clone_from(&entry.symbol);
    kernel.shared_bytes = entry.shared_bytes;
    kernel.cpu = Some(CpuEntry {
        mode: entry.mode,
        uses_barrier: entry.uses_barrier,
        checks_bounds,
    });
}
