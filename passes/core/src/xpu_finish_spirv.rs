//! `xpu-finish-spirv`: makes a `spirv.module` of each `gpu.module` whose kernels are converted.
//!
//! Requires: `convert-xpu-to-spirv` and upstream's conversions have run, so that kernels hold operations
//! of the `spirv` dialect alone. Guarantees: one `spirv.module` for each, with logical addressing and the
//! memory model of the target; each kernel is an entry point with its workgroup size. Instructions that
//! MLIR lacks are still calls of imported functions (`xpu-spirv` finishes the binary).
//!
//! ```mlir
//! gpu.module @m attributes {…} { gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>} { … } }
//! // becomes
//! spirv.module @m Logical Vulkan requires #spirv.vce<v1.6, [Shader, VulkanMemoryModel], []> {
//!   spirv.func @k() "None" { … }
//!   spirv.EntryPoint "GLCompute" @k
//!   spirv.ExecutionMode @k "LocalSize", 64, 1, 1
//! }
//! ```
//!
//! Refuses: operations that have no lowering.

use crate::convert_xpu_to_spirv::group_size;
use crate::target;
use std::collections::HashSet;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Builder, Op, Region, Type};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types;
use xpu_targets::{Target, vulkan};

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-finish-spirv",
    summary: "Make a spirv.module of each gpu.module whose kernels are converted",
    options: &[],
    dialects: &["gpu", "spirv"],
    run,
};

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    for module in target::gpu_modules(root) {
        if target::is_vulkan(module)? {
            finish(module, &target::of(module)?)?;
        }
    }
    Ok(())
}

fn finish(module: Op<'_>, target: &Target) -> Result<(), Reported> {
    let context = module.context();
    let attribute = |text: &str| {
        Attribute::parse(context, text)
            .unwrap_or_else(|| unreachable!("'{text}' is an attribute of the spirv dialect"))
    };
    check(module)?;
    let is_vulkan = target.has("vulkan_memory_model");
    let (region, body) = Region::with_block(&[]);
    let vce = vce(module, target);
    Builder::before(module)
        .op("spirv.module")
        .optional_attribute("sym_name", module.attribute("sym_name"))
        .attribute(
            "addressing_model",
            attribute("#spirv.addressing_model<Logical>"),
        )
        .attribute(
            "memory_model",
            attribute(if is_vulkan {
                "#spirv.memory_model<Vulkan>"
            } else {
                "#spirv.memory_model<GLSL450>"
            }),
        )
        .attribute("vce_triple", attribute(&vce))
        .region(region)
        .build();
    let mut entries = Vec::new();
    for op in module.children() {
        op.detach();
        if op.is("gpu.func") {
            let size = group_size(op).unwrap_or_else(|| vec![1, 1, 1]);
            let function = function(op, body);
            entries.push((function, size));
        } else {
            body.append(op);
        }
    }
    for (function, size) in entries {
        entry_point(
            function,
            &size,
            Builder::at_end(context, body, function.location()),
            target,
        );
    }
    module.erase();
    Ok(())
}

/// Refuses what is left of other dialects.
fn check(module: Op<'_>) -> Result<(), Reported> {
    let mut outcome = Ok(());
    let mut ops = module.descendants();
    // Casts that stay are to and from other operations that do: those are to blame.
    ops.sort_by_key(|op| op.is("builtin.unrealized_conversion_cast"));
    for op in ops {
        let is_done = op.name().starts_with("spirv.")
            || matches!(op.name(), "gpu.func" | "gpu.return" | "gpu.module");
        if !is_done && outcome.is_ok() {
            outcome = Err(op.error("has no lowering for Vulkan"));
        }
    }
    outcome
}

fn function<'c>(kernel: Op<'c>, body: xpu_dialect::ir::Block<'c>) -> Op<'c> {
    let context = kernel.context();
    for op in kernel.descendants() {
        if op.is("gpu.return") {
            Builder::before(op).op("spirv.Return").build();
            op.erase();
        } else if matches!(
            op.name(),
            "spirv.FAdd" | "spirv.FSub" | "spirv.FMul" | "spirv.FNegate"
        ) && op.attribute("fp_fast_math_mode").is_none()
        {
            // Or a device may round a product and a sum once (Vulkan, Precision and Operation of SPIR-V
            // Instructions).
            op.set_attribute("no_contraction", types::unit_attribute(context));
        }
        // Of use to optimizers alone, and not in every version.
        for name in ["no_signed_wrap", "no_unsigned_wrap", "fp_fast_math_mode"] {
            op.remove_attribute(name);
        }
    }
    let region = Region::detached();
    region.take(kernel.region(0));
    let control = Attribute::parse(context, "#spirv.function_control<None>")
        .unwrap_or_else(|| unreachable!("it is an attribute of the spirv dialect"));
    let function = Builder::at_end(context, body, kernel.location())
        .op("spirv.func")
        .optional_attribute("sym_name", kernel.attribute("sym_name"))
        .attribute(
            "function_type",
            types::type_attribute(types::function(context, &[], &[])),
        )
        .attribute("function_control", control)
        .region(region)
        .build();
    kernel.erase();
    function
}

