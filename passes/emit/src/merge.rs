//! One module of several: an image holds the code of every `gpu.module`.

use crate::CompileError;
use std::collections::{HashMap, HashSet};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Module, Op};
use xpu_dialect::types;
use xpu_passes::target;
use xpu_runtime::Kernel;
use xpu_targets::Target;

/// What a GPU's code may be made of.
pub(crate) struct Linking {
    /// The target's name, before the chip.
    pub(crate) target: &'static str,
    /// Whose chips they are, in errors.
    pub(crate) maker: &'static str,
    /// The attribute of a kernel.
    pub(crate) kernel: &'static str,
    /// The dialects that LLVM IR is made of.
    pub(crate) dialects: &'static [&'static str],
    /// Functions that the driver has.
    pub(crate) provided: &'static [&'static str],
    /// How names of the maker's own library begin.
    pub(crate) library: &'static str,
    /// Where such a function is, and what there is instead.
    pub(crate) in_library: &'static str,
}

/// Puts what every `gpu.module` holds into the first, since an image is one module; with the target.
/// Where there is none, there is no code, for the chip that was asked for.
pub(crate) fn merge<'c>(
    root: &Module<'c>,
    chip: &str,
    kernels: &mut [Kernel],
    linking: &Linking,
) -> Result<(Op<'c>, Target), CompileError> {
    let modules: Vec<Op<'c>> = root
        .op()
        .children()
        .into_iter()
        .filter(|op| op.is("gpu.module"))
        .collect();
    let Some((first, rest)) = modules.split_first() else {
        return match Target::parse(&format!("{}:{chip}", linking.target)) {
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
    complete(*first, linking).map_err(|_| CompileError::Reported)?;
    Ok((*first, target))
}

/// Refuses what is not in the module though its code needs it, and hides from others all but the
/// kernels, so that LLVM drops what it has inlined.
fn complete(module: Op<'_>, linking: &Linking) -> Result<(), Reported> {
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
            if !linking.provided.contains(&name) {
                missing.insert(name);
            }
        } else if function.attribute(linking.kernel).is_none() {
            function.set_attribute("linkage", internal);
        }
    }
    let mut ops = module.descendants();
    // Casts that stay are to and from other operations that do: those are to blame.
    ops.sort_by_key(|op| op.is("builtin.unrealized_conversion_cast"));
    for op in ops {
        let dialect = op.name().split('.').next().unwrap_or("");
        if !linking.dialects.contains(&dialect) {
            return Err(op.error(&format!("has no lowering for {} chips", linking.maker)));
        }
        let callee = op.attribute("callee").and_then(types::symbol_value);
        if let Some(name) = callee.filter(|name| missing.contains(name)) {
            let whose = if name.starts_with(linking.library) {
                linking.in_library
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
