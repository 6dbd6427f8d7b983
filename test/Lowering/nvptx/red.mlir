// Where nothing can tell that an operation read, and its ordering asks for no reading side, it is the cheaper red.
//
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s

// CHECK-LABEL: .visible .entry unused(
// CHECK: red.relaxed.cta.global.add.u32
// CHECK: red.relaxed.gpu.global.and.b32
// CHECK: red.release.sys.global.max.s32
// CHECK: atom.acquire.gpu.global.add.u32
// CHECK: atom.acq_rel.gpu.global.add.u32
// CHECK: ret;
xpu.kernel @unused(%m: memref<?xi32>, %i: index, %v: i32) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(workgroup) : memref<?xi32>
  %1 = xpu.atomic_rmw and %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %2 = xpu.atomic_rmw smax %v, %m[%i] ordering(release) scope(system) : memref<?xi32>
  %3 = xpu.atomic_rmw add %v, %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  %4 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  xpu.return
}

// PTX has no red.exch, and none for a compare-and-swap.
// CHECK-LABEL: .visible .entry exchanged(
// CHECK: atom.release.gpu.global.exch.b32
// CHECK: atom.global.exch.b32
// CHECK: atom.release.gpu.global.cas.b32
// CHECK: ret;
xpu.kernel @exchanged(%m: memref<?xi32>, %i: index, %v: i32) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw xchg %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  %1 = xpu.atomic_rmw xchg %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %2 = xpu.cas %v, %v, %m[%i] ordering(release) failure(relaxed) scope(device) : memref<?xi32>
  xpu.return
}

// What the operation is made of is not read either.
// CHECK-LABEL: .visible .entry guarded(
// CHECK: red.relaxed.gpu.global.add.f32
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK: ret;
xpu.kernel @guarded(%m: memref<?xf32>, %i: index, %v: f32) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  xpu.return
}

// CHECK-LABEL: .visible .entry word(
// CHECK: red.relaxed.gpu.global.or.b32
// CHECK: ret;
xpu.kernel @word(%m: memref<?xi8>, %i: index, %v: i8) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw or %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi8>
  xpu.return
}

// A repair needs the old value.
// CHECK-LABEL: .visible .entry repaired(
// CHECK: atom.global.min.s32
// CHECK: atom.global.max.u32
// CHECK: ret;
xpu.kernel @repaired(%m: memref<?xf32>, %i: index, %v: f32) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw fmin %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  xpu.return
}

// The fence acquires through what the sum read.
// CHECK-LABEL: .visible .entry fence_after(
// CHECK: atom.global.add.u32
// CHECK: fence.acq_rel.gpu;
// CHECK: ret;
xpu.kernel @fence_after(%m: memref<?xi32>, %i: index, %v: i32) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.fence ordering(acquire) scope(device)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}

// The fence of a sequentially consistent access does so, too.
// CHECK-LABEL: .visible .entry seq_cst_after(
// CHECK: atom.global.add.u32
// CHECK: fence.sc.gpu;
// CHECK: ret;
xpu.kernel @seq_cst_after(%m: memref<?xi32>, %i: index, %v: i32) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  xpu.return
}

// A release fence does not.
// CHECK-LABEL: .visible .entry release_after(
// CHECK: red.relaxed.gpu.global.add.u32
// CHECK: fence.acq_rel.gpu;
// CHECK: ret;
xpu.kernel @release_after(%m: memref<?xi32>, %i: index, %v: i32) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.fence ordering(release) scope(device)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}
