// Report A02: a sequentially consistent update is a fence.sc and then an acquiring atom of the same scope; PTX has no such atom.
//
// RUN: xpu-run %s --kernel device --target cpu --groups 1 --arg '[10]:i32' --arg zeros:1xi32 --expect 0='[15]:i32' --expect 1='[10]:i32'
// RUN: xpu-run %s --kernel workgroup --target cpu --groups 1 --arg '[10]:i32' --arg zeros:1xi32 --expect 0='[15]:i32' --expect 1='[10]:i32'
// RUN: xpu-run %s --kernel system --target cpu --groups 1 --arg '[10]:i32' --arg zeros:1xi32 --expect 0='[15]:i32' --expect 1='[10]:i32'
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s --implicit-check-not=seq_cst --implicit-check-not=trap
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s --implicit-check-not=seq_cst --implicit-check-not=trap

// CHECK-LABEL: .visible .entry device(
// CHECK: fence.sc.gpu;
// CHECK-NOT: {{(ld|st|atom)[.](global|shared|relaxed)}}
// CHECK: atom.acquire.gpu.global.add.u32
// CHECK: ret;
xpu.kernel @device(%p: memref<1xi32>, %o: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %0 = xpu.atomic_rmw add %five, %p[%c0] ordering(seq_cst) scope(device) : memref<1xi32>
  memref.store %0, %o[%c0] : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry workgroup(
// CHECK: fence.sc.cta;
// CHECK: atom.acquire.cta.global.add.u32
// CHECK: ret;
xpu.kernel @workgroup(%p: memref<1xi32>, %o: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %0 = xpu.atomic_rmw add %five, %p[%c0] ordering(seq_cst) scope(workgroup) : memref<1xi32>
  memref.store %0, %o[%c0] : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry system(
// CHECK: fence.sc.sys;
// CHECK: atom.acquire.sys.global.add.u32
// CHECK: ret;
xpu.kernel @system(%p: memref<1xi32>, %o: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %0 = xpu.atomic_rmw add %five, %p[%c0] ordering(seq_cst) scope(system) : memref<1xi32>
  memref.store %0, %o[%c0] : memref<1xi32>
  xpu.return
}

// The rest of what may be sequentially consistent.
// CHECK-LABEL: .visible .entry others(
// CHECK: fence.sc.gpu;
// CHECK: atom.acquire.gpu.global.cas.b32
// CHECK: fence.sc.gpu;
// CHECK: ld.acquire.gpu.global.b32
// CHECK: fence.sc.gpu;
// CHECK: st.relaxed.gpu.global.b32
// CHECK: fence.sc.gpu;
// CHECK: ret;
xpu.kernel @others(%p: memref<1xi32>, %o: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %0 = xpu.cas %five, %five, %p[%c0] ordering(seq_cst) failure(seq_cst) scope(device) : memref<1xi32>
  %1 = xpu.atomic_load %p[%c0] ordering(seq_cst) scope(device) : memref<1xi32>
  memref.store %1, %o[%c0] : memref<1xi32>
  xpu.atomic_store %five, %p[%c0] ordering(seq_cst) scope(device) : memref<1xi32>
  memref.store %0, %o[%c0] : memref<1xi32>
  xpu.fence ordering(seq_cst) scope(device)
  xpu.return
}
