// RUN: xpu-opt %s --xpu-expand-atomics -verify-diagnostics -split-input-file
// RUN: not xpu-opt %s --xpu-expand-atomics=forbid-cas-loop -split-input-file 2>&1 | FileCheck %s

// Report A15: what needs a feature is refused at the op, and the words to add are there to copy.

gpu.module @plain [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
func.func @plain(%m: memref<?xi64>, %s: memref<?xi64, #gpu.address_space<workgroup>>, %f: memref<?xf64>, %i: index, %v: i64, %d: f64) {
  // expected-error @below {{'xpu.atomic_rmw' op 'add' on 'i64' in global memory is not possible on target 'vulkan:1.3': 64-bit atomics on buffers need the features 'shader_int64' and 'shader_buffer_int64_atomics'; where the device has them, add ',+shader_int64,+shader_buffer_int64_atomics' to the target}}
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi64>
  // expected-error @below {{'xpu.cas' op 'cas' on 'i64' in shared memory is not possible on target 'vulkan:1.3': 64-bit atomics on workgroup memory need the features 'shader_int64' and 'shader_shared_int64_atomics'}}
  %1 = xpu.cas %v, %v, %s[%i] ordering(relaxed) failure(relaxed) scope(device) : memref<?xi64, #gpu.address_space<workgroup>>
  // expected-error @below {{'xpu.atomic_rmw' op 'fmin' on 'f64' in global memory is not possible on target 'vulkan:1.3': f64 atomics on buffers need the features 'shader_float64', 'shader_int64' and 'shader_buffer_int64_atomics'}}
  %2 = xpu.atomic_rmw fmin %d, %f[%i] ordering(relaxed) scope(device) : memref<?xf64>
  return
}
}

// -----

// The feature of buffers is none of workgroup memory, though SPIR-V has one capability for both.

gpu.module @buffers [#spirv.target_env<#spirv.vce<v1.6, [Shader, Int64, Int64Atomics], []>, #spirv.resource_limits<>>] {
func.func @buffers(%m: memref<?xi64>, %s: memref<?xi64, #gpu.address_space<workgroup>>, %i: index, %v: i64) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi64>
  // expected-error @below {{'add' on 'i64' in shared memory is not possible on target 'vulkan:1.3,+shader_int64,+shader_buffer_int64_atomics': 64-bit atomics on workgroup memory}}
  %1 = xpu.atomic_rmw add %v, %s[%i] ordering(relaxed) scope(device) : memref<?xi64, #gpu.address_space<workgroup>>
  return
}
}

// -----

// A load of a sub-word is no loop; a store is one.

gpu.module @loops [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
// CHECK-NOT: 'atomic_load'
// CHECK: 'atomic_store' on 'i8' in global memory becomes a CAS loop on the 32-bit word on target 'vulkan:1.3'
// CHECK-NOT: 'atomic_load'
func.func @loops(%m: memref<?xi8>, %i: index) {
  %v = xpu.atomic_load %m[%i] ordering(relaxed) scope(device) : memref<?xi8>
  xpu.atomic_store %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi8>
  return
}
}
