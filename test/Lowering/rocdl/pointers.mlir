// Pointers give the instructions that buffers give: global_ and ds_. A generic pointer may lead to either, which flat_ finds out.
//
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s --check-prefix=GFX90A

// CHECK-LABEL: {{^}}known:
// CHECK-NOT: flat_
// CHECK-DAG: global_atomic_xor_b32
// CHECK-DAG: global_atomic_min_f32
// CHECK-DAG: ds_add_rtn_u32
// CHECK: s_endpgm
// GFX90A-LABEL: {{^}}known:
// GFX90A-NOT: flat_
// GFX90A-DAG: global_atomic_xor
// GFX90A-DAG: ds_add_rtn_u32
// GFX90A: s_endpgm
xpu.kernel @known(%p: !llvm.ptr<1>, %v: i32, %x: f32) workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  %0 = xpu.atomic_rmw xor %v, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
  %1 = xpu.atomic_rmw fmin %x, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, f32
  %s = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %v, %s[%i] : memref<64xi32, #gpu.address_space<workgroup>>
  %number = memref.extract_aligned_pointer_as_index %s : memref<64xi32, #gpu.address_space<workgroup>> -> index
  %word = arith.index_cast %number : index to i64
  %q = llvm.inttoptr %word : i64 to !llvm.ptr
  %2 = xpu.atomic_rmw add %v, %q ordering(acq_rel) : !llvm.ptr, i32
  xpu.atomic_store %2, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
  xpu.return
}

// CHECK-LABEL: {{^}}generic:
// CHECK: flat_atomic_xor_b32
// CHECK: flat_atomic_min_f32
// CHECK-NOT: cmpswap
// CHECK: s_endpgm
// GFX90A-LABEL: {{^}}generic:
// GFX90A: flat_atomic_xor
// GFX90A: flat_atomic_smin
// GFX90A: flat_atomic_umax
// GFX90A: s_endpgm
xpu.kernel @generic(%word: i64, %v: i32, %x: f32) workgroup_size(64, 1, 1) {
  %p = llvm.inttoptr %word : i64 to !llvm.ptr
  %0 = xpu.atomic_rmw xor %v, %p ordering(relaxed) scope(device) : !llvm.ptr, i32
  %1 = xpu.atomic_rmw fmin %x, %p ordering(relaxed) scope(device) : !llvm.ptr, f32
  xpu.return
}

// The host may see the memory of system scope, and the bus has no exclusive or.
// CHECK-LABEL: {{^}}system:
// CHECK: flat_atomic_cmpswap_b32
// CHECK: s_endpgm
xpu.kernel @system(%word: i64, %v: i32) workgroup_size(64, 1, 1) {
  %p = llvm.inttoptr %word : i64 to !llvm.ptr
  %0 = xpu.atomic_rmw xor %v, %p ordering(relaxed) scope(system) : !llvm.ptr, i32
  xpu.return
}

// CHECK-LABEL: {{^}}bytes:
// CHECK-NOT: flat_
// CHECK: global_atomic_cmpswap_b32
// CHECK: s_endpgm
xpu.kernel @bytes(%p: !llvm.ptr<1>, %n: i64, %v: i8) workgroup_size(64, 1, 1) {
  %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %0 = xpu.atomic_rmw add %v, %q ordering(relaxed) scope(device) : !llvm.ptr<1>, i8
  xpu.return
}
