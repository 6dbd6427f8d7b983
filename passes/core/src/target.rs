//! Which target code is compiled for, read from upstream's attributes on `gpu.module`.

use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::types;
use xpu_targets::Target;

/// Marks a `gpu.module` whose code is compiled for the CPU.
pub const CPU_TARGET: &str = "xpu.cpu_target";

/// The targets that a `gpu.module` names, as text.
fn named(module: Op<'_>) -> Vec<String> {
    let mut names: Vec<String> = module
        .attribute("targets")
        .and_then(types::array_value)
        .unwrap_or_default()
        .into_iter()
        .map(|target| target.to_string())
        .collect();
    if module.attribute(CPU_TARGET).is_some() {
        names.push("cpu".to_string());
    }
    names
}

/// Whether a `gpu.module` names a target.
pub fn has_target(module: Op<'_>) -> bool {
    !named(module).is_empty()
}

/// Whether a `gpu.module` is compiled for the CPU.
pub fn is_cpu(module: Op<'_>) -> bool {
    module.attribute(CPU_TARGET).is_some()
}

/// The target of an operation: that of the `gpu.module` it is in or is, CPU outside of any.
///
/// # Errors
///
/// A module with two targets, with none, or with one that is not known.
pub fn of(op: Op<'_>) -> Result<Target, Reported> {
    let module = if op.is("gpu.module") { Some(op) } else { op.enclosing(|op| op.is("gpu.module")) };
    let Some(module) = module else { return parse(op, "cpu") };
    match named(module).as_slice() {
        [] => Err(module.error(
            "has no target; attach one with 'nvvm-attach-target', 'rocdl-attach-target' or \
             'spirv-attach-target', or with 'xpu-attach-cpu-target' for the CPU",
        )),
        [one] => parse(module, &table_name(one)),
        several => Err(module.error(&format!(
            "has {} targets ({}), but xpu compiles for one at a time; keep one in 'targets'",
            several.len(),
            several.join(", ")
        ))),
    }
}

fn parse(op: Op<'_>, name: &str) -> Result<Target, Reported> {
    Target::parse(name).map_err(|error| op.error(&format!("{error}")))
}

/// The name that the tables know a target attribute by: `#nvvm.target<chip = "sm_90">` is
/// `nvptx:sm_90`. Upstream prints no chip where it is the default.
fn table_name(attribute: &str) -> String {
    let chip = |default: &str| {
        attribute
            .split_once("chip = \"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map_or(default.to_string(), |(chip, _)| chip.to_string())
    };
    if attribute.starts_with("#nvvm.target") {
        return format!("nvptx:{}", chip("sm_75"));
    }
    if attribute.starts_with("#rocdl.target") {
        return format!("amdgpu:{}", chip("gfx900"));
    }
    attribute.to_string()
}

#[cfg(test)]
mod tests {
    use super::table_name;

    #[test]
    fn target_attributes_have_table_names() {
        assert_eq!(table_name("#nvvm.target<O = 3, chip = \"sm_90\">"), "nvptx:sm_90");
        assert_eq!(table_name("#nvvm.target"), "nvptx:sm_75");
        assert_eq!(table_name("cpu"), "cpu");
    }
}
