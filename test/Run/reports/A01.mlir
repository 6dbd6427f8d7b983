// Report A01: each ordering must be visible in the PTX, as a qualifier or a fence, and a fence alone must compile.
//
// RUN: xpu-run %s --kernel orderings --target cpu --groups 1 --arg zeros:1xi32 --arg zeros:5xi32 \
// RUN:   --expect 0=fill(5):1xi32 --expect 1=iota:5xi32
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s

// CHECK-LABEL: .visible .entry orderings(
// CHECK-NOT: fence
// CHECK: atom.global.add.u32
// CHECK-NOT: fence
// CHECK: atom.acquire.gpu.global.add.u32
// CHECK-NOT: fence
// CHECK: atom.release.gpu.global.add.u32
// CHECK-NOT: fence
// CHECK: atom.acq_rel.gpu.global.add.u32
// CHECK: fence.sc.gpu;
// CHECK: atom.acquire.gpu.global.add.u32
// CHECK: ret;
xpu.kernel @orderings(%p: memref<1xi32>, %o: memref<5xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  memref.store %0, %o[%c0] : memref<5xi32>
  %1 = xpu.atomic_rmw add %one, %p[%c0] ordering(acquire) scope(device) : memref<1xi32>
  memref.store %1, %o[%c1] : memref<5xi32>
  %2 = xpu.atomic_rmw add %one, %p[%c0] ordering(release) scope(device) : memref<1xi32>
  memref.store %2, %o[%c2] : memref<5xi32>
  %3 = xpu.atomic_rmw add %one, %p[%c0] ordering(acq_rel) scope(device) : memref<1xi32>
  memref.store %3, %o[%c3] : memref<5xi32>
  %4 = xpu.atomic_rmw add %one, %p[%c0] ordering(seq_cst) scope(device) : memref<1xi32>
  memref.store %4, %o[%c4] : memref<5xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry acquire_alone(
// CHECK: {{fence.(acquire|acq_rel).gpu;}}
// CHECK: ret;
xpu.kernel @acquire_alone() workgroup_size(1, 1, 1) {
  xpu.fence ordering(acquire) scope(device)
  xpu.return
}
