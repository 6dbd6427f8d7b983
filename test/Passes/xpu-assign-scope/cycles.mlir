// RUN: xpu-opt %s --xpu-assign-scope | FileCheck %s
// RUN: xpu-opt %s -cse

// In a block that nothing reaches, views may go round in a circle.
// CHECK-LABEL: xpu.kernel @unreachable
xpu.kernel @unreachable(%v: i32, %i: index) workgroup_size(1, 1, 1) {
  xpu.return
^bb1:
  %0 = memref.cast %1 : memref<?xi32> to memref<?xi32>
  %1 = memref.cast %0 : memref<?xi32> to memref<?xi32>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(device)
  %2 = xpu.atomic_rmw add %v, %1[%i] : memref<?xi32>
  cf.br ^bb1
}
