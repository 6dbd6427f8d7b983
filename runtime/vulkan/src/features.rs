//! What a device can do beyond the least of its version: one row for each feature, by the names that
//! `xpu-compile --target vulkan:VERSION,+FEATURE` takes.

use std::ffi::CStr;

use ash::vk;

use crate::version::Version;

/// What a device can do, as the driver tells it and is told it.
#[derive(Default)]
pub(crate) struct Chain {
    core: vk::PhysicalDeviceFeatures,
    storage16: vk::PhysicalDevice16BitStorageFeatures<'static>,
    storage8: vk::PhysicalDevice8BitStorageFeatures<'static>,
    float16_int8: vk::PhysicalDeviceShaderFloat16Int8Features<'static>,
    atomic_int64: vk::PhysicalDeviceShaderAtomicInt64Features<'static>,
    atomic_float: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    atomic_float2: vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'static>,
    memory_model: vk::PhysicalDeviceVulkanMemoryModelFeatures<'static>,
    float_controls: vk::PhysicalDeviceFloatControlsProperties<'static>,
    /// What every device of its version has, but has to be enabled: `LocalSizeId`, which says the
    /// size of work-groups.
    maintenance4: vk::PhysicalDeviceMaintenance4Features<'static>,
}

/// One structure of the chain: where a driver has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source {
    /// The extension that it is of; none where every device of version 1.1 has it.
    extension: Option<&'static CStr>,
    /// The version that took the extension in, if one did.
    core_since: Option<Version>,
}

impl Source {
    /// Whether a device of `version` with these extensions has the structure.
    fn is_there(self, version: Version, extensions: &[&CStr]) -> bool {
        self.extension
            .is_none_or(|name| self.is_core(version) || extensions.contains(&name))
    }

    fn is_core(self, version: Version) -> bool {
        self.core_since.is_some_and(|since| version >= since)
    }
}

const CORE: Source = Source {
    extension: None,
    core_since: Some(Version::V1_1),
};

const fn since_1_2(extension: &'static CStr) -> Source {
    Source {
        extension: Some(extension),
        core_since: Some(Version::V1_2),
    }
}

const fn never_core(extension: &'static CStr) -> Source {
    Source {
        extension: Some(extension),
        core_since: None,
    }
}

const GUARANTEED_BY_1_3: Source = Source {
    extension: Some(ash::khr::maintenance4::NAME),
    core_since: Some(Version::V1_3),
};

const STORAGE8: Source = since_1_2(ash::khr::_8bit_storage::NAME);
const FLOAT16_INT8: Source = since_1_2(ash::khr::shader_float16_int8::NAME);
const ATOMIC_INT64: Source = since_1_2(ash::khr::shader_atomic_int64::NAME);
const MEMORY_MODEL: Source = since_1_2(ash::khr::vulkan_memory_model::NAME);
const FLOAT_CONTROLS: Source = since_1_2(ash::khr::shader_float_controls::NAME);
const ATOMIC_FLOAT: Source = never_core(ash::ext::shader_atomic_float::NAME);
const ATOMIC_FLOAT2: Source = never_core(ash::ext::shader_atomic_float2::NAME);

/// A feature.
struct Row {
    name: &'static str,
    source: Source,
    place: fn(&mut Chain) -> &mut vk::Bool32,
}

/// `part source { field… }…`: the name of a feature is that of its field.
macro_rules! rows {
    ($($part:ident $source:ident { $($field:ident)* })*) => {
        &[$($(Row {
            name: stringify!($field),
            source: $source,
            place: |chain| &mut chain.$part.$field,
        },)*)*]
    };
}

