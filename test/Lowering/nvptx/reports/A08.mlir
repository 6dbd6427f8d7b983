// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s --implicit-check-not=.cas.

// A million exclusive ors on one address are one instruction each, never a loop, at either scope.

// CHECK: red.relaxed.gpu.global.xor.b32
// CHECK: red.relaxed.sys.global.xor.b32
xpu.kernel @k(%p: memref<?xi32>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %g = xpu.global_id x
  %g32 = arith.index_cast %g : index to i32
  %v = arith.addi %g32, %one : i32
  %0 = xpu.atomic_rmw xor %v, %p[%c0] ordering(relaxed) scope(device) : memref<?xi32>
  %1 = xpu.atomic_rmw xor %v, %p[%c0] ordering(relaxed) scope(system) : memref<?xi32>
  xpu.return
}
