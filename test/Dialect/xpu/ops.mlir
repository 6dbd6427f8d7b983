// RUN: xpu-opt %s | FileCheck %s
// RUN: xpu-opt %s | xpu-opt | FileCheck %s
// RUN: xpu-opt %s --mlir-print-op-generic | xpu-opt | FileCheck %s

// CHECK-LABEL: xpu.kernel @kernel(
// CHECK-SAME:    %[[M:.*]]: memref<?xi32>, %{{.*}}: memref<4x?xf16, strided<[?, 1], offset: ?>>, %{{.*}}: i1, %{{.*}}: ui64, %{{.*}}: bf16, %{{.*}}: index)
// CHECK-SAME:    workgroup_size(8, 4, 2) {
xpu.kernel @kernel(%m: memref<?xi32>, %h: memref<4x?xf16, strided<[?, 1], offset: ?>>, %c: i1, %n: ui64,
                   %x: bf16, %k: index) workgroup_size(8, 4, 2) {
  // CHECK-NEXT: xpu.global_id x
  %0 = xpu.global_id x
  // CHECK-NEXT: xpu.local_id y
  %1 = xpu.local_id y
  // CHECK-NEXT: xpu.group_id z
  %2 = xpu.group_id z
  // CHECK-NEXT: xpu.group_count x
  %3 = xpu.group_count x
  // CHECK-NEXT: xpu.workgroup_size y
  %4 = xpu.workgroup_size y
  // CHECK-NEXT: %[[SHARED:.*]] = xpu.shared : memref<4x16xf32, #gpu.address_space<workgroup>>
  %5 = xpu.shared : memref<4x16xf32, #gpu.address_space<workgroup>>
  // CHECK-NEXT: xpu.shared : memref<1xi8, 3>
  %6 = xpu.shared : memref<1xi8, 3>
  // CHECK-NEXT: xpu.shared : memref<i64, #spirv.storage_class<Workgroup>>
  %7 = xpu.shared : memref<i64, #spirv.storage_class<Workgroup>>
  // CHECK-NEXT: xpu.barrier
  xpu.barrier
  // CHECK-NEXT: xpu.barrier {note}
  xpu.barrier {note}
  // CHECK-NEXT: xpu.reinterpret %[[M]] : memref<?xi32> to memref<?xi8>
  %8 = xpu.reinterpret %m : memref<?xi32> to memref<?xi8>
  // CHECK-NEXT: xpu.reinterpret %[[SHARED]]
  // CHECK-SAME: : memref<4x16xf32, #gpu.address_space<workgroup>> to memref<4x8xi64, #gpu.address_space<workgroup>>
  %9 = xpu.reinterpret %5 : memref<4x16xf32, #gpu.address_space<workgroup>> to memref<4x8xi64, #gpu.address_space<workgroup>>
  // CHECK-NEXT: xpu.sign_cast %{{.*}} : ui64 to i64
  %10 = xpu.sign_cast %n : ui64 to i64
  // CHECK-NEXT: xpu.sign_cast %{{.*}} : i64 to si64
  %11 = xpu.sign_cast %10 : i64 to si64
  // CHECK-NEXT: xpu.return
  xpu.return
}

