//! `xpu-attach-spirv-target`: attaches `#spirv.target_env` to each `gpu.module` that names no target.
//!
//! Upstream's `spirv-attach-target` adds to what is there, so that a module of another target would
//! end up with two; and its attribute cannot tell features of buffers from those of workgroup
//! memory. So the module gets `xpu.vulkan_features` too, which says what the version does not.
//!
//! ```mlir
//! gpu.module @m {}
//! // becomes, with target=1.3,+shader_int64
//! gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader, Int64, …], […]>, …>]
//!   attributes {xpu.vulkan_features = ["+shader_int64"]} {}
//! ```
//!
//! Refuses: a version or a feature that is not known.

use crate::target;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Op};
use xpu_dialect::passes::{OptionInfo, OptionValue, OptionValues, PassInfo};
use xpu_dialect::types;
use xpu_targets::{Target, vulkan};

const TARGET: &str = "target";

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-attach-spirv-target",
    summary: "Attach #spirv.target_env to each gpu.module that names no target",
    options: &[OptionInfo {
        name: TARGET,
        description: "the version of Vulkan, and features, such as 1.3,+shader_int64",
        value: OptionValue::Text("1.3"),
    }],
    dialects: &["gpu", "spirv"],
    run,
};

fn run(root: Op<'_>, options: &OptionValues<'_>) -> Result<(), Reported> {
    // As `xpu-compile` spells it, too.
    let asked = options.text(TARGET);
    let asked = asked.strip_prefix("vulkan:").unwrap_or(asked);
    let target = Target::parse(&format!("vulkan:{asked}"))
        .map_err(|error| root.error(&error.to_string()))?;
    let name = target.chip().expect("a Vulkan target has a version");
    let mut words = name.split(',');
    let version = words.next().unwrap_or_default();
    let text = environment(&target, version);
    let context = root.context();
    let features: Vec<_> = words
        .map(|word| types::string_attribute(context, word.trim_start_matches('+')))
        .collect();
    let Some(attribute) = Attribute::parse(context, &text) else {
        return Err(root.error(&format!("internal error: '{text}' is no attribute")));
    };
    for module in target::gpu_modules(root) {
        if !target::has_target(module) {
            module.set_attribute("targets", types::array_attribute(context, &[attribute]));
            if !features.is_empty() {
                let features = types::array_attribute(context, &features);
                module.set_attribute(target::VULKAN_FEATURES, features);
            }
        }
    }
    Ok(())
}

/// What upstream's conversions may use: the capabilities and extensions of the target's features.
fn environment(target: &Target, version: &str) -> String {
    let version = vulkan::spirv_version(version).expect("every version of Vulkan takes SPIR-V");
    let mut capabilities = vec!["Shader"];
    let mut extensions = Vec::new();
    for row in vulkan::CAPABILITIES {
        if !target.has(row.feature) {
            continue;
        }
        if !capabilities.contains(&row.name) {
            capabilities.push(row.name);
        }
        if !row.extension.is_empty() && !extensions.contains(&row.extension) {
            extensions.push(row.extension);
        }
    }
    format!(
        "#spirv.target_env<#spirv.vce<v{version}, [{}], [{}]>, api=Vulkan, #spirv.resource_limits<>>",
        capabilities.join(", "),
        extensions.join(", ")
    )
}
