//! What Vulkan devices can do beyond what every one of their version can, by Vulkan's own names.

use crate::features::{Feature, FeatureSet, Version};

pub(super) const SHADER_INT64: Feature = Feature::new(0, "shader_int64");
pub(super) const SHADER_FLOAT64: Feature = Feature::new(1, "shader_float64");
pub(super) const SHADER_INT8: Feature = Feature::new(2, "shader_int8");
pub(super) const SHADER_INT16: Feature = Feature::new(3, "shader_int16");
pub(super) const SHADER_FLOAT16: Feature = Feature::new(4, "shader_float16");
pub(super) const STORAGE_BUFFER_8BIT_ACCESS: Feature =
    Feature::new(5, "storage_buffer_8bit_access");
pub(super) const STORAGE_BUFFER_16BIT_ACCESS: Feature =
    Feature::new(6, "storage_buffer_16bit_access");
pub(super) const SHADER_BUFFER_INT64_ATOMICS: Feature =
    Feature::new(7, "shader_buffer_int64_atomics");
pub(super) const SHADER_SHARED_INT64_ATOMICS: Feature =
    Feature::new(8, "shader_shared_int64_atomics");
pub(super) const SHADER_BUFFER_FLOAT32_ATOMICS: Feature =
    Feature::new(9, "shader_buffer_float32_atomics");
pub(super) const SHADER_SHARED_FLOAT32_ATOMICS: Feature =
    Feature::new(10, "shader_shared_float32_atomics");
pub(super) const SHADER_BUFFER_FLOAT32_ATOMIC_ADD: Feature =
    Feature::new(11, "shader_buffer_float32_atomic_add");
pub(super) const SHADER_SHARED_FLOAT32_ATOMIC_ADD: Feature =
    Feature::new(12, "shader_shared_float32_atomic_add");
pub(super) const SHADER_BUFFER_FLOAT64_ATOMICS: Feature =
    Feature::new(13, "shader_buffer_float64_atomics");
pub(super) const SHADER_SHARED_FLOAT64_ATOMICS: Feature =
    Feature::new(14, "shader_shared_float64_atomics");
pub(super) const SHADER_BUFFER_FLOAT64_ATOMIC_ADD: Feature =
    Feature::new(15, "shader_buffer_float64_atomic_add");
pub(super) const SHADER_SHARED_FLOAT64_ATOMIC_ADD: Feature =
    Feature::new(16, "shader_shared_float64_atomic_add");
pub(super) const SHADER_BUFFER_FLOAT32_ATOMIC_MIN_MAX: Feature =
    Feature::new(17, "shader_buffer_float32_atomic_min_max");
pub(super) const SHADER_SHARED_FLOAT32_ATOMIC_MIN_MAX: Feature =
    Feature::new(18, "shader_shared_float32_atomic_min_max");
pub(super) const SHADER_BUFFER_FLOAT64_ATOMIC_MIN_MAX: Feature =
    Feature::new(19, "shader_buffer_float64_atomic_min_max");
pub(super) const SHADER_SHARED_FLOAT64_ATOMIC_MIN_MAX: Feature =
    Feature::new(20, "shader_shared_float64_atomic_min_max");
pub(super) const VULKAN_MEMORY_MODEL: Feature = Feature::new(21, "vulkan_memory_model");
pub(super) const VULKAN_MEMORY_MODEL_DEVICE_SCOPE: Feature =
    Feature::new(22, "vulkan_memory_model_device_scope");
pub(super) const SHADER_SIGNED_ZERO_INF_NAN_PRESERVE_FLOAT32: Feature =
    Feature::new(23, "shader_signed_zero_inf_nan_preserve_float32");
pub(super) const SHADER_SIGNED_ZERO_INF_NAN_PRESERVE_FLOAT64: Feature =
    Feature::new(24, "shader_signed_zero_inf_nan_preserve_float64");
pub(super) const SHADER_DENORM_PRESERVE_FLOAT32: Feature =
    Feature::new(25, "shader_denorm_preserve_float32");
pub(super) const SHADER_DENORM_PRESERVE_FLOAT64: Feature =
    Feature::new(26, "shader_denorm_preserve_float64");
pub(super) const SHADER_ROUNDING_MODE_RTE_FLOAT32: Feature =
    Feature::new(27, "shader_rounding_mode_rte_float32");
