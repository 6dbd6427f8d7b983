// RUN: xpu-opt %s --xpu-legalize-atomics 2>/dev/null | FileCheck %s

// The example of the pass's page: what Vulkan lacks becomes the strongest that it has.
// CHECK-LABEL: func.func @total
// CHECK-NEXT: xpu.atomic_rmw add %{{.*}} ordering(acq_rel) scope(device)
// CHECK-NEXT: xpu.atomic_load %{{.*}} ordering(acquire) scope(device)
// DOC
gpu.module @vulkan [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  func.func @total(%m: memref<?xi32>, %v: i32, %i: index) -> i32 {
    %old = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>
    %now = xpu.atomic_load %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
    return %now : i32
  }
}