/// Every feature, in the order in which a target names them.
#[rustfmt::skip]
const ROWS: &[Row] = rows! {
    core CORE { shader_int64 shader_float64 shader_int16 }
    float16_int8 FLOAT16_INT8 { shader_int8 shader_float16 }
    storage8 STORAGE8 { storage_buffer8_bit_access }
    storage16 CORE { storage_buffer16_bit_access }
    atomic_int64 ATOMIC_INT64 { shader_buffer_int64_atomics shader_shared_int64_atomics }
    atomic_float ATOMIC_FLOAT {
        shader_buffer_float32_atomics shader_shared_float32_atomics
        shader_buffer_float32_atomic_add shader_shared_float32_atomic_add
        shader_buffer_float64_atomics shader_shared_float64_atomics
        shader_buffer_float64_atomic_add shader_shared_float64_atomic_add
    }
    atomic_float2 ATOMIC_FLOAT2 {
        shader_buffer_float32_atomic_min_max shader_shared_float32_atomic_min_max
        shader_buffer_float64_atomic_min_max shader_shared_float64_atomic_min_max
    }
    memory_model MEMORY_MODEL { vulkan_memory_model vulkan_memory_model_device_scope }
    float_controls FLOAT_CONTROLS {
        shader_signed_zero_inf_nan_preserve_float32 shader_signed_zero_inf_nan_preserve_float64
        shader_denorm_preserve_float32 shader_denorm_preserve_float64
        shader_rounding_mode_rte_float32 shader_rounding_mode_rte_float64
    }
};

/// Rows whose names the field does not spell as Vulkan's documents do.
const SPELLINGS: &[(&str, &str)] = &[
    ("storage_buffer8_bit_access", "storage_buffer_8bit_access"),
    ("storage_buffer16_bit_access", "storage_buffer_16bit_access"),
];

/// Features that a target without a word about them has.
const TAKEN_FOR_GRANTED: [&str; 2] = ["vulkan_memory_model", "vulkan_memory_model_device_scope"];

impl Row {
    fn name(&self) -> &'static str {
        SPELLINGS
            .iter()
            .find(|(field, _)| *field == self.name)
            .map_or(self.name, |(_, name)| name)
    }

    /// Whether the device says so and no more: there is nothing to enable.
    fn is_property(&self) -> bool {
        self.source == FLOAT_CONTROLS
    }
}

/// The features of a device, a part of [`ROWS`] in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    version: Version,
    names: Vec<&'static str>,
}

impl Features {
    /// What the device has.
    pub(crate) fn query(
        instance: &ash::Instance,
        device: vk::PhysicalDevice,
        version: Version,
        extensions: &[&CStr],
    ) -> Self {
        let is_there = |source: Source| source.is_there(version, extensions);
        let mut chain = Chain::default();
        let mut properties = vk::PhysicalDeviceProperties2::default();
        if is_there(FLOAT_CONTROLS) {
            properties = properties.push_next(&mut chain.float_controls);
        }
        // SAFETY: the device is of this instance, of version 1.1 at least, and has the structures.
        unsafe { instance.get_physical_device_properties2(device, &mut properties) };
        let mut found = chain.link(is_there);
        // SAFETY: as above.
        unsafe { instance.get_physical_device_features2(device, &mut found) };
        let core = found.features;
        chain.core = core;
        let names = ROWS
            .iter()
            .filter(|row| is_there(row.source) && *(row.place)(&mut chain) == vk::TRUE)
            .map(Row::name)
            .collect();
        Self { version, names }
    }

