//! Which target code is compiled for, read from upstream's attributes on `gpu.module`.

use std::collections::HashMap;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::types;
use xpu_targets::{Target, vulkan};

/// Marks a `gpu.module` whose code is compiled for the CPU.
pub const CPU_TARGET: &str = "xpu.cpu_target";

/// Refines `#spirv.target_env`, which cannot tell features of buffers from those of workgroup
/// memory: names of features, with a minus before those that are not there.
pub const VULKAN_FEATURES: &str = "xpu.vulkan_features";

const TARGET_ENV: &str = "#spirv.target_env";

/// The `gpu.module`s in and below an operation. They hold no other, so their bodies are passed over.
pub(crate) fn gpu_modules(root: Op<'_>) -> Vec<Op<'_>> {
    if root.is("gpu.module") {
        return vec![root];
    }
    root.children()
        .into_iter()
        .filter(|op| !op.is("func.func"))
        .flat_map(gpu_modules)
        .collect()
}

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

/// Whether a `gpu.module` names an NVIDIA chip, known or not.
pub fn is_nvidia(module: Op<'_>) -> bool {
    named(module)
        .iter()
        .any(|named| named.starts_with("#nvvm.target"))
}

/// Whether a `gpu.module` names an AMD chip, known or not.
pub fn is_amd(module: Op<'_>) -> bool {
    named(module)
        .iter()
        .any(|named| named.starts_with("#rocdl.target"))
}

/// The `gpu.module` that an operation is in or is.
fn module(op: Op<'_>) -> Option<Op<'_>> {
    if op.is("gpu.module") {
        Some(op)
    } else {
        op.enclosing(|op| op.is("gpu.module"))
    }
}

/// The target of an operation: that of the `gpu.module` it is in or is, CPU outside of any.
///
/// # Errors
///
/// A module with two targets, with none, or with one that is not known.
pub fn of(op: Op<'_>) -> Result<Target, Reported> {
    match module(op) {
        Some(module) => {
            let attribute = only(module)?;
            let name = if attribute.starts_with(TARGET_ENV) {
                vulkan_name(module, &attribute)?
            } else {
                table_name(&attribute)
            };
            parse(module, &name)
        }
        None => parse(op, "cpu"),
    }
}

/// Whether an operation is compiled for Vulkan.
///
/// # Errors
///
/// A module with two targets, or with none.
pub fn is_vulkan(op: Op<'_>) -> Result<bool, Reported> {
    match module(op) {
        Some(module) => Ok(only(module)?.starts_with(TARGET_ENV)),
        None => Ok(false),
    }
}

/// An answer for each `gpu.module`, asked for once: reading a target takes longer than looking at
/// an operation.
#[derive(Debug)]
pub struct PerModule<'c, T> {
    ask: fn(Op<'c>) -> Result<T, Reported>,
    answers: HashMap<Option<Op<'c>>, Result<T, Reported>>,
}

impl<'c, T> PerModule<'c, T> {
    /// No answers yet to this question.
    pub fn new(ask: fn(Op<'c>) -> Result<T, Reported>) -> Self {
        Self {
            ask,
            answers: HashMap::new(),
        }
    }

    /// The answer for the module that the operation is in, or for code in none.
    ///
    /// # Errors
    ///
    /// Where the question failed; it has said why once.
    pub fn get(&mut self, op: Op<'c>) -> Result<&T, Reported> {
        let module = module(op);
        let answer = self.answers.entry(module);
        answer
            .or_insert_with(|| (self.ask)(module.unwrap_or(op)))
            .as_ref()
            .map_err(|said| *said)
    }
}

/// The one target that a `gpu.module` names, as text.
fn only(module: Op<'_>) -> Result<String, Reported> {
    let mut names = named(module);
    match names.as_mut_slice() {
        [] => Err(module.error(
            "has no target; attach one with 'nvvm-attach-target', 'rocdl-attach-target' or \
             'spirv-attach-target', or with 'xpu-attach-cpu-target' for the CPU",
        )),
        [one] => Ok(std::mem::take(one)),
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

/// The name that the tables know the Vulkan target of a `gpu.module` by.
fn vulkan_name(module: Op<'_>, environment: &str) -> Result<String, Reported> {
    let features = module.attribute(VULKAN_FEATURES);
    let features = features.and_then(types::array_value).unwrap_or_default();
    let features: Vec<&str> = features
        .into_iter()
        .filter_map(types::string_value)
        .collect();
    named_by_environment(environment, &features).map_err(|why| module.error(&why))
}

/// What `#spirv.target_env` says: its version of SPIR-V, and of its capabilities those that come
/// with a feature. Where one capability stands for features of buffers and of workgroup memory, it
/// is the features that say which; where they are silent, only that of buffers is sure.
fn named_by_environment(environment: &str, features: &[&str]) -> Result<String, String> {
    let malformed = || format!("has target '{environment}', which is not understood");
    let mut parts = environment
        .split_once("#spirv.vce<v")
        .and_then(|(_, rest)| rest.split_once('>'))
        .map(|(triple, _)| triple.split('['))
        .ok_or_else(malformed)?;
    let version = parts.next().unwrap_or_default();
    let version = version.trim_end_matches([',', ' ']);
    let Some(vulkan) = vulkan::vulkan_version(version) else {
        return Err(format!(
            "is for SPIR-V {version}, which no Vulkan from 1.1 on is for; attach the target with \
             'xpu-attach-spirv-target', or with 'spirv-attach-target{{ver=v1.3}}' (v1.5, v1.6)"
        ));
    };
    let mut name = format!("vulkan:{vulkan}");
    let capabilities = parts.next().unwrap_or_default();
    let capabilities = capabilities.split_once(']').map_or("", |(list, _)| list);
    for capability in capabilities.split(", ") {
        let mut rows = vulkan::CAPABILITIES
            .iter()
            .filter(|row| row.name == capability);
        let is_said = |feature: &str| features.iter().any(|said| unsigned(said) == feature);
        if !rows.clone().any(|row| is_said(row.feature))
            && let Some(row) = rows.next()
        {
            name += &format!(",+{}", row.feature);
        }
    }
    for feature in features {
        let sign = if feature.starts_with(['+', '-']) {
            ""
        } else {
            "+"
        };
        name += &format!(",{sign}{feature}");
    }
    Ok(name)
}

/// A feature's name without the sign.
fn unsigned(feature: &str) -> &str {
    feature.strip_prefix(['+', '-']).unwrap_or(feature)
}

#[cfg(test)]
mod tests {
    use super::{named_by_environment, table_name};

    #[track_caller]
    fn check(triple: &str, features: &[&str], want: &str) {
        let text = format!("#spirv.target_env<#spirv.vce<{triple}>, #spirv.resource_limits<>>");
        assert_eq!(named_by_environment(&text, features).as_deref(), Ok(want));
    }

    #[test]
    fn environments_have_table_names() {
        check("v1.6, [], []", &[], "vulkan:1.3");
        check(
            "v1.3, [Shader], [SPV_KHR_storage_buffer_storage_class]",
            &[],
            "vulkan:1.1",
        );
        check(
            "v1.5, [Shader, Int64, AtomicFloat32AddEXT], [SPV_EXT_shader_atomic_float_add]",
            &[],
            "vulkan:1.2,+shader_int64,+shader_buffer_float32_atomic_add",
        );
        let old = "#spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>";
        let old = named_by_environment(old, &[]).unwrap_err();
        assert!(
            old.starts_with("is for SPIR-V 1.0, which no Vulkan"),
            "{old}"
        );
        assert!(named_by_environment("#spirv.target_env<>", &[]).is_err());
    }

    #[test]
    fn features_refine_environments() {
        check(
            "v1.6, [Shader, Int64, Int64Atomics], []",
            &["shader_shared_int64_atomics", "-vulkan_memory_model"],
            "vulkan:1.3,+shader_int64,+shader_shared_int64_atomics,-vulkan_memory_model",
        );
        check(
            "v1.6, [Shader, Int64], []",
            &["-shader_int64", "+shader_int8"],
            "vulkan:1.3,-shader_int64,+shader_int8",
        );
    }

    #[test]
    fn target_attributes_have_table_names() {
        assert_eq!(
            table_name("#nvvm.target<O = 3, chip = \"sm_90\">"),
            "nvptx:sm_90"
        );
        assert_eq!(table_name("#nvvm.target"), "nvptx:sm_75");
        assert_eq!(table_name("cpu"), "cpu");
    }
}
