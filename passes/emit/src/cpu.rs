//! Code for the CPU of this machine.

use crate::{CompileError, Compiled, kernels, llvm};
use std::collections::{HashMap, HashSet};
use xpu_dialect::ir::{Module, Op};
use xpu_dialect::passes::PassManager;
use xpu_dialect::{Context, context, nesting, types};
use xpu_passes::cpu_kernels::ENTRY_ATTRIBUTE;
use xpu_passes::pipelines::{self, CpuOptions};
use xpu_passes::{registry, target};
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
    nesting::check(name, source).map_err(CompileError::Refused)?;
    context::register_upstream_passes();
    registry::register();
    let module = Module::parse_named(context, source, name).ok_or(CompileError::Reported)?;
    run_passes(context, &module, &pipelines::FRONT.join(","))?;
    keep_cpu_modules(&module);
    let mut found = kernels::collect(module.op()).map_err(|_| CompileError::Reported)?;
    run_passes(context, &module, &pipelines::to_cpu_back(options))?;

    refuse_unconverted(&module)?;

    let entries = entries(module.op());
    for kernel in &mut found {
        complete(kernel, &entries, options.check_bounds);
    }
    let image = llvm::object_for_host(module.op())?;
    let manifest = Manifest {
        abi: ABI,
        target: "cpu".to_string(),
        index_bits: 64,
        image: Some(Image {
            file: String::new(),
            format: ImageFormat::Object,
        }),
        kernels: found,
        weakenings: Vec::new(),
    };
    Ok(Compiled { manifest, image })
}

fn run_passes(context: &Context, module: &Module<'_>, pipeline: &str) -> Result<(), CompileError> {
    // The names are ours and upstream's, so a pipeline that does not parse is a mistake of ours.
    let passes = PassManager::parse(context, pipeline)
        .unwrap_or_else(|problem| unreachable!("the pipeline '{pipeline}' parses: {problem}"));
    passes.run(module.op()).map_err(|_| CompileError::Reported)
}

/// Leaves only the `gpu.module`s that name no other target, all of them in the outermost module.
///
/// What else there is, no kernel reaches: each `gpu.module` has copies of what its kernels call.
/// The host's code of a frontend could not be compiled without its kernels, nor need it be.
fn keep_cpu_modules(root: &Module<'_>) {
    let mut kept = Vec::new();
    find_cpu_modules(root.op(), &mut kept);
    for module in &kept {
        module.detach();
    }
    for op in root.op().children() {
        op.erase();
    }
    let mut names = HashSet::new();
    for module in kept {
        let name = module.symbol_name().unwrap_or_default().to_string();
        let unique = std::iter::once(name.clone())
            .chain((0u32..).map(|number| format!("{name}_{number}")))
            .find(|name| !names.contains(name))
            .unwrap_or_default();
        module.set_attribute(
            "sym_name",
            types::string_attribute(module.context(), &unique),
        );
        names.insert(unique);
        root.body().append(module);
    }
}

fn find_cpu_modules<'c>(op: Op<'c>, found: &mut Vec<Op<'c>>) {
    for child in op.children() {
        if child.is("builtin.module") {
            find_cpu_modules(child, found);
        } else if child.is("gpu.module") {
            if target::has_target(child) && !target::is_cpu(child) {
                child.warning("is left out, because it names a target that is not the CPU");
            } else {
                found.push(child);
            }
        }
    }
}

/// Refuses what no conversion took, at the operation.
fn refuse_unconverted(module: &Module<'_>) -> Result<(), CompileError> {
    let left = module.op().descendants().into_iter().find(|op| {
        let name = op.name();
        !name.starts_with("llvm.") && name != "builtin.module"
    });
    match left {
        None => Ok(()),
        Some(op) => {
            op.error("has no form on the CPU: no conversion to LLVM takes it");
            Err(CompileError::Reported)
        }
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
