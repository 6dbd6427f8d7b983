// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s

// A result that nobody reads: red for relaxed and release alone, and not where a fence acquires.

// CHECK-LABEL: .entry relaxed(
// CHECK:         red.relaxed.gpu.global.add.u32
xpu.kernel @relaxed(%p: memref<?xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .entry release(
// CHECK:         red.release.gpu.global.add.u32
xpu.kernel @release(%p: memref<?xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(release) scope(device) : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .entry acquire(
// CHECK:         atom.acquire.gpu.global.add.u32
xpu.kernel @acquire(%p: memref<?xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(acquire) scope(device) : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .entry acq_rel(
// CHECK:         atom.acq_rel.gpu.global.add.u32
xpu.kernel @acq_rel(%p: memref<?xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(acq_rel) scope(device) : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .entry then_a_fence(
// CHECK-NOT:     red.
// CHECK:         atom{{.*}}.global.add.u32
// CHECK:         fence.acq_rel.gpu
// CHECK:         ld.global
xpu.kernel @then_a_fence(%p: memref<?xi32>, %q: memref<?xi32>, %v: memref<?xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.fence ordering(acquire) scope(device)
  %1 = memref.load %q[%c0] : memref<?xi32>
  memref.store %1, %v[%c0] : memref<?xi32>
  xpu.return
}
