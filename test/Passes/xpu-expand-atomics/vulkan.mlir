// RUN: xpu-opt %s --xpu-expand-atomics | FileCheck %s

// What each form of Vulkan's FORM table becomes, without and with the features that decide about it.

gpu.module @plain [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    {

// CHECK-LABEL: func.func @add(
// CHECK-NEXT: xpu.atomic_rmw add 
// CHECK-NEXT: return
func.func @add(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @sub(
// CHECK-NEXT: xpu.atomic_rmw sub 
// CHECK-NEXT: return
func.func @sub(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw sub %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @and(
// CHECK-NEXT: xpu.atomic_rmw and 
// CHECK-NEXT: return
func.func @and(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw and %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @or(
// CHECK-NEXT: xpu.atomic_rmw or 
// CHECK-NEXT: return
func.func @or(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw or %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @xor(
// CHECK-NEXT: xpu.atomic_rmw xor 
// CHECK-NEXT: return
func.func @xor(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw xor %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @xchg(
// CHECK-NEXT: xpu.atomic_rmw xchg 
// CHECK-NEXT: return
func.func @xchg(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw xchg %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @smin(
// CHECK-NEXT: xpu.atomic_rmw smin 
// CHECK-NEXT: return
func.func @smin(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw smin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @smax(
// CHECK-NEXT: xpu.atomic_rmw smax 
// CHECK-NEXT: return
func.func @smax(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw smax %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @umin(
// CHECK-NEXT: xpu.atomic_rmw umin 
// CHECK-NEXT: return
func.func @umin(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw umin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @umax(
// CHECK-NEXT: xpu.atomic_rmw umax 
// CHECK-NEXT: return
func.func @umax(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw umax %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @uinc_wrap(
// CHECK: xpu.fence ordering(release) scope(device)
// CHECK: xpu.atomic_load {{.*}} ordering(relaxed) scope(device) : memref<?xi32
// CHECK: xpu.cas {{.*}} ordering(relaxed) failure(relaxed) scope(device) : memref<?xi32
// CHECK: xpu.fence ordering(acquire) scope(device)
// CHECK: return
func.func @uinc_wrap(%m: memref<?xi32, #gpu.address_space<workgroup>>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw uinc_wrap %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32, #gpu.address_space<workgroup>>
  return %old : i32
}

// CHECK-LABEL: func.func @add_i8(
// CHECK: xpu.fence ordering(release) scope(device)
// CHECK: xpu.atomic_load {{.*}} ordering(relaxed) scope(device) : memref<?xi32
// CHECK: xpu.cas {{.*}} ordering(relaxed) failure(relaxed) scope(device) : memref<?xi32
// CHECK: xpu.fence ordering(acquire) scope(device)
// CHECK-NOT: xpu.atomic
// CHECK: return
func.func @add_i8(%m: memref<?xi8>, %i: index, %v: i8) -> i8 {
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi8>
  return %old : i8
}

// Report A21: one instruction on the word, and the neighbours' bits leave them alone.
// CHECK-LABEL: func.func @or_i8(
// CHECK: %[[WORDS:.*]] = xpu.reinterpret
// CHECK: %[[OLD:.*]] = xpu.atomic_rmw or %{{.*}}, %[[WORDS]]
// CHECK: arith.shrui %[[OLD]]
// CHECK-NOT: xpu.cas
// CHECK: return
func.func @or_i8(%m: memref<?xi8>, %i: index, %v: i8) -> i8 {
  %old = xpu.atomic_rmw or %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi8>
  return %old : i8
}

// CHECK-LABEL: func.func @load_f16(
// CHECK: %[[WORDS:.*]] = xpu.reinterpret
// CHECK: %[[WORD:.*]] = xpu.atomic_load %[[WORDS]]{{.*}} ordering(acquire) scope(workgroup) : memref<?xi32>
// CHECK: arith.shrui %[[WORD]]
// CHECK-NOT: xpu.
// CHECK: return
func.func @load_f16(%m: memref<?xf16>, %i: index) -> f16 {
  %v = xpu.atomic_load %m[%i] ordering(acquire) scope(workgroup) : memref<?xf16>
  return %v : f16
}

// CHECK-LABEL: func.func @store_i16(
// CHECK: xpu.fence ordering(release) scope(workgroup)
// CHECK: xpu.atomic_load {{.*}} ordering(relaxed) scope(workgroup) : memref<?xi32>
// CHECK: xpu.cas {{.*}} ordering(relaxed) failure(relaxed) scope(workgroup) : memref<?xi32>
// CHECK-NOT: xpu.fence
// CHECK-NOT: xpu.atomic_store
// CHECK: return
func.func @store_i16(%m: memref<?xi16>, %i: index, %v: i16) {
  xpu.atomic_store %v, %m[%i] ordering(release) scope(workgroup) : memref<?xi16>
  return
}

// CHECK-LABEL: func.func @cas_f32(
// CHECK-NEXT: xpu.cas 
// CHECK-NEXT: return
func.func @cas_f32(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.cas %v, %v, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @fadd(
// CHECK: scf.while
// CHECK: arith.addf
// CHECK: xpu.cas {{.*}} : memref<?xf32
// CHECK-NOT: xpu.atomic_rmw
// CHECK: return
func.func @fadd(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @fadd_flush(
// CHECK: scf.while
// CHECK: arith.addf
// CHECK: xpu.cas {{.*}} : memref<?xf32
// CHECK-NOT: xpu.atomic_rmw
// CHECK: return
func.func @fadd_flush(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) denormals(flush) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @fmin(
// CHECK: xpu.atomic_rmw umax {{.*}} : memref<?xi32>
// CHECK: xpu.atomic_rmw smin {{.*}} : memref<?xi32>
// CHECK: xpu.cas
// CHECK: return
func.func @fmin(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fmin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @fmax(
// CHECK: xpu.atomic_rmw umin {{.*}} : memref<?xi32
// CHECK: xpu.atomic_rmw smax {{.*}} : memref<?xi32
// CHECK: xpu.cas
// CHECK: return
func.func @fmax(%m: memref<?xf32, #gpu.address_space<workgroup>>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fmax %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32, #gpu.address_space<workgroup>>
  return %old : f32
}

// CHECK-LABEL: func.func @fminimum(
// CHECK: scf.while
// CHECK: xpu.cas
// CHECK-NOT: xpu.atomic_rmw
// CHECK: return
func.func @fminimum(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fminimum %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @fadd_bf16(
// CHECK: xpu.fence ordering(release) scope(device)
// CHECK: xpu.atomic_load {{.*}} ordering(relaxed) scope(device) : memref<?xi32
// CHECK: xpu.cas {{.*}} ordering(relaxed) failure(relaxed) scope(device) : memref<?xi32
// CHECK: xpu.fence ordering(acquire) scope(device)
// CHECK-NOT: xpu.atomic
// CHECK: return
func.func @fadd_bf16(%m: memref<?xbf16>, %i: index, %v: bf16) -> bf16 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xbf16>
  return %old : bf16
}

}

gpu.module @float32_of_buffers [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["shader_buffer_float32_atomic_add", "shader_buffer_float32_atomic_min_max"]} {

// Report A16. 0x0d000000 are the bits of 2^-101.
// CHECK-LABEL: func.func @fadd_b(
// CHECK: %[[LEAST:.*]] = arith.constant 218103808 : i32
// CHECK: arith.cmpi uge, %{{.*}}, %[[LEAST]] : i32
// CHECK: scf.if
// CHECK: xpu.atomic_rmw fadd {{.*}} denormals(flush) : memref<?xf32
// CHECK: else
// CHECK: xpu.cas
// CHECK: return
func.func @fadd_b(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @fadd_b_flush(
// CHECK-NEXT: xpu.atomic_rmw fadd 
// CHECK-NEXT: return
func.func @fadd_b_flush(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) denormals(flush) : memref<?xf32>
  return %old : f32
}

// A feature of buffers says nothing of workgroup memory.
// CHECK-LABEL: func.func @fadd_b_shared(
// CHECK: scf.while
// CHECK: arith.addf
// CHECK: xpu.cas {{.*}} : memref<?xf32
// CHECK-NOT: xpu.atomic_rmw
// CHECK: return
func.func @fadd_b_shared(%m: memref<?xf32, #gpu.address_space<workgroup>>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32, #gpu.address_space<workgroup>>
  return %old : f32
}

// CHECK-LABEL: func.func @fmin_b(
// CHECK-NEXT: xpu.atomic_rmw fmin 
// CHECK-NEXT: return
func.func @fmin_b(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fmin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @fmax_b(
// CHECK-NEXT: xpu.atomic_rmw fmax 
// CHECK-NEXT: return
func.func @fmax_b(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fmax %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @fmax_b_shared(
// CHECK: xpu.atomic_rmw umin
// CHECK: xpu.atomic_rmw smax
// CHECK: return
func.func @fmax_b_shared(%m: memref<?xf32, #gpu.address_space<workgroup>>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fmax %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32, #gpu.address_space<workgroup>>
  return %old : f32
}

}

gpu.module @wide_in_workgroup_memory [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["shader_int64", "shader_float64", "shader_shared_int64_atomics", "shader_shared_float64_atomic_add"]} {

// 0x0370000000000000 are the bits of 2^-968.
// CHECK-LABEL: func.func @fadd_f64(
// CHECK: %[[LEAST:.*]] = arith.constant 247697979505377280 : i64
// CHECK: arith.cmpi uge, %{{.*}}, %[[LEAST]] : i64
// CHECK: xpu.atomic_rmw fadd {{.*}} denormals(flush)
// CHECK: xpu.cas {{.*}} : memref<?xf64
// CHECK: return
func.func @fadd_f64(%m: memref<?xf64, #gpu.address_space<workgroup>>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf64, #gpu.address_space<workgroup>>
  return %old : f64
}

// CHECK-LABEL: func.func @fsub_f64(
// CHECK: arith.negf
// CHECK-NEXT: xpu.atomic_rmw fadd
// CHECK-NEXT: return
func.func @fsub_f64(%m: memref<?xf64, #gpu.address_space<workgroup>>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw fsub %v, %m[%i] ordering(acq_rel) scope(device) denormals(flush) : memref<?xf64, #gpu.address_space<workgroup>>
  return %old : f64
}

// CHECK-LABEL: func.func @fmin_f64(
// CHECK: xpu.atomic_rmw umax {{.*}} : memref<?xi64
// CHECK: xpu.atomic_rmw smin {{.*}} : memref<?xi64
// CHECK: return
func.func @fmin_f64(%m: memref<?xf64, #gpu.address_space<workgroup>>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw fmin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf64, #gpu.address_space<workgroup>>
  return %old : f64
}

// CHECK-LABEL: func.func @add_i64(
// CHECK-NEXT: xpu.atomic_rmw add 
// CHECK-NEXT: return
func.func @add_i64(%m: memref<?xi64, #gpu.address_space<workgroup>>, %i: index, %v: i64) -> i64 {
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64, #gpu.address_space<workgroup>>
  return %old : i64
}

// CHECK-LABEL: func.func @udec_wrap_i64(
// CHECK: xpu.atomic_load
// CHECK: xpu.cas {{.*}} : memref<?xi64
// CHECK-NOT: xpu.atomic_rmw
// CHECK: return
func.func @udec_wrap_i64(%m: memref<?xi64, #gpu.address_space<workgroup>>, %i: index, %v: i64) -> i64 {
  %old = xpu.atomic_rmw udec_wrap %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64, #gpu.address_space<workgroup>>
  return %old : i64
}

}

gpu.module @float64_without_integers [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["shader_float64", "shader_buffer_float64_atomic_add", "shader_buffer_float64_atomic_min_max"]} {

// CHECK-LABEL: func.func @fmin_alone(
// CHECK-NEXT: xpu.atomic_rmw fmin 
// CHECK-NEXT: return
func.func @fmin_alone(%m: memref<?xf64>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw fmin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf64>
  return %old : f64
}

// CHECK-LABEL: func.func @fadd_alone(
// CHECK-NEXT: xpu.atomic_rmw fadd 
// CHECK-NEXT: return
func.func @fadd_alone(%m: memref<?xf64>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) denormals(flush) : memref<?xf64>
  return %old : f64
}

}
