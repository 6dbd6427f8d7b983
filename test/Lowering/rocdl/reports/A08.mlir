// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s --implicit-check-not=cmpswap
// RUN: xpu-compile %s --target amdgpu:gfx942 --emit asm -o - | FileCheck %s --implicit-check-not=cmpswap
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s --implicit-check-not=cmpswap

// A million exclusive ors on one address of the device's memory are one instruction each (or one for a wave), never a loop.

// CHECK: global_atomic_xor
xpu.kernel @k(%p: memref<?xi32>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %g = xpu.global_id x
  %g32 = arith.index_cast %g : index to i32
  %v = arith.addi %g32, %one : i32
  %0 = xpu.atomic_rmw xor %v, %p[%c0] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.return
}
