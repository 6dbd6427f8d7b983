// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target amdgpu:gfx1200 --emit asm -o - | FileCheck %s

// The address of an atomic on a view is that of a store to it: twice the index, and five elements behind the base.

// CHECK-LABEL: {{^}}k:
// CHECK:         v_{{(dual_)?}}lshlrev_b32{{(_e32)?}} [[AT:v[0-9]+]], 3, v0
// CHECK:         global_atomic_add{{(_u32)?}} {{v.*}}, [[AT]], {{v.*}}, s[{{.*}}] offset:20
// CHECK:         global_store_{{b32|dword}} [[AT]], {{v.*}}, s[{{.*}}] offset:20
xpu.kernel @k(%a: memref<16xi32>, %b: memref<16xi32>, %v: i32) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %view = memref.subview %a[5] [4] [2] : memref<16xi32> to memref<4xi32, strided<[2], offset: 5>>
  %other = memref.subview %b[5] [4] [2] : memref<16xi32> to memref<4xi32, strided<[2], offset: 5>>
  %old = xpu.atomic_rmw add %v, %view[%l] ordering(relaxed) scope(device) : memref<4xi32, strided<[2], offset: 5>>
  memref.store %old, %other[%l] : memref<4xi32, strided<[2], offset: 5>>
  xpu.return
}
