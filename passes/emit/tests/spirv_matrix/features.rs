//! The features of Vulkan that a module needs, by Vulkan, Capabilities and Features.

use crate::spirv::{Memory, Module};
use rspirv::spirv::StorageClass;
use std::collections::BTreeSet;

/// By Vulkan's names, in `snake_case`.
pub(crate) fn needed(module: &Module) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut need = |feature: &str| {
        found.insert(feature.to_string());
    };
    for capability in &module.capabilities {
        match capability.as_str() {
            "Int64" => need("shader_int64"),
            "Float64" => need("shader_float64"),
            "Int8" => need("shader_int8"),
            "Int16" => need("shader_int16"),
            "Float16" => need("shader_float16"),
            "StorageBuffer8BitAccess" => need("storage_buffer_8bit_access"),
            "StorageBuffer16BitAccess" => need("storage_buffer_16bit_access"),
            "VulkanMemoryModel" => need("vulkan_memory_model"),
            "VulkanMemoryModelDeviceScope" => need("vulkan_memory_model_device_scope"),
            _ => {}
        }
    }
    for one in module
        .kernels
        .iter()
        .flat_map(|kernel| &kernel.instructions)
    {
        let Some(Memory::Atomic { name, place, .. }) = &one.memory else {
            continue;
        };
        let memory = match place.class {
            StorageClass::Workgroup => "shared",
            _ => "buffer",
        };
        let bits = place.scalar.trim_start_matches(['i', 'f']);
        match (name.as_str(), place.scalar.as_str()) {
            ("FAddEXT", _) => need(&format!("shader_{memory}_float{bits}_atomic_add")),
            ("FMinEXT" | "FMaxEXT", _) => {
                need(&format!("shader_{memory}_float{bits}_atomic_min_max"));
            }
            (_, "i64") => need(&format!("shader_{memory}_int64_atomics")),
            _ => {}
        }
    }
    for (mode, bits) in &module.float_modes {
        match mode.as_str() {
            "DenormPreserve" => need(&format!("shader_denorm_preserve_float{bits}")),
            "SignedZeroInfNanPreserve" => {
                need(&format!("shader_signed_zero_inf_nan_preserve_float{bits}"));
            }
            "RoundingModeRTE" => need(&format!("shader_rounding_mode_rte_float{bits}")),
            _ => {}
        }
    }
    found
}
