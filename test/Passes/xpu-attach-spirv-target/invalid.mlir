// RUN: not xpu-opt %s --xpu-attach-spirv-target=target=1.0 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not xpu-opt %s --xpu-attach-spirv-target=target=1.3,shader_int64 2>&1 | FileCheck %s --check-prefix=SIGN
// RUN: not xpu-opt %s --xpu-attach-spirv-target=target=1.3,+shader_shared_float32_atomic_mul 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN

// OLD: error: {{.*}}unknown version '1.0' of target 'vulkan'; known versions are 1.1, 1.2, 1.3
// SIGN: error: {{.*}}feature 'shader_int64' of target 'vulkan' has no sign; write '+shader_int64' where it is there
// UNKNOWN: error: {{.*}}target 'vulkan' has no feature 'shader_shared_float32_atomic_mul'; did you mean
// UNKNOWN-SAME: shader_shared_float32_atomic_add
gpu.module @mine {}
