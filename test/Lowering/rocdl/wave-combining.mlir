// What the lanes of a wave add to one address, LLVM combines: of integers one lane adds the whole, which is exact. Sums of floats it
// would multiply and reorder, so that only 'fastmath<reassoc>' lets it.

// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target amdgpu:gfx942 --emit asm -o - | FileCheck %s

// CHECK-LABEL: {{^}}integers:
// CHECK:         v_mbcnt_lo_u32_b32
// CHECK:         s_bcnt1
// CHECK:         global_atomic_add

// CHECK-LABEL: {{^}}floats:
// CHECK-NOT:     mbcnt
// CHECK-NOT:     v_mul
// CHECK:         global_atomic_add_f32
// CHECK-NOT:     mbcnt

// CHECK-LABEL: {{^}}leave:
// CHECK:         mbcnt
// CHECK:         global_atomic_add_f32
xpu.kernel @integers(%m: memref<?xi32>, %v: i32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw add %v, %m[%c0] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.return
}
xpu.kernel @floats(%m: memref<?xf32>, %v: f32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw fadd %v, %m[%c0] ordering(relaxed) scope(device) : memref<?xf32>
  xpu.return
}
xpu.kernel @leave(%m: memref<?xf32>, %v: f32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw fadd %v, %m[%c0] ordering(relaxed) scope(device) fastmath<reassoc> : memref<?xf32>
  xpu.return
}
