// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s --implicit-check-not=seq_cst --implicit-check-not=trap

// PTX has no sequentially consistent atom: a fence of that kind and scope, then an acquire.

// CHECK:      fence.sc.gpu;
// CHECK:      atom.acquire.gpu.global.add.u32
// CHECK:      fence.sc.cta;
// CHECK:      atom.acquire.cta.global.add.u32
// CHECK:      fence.sc.sys;
// CHECK:      atom.acquire.sys.global.add.u32
xpu.kernel @k(%p: memref<?xi32>, %o: memref<?xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %five = arith.constant 5 : i32
  %0 = xpu.atomic_rmw add %five, %p[%c0] ordering(seq_cst) scope(device) : memref<?xi32>
  memref.store %0, %o[%c0] : memref<?xi32>
  %1 = xpu.atomic_rmw add %five, %p[%c0] ordering(seq_cst) scope(workgroup) : memref<?xi32>
  memref.store %1, %o[%c1] : memref<?xi32>
  %2 = xpu.atomic_rmw add %five, %p[%c0] ordering(seq_cst) scope(system) : memref<?xi32>
  memref.store %2, %o[%c2] : memref<?xi32>
  xpu.return
}
