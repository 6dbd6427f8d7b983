// RUN: xpu-compile %s --target amdgpu:gfx942 --emit llvm -o - | FileCheck %s
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s --check-prefix=FLOAT

// Only lanes that are there take part, and no minimum starts from zero: a NaN stands for the largest integer, which changes nothing.
// Of floats, LLVM does not combine those of a wave at all.

// CHECK: select i1 {{.*}}, i32 {{.*}}, i32 2147483647

// FLOAT-LABEL: {{^}}k:
// FLOAT-NOT:   mbcnt
// FLOAT:       global_atomic_min_f32
xpu.kernel @k(%p: memref<?xf32>, %vals: memref<?xf32>) workgroup_size(16, 1, 1) {
  %c0 = arith.constant 0 : index
  %i = xpu.local_id x
  %v = memref.load %vals[%i] : memref<?xf32>
  %0 = xpu.atomic_rmw fmin %v, %p[%c0] ordering(relaxed) scope(device) : memref<?xf32>
  xpu.return
}