fn entry_point<'c>(function: Op<'c>, size: &[i32], builder: Builder<'c>, target: &Target) {
    let context = builder.context();
    let name = types::symbol_attribute(context, function.symbol_name().unwrap_or_default());
    let attribute = |text: &str| {
        Attribute::parse(context, text)
            .unwrap_or_else(|| unreachable!("'{text}' is an attribute of the spirv dialect"))
    };
    // From SPIR-V 1.4 on, all variables of the module that are used; before, built-in values alone.
    let all = spirv_version(target) >= "1.4";
    let mut seen = HashSet::new();
    let variables: Vec<Attribute<'c>> = function
        .descendants()
        .into_iter()
        .filter(|op| op.is("spirv.mlir.addressof"))
        .filter(|op| all || op.result(0).ty().to_string().ends_with("Input>"))
        .filter_map(|op| op.attribute("variable"))
        .filter(|name| seen.insert(name.to_string()))
        .collect();
    builder
        .op("spirv.EntryPoint")
        .attribute(
            "execution_model",
            attribute("#spirv.execution_model<GLCompute>"),
        )
        .attribute("fn", name)
        .attribute("interface", types::array_attribute(context, &variables))
        .build();
    let values: Vec<Attribute<'c>> = size
        .iter()
        .map(|one| types::i32_attribute(context, *one))
        .collect();
    builder
        .op("spirv.ExecutionMode")
        .attribute("fn", name)
        .attribute(
            "execution_mode",
            attribute("#spirv.execution_mode<LocalSize>"),
        )
        .attribute("values", types::array_attribute(context, &values))
        .build();
}

/// The version of SPIR-V that the target's version of Vulkan takes.
fn spirv_version(target: &Target) -> &'static str {
    let version = target.chip().and_then(|chip| chip.split(',').next());
    version.and_then(vulkan::spirv_version).unwrap_or("1.3")
}

/// The version, capabilities and extensions of a module, as far as MLIR has words for its instructions;
/// `xpu-spirv` says exactly what the finished binary needs.
fn vce(module: Op<'_>, target: &Target) -> String {
    let version = spirv_version(target);
    let mut capabilities = vec!["Shader"];
    if target.has("vulkan_memory_model") {
        capabilities.push("VulkanMemoryModel");
        if target.has("vulkan_memory_model_device_scope") {
            capabilities.push("VulkanMemoryModelDeviceScope");
        }
    }
    let mut types: Vec<Type<'_>> = Vec::new();
    let (mut atomics64, mut add32, mut add64) = (false, false, false);
    let (mut int8, mut int16) = (false, false);
    for op in module.descendants() {
        let results: Vec<Type<'_>> = op.results().iter().map(|result| result.ty()).collect();
        let width = results.first().and_then(|ty| types::bit_width(*ty));
        let is_float_add = op.is("spirv.EXT.AtomicFAdd");
        add32 |= is_float_add && width == Some(32);
        add64 |= is_float_add && width == Some(64);
        atomics64 |= op.name().starts_with("spirv.Atomic") && width == Some(64);
        for ty in results {
            match (types::integer_parts(ty), types::bit_width(ty)) {
                (Some(_), Some(8)) => int8 = true,
                (Some(_), Some(16)) => int16 = true,
                _ if !types.contains(&ty) => types.push(ty),
                _ => {}
            }
        }
    }
    let has = |name: &str| types.iter().any(|ty| ty.to_string() == name);
    let mut extensions = Vec::new();
    for (is_used, capability) in [
        (has("i64"), "Int64"),
        (has("f64"), "Float64"),
        (atomics64, "Int64Atomics"),
        (add32, "AtomicFloat32AddEXT"),
        (add64, "AtomicFloat64AddEXT"),
        (int8, "StorageBuffer8BitAccess"),
        (int16, "StorageBuffer16BitAccess"),
    ] {
        if is_used {
            capabilities.push(capability);
        }
    }
    if add32 || add64 {
        extensions.push("SPV_EXT_shader_atomic_float_add");
    }
    if version < "1.5" {
        if target.has("vulkan_memory_model") {
            extensions.push("SPV_KHR_vulkan_memory_model");
        }
        if int8 {
            extensions.push("SPV_KHR_8bit_storage");
        }
    }
    format!(
        "#spirv.vce<v{version}, [{}], [{}]>",
        capabilities.join(", "),
        extensions.join(", ")
    )
}
