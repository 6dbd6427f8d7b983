// RUN: xpu-opt %s --xpu-expand-atomics | FileCheck %s

// One function for each row of the CPU's FORM table, in its order. The last row, private memory, is in
// plain.mlir.

// CHECK-LABEL: func.func @add(
// CHECK-NEXT: xpu.atomic_rmw add 
// CHECK-NEXT: return
func.func @add(%m: memref<?xi8>, %i: index, %v: i8) -> i8 {
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi8>
  return %old : i8
}

// CHECK-LABEL: func.func @sub(
// CHECK-NEXT: xpu.atomic_rmw sub 
// CHECK-NEXT: return
func.func @sub(%m: memref<?xi16, #gpu.address_space<workgroup>>, %i: index, %v: i16) -> i16 {
  %old = xpu.atomic_rmw sub %v, %m[%i] ordering(acquire) scope(device) : memref<?xi16, #gpu.address_space<workgroup>>
  return %old : i16
}

// CHECK-LABEL: func.func @and(
// CHECK-NEXT: xpu.atomic_rmw and 
// CHECK-NEXT: return
func.func @and(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw and %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @or(
// CHECK-NEXT: xpu.atomic_rmw or 
// CHECK-NEXT: return
func.func @or(%m: memref<?xi64, #gpu.address_space<workgroup>>, %i: index, %v: i64) -> i64 {
  %old = xpu.atomic_rmw or %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64, #gpu.address_space<workgroup>>
  return %old : i64
}

// CHECK-LABEL: func.func @xor(
// CHECK-NEXT: xpu.atomic_rmw xor 
// CHECK-NEXT: return
func.func @xor(%m: memref<?xi8>, %i: index, %v: i8) -> i8 {
  %old = xpu.atomic_rmw xor %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi8>
  return %old : i8
}

// CHECK-LABEL: func.func @smin(
// CHECK-NEXT: xpu.atomic_rmw smin 
// CHECK-NEXT: return
func.func @smin(%m: memref<?xi16, #gpu.address_space<workgroup>>, %i: index, %v: i16) -> i16 {
  %old = xpu.atomic_rmw smin %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi16, #gpu.address_space<workgroup>>
  return %old : i16
}

// CHECK-LABEL: func.func @smax(
// CHECK-NEXT: xpu.atomic_rmw smax 
// CHECK-NEXT: return
func.func @smax(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw smax %v, %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @umin(
// CHECK-NEXT: xpu.atomic_rmw umin 
// CHECK-NEXT: return
func.func @umin(%m: memref<?xi64, #gpu.address_space<workgroup>>, %i: index, %v: i64) -> i64 {
  %old = xpu.atomic_rmw umin %v, %m[%i] ordering(release) scope(device) : memref<?xi64, #gpu.address_space<workgroup>>
  return %old : i64
}

// CHECK-LABEL: func.func @umax(
// CHECK-NEXT: xpu.atomic_rmw umax 
// CHECK-NEXT: return
func.func @umax(%m: memref<?xi8>, %i: index, %v: i8) -> i8 {
  %old = xpu.atomic_rmw umax %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi8>
  return %old : i8
}

// CHECK-LABEL: func.func @uinc_wrap(
// CHECK-NEXT: xpu.atomic_rmw uinc_wrap 
// CHECK-NEXT: return
func.func @uinc_wrap(%m: memref<?xi16, #gpu.address_space<workgroup>>, %i: index, %v: i16) -> i16 {
  %old = xpu.atomic_rmw uinc_wrap %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi16, #gpu.address_space<workgroup>>
  return %old : i16
}

// CHECK-LABEL: func.func @udec_wrap(
// CHECK-NEXT: xpu.atomic_rmw udec_wrap 
// CHECK-NEXT: return
func.func @udec_wrap(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw udec_wrap %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @xchg(
// CHECK-NEXT: xpu.atomic_rmw xchg 
// CHECK-NEXT: return
func.func @xchg(%m: memref<?xf16>, %i: index, %v: f16) -> f16 {
  %old = xpu.atomic_rmw xchg %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf16>
  return %old : f16
}

// CHECK-LABEL: func.func @fadd(
// CHECK: xpu.atomic_load {{.*}} ordering(relaxed)
// CHECK: scf.while
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK: xpu.cas {{.*}} ordering(release) failure(relaxed) scope(device) : memref<?xf16>
// CHECK: arith.cmpi ne, {{.*}} : i16
func.func @fadd(%m: memref<?xf16>, %i: index, %v: f16) -> f16 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(release) scope(device) : memref<?xf16>
  return %old : f16
}

// CHECK-LABEL: func.func @fsub(
// CHECK: %[[NEGATED:.*]] = arith.negf %{{.*}} : f32
// CHECK: xpu.atomic_load
// CHECK: scf.while
// CHECK: arith.addf %{{.*}}, %[[NEGATED]] : f32
// CHECK: xpu.cas
func.func @fsub(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fsub %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  return %old : f32
}

// Reports A19 and A29: the old value is the result.
// CHECK-LABEL: func.func @fmin_fmax(
// CHECK: %[[FIRST:.*]] = xpu.atomic_load
// CHECK: %[[OLD:.*]] = scf.while (%[[SEEN:.*]] = %[[FIRST]])
// CHECK: arith.cmpi sgt, {{.*}} : i64
// CHECK: %[[GOT:.*]] = xpu.cas %[[SEEN]]
// CHECK: scf.condition(%{{.*}}) %[[GOT]] : f64
// CHECK: return %[[OLD]] : f64
func.func @fmin_fmax(%m: memref<?xf64, #gpu.address_space<workgroup>>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw fmax %v, %m[%i] ordering(relaxed) scope(workgroup) : memref<?xf64, #gpu.address_space<workgroup>>
  return %old : f64
}

// CHECK-LABEL: func.func @fminimum_fmaximum(
// CHECK: xpu.atomic_load {{.*}} ordering(relaxed) scope(system)
// CHECK: scf.while
// CHECK: arith.cmpi slt, {{.*}} : i16
// CHECK: xpu.cas {{.*}} ordering(seq_cst) failure(relaxed) scope(system) : memref<?xbf16>
func.func @fminimum_fmaximum(%m: memref<?xbf16>, %i: index, %v: bf16) -> bf16 {
  %old = xpu.atomic_rmw fminimum %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xbf16>
  return %old : bf16
}

// CHECK-LABEL: func.func @cas(
// CHECK-NEXT: xpu.cas 
// CHECK-NEXT: return
func.func @cas(%m: memref<?xf32>, %i: index, %v: f32, %w: f32) -> f32 {
  %old = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @atomic_load(
// CHECK-NEXT: xpu.atomic_load 
// CHECK-NEXT: return
func.func @atomic_load(%m: memref<?xi8>, %i: index) -> i8 {
  %old = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi8>
  return %old : i8
}

// CHECK-LABEL: func.func @atomic_store(
// CHECK-NEXT: xpu.atomic_store 
// CHECK-NEXT: return
func.func @atomic_store(%m: memref<?xbf16>, %i: index, %v: bf16) {
  xpu.atomic_store %v, %m[%i] ordering(release) scope(device) : memref<?xbf16>
  return
}
