// Instructions name the memory: global, LDS and scratch, never a flat address, though views and choices come between.

// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s --implicit-check-not=flat_ --check-prefix=OLD
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s --implicit-check-not=flat_

// OLD-LABEL: {{^}}k:
// OLD-DAG: buffer_store_dword
// OLD-DAG: ds_add_rtn_u32
// OLD-DAG: global_atomic_add v
// CHECK-LABEL: {{^}}k:
// CHECK-DAG: scratch_store_b32
// CHECK-DAG: ds_add_rtn_u32
// CHECK-DAG: global_atomic_add_u32
xpu.kernel @k(%a: memref<?xi32>, %b: memref<?xi32>, %p: i1, %v: i32) workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  %s = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %x = memref.alloca() : memref<64xi32>
  memref.store %v, %x[%i] : memref<64xi32>
  memref.store %v, %s[%i] : memref<64xi32, #gpu.address_space<workgroup>>
  %0 = xpu.atomic_rmw add %v, %s[%i] : memref<64xi32, #gpu.address_space<workgroup>>
  %c = arith.select %p, %a, %b : memref<?xi32>
  %at = arith.index_cast %0 : i32 to index
  %1 = memref.load %x[%at] : memref<64xi32>
  %2 = xpu.atomic_rmw add %1, %c[%i] : memref<?xi32>
  memref.store %2, %a[%i] : memref<?xi32>
  xpu.return
}