pub(super) const SHADER_ROUNDING_MODE_RTE_FLOAT64: Feature =
    Feature::new(28, "shader_rounding_mode_rte_float64");

/// Every feature, in the order in which targets print them.
pub(super) const FEATURES: &[Feature] = &[
    SHADER_INT64,
    SHADER_FLOAT64,
    SHADER_INT8,
    SHADER_INT16,
    SHADER_FLOAT16,
    STORAGE_BUFFER_8BIT_ACCESS,
    STORAGE_BUFFER_16BIT_ACCESS,
    SHADER_BUFFER_INT64_ATOMICS,
    SHADER_SHARED_INT64_ATOMICS,
    SHADER_BUFFER_FLOAT32_ATOMICS,
    SHADER_SHARED_FLOAT32_ATOMICS,
    SHADER_BUFFER_FLOAT32_ATOMIC_ADD,
    SHADER_SHARED_FLOAT32_ATOMIC_ADD,
    SHADER_BUFFER_FLOAT64_ATOMICS,
    SHADER_SHARED_FLOAT64_ATOMICS,
    SHADER_BUFFER_FLOAT64_ATOMIC_ADD,
    SHADER_SHARED_FLOAT64_ATOMIC_ADD,
    SHADER_BUFFER_FLOAT32_ATOMIC_MIN_MAX,
    SHADER_SHARED_FLOAT32_ATOMIC_MIN_MAX,
    SHADER_BUFFER_FLOAT64_ATOMIC_MIN_MAX,
    SHADER_SHARED_FLOAT64_ATOMIC_MIN_MAX,
    VULKAN_MEMORY_MODEL,
    VULKAN_MEMORY_MODEL_DEVICE_SCOPE,
    SHADER_SIGNED_ZERO_INF_NAN_PRESERVE_FLOAT32,
    SHADER_SIGNED_ZERO_INF_NAN_PRESERVE_FLOAT64,
    SHADER_DENORM_PRESERVE_FLOAT32,
    SHADER_DENORM_PRESERVE_FLOAT64,
    SHADER_ROUNDING_MODE_RTE_FLOAT32,
    SHADER_ROUNDING_MODE_RTE_FLOAT64,
];

const GUARANTEED: FeatureSet =
    FeatureSet::of(&[VULKAN_MEMORY_MODEL, VULKAN_MEMORY_MODEL_DEVICE_SCOPE]);

#[rustfmt::skip] // one row a line: read down the columns
pub(super) const VERSIONS: &[Version] = &[
    Version { name: "1.1", features: GUARANTEED },
    Version { name: "1.2", features: GUARANTEED },
    Version { name: "1.3", features: GUARANTEED },
];

/// What the pages show, beside the plain versions: two devices that tests run on, and everything.
pub(super) const SHOWN: &[(&str, FeatureSet)] = &[
    ("plain", GUARANTEED),
    ("lavapipe", LAVAPIPE),
    ("H200", H200),
    ("all features", FeatureSet::of(FEATURES)),
];
const INT64_ATOMICS: FeatureSet = FeatureSet::of(&[
    SHADER_INT64,
    SHADER_FLOAT64,
    SHADER_BUFFER_INT64_ATOMICS,
    SHADER_SHARED_INT64_ATOMICS,
]);
const FLOAT32_ADD: FeatureSet = FeatureSet::of(&[
    SHADER_BUFFER_FLOAT32_ATOMIC_ADD,
    SHADER_SHARED_FLOAT32_ATOMIC_ADD,
]);
const LAVAPIPE: FeatureSet = GUARANTEED
    .or(INT64_ATOMICS)
    .or(FLOAT32_ADD)
    .or(FeatureSet::of(&[
        SHADER_BUFFER_FLOAT32_ATOMIC_MIN_MAX,
        SHADER_SHARED_FLOAT32_ATOMIC_MIN_MAX,
    ]));
const H200: FeatureSet = GUARANTEED
    .or(INT64_ATOMICS)
    .or(FLOAT32_ADD)
    .or(FeatureSet::of(&[
        SHADER_BUFFER_FLOAT64_ATOMIC_ADD,
        SHADER_SHARED_FLOAT64_ATOMIC_ADD,
    ]));
