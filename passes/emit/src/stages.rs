//! The steps of a compilation that are the same for every target, in the order they are taken:
//! [`parse`], [`run`] of the front passes, [`keep`], `kernels::collect`, [`lower`] with the target's own
//! passes, [`outputs`].

use crate::explain::Explainer;
use crate::llvm::{Code, Machine};
use crate::{CompileError, Wanted};
use std::collections::HashSet;
use xpu_dialect::ir::{Location, Module, Op};
use xpu_dialect::passes::PassManager;
use xpu_dialect::{Context, context, diagnostic, nesting, types};
use xpu_passes::registry;

/// Gives every function of a module in LLVM's dialect the debug information that the locations of
/// its operations need to reach the code: lines alone.
const LINES: &str = "ensure-debug-info-scope-on-llvm-func";

/// The module of a source, text or bytecode. `name` is what locations call it.
pub(crate) fn parse<'c>(
    context: &'c Context,
    source: &[u8],
    name: &str,
) -> Result<Module<'c>, CompileError> {
    nesting::check(name, source).map_err(CompileError::Refused)?;
    context::register_upstream_passes();
    registry::register();
    Module::parse_named(context, source, name).ok_or(CompileError::Reported)
}

/// What follows the operations of a source that has just been parsed, where that is wanted.
pub(crate) fn explainer(module: &Module<'_>, wanted: Wanted) -> Option<Explainer> {
    wanted.explanation.then(|| Explainer::new(module))
}

/// Runs a target's own passes.
pub(crate) fn lower(
    context: &Context,
    module: &Module<'_>,
    pipeline: &str,
    explainer: Option<&mut Explainer>,
) -> Result<(), CompileError> {
    match explainer {
        Some(explainer) => explainer.lower(context, module, pipeline),
        None => run(context, module, pipeline),
    }
}

/// Runs a textual pipeline.
pub(crate) fn run(
    context: &Context,
    module: &Module<'_>,
    pipeline: &str,
) -> Result<(), CompileError> {
    // The names are ours and upstream's, so a pipeline that does not parse is a mistake of ours.
    let passes = PassManager::parse(context, pipeline)
        .unwrap_or_else(|problem| unreachable!("the pipeline '{pipeline}' parses: {problem}"));
    passes.run(module.op()).map_err(|_| CompileError::Reported)
}

/// Leaves only the `gpu.module`s that are wanted, all of them in the outermost module. `others` is
/// what is said of those that are not.
///
/// What else there is, no kernel reaches: each `gpu.module` has copies of what its kernels call.
/// The host's code of a frontend could not be compiled without its kernels, nor need it be.
pub(crate) fn keep(root: &Module<'_>, wanted: impl Fn(Op<'_>) -> bool, others: &str) {
    let mut kept = Vec::new();
    find(root.op(), &mut kept);
    kept.retain(|module| {
        let keep = wanted(*module);
        if !keep {
            module.warning(others);
        }
        keep
    });
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

fn find<'c>(op: Op<'c>, found: &mut Vec<Op<'c>>) {
    for child in op.children() {
        if child.is("builtin.module") {
            find(child, found);
        } else if child.is("gpu.module") {
            found.push(child);
        }
    }
}

/// What is wanted of a module that all passes have been run on, the image aside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    /// The module.
    pub(crate) mlir: Option<String>,
    /// LLVM's, optimized.
    pub(crate) llvm: Option<String>,
    /// The target's.
    pub(crate) asm: Option<String>,
    /// The same, with line information whether that is wanted or not.
    pub(crate) explained: Option<String>,
    /// An object file.
    pub(crate) object: Option<Vec<u8>>,
}

/// Gives calls that are at no place in a source a place that is none: LLVM wants one of each call in a
/// function that has line information, and frontends need not say any.
fn place_calls(context: &Context, root: &Module<'_>) {
    let nowhere = Location::new(context, "<unknown>", 0, 0);
    for op in root.op().descendants() {
        if op.is("llvm.call") && diagnostic::file_position(op.location()).is_none() {
            op.set_location(nowhere);
        }
    }
}

/// Makes what is wanted. `module` is the operation that LLVM code is made of: a module in LLVM's
/// dialect.
pub(crate) fn outputs(
    context: &Context,
    root: &Module<'_>,
    module: Op<'_>,
    machine: &Machine,
    wanted: Wanted,
) -> Result<Texts, CompileError> {
    let mut texts = Texts::default();
    if wanted.mlir && !wanted.lines {
        texts.mlir = Some(root.op().to_string() + "\n");
    }
    if wanted.lines || wanted.explanation {
        place_calls(context, root);
        let kind = machine.emission_kind();
        run(context, root, &format!("{LINES}{{emission-kind={kind}}}"))?;
    }
    if wanted.mlir && wanted.lines {
        texts.mlir = Some(root.op().text_with_locations());
    }
    if !(wanted.llvm || wanted.asm || wanted.object || wanted.explanation) {
        return Ok(texts);
    }

    let llvm = crate::llvm::new_context();
    let code = Code::translate(&llvm, module, machine)?;
    code.optimize()?;
    if wanted.explanation {
        texts.explained = Some(code.copy().assembly()?);
        if !wanted.lines {
            code.strip_lines();
        }
    }
    if wanted.llvm {
        texts.llvm = Some(code.text());
    }
    if wanted.asm && wanted.object {
        texts.object = Some(code.copy().object()?);
        texts.asm = Some(code.assembly()?);
    } else if wanted.asm {
        texts.asm = Some(code.assembly()?);
    } else if wanted.object {
        texts.object = Some(code.object()?);
    }
    Ok(texts)
}
