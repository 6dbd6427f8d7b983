//! From `spirv.module`s to one binary that is finished, checked and validated.

use crate::CompileError;
use std::collections::HashMap;
use xpu_dialect::ir::{Attribute, Location, Module, Op};
use xpu_dialect::{diagnostic, spirv};
use xpu_runtime::Kernel;
use xpu_spirv::{COLUMN_BITS, Options, VulkanVersion};
use xpu_targets::Target;

/// The words of the image, with line information where `lines` says so.
pub(super) fn make(
    root: &Module<'_>,
    kernels: &[Kernel],
    target: &Target,
    lines: bool,
) -> Result<Vec<u32>, CompileError> {
    let version = version(target)?;
    let modules: Vec<Op<'_>> = root
        .op()
        .children()
        .into_iter()
        .filter(|op| op.is("spirv.module"))
        .collect();
    let mut files = Files::default();
    let mut binaries = Vec::new();
    for module in &modules {
        if lines {
            files.number(*module);
            allow_lines(*module);
        }
        binaries.push(spirv::serialize(*module, lines).ok_or(CompileError::Reported)?);
    }
    if modules.is_empty() {
        binaries.push(nothing(root, target)?);
    }
    let symbol = |number: usize, name: &str| {
        let module = modules.get(number)?.symbol_name()?;
        let mut kernels = kernels.iter();
        kernels
            .find(|kernel| kernel.module == module && kernel.name == name)
            .map(|kernel| kernel.symbol.clone())
    };
    let merged = xpu_spirv::merge(&binaries, symbol).map_err(mistake)?;
    let options = Options {
        float_controls: xpu_spirv::float_controls(|feature| target.has(feature)),
        workgroup_size_by_spec_constants: kernels
            .iter()
            .filter(|kernel| kernel.workgroup_size.is_none())
            .map(|kernel| kernel.symbol.clone())
            .collect(),
        files: files.names,
    };
    let words = xpu_spirv::finish(&merged, &options).map_err(mistake)?;
    xpu_spirv::check(&words, version).map_err(mistake)?;
    // The validator wants an entry point, and a source without kernels has none.
    if !kernels.is_empty() {
        xpu_spirv::validate(&words, version).map_err(mistake)?;
    }
    Ok(words)
}

/// Lets MLIR write lines: it adds debug information of its own, which needs an extension and is left out
/// of what is finished.
fn allow_lines(module: Op<'_>) {
    const EXTENSION: &str = "SPV_KHR_non_semantic_info";
    let Some(triple) = module.attribute("vce_triple") else {
        return;
    };
    let text = triple.to_string();
    if text.contains(EXTENSION) {
        return;
    }
    let text = match text.strip_suffix("[]>") {
        Some(start) => format!("{start}[{EXTENSION}]>"),
        None => text.trim_end_matches("]>").to_string() + ", " + EXTENSION + "]>",
    };
    if let Some(triple) = Attribute::parse(module.context(), &text) {
        module.set_attribute("vce_triple", triple);
    }
}

/// The features that a device must have.
pub(super) fn features(words: &[u32], target: &Target) -> Result<Vec<String>, CompileError> {
    let needed = xpu_spirv::features(words).map_err(mistake)?;
    let known = |name: &str| target.tables().features.iter().any(|one| one.name == name);
    let lacking: Vec<&str> = needed
        .iter()
        .copied()
        .filter(|name| known(name) && !target.has(name))
        .collect();
    if !lacking.is_empty() {
        let instead: String = lacking.iter().map(|name| format!(",+{name}")).collect();
        return Err(CompileError::Refused(format!(
            "error: the code needs {}, which target '{target}' lacks; where the devices have it, \
             compile for '{target}{instead}'",
            lacking.join(", ")
        )));
    }
    Ok(needed.into_iter().map(str::to_string).collect())
}

/// The text of the image.
pub(super) fn text(words: &[u32]) -> Result<String, CompileError> {
    xpu_spirv::disassemble(words).map_err(mistake)
}

/// A module without kernels.
fn nothing(root: &Module<'_>, target: &Target) -> Result<Vec<u32>, CompileError> {
    let version = version(target)?.spirv();
    let text = format!(
        "spirv.module Logical GLSL450 requires #spirv.vce<v{}.{}, [Shader], []> {{}}",
        version.0, version.1
    );
    let module = Module::parse(root.op().context(), &text).ok_or(CompileError::Reported)?;
    let found = module.op().children().into_iter().next();
    found
        .and_then(|module| spirv::serialize(module, false))
        .ok_or(CompileError::Reported)
}

fn version(target: &Target) -> Result<VulkanVersion, CompileError> {
    let name = target.chip().unwrap_or_default();
    let version = name.split(',').next().unwrap_or_default();
    version.parse().map_err(CompileError::Spirv)
}

fn mistake(error: xpu_spirv::Error) -> CompileError {
    CompileError::Spirv(error.to_string())
}

/// The files of places, by number.
#[derive(Debug, Default)]
struct Files {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Files {
    /// Writes the place of each operation so that the serializer keeps it: as a line and a column that
    /// has the number of its file above its own bits. It reads no other locations, and one file.
    fn number(&mut self, module: Op<'_>) {
        const LAST_COLUMN: u32 = (1 << COLUMN_BITS) - 1;
        for op in module.descendants() {
            let Some(place) = diagnostic::file_position(op.location()) else {
                continue;
            };
            let next = self.names.len() as u32;
            let number = *self.numbers.entry(place.file.clone()).or_insert(next);
            if number == next {
                self.names.push(place.file.clone());
            }
            let column = (number << COLUMN_BITS) | place.column.min(LAST_COLUMN);
            let (line, column) = (place.line as usize, column as usize);
            let location = Location::new(op.context(), &place.file, line, column);
            op.set_location(location);
        }
    }
}
