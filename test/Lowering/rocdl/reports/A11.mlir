// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target amdgpu:gfx942 --emit asm -o - | FileCheck %s

// The lane that adds gets what was in memory: nothing multiplies or adds to it afterwards, as combining a wave's sums would.

// CHECK-LABEL: {{^}}k:
// CHECK-NOT:   mbcnt
// CHECK:       global_atomic_add_f32 [[OLD:v[0-9]+]],
// CHECK-NOT:   {{v_(fma|mul|add|mac).*}}f32
// CHECK:       global_store_{{b32|dword}} {{.*}}[[OLD]]
xpu.kernel @k(%p: memref<?xf32>, %v: f32, %out: memref<?xf32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %i = xpu.local_id x
  %is_5 = arith.cmpi eq, %i, %c5 : index
  scf.if %is_5 {
    %0 = xpu.atomic_rmw fadd %v, %p[%c0] ordering(relaxed) scope(device) : memref<?xf32>
    memref.store %0, %out[%c0] : memref<?xf32>
  }
  xpu.return
}
