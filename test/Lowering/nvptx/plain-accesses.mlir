// Plain accesses stay on their side of an operation that orders them, whatever LLVM knows of their addresses.
//
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s

// CHECK-LABEL: .visible .entry acquires(
// CHECK: ld.global.b32 [[R0:%r[0-9]+]], [[[Q:%rd[0-9]+]]];
// CHECK: ld.acquire.gpu.global.b32
// CHECK: ld.global.b32 {{%r[0-9]+}}, [[[Q]]];
// CHECK: atom.acquire.gpu.global.add.u32
// CHECK: ld.global.b32 {{%r[0-9]+}}, [[[Q]]];
// CHECK: atom.acquire.gpu.global.cas.b32
// CHECK: ld.global.b32 {{%r[0-9]+}}, [[[Q]]];
// CHECK: fence.acq_rel.gpu;
// CHECK: ld.global.b32 {{%r[0-9]+}}, [[[Q]]];
// CHECK: fence.sc.gpu;
// CHECK: ld.acquire.gpu.global.b32
// CHECK: ld.global.b32 {{%r[0-9]+}}, [[[Q]]];
// CHECK: bar.sync
// CHECK: ld.global.b32 {{%r[0-9]+}}, [[[Q]]];
// CHECK: ret;
xpu.kernel @acquires(%m: memref<?xi32>, %q: memref<?xi32>, %out: memref<7xi32>, %i: index, %v: i32) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %0 = memref.load %q[%i] : memref<?xi32>
  %a0 = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  %1 = memref.load %q[%i] : memref<?xi32>
  %a1 = xpu.atomic_rmw add %v, %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  %2 = memref.load %q[%i] : memref<?xi32>
  %a2 = xpu.cas %v, %v, %m[%i] ordering(acquire) failure(acquire) scope(device) : memref<?xi32>
  %3 = memref.load %q[%i] : memref<?xi32>
  xpu.fence ordering(acquire) scope(device)
  %4 = memref.load %q[%i] : memref<?xi32>
  %a4 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  %5 = memref.load %q[%i] : memref<?xi32>
  xpu.barrier
  %6 = memref.load %q[%i] : memref<?xi32>
  memref.store %0, %out[%c0] : memref<7xi32>
  memref.store %1, %out[%c1] : memref<7xi32>
  memref.store %2, %out[%c2] : memref<7xi32>
  memref.store %3, %out[%c3] : memref<7xi32>
  memref.store %4, %out[%c4] : memref<7xi32>
  memref.store %5, %out[%c5] : memref<7xi32>
  memref.store %6, %out[%c6] : memref<7xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry releases(
// CHECK: st.global.b32 [[[Q:%rd[0-9]+]]],
// CHECK: st.release.gpu.global.b32
// CHECK: st.global.b32 [[[Q]]],
// CHECK: atom.release.gpu.global.add.u32
// CHECK: st.global.b32 [[[Q]]],
// CHECK: atom.release.gpu.global.cas.b32
// CHECK: st.global.b32 [[[Q]]],
// CHECK: fence.acq_rel.gpu;
// CHECK: st.global.b32 [[[Q]]],
// CHECK: fence.sc.gpu;
// CHECK: st.relaxed.gpu.global.b32
// CHECK: ret;
xpu.kernel @releases(%m: memref<?xi32>, %q: memref<?xi32>, %i: index, %v: i32) workgroup_size(32, 1, 1) {
  memref.store %v, %q[%i] : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  memref.store %v, %q[%i] : memref<?xi32>
  %a1 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  memref.store %v, %q[%i] : memref<?xi32>
  %a2 = xpu.cas %v, %v, %m[%i] ordering(release) failure(relaxed) scope(device) : memref<?xi32>
  memref.store %v, %q[%i] : memref<?xi32>
  xpu.fence ordering(release) scope(device)
  memref.store %v, %q[%i] : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  xpu.return
}

// A store that comes after an acquiring load, as in a lock, is not done before it.
// CHECK-LABEL: .visible .entry store_after(
// CHECK: ld.acquire.gpu.global.b32
// CHECK: st.global.b32
// CHECK: ret;
xpu.kernel @store_after(%m: memref<?xi32>, %q: memref<?xi32>, %i: index, %v: i32) workgroup_size(32, 1, 1) {
  %a = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  memref.store %v, %q[%i] : memref<?xi32>
  xpu.return
}
