// Report A03: the scope must be visible in the PTX; where there is none, that means .gpu.
//
// RUN: xpu-run %s --kernel scopes --target cpu --groups 1 --arg zeros:3xi32 --arg zeros:9xi32 \
// RUN:   --expect 0=zeros:3xi32 --expect 1='[0,1,1,0,1,1,0,1,1]:i32'
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s

// CHECK-LABEL: .visible .entry scopes(
// CHECK: atom.acq_rel.cta.global.cas.b32
// CHECK: atom.acq_rel.cta.global.cas.b32
// CHECK: atom.relaxed.cta.global.exch.b32
// CHECK: atom.acq_rel.gpu.global.cas.b32
// CHECK: atom.acq_rel.gpu.global.cas.b32
// CHECK: {{atom.(relaxed.gpu.)?global.exch.b32}}
// CHECK: atom.acq_rel.sys.global.cas.b32
// CHECK: atom.acq_rel.sys.global.cas.b32
// CHECK: atom.relaxed.sys.global.exch.b32
// CHECK: ret;
xpu.kernel @scopes(%p: memref<3xi32>, %o: memref<9xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0 = xpu.cas %zero, %one, %p[%c0] ordering(acq_rel) failure(acquire) scope(workgroup) : memref<3xi32>
  memref.store %0, %o[%c0] : memref<9xi32>
  %1 = xpu.cas %zero, %one, %p[%c0] ordering(acq_rel) failure(acquire) scope(workgroup) : memref<3xi32>
  memref.store %1, %o[%c1] : memref<9xi32>
  %2 = xpu.atomic_rmw xchg %zero, %p[%c0] ordering(relaxed) scope(workgroup) : memref<3xi32>
  memref.store %2, %o[%c2] : memref<9xi32>
  %3 = xpu.cas %zero, %one, %p[%c1] ordering(acq_rel) failure(acquire) scope(device) : memref<3xi32>
  memref.store %3, %o[%c3] : memref<9xi32>
  %4 = xpu.cas %zero, %one, %p[%c1] ordering(acq_rel) failure(acquire) scope(device) : memref<3xi32>
  memref.store %4, %o[%c4] : memref<9xi32>
  %5 = xpu.atomic_rmw xchg %zero, %p[%c1] ordering(relaxed) scope(device) : memref<3xi32>
  memref.store %5, %o[%c5] : memref<9xi32>
  %6 = xpu.cas %zero, %one, %p[%c2] ordering(acq_rel) failure(acquire) scope(system) : memref<3xi32>
  memref.store %6, %o[%c6] : memref<9xi32>
  %7 = xpu.cas %zero, %one, %p[%c2] ordering(acq_rel) failure(acquire) scope(system) : memref<3xi32>
  memref.store %7, %o[%c7] : memref<9xi32>
  %8 = xpu.atomic_rmw xchg %zero, %p[%c2] ordering(relaxed) scope(system) : memref<3xi32>
  memref.store %8, %o[%c8] : memref<9xi32>
  xpu.return
}
