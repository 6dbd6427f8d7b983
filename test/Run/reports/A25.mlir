// Report A25: an update whose result nobody uses keeps its ordering; only relaxed and release may be a red, and not before an acquire fence.
//
// RUN: xpu-run %s --kernel relaxed --target cpu --groups 1 --arg zeros:1xi32 --expect 0=fill(32):1xi32
// RUN: xpu-run %s --kernel release --target cpu --groups 1 --arg zeros:1xi32 --expect 0=fill(32):1xi32
// RUN: xpu-run %s --kernel acquire --target cpu --groups 1 --arg zeros:1xi32 --expect 0=fill(32):1xi32
// RUN: xpu-run %s --kernel acq_rel --target cpu --groups 1 --arg zeros:1xi32 --expect 0=fill(32):1xi32
// RUN: xpu-run %s --kernel fenced --target cpu --groups 1 --arg zeros:1xi32 --arg '[7]:i32' --arg zeros:1xi32 \
// RUN:   --expect 0=fill(32):1xi32 --expect 2='[7]:i32'
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s

// CHECK-LABEL: .visible .entry relaxed(
// CHECK: red.relaxed.gpu.global.add.u32
// CHECK: ret;
xpu.kernel @relaxed(%p: memref<1xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry release(
// CHECK: red.release.gpu.global.add.u32
// CHECK: ret;
xpu.kernel @release(%p: memref<1xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(release) scope(device) : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry acquire(
// CHECK: atom.acquire.gpu.global.add.u32
// CHECK: ret;
xpu.kernel @acquire(%p: memref<1xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(acquire) scope(device) : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry acq_rel(
// CHECK: atom.acq_rel.gpu.global.add.u32
// CHECK: ret;
xpu.kernel @acq_rel(%p: memref<1xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(acq_rel) scope(device) : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry fenced(
// CHECK-NOT: red
// CHECK: {{atom.(relaxed.gpu.)?global.add.u32}}
// CHECK: fence.{{.*}}.gpu;
// CHECK: ld.global.b32
// CHECK: ret;
xpu.kernel @fenced(%p: memref<1xi32>, %q: memref<1xi32>, %o: memref<1xi32>) workgroup_size(32, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  xpu.fence ordering(acquire) scope(device)
  %v = memref.load %q[%c0] : memref<1xi32>
  memref.store %v, %o[%c0] : memref<1xi32>
  xpu.return
}
