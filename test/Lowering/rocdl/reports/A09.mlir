// RUN: xpu-compile %s --target amdgpu:gfx906 --emit asm -o - | FileCheck %s --implicit-check-not=global_atomic_sub
// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s --implicit-check-not=global_atomic_sub
// RUN: xpu-compile %s --target amdgpu:gfx942 --emit asm -o - | FileCheck %s --implicit-check-not=global_atomic_sub
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s --implicit-check-not=global_atomic_sub
// RUN: xpu-compile %s --target amdgpu:gfx1200 --emit asm -o - | FileCheck %s --implicit-check-not=global_atomic_sub

// Memory of the host is reached over a bus that adds and does not subtract: the update would be lost.

// CHECK: global_atomic_add
xpu.kernel @k(%p: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>}) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw sub %one, %p[%c0] ordering(relaxed) scope(system) : memref<?xi32>
  xpu.return
}
