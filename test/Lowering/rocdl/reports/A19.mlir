// RUN: xpu-compile %s --target amdgpu:gfx1030 --emit llvm -o - | FileCheck %s --check-prefixes=CHECK,NATIVE
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit llvm -o - | FileCheck %s --check-prefixes=CHECK,NATIVE
// RUN: xpu-compile %s --target amdgpu:gfx1200 --emit llvm -o - | FileCheck %s --check-prefixes=CHECK,NATIVE
// RUN: xpu-compile %s --target amdgpu:gfx942 --emit llvm -o - | FileCheck %s --check-prefixes=CHECK,INTEGERS

// Where a NaN wins there is no instruction: a loop compares the bits. Where the number wins there is one, or integers do it.

// CHECK-LABEL: @maximum(
// CHECK-NOT:     atomicrmw
// CHECK:         cmpxchg
// CHECK-NOT:     atomicrmw
// CHECK-LABEL: @minimum(
// CHECK-NOT:     atomicrmw
// CHECK:         cmpxchg
// CHECK-NOT:     atomicrmw
// CHECK-LABEL: @maxnum(
// NATIVE-NOT:    cmpxchg
// NATIVE:        atomicrmw fmax
// INTEGERS-DAG:  atomicrmw umin
// INTEGERS-DAG:  atomicrmw max
// CHECK-LABEL: @minnum(
// NATIVE-NOT:    cmpxchg
// NATIVE:        atomicrmw fmin
// INTEGERS-DAG:  atomicrmw umax
// INTEGERS-DAG:  atomicrmw min
xpu.kernel @maximum(%p: memref<1xf32>, %v: f32) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw fmaximum %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xf32>
  xpu.return
}
xpu.kernel @minimum(%p: memref<1xf32>, %v: f32) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw fminimum %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xf32>
  xpu.return
}
xpu.kernel @maxnum(%p: memref<1xf32>, %v: f32) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw fmax %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xf32>
  xpu.return
}
xpu.kernel @minnum(%p: memref<1xf32>, %v: f32) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw fmin %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xf32>
  xpu.return
}
