// RUN: xpu-opt %s --xpu-attach-spirv-target | FileCheck %s
// RUN: xpu-opt %s --pass-pipeline='builtin.module(xpu-attach-spirv-target{target=1.1,+shader_shared_int64_atomics,+shader_int64})' \
// RUN:   | FileCheck %s --check-prefix=SHARED
// RUN: xpu-opt %s --pass-pipeline='builtin.module(xpu-attach-spirv-target{target=vulkan:1.1,+shader_shared_int64_atomics,+shader_int64})' \
// RUN:   | FileCheck %s --check-prefix=SHARED
// RUN: xpu-opt %s --xpu-attach-spirv-target=target=1.2,-vulkan_memory_model,+shader_buffer_float32_atomic_min_max \
// RUN:   | FileCheck %s --check-prefix=GLSL450

// The environment of upstream says what its conversions may use, and the features what it cannot say.

// CHECK:        gpu.module @mine [#spirv.target_env<#spirv.vce<v1.6,
// CHECK-SAME:     [Shader, VulkanMemoryModel, VulkanMemoryModelDeviceScope], [SPV_KHR_vulkan_memory_model]>,
// CHECK-SAME:     api=Vulkan, #spirv.resource_limits<>>] {
// SHARED:       gpu.module @mine [#spirv.target_env<#spirv.vce<v1.3,
// SHARED-SAME:    [Shader, Int64, Int64Atomics, VulkanMemoryModel, VulkanMemoryModelDeviceScope],
// SHARED-SAME:    xpu.vulkan_features = ["shader_int64", "shader_shared_int64_atomics"]
// GLSL450:      gpu.module @mine [#spirv.target_env<#spirv.vce<v1.5,
// GLSL450-SAME:   [Shader, AtomicFloat32MinMaxEXT, VulkanMemoryModelDeviceScope],
// GLSL450-SAME:   [SPV_EXT_shader_atomic_float_min_max, SPV_KHR_vulkan_memory_model]>
// GLSL450-SAME:   xpu.vulkan_features = ["shader_buffer_float32_atomic_min_max", "-vulkan_memory_model"]
gpu.module @mine {}

// CHECK: gpu.module @other [#nvvm.target<chip = "sm_90">] {
gpu.module @other [#nvvm.target<chip = "sm_90">] {}

// CHECK: gpu.module @vulkan [#spirv.target_env<#spirv.vce<v1.5, [Shader], []>, #spirv.resource_limits<>>] {
gpu.module @vulkan [#spirv.target_env<#spirv.vce<v1.5, [Shader], []>, #spirv.resource_limits<>>] {}