// CHECK: xpu.kernel private @attributes(
// CHECK-SAME: %{{.*}}: memref<?xf32> {xpu.memory = #xpu.memory<host_visible>}
// CHECK-SAME: %{{.*}}: memref<?xf32> {frontend.name = "b", xpu.memory = #xpu.memory<device_local>}
// CHECK-SAME: workgroup_size(64, 1, 1) attributes {frontend.note, xpu.denormals = #xpu.denormals<flush>} {
xpu.kernel private @attributes(%a: memref<?xf32> {xpu.memory = #xpu.memory<host_visible>},
                               %b: memref<?xf32> {frontend.name = "b", xpu.memory = #xpu.memory<device_local>})
    workgroup_size(64, 1, 1) attributes {xpu.denormals = #xpu.denormals<flush>, frontend.note} {
  xpu.return
}

// CHECK: xpu.kernel @blocks() workgroup_size(1, 1, 1) attributes {xpu.denormals = "flush"} {
xpu.kernel @blocks() workgroup_size(1, 1, 1) attributes {xpu.denormals = "flush"} {
  cf.br ^bb1
^bb1:
  // CHECK: xpu.fence ordering(seq_cst) scope(system)
  xpu.fence ordering(seq_cst) scope(system)
  xpu.return
}

// Every kind on integers.
// CHECK-LABEL: func.func @integers(
func.func @integers(%v: i32, %m: memref<?xi32>, %i: index, %s: si8, %ms: memref<?xsi8>, %u: ui16, %mu: memref<?xui16>) -> i32 {
  // CHECK: xpu.atomic_rmw add %{{.*}}, %{{.*}}[%{{.*}}] : memref<?xi32>
  %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw sub
  %1 = xpu.atomic_rmw sub %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw and
  %2 = xpu.atomic_rmw and %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw or
  %3 = xpu.atomic_rmw or %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw xor
  %4 = xpu.atomic_rmw xor %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw xchg
  %5 = xpu.atomic_rmw xchg %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw smin
  %6 = xpu.atomic_rmw smin %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw smax
  %7 = xpu.atomic_rmw smax %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw umin
  %8 = xpu.atomic_rmw umin %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw umax
  %9 = xpu.atomic_rmw umax %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw uinc_wrap
  %10 = xpu.atomic_rmw uinc_wrap %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw udec_wrap
  %11 = xpu.atomic_rmw udec_wrap %v, %m[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw min %{{.*}}, %{{.*}}[%{{.*}}] : memref<?xsi8>
  %12 = xpu.atomic_rmw min %s, %ms[%i] : memref<?xsi8>
  // CHECK: xpu.atomic_rmw max %{{.*}}, %{{.*}}[%{{.*}}] : memref<?xui16>
  %13 = xpu.atomic_rmw max %u, %mu[%i] : memref<?xui16>
  // The type of the result is that of the element.
  // CHECK: return %{{.*}} : i32
  return %0 : i32
}

// Every kind on floats.
// CHECK-LABEL: func.func @floats(
func.func @floats(%v: f64, %m: memref<2x2xf64>, %i: index, %h: bf16, %mh: memref<bf16>) -> bf16 {
  // CHECK: xpu.atomic_rmw xchg %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<2x2xf64>
  %0 = xpu.atomic_rmw xchg %v, %m[%i, %i] : memref<2x2xf64>
  // CHECK: xpu.atomic_rmw fadd
  %1 = xpu.atomic_rmw fadd %v, %m[%i, %i] : memref<2x2xf64>
  // CHECK: xpu.atomic_rmw fsub
  %2 = xpu.atomic_rmw fsub %v, %m[%i, %i] : memref<2x2xf64>
  // CHECK: xpu.atomic_rmw fmin
  %3 = xpu.atomic_rmw fmin %v, %m[%i, %i] : memref<2x2xf64>
  // CHECK: xpu.atomic_rmw fmax
  %4 = xpu.atomic_rmw fmax %v, %m[%i, %i] : memref<2x2xf64>
  // CHECK: xpu.atomic_rmw fminimum
  %5 = xpu.atomic_rmw fminimum %v, %m[%i, %i] : memref<2x2xf64>
  // CHECK: xpu.atomic_rmw fmaximum
  %6 = xpu.atomic_rmw fmaximum %v, %m[%i, %i] : memref<2x2xf64>
  // CHECK: xpu.atomic_rmw fadd %{{.*}}, %{{.*}}[] : memref<bf16>
  %7 = xpu.atomic_rmw fadd %h, %mh[] : memref<bf16>
  // CHECK: return %{{.*}} : bf16
  return %7 : bf16
}

// Every ordering and every scope.
// CHECK-LABEL: func.func @orderings_and_scopes(
func.func @orderings_and_scopes(%v: i8, %m: memref<?xi8>, %i: index) {
  // CHECK: xpu.atomic_rmw add {{.*}} ordering(relaxed) scope(workitem) :
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xi8>
  // CHECK: xpu.atomic_rmw add {{.*}} ordering(acquire) scope(subgroup) :
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(acquire) scope(subgroup) : memref<?xi8>
  // CHECK: xpu.atomic_rmw add {{.*}} ordering(release) scope(workgroup) :
  %2 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(workgroup) : memref<?xi8>
  // CHECK: xpu.atomic_rmw add {{.*}} ordering(acq_rel) scope(device) :
  %3 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi8>
  // CHECK: xpu.atomic_rmw add {{.*}} ordering(seq_cst) scope(system) :
  %4 = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xi8>
  // CHECK: xpu.atomic_load {{.*}} ordering(acquire) scope(device) :
  %5 = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi8>
  // CHECK: xpu.atomic_store {{.*}} ordering(release) scope(device) :
  xpu.atomic_store %v, %m[%i] ordering(release) scope(device) : memref<?xi8>
  // CHECK: xpu.fence ordering(acquire){{$}}
  xpu.fence ordering(acquire)
  // CHECK: xpu.fence ordering(acq_rel) scope(workitem) {note}
  xpu.fence ordering(acq_rel) scope(workitem) {note}
  return
}

// Clauses come in any order, are printed in one, and each may be absent.
// CHECK-LABEL: func.func @clauses(
func.func @clauses(%v: f32, %m: memref<?xf32>, %i: index) {
  // CHECK: xpu.atomic_rmw fadd {{.*}}] ordering(relaxed) scope(device) denormals(flush) fastmath<reassoc> {note = 1 : i32} : memref<?xf32>
  %0 = xpu.atomic_rmw fadd %v, %m[%i] fastmath<reassoc> denormals(flush) scope(device) ordering(relaxed) {note = 1 : i32} : memref<?xf32>
  // CHECK: xpu.atomic_rmw fsub {{.*}}] ordering(relaxed) denormals(keep) : memref<?xf32>
  %1 = xpu.atomic_rmw fsub %v, %m[%i] denormals(keep) ordering(relaxed) : memref<?xf32>
  // CHECK: xpu.atomic_rmw fmin {{.*}}] fastmath<reassoc> : memref<?xf32>
  %2 = xpu.atomic_rmw fmin %v, %m[%i] fastmath<reassoc> : memref<?xf32>
  // CHECK: xpu.cas {{.*}}] ordering(seq_cst) failure(acquire) scope(system) {note} : memref<?xf32>
  %3 = xpu.cas %v, %v, %m[%i] scope(system) failure(acquire) ordering(seq_cst) {note} : memref<?xf32>
  // CHECK: xpu.cas {{.*}}] failure(seq_cst) : memref<?xf32>
  %4 = xpu.cas %v, %v, %m[%i] failure(seq_cst) : memref<?xf32>
  // CHECK: xpu.cas {{.*}}] : memref<?xf32>
  %5 = xpu.cas %v, %v, %m[%i] : memref<?xf32>
  // CHECK: xpu.atomic_load {{.*}}] ordering(seq_cst) scope(workgroup) {note} : memref<?xf32>
  %6 = xpu.atomic_load %m[%i] scope(workgroup) ordering(seq_cst) {note} : memref<?xf32>
  // CHECK: xpu.atomic_load {{.*}}] : memref<?xf32>
  %7 = xpu.atomic_load %m[%i] : memref<?xf32>
  // CHECK: xpu.atomic_store {{.*}}] ordering(seq_cst) scope(workgroup) {note} : memref<?xf32>
  xpu.atomic_store %v, %m[%i] scope(workgroup) ordering(seq_cst) {note} : memref<?xf32>
  // CHECK: xpu.atomic_store {{.*}}] scope(subgroup) : memref<?xf32>
  xpu.atomic_store %v, %m[%i] scope(subgroup) : memref<?xf32>
  return
}

// In kernels of upstream's dialect too.
// CHECK-LABEL: gpu.module @module
gpu.module @module {
  // CHECK: gpu.func @kernel({{.*}}) kernel attributes {xpu.denormals = #xpu.denormals<keep>}
  gpu.func @kernel(%m: memref<?xi32>, %v: i32) kernel attributes {xpu.denormals = #xpu.denormals<keep>} {
    // CHECK: xpu.global_id x
    %i = xpu.global_id x
    // CHECK: xpu.shared
    %s = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>
    // CHECK: xpu.atomic_rmw add
    %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
    // CHECK: xpu.barrier
    xpu.barrier
    gpu.return
  }
}
