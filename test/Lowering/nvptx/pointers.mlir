// Pointers to global memory give the instructions that buffers give; generic ones name no state space, and then are right for
// global and for workgroup memory (PTX ISA, atom: generic addressing).
//
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s

// CHECK-LABEL: .visible .entry relaxed(
// CHECK-NEXT: .param .u64 .ptr .global
// CHECK: atom.relaxed.cta.global.add.u32
// CHECK: atom.relaxed.cta.global.add.u32
// CHECK: atom.global.add.u32
// CHECK: atom.relaxed.sys.global.add.u32
// CHECK: red.relaxed.gpu.global.add.u32
// CHECK: ret;
xpu.kernel @relaxed(%p: !llvm.ptr<1>, %v: i32, %out: memref<4xi32>) workgroup_size(32, 1, 1) {
  %i0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(subgroup) : !llvm.ptr<1>, i32
  memref.store %0, %out[%i0] : memref<4xi32>
  %1 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(workgroup) : !llvm.ptr<1>, i32
  memref.store %1, %out[%i0] : memref<4xi32>
  %2 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
  memref.store %2, %out[%i0] : memref<4xi32>
  %3 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(system) : !llvm.ptr<1>, i32
  memref.store %3, %out[%i0] : memref<4xi32>
  %4 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
  xpu.return
}

// CHECK-LABEL: .visible .entry generic(
// CHECK: atom.relaxed.cta.add.u32
// CHECK: atom.acquire.cta.add.u32
// CHECK: atom.release.gpu.min.s32
// CHECK: atom.acq_rel.gpu.add.u32
// CHECK: fence.sc.sys;
// CHECK: atom.acquire.sys.exch.b64
// CHECK: ret;
xpu.kernel @generic(%p: !llvm.ptr, %v: i32, %w: i64, %out: memref<4xi32>, %out64: memref<4xi64>) workgroup_size(32, 1, 1) {
  %i0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(workgroup) : !llvm.ptr, i32
  memref.store %0, %out[%i0] : memref<4xi32>
  %1 = xpu.atomic_rmw add %v, %p ordering(acquire) scope(subgroup) : !llvm.ptr, i32
  memref.store %1, %out[%i0] : memref<4xi32>
  %2 = xpu.atomic_rmw smin %v, %p ordering(release) scope(device) : !llvm.ptr, i32
  memref.store %2, %out[%i0] : memref<4xi32>
  %3 = xpu.atomic_rmw add %v, %p ordering(acq_rel) scope(device) : !llvm.ptr, i32
  memref.store %3, %out[%i0] : memref<4xi32>
  %4 = xpu.atomic_rmw xchg %w, %p ordering(seq_cst) scope(system) : !llvm.ptr, i64
  memref.store %4, %out64[%i0] : memref<4xi64>
  xpu.return
}

// CHECK-LABEL: .visible .entry unused(
// CHECK: red.relaxed.sys.or.b64
// CHECK: red.release.gpu.add.u64
// CHECK: ret;
xpu.kernel @unused(%p: !llvm.ptr, %w: i64) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw or %w, %p ordering(relaxed) scope(system) : !llvm.ptr, i64
  %1 = xpu.atomic_rmw add %w, %p ordering(release) scope(device) : !llvm.ptr, i64
  xpu.return
}

// A generic pointer that LLVM cannot trace: no instruction names a space.
// CHECK-LABEL: .visible .entry loaded(
// CHECK: atom.acq_rel.gpu.cas.b32
// CHECK: atom.add.u32
// CHECK: ld.acquire.gpu.b32
// CHECK: st.release.gpu.b32
// CHECK-NOT: atom{{.*}}global
// CHECK: ret;
xpu.kernel @loaded(%table: !llvm.ptr<1>, %v: i32, %out: memref<4xi32>) workgroup_size(32, 1, 1) {
  %i0 = arith.constant 0 : index
  %p = llvm.load %table : !llvm.ptr<1> -> !llvm.ptr
  %0 = xpu.cas %v, %v, %p ordering(acq_rel) failure(relaxed) scope(device) : !llvm.ptr, i32
  memref.store %0, %out[%i0] : memref<4xi32>
  %1 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(device) : !llvm.ptr, i32
  memref.store %1, %out[%i0] : memref<4xi32>
  %2 = xpu.atomic_load %p ordering(acquire) scope(device) : !llvm.ptr, i32
  memref.store %2, %out[%i0] : memref<4xi32>
  xpu.atomic_store %v, %p ordering(release) scope(device) : !llvm.ptr, i32
  xpu.return
}

// Global memory flushes subnormals: the instruction is for operands with which that cannot show, also where the address may be
// one of global memory.
// CHECK-LABEL: .visible .entry sums(
// CHECK: setp
// CHECK-DAG: atom.relaxed.sys.add.f32
// CHECK-DAG: atom.relaxed.sys.cas.b32
// CHECK: atom.relaxed.sys.shared.add.f32
// CHECK: ret;
xpu.kernel @sums(%table: !llvm.ptr<1>, %v: f32, %out: memref<4xf32>) workgroup_size(32, 1, 1) {
  %i0 = arith.constant 0 : index
  %p = llvm.load %table : !llvm.ptr<1> -> !llvm.ptr
  %0 = xpu.atomic_rmw fadd %v, %p ordering(relaxed) scope(system) : !llvm.ptr, f32
  memref.store %0, %out[%i0] : memref<4xf32>
  %s = xpu.shared : memref<4xf32, #gpu.address_space<workgroup>>
  memref.store %v, %s[%i0] : memref<4xf32, #gpu.address_space<workgroup>>
  xpu.barrier
  %number = memref.extract_aligned_pointer_as_index %s : memref<4xf32, #gpu.address_space<workgroup>> -> index
  %word = arith.index_cast %number : index to i64
  %q = llvm.inttoptr %word : i64 to !llvm.ptr<3>
  %1 = xpu.atomic_rmw fadd %v, %q ordering(relaxed) scope(system) : !llvm.ptr<3>, f32
  memref.store %1, %out[%i0] : memref<4xf32>
  xpu.return
}

// A byte: the swap is of the word that the address is in.
// CHECK-LABEL: .visible .entry bytes(
// CHECK: and.b64 {{.*}}, -4;
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: atom.acq_rel.gpu.global.cas.b32
// CHECK: ret;
xpu.kernel @bytes(%p: !llvm.ptr<1>, %n: i64, %v: i8) workgroup_size(32, 1, 1) {
  %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %0 = xpu.atomic_rmw add %v, %q ordering(acq_rel) scope(device) : !llvm.ptr<1>, i8
  xpu.return
}

// Upstream's own pointers.
// CHECK-LABEL: .visible .entry ptr(
// CHECK: red.release.gpu.global.add.u32
// CHECK: ret;
xpu.kernel @ptr(%p: !ptr.ptr<#llvm.address_space<1>>, %n: index, %v: i32) workgroup_size(32, 1, 1) {
  %q = ptr.ptr_add %p, %n : !ptr.ptr<#llvm.address_space<1>>, index
  %0 = xpu.atomic_rmw add %v, %q ordering(release) scope(device) : !ptr.ptr<#llvm.address_space<1>>, i32
  xpu.return
}
