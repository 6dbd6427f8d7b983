//! Code for the CPU of this machine.

use crate::{CompileError, Compiled, kernels, llvm};
use std::collections::HashMap;
use xpu_dialect::ir::{Module, Op};
use xpu_dialect::passes::PassManager;
use xpu_dialect::{Context, context, nesting, types};
use xpu_passes::cpu_kernels::ENTRY_ATTRIBUTE;
use xpu_passes::pipelines::{self, CpuOptions};
use xpu_passes::registry;
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
    let mut found = kernels::collect(module.op()).map_err(|_| CompileError::Reported)?;
    run_passes(context, &module, &pipelines::to_cpu_back(options))?;

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
