//! Which versions, capabilities and extensions of SPIR-V go with which of Vulkan.

/// What a module may declare where the device has a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    /// The feature.
    pub feature: &'static str,
    /// The capability's name in SPIR-V.
    pub name: &'static str,
    /// The extension that brings it to versions of SPIR-V that lack it; empty where none does.
    pub extension: &'static str,
}

/// Every capability that a feature allows. Where features of buffers and of workgroup memory share
/// one, that of buffers is the first.
///
/// Vulkan, appendix SPIR-V Capabilities and Extensions.
#[rustfmt::skip] // one row a line: read down the columns
pub const CAPABILITIES: &[Capability] = &[
    Capability { feature: "shader_int64",                         name: "Int64",                        extension: "" },
    Capability { feature: "shader_float64",                       name: "Float64",                      extension: "" },
    Capability { feature: "shader_int8",                          name: "Int8",                         extension: "" },
    Capability { feature: "shader_int16",                         name: "Int16",                        extension: "" },
    Capability { feature: "shader_float16",                       name: "Float16",                      extension: "" },
    Capability { feature: "storage_buffer_8bit_access",           name: "StorageBuffer8BitAccess",      extension: "SPV_KHR_8bit_storage" },
    Capability { feature: "storage_buffer_16bit_access",          name: "StorageBuffer16BitAccess",     extension: "SPV_KHR_16bit_storage" },
    Capability { feature: "shader_buffer_int64_atomics",          name: "Int64Atomics",                 extension: "" },
    Capability { feature: "shader_shared_int64_atomics",          name: "Int64Atomics",                 extension: "" },
    Capability { feature: "shader_buffer_float32_atomic_add",     name: "AtomicFloat32AddEXT",          extension: "SPV_EXT_shader_atomic_float_add" },
    Capability { feature: "shader_shared_float32_atomic_add",     name: "AtomicFloat32AddEXT",          extension: "SPV_EXT_shader_atomic_float_add" },
    Capability { feature: "shader_buffer_float64_atomic_add",     name: "AtomicFloat64AddEXT",          extension: "SPV_EXT_shader_atomic_float_add" },
    Capability { feature: "shader_shared_float64_atomic_add",     name: "AtomicFloat64AddEXT",          extension: "SPV_EXT_shader_atomic_float_add" },
    Capability { feature: "shader_buffer_float32_atomic_min_max", name: "AtomicFloat32MinMaxEXT",       extension: "SPV_EXT_shader_atomic_float_min_max" },
    Capability { feature: "shader_shared_float32_atomic_min_max", name: "AtomicFloat32MinMaxEXT",       extension: "SPV_EXT_shader_atomic_float_min_max" },
    Capability { feature: "shader_buffer_float64_atomic_min_max", name: "AtomicFloat64MinMaxEXT",       extension: "SPV_EXT_shader_atomic_float_min_max" },
    Capability { feature: "shader_shared_float64_atomic_min_max", name: "AtomicFloat64MinMaxEXT",       extension: "SPV_EXT_shader_atomic_float_min_max" },
    Capability { feature: "vulkan_memory_model",                  name: "VulkanMemoryModel",            extension: "SPV_KHR_vulkan_memory_model" },
    Capability { feature: "vulkan_memory_model_device_scope",     name: "VulkanMemoryModelDeviceScope", extension: "SPV_KHR_vulkan_memory_model" },
];

/// The versions of SPIR-V, and the oldest version of Vulkan whose devices take it. Vulkan, appendix
/// Vulkan Environment for SPIR-V, Versions and Formats.
const VERSIONS: &[(&str, &str)] = &[
    ("1.3", "1.1"),
    ("1.4", "1.1"), // 1.1 takes it with VK_KHR_spirv_1_4
    ("1.5", "1.2"),
    ("1.6", "1.3"),
];

/// The version of SPIR-V for a version of Vulkan, such as 1.6 for 1.3.
pub fn spirv_version(vulkan: &str) -> Option<&'static str> {
    let mut versions = VERSIONS.iter();
    versions
        .find(|(_, taking)| *taking == vulkan)
        .map(|(spirv, _)| *spirv)
}

/// The version of Vulkan that takes a version of SPIR-V, `None` for those before Vulkan 1.1.
pub fn vulkan_version(spirv: &str) -> Option<&'static str> {
    let mut versions = VERSIONS.iter();
    versions
        .find(|(version, _)| *version == spirv)
        .map(|(_, vulkan)| *vulkan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vulkan::features::FEATURES;

    #[test]
    fn versions_go_together() {
        let there = ["1.1", "1.2", "1.3"].map(spirv_version);
        assert_eq!(there, [Some("1.3"), Some("1.5"), Some("1.6")]);
        let back = ["1.2", "1.3", "1.4", "1.5", "1.6"].map(vulkan_version);
        assert_eq!(
            back,
            [None, Some("1.1"), Some("1.1"), Some("1.2"), Some("1.3")]
        );
    }

    #[test]
    fn capabilities_are_of_features() {
        for row in CAPABILITIES {
            let known = FEATURES.iter().any(|feature| feature.name == row.feature);
            assert!(known, "{}", row.feature);
        }
    }
}
