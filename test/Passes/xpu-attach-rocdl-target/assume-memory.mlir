// RUN: xpu-opt %s --xpu-to-rocdl='chip=gfx1100 assume-memory=any' | FileCheck %s
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx1100 | FileCheck %s --check-prefix=SCOPE

// Where nothing is assumed about memory, only what the argument says is promised.

// CHECK-LABEL: llvm.func @k
// CHECK-SAME:    relies_on_device_local = array<i32: 1>
// CHECK:         llvm.cmpxchg
// CHECK:         llvm.atomicrmw _xor {{.*}}rocdl.no_fine_grained_memory
// SCOPE-LABEL: llvm.func @k
// SCOPE-SAME:    relies_on_device_local = array<i32: 0, 1>
// SCOPE-NOT:     llvm.cmpxchg
// SCOPE-COUNT-2: llvm.atomicrmw _xor {{.*}}rocdl.no_fine_grained_memory
xpu.kernel @k(%m: memref<?xi32>, %d: memref<?xi32> {xpu.memory = #xpu.memory<device_local>}, %i: index, %v: i32) workgroup_size(64, 1, 1) {
  %0 = xpu.atomic_rmw xor %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %1 = xpu.atomic_rmw xor %v, %d[%i] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.return
}
