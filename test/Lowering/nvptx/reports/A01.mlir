// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s

// Every ordering of a fetch-and-add is in the text, and a fence alone is a fence.

// CHECK-LABEL: .entry adds(
// CHECK:         atom.global.add.u32
// CHECK:         atom.acquire.gpu.global.add.u32
// CHECK:         atom.release.gpu.global.add.u32
// CHECK:         atom.acq_rel.gpu.global.add.u32
xpu.kernel @adds(%p: memref<?xi32>, %o: memref<?xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(relaxed) scope(device) : memref<?xi32>
  memref.store %0, %o[%c0] : memref<?xi32>
  %1 = xpu.atomic_rmw add %one, %p[%c0] ordering(acquire) scope(device) : memref<?xi32>
  memref.store %1, %o[%c1] : memref<?xi32>
  %2 = xpu.atomic_rmw add %one, %p[%c0] ordering(release) scope(device) : memref<?xi32>
  memref.store %2, %o[%c2] : memref<?xi32>
  %3 = xpu.atomic_rmw add %one, %p[%c0] ordering(acq_rel) scope(device) : memref<?xi32>
  memref.store %3, %o[%c3] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .entry only_a_fence(
// CHECK:         fence.acq_rel.gpu;
xpu.kernel @only_a_fence() workgroup_size(1, 1, 1) {
  xpu.fence ordering(acquire) scope(device)
  xpu.return
}