    /// These and no others.
    #[cfg(test)]
    pub(crate) fn of(version: Version, names: &[&'static str]) -> Self {
        let names = names.to_vec();
        Self { version, names }
    }

    /// Calls `create` with the structures that enable all of them, and the extensions that these
    /// are of.
    pub(crate) fn enable<R>(
        &self,
        create: impl FnOnce(vk::PhysicalDeviceFeatures2<'_>, Vec<&'static CStr>) -> R,
    ) -> R {
        let mut chain = Chain::default();
        let mut sources: Vec<Source> = Vec::new();
        for row in ROWS {
            if row.is_property() || !self.has(row.name()) {
                continue;
            }
            *(row.place)(&mut chain) = vk::TRUE;
            if !sources.contains(&row.source) {
                sources.push(row.source);
            }
        }
        if GUARANTEED_BY_1_3.is_core(self.version) {
            chain.maintenance4.maintenance4 = vk::TRUE;
            sources.push(GUARANTEED_BY_1_3);
        }
        let extensions = sources
            .iter()
            .filter(|source| !source.is_core(self.version))
            .filter_map(|source| source.extension)
            .collect();
        let features = chain.link(|source| sources.contains(&source));
        create(features, extensions)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    /// The target that makes use of all of them: `vulkan:1.3,+shader_int64`.
    pub(crate) fn target(&self) -> String {
        let mut target = format!("vulkan:{}", self.version);
        for name in &self.names {
            if !TAKEN_FOR_GRANTED.contains(name) {
                target.push_str(",+");
                target.push_str(name);
            }
        }
        for name in TAKEN_FOR_GRANTED {
            if !self.has(name) {
                target.push_str(",-");
                target.push_str(name);
            }
        }
        target
    }
}

impl Chain {
    /// The structures of which `is_there` says so, one pointing to the next.
    fn link(&mut self, is_there: impl Fn(Source) -> bool) -> vk::PhysicalDeviceFeatures2<'_> {
        let mut linked = vk::PhysicalDeviceFeatures2::default().features(self.core);
        linked = linked.push_next(&mut self.storage16);
        if is_there(STORAGE8) {
            linked = linked.push_next(&mut self.storage8);
        }
        if is_there(FLOAT16_INT8) {
            linked = linked.push_next(&mut self.float16_int8);
        }
        if is_there(ATOMIC_INT64) {
            linked = linked.push_next(&mut self.atomic_int64);
        }
        if is_there(MEMORY_MODEL) {
            linked = linked.push_next(&mut self.memory_model);
        }
        if is_there(ATOMIC_FLOAT) {
            linked = linked.push_next(&mut self.atomic_float);
        }
        if is_there(ATOMIC_FLOAT2) {
            linked = linked.push_next(&mut self.atomic_float2);
        }
        if is_there(GUARANTEED_BY_1_3) {
            linked = linked.push_next(&mut self.maintenance4);
        }
        linked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let check = |version, names: &[&'static str], expect: &str| {
            assert_eq!(Features::of(version, names).target(), expect);
        };
        let model = TAKEN_FOR_GRANTED;
        check(Version::V1_1, &model, "vulkan:1.1");
        check(
            Version::V1_3,
            &["shader_int64", "storage_buffer_8bit_access", model[0]],
            "vulkan:1.3,+shader_int64,+storage_buffer_8bit_access,\
             -vulkan_memory_model_device_scope",
        );
        check(
            Version::V1_2,
            &[],
            "vulkan:1.2,-vulkan_memory_model,-vulkan_memory_model_device_scope",
        );
    }

    #[test]
    fn where_structures_are() {
        let name = ATOMIC_INT64.extension.unwrap();
        assert!(!ATOMIC_INT64.is_there(Version::V1_1, &[]));
        assert!(ATOMIC_INT64.is_there(Version::V1_1, &[name]));
        assert!(ATOMIC_INT64.is_there(Version::V1_2, &[]));
        assert!(!ATOMIC_FLOAT.is_there(Version::V1_3, &[name]));
        assert!(CORE.is_there(Version::V1_1, &[]));
    }

    #[test]
    fn enables_what_there_is() {
        let features = Features::of(
            Version::V1_1,
            &[
                "shader_int64",
                "storage_buffer_8bit_access",
                "shader_shared_float32_atomic_add",
                "shader_denorm_preserve_float32",
            ],
        );
        features.enable(|linked, extensions| {
            assert_eq!(linked.features.shader_int64, vk::TRUE);
            assert_eq!(linked.features.shader_float64, vk::FALSE);
            let expect = [c"VK_KHR_8bit_storage", c"VK_EXT_shader_atomic_float"];
            assert_eq!(extensions, expect);
        });
        let features = Features::of(Version::V1_3, &["storage_buffer_8bit_access"]);
        features.enable(|_, extensions| assert_eq!(extensions, [] as [&CStr; 0]));
    }

    #[test]
    fn every_row_is_a_place_of_its_own() {
        let mut chain = Chain::default();
        for row in ROWS {
            assert_eq!(*(row.place)(&mut chain), vk::FALSE, "{}", row.name);
            *(row.place)(&mut chain) = vk::TRUE;
        }
        assert_eq!(ROWS.len(), 29);
    }
}
