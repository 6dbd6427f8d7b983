// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target amdgpu:gfx90a --emit llvm -o - | FileCheck %s --check-prefix=TRICK

// The result is what was in memory before: of the instruction, of the integer one that stands for it, and of the swap that repairs.

// CHECK: global_atomic_min_f32 [[OLD:v[0-9]+]], {{.*}} glc
// CHECK: global_store_b32 {{.*}}[[OLD]]

// TRICK-DAG: %[[MIN:.*]] = atomicrmw min
// TRICK-DAG: %[[MAX:.*]] = atomicrmw umax
// TRICK:     phi i32 {{.*}}%[[MIN]]
xpu.kernel @k(%a: memref<?xf32>, %v: memref<?xf32>, %o: memref<?xf32>) workgroup_size(4, 1, 1) {
  %i = xpu.local_id x
  %x = memref.load %v[%i] : memref<?xf32>
  %0 = xpu.atomic_rmw fmin %x, %a[%i] ordering(relaxed) scope(device) : memref<?xf32>
  memref.store %0, %o[%i] : memref<?xf32>
  xpu.return
}
