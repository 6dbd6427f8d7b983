// RUN: split-file %s %t
// RUN: xpu-opt %t/native.mlir --xpu-legalize-atomics -verify-diagnostics | FileCheck %t/native.mlir
// RUN: xpu-opt %t/strict.mlir --xpu-legalize-atomics=strict -verify-diagnostics
// RUN: xpu-opt %t/clamp.mlir --xpu-legalize-atomics=ordering-policy=clamp -verify-diagnostics | FileCheck %t/clamp.mlir
// RUN: xpu-opt %t/refused.mlir --xpu-legalize-atomics=ordering-policy=clamp -verify-diagnostics -split-input-file
// RUN: xpu-opt %t/scope.mlir --xpu-legalize-atomics -verify-diagnostics -split-input-file
// RUN: not xpu-opt %t/scope.mlir --xpu-legalize-atomics=ordering-policy=loud 2>&1 | FileCheck %s --check-prefix=POLICY

// POLICY: ordering-policy

//--- native.mlir
// Exactly the two weakenings, each where it is, and nothing said of anything else.

gpu.module @vulkan [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {

// Report A13: the scopes that Vulkan has stay.
// CHECK-LABEL: gpu.func @scopes
gpu.func @scopes(%m: memref<?xi32>, %s: memref<?xi32, #gpu.address_space<workgroup>>, %v: i32, %i: index) kernel {
  // CHECK: ordering(relaxed) scope(workgroup)
  %0 = xpu.atomic_rmw or %v, %s[%i] ordering(relaxed) scope(workgroup) : memref<?xi32, #gpu.address_space<workgroup>>
  // CHECK: ordering(relaxed) scope(device)
  %1 = xpu.atomic_rmw or %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // CHECK: ordering(relaxed) scope(subgroup)
  %2 = xpu.atomic_rmw or %v, %m[%i] ordering(relaxed) scope(subgroup) : memref<?xi32>
  // CHECK: ordering(relaxed) scope(device)
  // expected-warning @below {{'xpu.atomic_rmw' op scope 'system' becomes the weaker 'device', losing atomicity and order with the host and other devices while the kernel runs, which Vulkan does not have (target 'vulkan:1.3')}}
  %3 = xpu.atomic_rmw or %v, %m[%i] ordering(relaxed) scope(system) : memref<?xi32>
  // CHECK: ordering(relaxed) scope(device)
  // expected-warning @below {{scope 'system' becomes the weaker 'device'}}
  %4 = xpu.atomic_rmw or %v, %s[%i] ordering(relaxed) scope(system) : memref<?xi32, #gpu.address_space<workgroup>>
  // CHECK: ordering(acquire) scope(device)
  // expected-warning @below {{scope 'system' becomes the weaker 'device'}}
  xpu.fence ordering(acquire) scope(system)
  // Nobody else takes part, so nothing is lost.
  // CHECK: ordering(seq_cst) scope(workitem)
  %5 = xpu.atomic_rmw or %v, %m[%i] ordering(seq_cst) scope(workitem) : memref<?xi32>
  gpu.return
}

// Report A17: of five orderings in one function, the one that Vulkan lacks is spoken of.
// CHECK-LABEL: gpu.func @orderings
gpu.func @orderings(%m: memref<?xi32>, %v: i32, %i: index) kernel {
  // CHECK: ordering(relaxed)
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // CHECK: ordering(acquire)
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  // CHECK: ordering(release)
  %2 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  // CHECK: ordering(acq_rel)
  %3 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  // CHECK: ordering(acq_rel)
  // expected-warning @below {{'xpu.atomic_rmw' op ordering 'seq_cst' becomes the weaker 'acq_rel', losing the single total order of sequentially consistent operations, which Vulkan does not have (target 'vulkan:1.3')}}
  %4 = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  gpu.return
}

// CHECK-LABEL: gpu.func @accesses
gpu.func @accesses(%m: memref<?xi32>, %v: i32, %i: index) kernel {
  // CHECK: xpu.atomic_load {{.*}} ordering(acquire)
  // expected-warning @below {{ordering 'seq_cst' becomes the weaker 'acquire'}}
  %0 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  // CHECK: xpu.atomic_store {{.*}} ordering(release)
  // expected-warning @below {{ordering 'seq_cst' becomes the weaker 'release'}}
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  // CHECK: xpu.cas {{.*}} ordering(acq_rel) failure(acquire)
  // expected-warning @below {{op ordering 'seq_cst' becomes the weaker 'acq_rel'}}
  // expected-warning @below {{failure ordering 'seq_cst' becomes the weaker 'acquire'}}
  %1 = xpu.cas %v, %v, %m[%i] ordering(seq_cst) failure(seq_cst) scope(device) : memref<?xi32>
  // CHECK: xpu.fence ordering(acq_rel)
  // expected-warning @below {{ordering 'seq_cst' becomes the weaker 'acq_rel'}}
  xpu.fence ordering(seq_cst) scope(device)
  // CHECK: xpu.fence ordering(release)
  xpu.fence ordering(release) scope(workgroup)
  gpu.return
}
}

//--- strict.mlir
gpu.module @vulkan [#spirv.target_env<#spirv.vce<v1.5, [Shader], []>, #spirv.resource_limits<>>] {
gpu.func @strict(%m: memref<?xi32>, %v: i32, %i: index) kernel {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  // expected-error @below {{ordering 'seq_cst' becomes the weaker 'acq_rel', losing the single total order}}
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  // expected-error @below {{scope 'system' becomes the weaker 'device', losing atomicity and order with the host}}
  %2 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(system) : memref<?xi32>
  gpu.return
}
}

//--- clamp.mlir
gpu.module @vulkan [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
// CHECK-LABEL: gpu.func @clamp
gpu.func @clamp(%m: memref<?xi32>, %v: i32, %i: index) kernel {
  // CHECK: xpu.atomic_rmw {{.*}} ordering(acq_rel) scope(device)
  // expected-remark @below {{'xpu.atomic_rmw' op ordering 'relaxed' becomes the stronger 'acq_rel': the ordering policy 'clamp' was asked for (target 'vulkan:1.3')}}
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // CHECK: xpu.atomic_rmw {{.*}} ordering(acq_rel) scope(device)
  // expected-warning @below {{ordering 'seq_cst' becomes the weaker 'acq_rel'}}
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  // CHECK: xpu.atomic_rmw {{.*}} ordering(release) scope(device)
  %2 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  // CHECK: xpu.atomic_load {{.*}} ordering(acquire)
  // expected-remark @below {{ordering 'relaxed' becomes the stronger 'acquire'}}
  %3 = xpu.atomic_load %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // CHECK: xpu.atomic_store {{.*}} ordering(release)
  // expected-remark @below {{ordering 'relaxed' becomes the stronger 'release'}}
  xpu.atomic_store %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // CHECK: xpu.cas {{.*}} ordering(acq_rel) failure(acquire)
  // expected-remark @below {{op ordering 'relaxed' becomes the stronger 'acq_rel'}}
  // expected-remark @below {{failure ordering 'relaxed' becomes the stronger 'acquire'}}
  %4 = xpu.cas %v, %v, %m[%i] ordering(relaxed) failure(relaxed) scope(device) : memref<?xi32>
  // CHECK: xpu.atomic_rmw {{.*}} ordering(relaxed) scope(workitem)
  %5 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xi32>
  gpu.return
}
}

//--- refused.mlir
// expected-error @below {{target 'nvptx:sm_90' has no ordering policy 'clamp'; leave 'ordering-policy' at 'native'}}
gpu.module @nvidia [#nvvm.target<chip = "sm_90">] {
gpu.func @k() kernel {
  xpu.fence ordering(acquire) scope(device)
  gpu.return
}
}

//--- scope.mlir
// Under the Vulkan memory model, the scope of the device is a feature.
gpu.module @narrow [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["-vulkan_memory_model_device_scope"]} {
gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(workgroup) : memref<?xi32>
  // expected-error @below {{'xpu.atomic_rmw' op scope 'device' is not possible: under the Vulkan memory model device scope needs the feature 'vulkan_memory_model_device_scope', which was taken away; leave it, or write scope(workgroup) (target 'vulkan:1.3,-vulkan_memory_model_device_scope')}}
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  gpu.return
}
}

// -----

gpu.module @glsl450 [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["-vulkan_memory_model", "-vulkan_memory_model_device_scope"]} {
gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  gpu.return
}
}

// -----

// expected-error @below {{'gpu.module' op is for SPIR-V 1.0, which no Vulkan from 1.1 on is for; attach the target with 'xpu-attach-spirv-target', or with 'spirv-attach-target{ver=v1.3}' (v1.5, v1.6)}}
gpu.module @old [#spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>] {
gpu.func @k() kernel {
  xpu.fence ordering(acquire) scope(device)
  gpu.return
}
}

// -----

// expected-error @below {{'gpu.module' op target 'vulkan' has no feature 'int64'; did you mean}}
gpu.module @unknown [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["int64"]} {
gpu.func @k() kernel {
  xpu.fence ordering(acquire) scope(device)
  gpu.return
}
}
