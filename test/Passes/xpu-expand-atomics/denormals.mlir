// RUN: xpu-opt %s --xpu-expand-atomics | FileCheck %s

// `xpu.denormals` of a kernel is on each sum of it that says nothing itself.

gpu.module @g [#nvvm.target<chip = "sm_70">] {
// CHECK-LABEL: gpu.func @kernel
gpu.func @kernel(%m: memref<?xf32>, %i: index, %v: f32) kernel attributes {xpu.denormals = #xpu.denormals<flush>} {
  // CHECK-NEXT: xpu.atomic_rmw fadd %{{.*}} denormals(flush)
  %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  // CHECK-NEXT: %[[NEGATED:.*]] = arith.negf
  // CHECK-NEXT: xpu.atomic_rmw fadd %[[NEGATED]]{{.*}} denormals(flush)
  %1 = xpu.atomic_rmw fsub %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  // CHECK: scf.if
  %2 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) denormals(keep) : memref<?xf32>
  gpu.return
}

// CHECK-LABEL: gpu.func @text
gpu.func @text(%m: memref<?xf32>, %i: index, %v: f32) kernel attributes {xpu.denormals = "flush"} {
  // CHECK-NEXT: xpu.atomic_rmw fadd %{{.*}} denormals(flush)
  %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  gpu.return
}

// CHECK-LABEL: gpu.func @keeps
gpu.func @keeps(%m: memref<?xf32>, %i: index, %v: f32) kernel attributes {xpu.denormals = #xpu.denormals<keep>} {
  // CHECK: scf.if
  %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  gpu.return
}
}
