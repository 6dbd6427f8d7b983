// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s --check-prefix=OLD
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s

// A byte is swapped with the word around it: the address is that of the word, and the other bytes are those that were read.

// OLD: v_and_b32_e32 v{{[0-9]+}}, -4, v
// OLD: global_load_dword v{{.*}} glc
// OLD: global_atomic_cmpswap v{{.*}} glc
// CHECK: v_and_b32_e32 v{{[0-9]+}}, -4, v
// CHECK: global_load_b32 v{{.*}} glc
// CHECK: global_atomic_cmpswap_b32 v{{.*}} glc
xpu.kernel @k(%p: memref<?xi8>, %a: i8, %b: i8, %o: memref<?xi8>) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  %0 = xpu.cas %a, %b, %p[%i] ordering(acq_rel) failure(relaxed) scope(device) : memref<?xi8>
  memref.store %0, %o[%i] : memref<?xi8>
  xpu.return
}
