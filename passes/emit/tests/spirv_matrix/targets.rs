//! Targets that the matrix is made for: versions of Vulkan, with the features of some devices.

use std::collections::BTreeSet;
use std::fmt;

/// A version with features.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) version: &'static str,
    /// What the features are those of.
    pub(crate) device: &'static str,
    features: BTreeSet<&'static str>,
}

/// What every target has unless it is taken away.
const PLAIN: [&str; 2] = ["vulkan_memory_model", "vulkan_memory_model_device_scope"];

const SMALL: [&str; 5] = [
    "shader_int8",
    "shader_int16",
    "shader_float16",
    "storage_buffer_8bit_access",
    "storage_buffer_16bit_access",
];

const INT64: [&str; 4] = [
    "shader_int64",
    "shader_float64",
    "shader_buffer_int64_atomics",
    "shader_shared_int64_atomics",
];

/// Mesa's software driver: float atomics of 32 bits alone, on every memory.
const LAVAPIPE: [&str; 6] = [
    "shader_buffer_float32_atomics",
    "shader_shared_float32_atomics",
    "shader_buffer_float32_atomic_add",
    "shader_shared_float32_atomic_add",
    "shader_buffer_float32_atomic_min_max",
    "shader_shared_float32_atomic_min_max",
];

/// A large device of NVIDIA's: sums of floats in buffers, no minimum, subnormals kept.
const H200: [&str; 5] = [
    "shader_buffer_float32_atomics",
    "shader_buffer_float32_atomic_add",
    "shader_buffer_float64_atomics",
    "shader_buffer_float64_atomic_add",
    "shader_denorm_preserve_float32",
];

const EVERYTHING: [&str; 17] = [
    "shader_shared_float32_atomics",
    "shader_shared_float32_atomic_add",
    "shader_shared_float64_atomics",
    "shader_shared_float64_atomic_add",
    "shader_buffer_float32_atomic_min_max",
    "shader_shared_float32_atomic_min_max",
    "shader_buffer_float64_atomic_min_max",
    "shader_shared_float64_atomic_min_max",
    "shader_buffer_float32_atomics",
    "shader_buffer_float64_atomics",
    "shader_buffer_float32_atomic_add",
    "shader_buffer_float64_atomic_add",
    "shader_signed_zero_inf_nan_preserve_float32",
    "shader_signed_zero_inf_nan_preserve_float64",
    "shader_denorm_preserve_float64",
    "shader_rounding_mode_rte_float32",
    "shader_rounding_mode_rte_float64",
];

/// The versions.
pub(crate) const VERSIONS: [&str; 3] = ["1.1", "1.2", "1.3"];

/// The sets of features that every version is tried with.
pub(crate) const DEVICES: [&str; 4] = ["plain", "lavapipe", "H200", "everything"];

/// Sets that a sample of cells is tried with: one feature of a pair without the other, and drivers
/// without device scope or the Vulkan memory model.
pub(crate) const ODD: [&str; 6] = [
    "buffers alone",
    "workgroup memory alone",
    "numbers alone",
    "no device scope",
    "GLSL450",
    "GLSL450 with everything",
];

impl Target {
    pub(crate) fn new(version: &'static str, device: &'static str) -> Self {
        let sets: &[&[&str]] = match device {
            "lavapipe" => &[&SMALL, &INT64, &LAVAPIPE],
            "H200" => &[&SMALL, &INT64, &H200],
            "everything" | "GLSL450 with everything" => &[&SMALL, &INT64, &H200, &EVERYTHING],
            "buffers alone" => &[&INT64[..3], &H200],
            "workgroup memory alone" => &[
                &INT64[..2],
                &[
                    "shader_shared_int64_atomics",
                    "shader_shared_float32_atomic_add",
                ],
            ],
            "numbers alone" => &[&INT64[..2], &SMALL[..3]],
            _ => &[],
        };
        let mut features: BTreeSet<&str> = sets.iter().copied().flatten().copied().collect();
        match device {
            "GLSL450" | "GLSL450 with everything" => {}
            "no device scope" => features.extend(&PLAIN[..1]),
            _ => features.extend(PLAIN),
        }
        Self {
            version,
            device,
            features,
        }
    }

    pub(crate) fn has(&self, feature: &str) -> bool {
        self.features.contains(feature)
    }

    /// As the compiler takes it.
    pub(crate) fn text(&self) -> String {
        let mut text = self.version.to_string();
        for lacking in PLAIN.iter().filter(|one| !self.has(one)) {
            text += &format!(",-{lacking}");
        }
        for feature in self.features.iter().filter(|one| !PLAIN.contains(one)) {
            text += &format!(",+{feature}");
        }
        text
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vulkan {} {}", self.version, self.device)
    }
}
