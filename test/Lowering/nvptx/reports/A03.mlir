// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s

// The scope of a compare-and-swap and of a relaxed exchange is in the text: no suffix would be .gpu.

// CHECK: atom.acq_rel.cta.global.cas.b32
// CHECK: atom.relaxed.cta.global.exch.b32
// CHECK: atom.acq_rel.gpu.global.cas.b32
// CHECK: atom.global.exch.b32
// CHECK: atom.acq_rel.sys.global.cas.b32
// CHECK: atom.relaxed.sys.global.exch.b32
xpu.kernel @k(%p: memref<?xi32>, %o: memref<?xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0 = xpu.cas %zero, %one, %p[%c0] ordering(acq_rel) failure(acquire) scope(workgroup) : memref<?xi32>
  memref.store %0, %o[%c0] : memref<?xi32>
  %1 = xpu.atomic_rmw xchg %zero, %p[%c0] ordering(relaxed) scope(workgroup) : memref<?xi32>
  memref.store %1, %o[%c0] : memref<?xi32>
  %2 = xpu.cas %zero, %one, %p[%c0] ordering(acq_rel) failure(acquire) scope(device) : memref<?xi32>
  memref.store %2, %o[%c0] : memref<?xi32>
  %3 = xpu.atomic_rmw xchg %zero, %p[%c0] ordering(relaxed) scope(device) : memref<?xi32>
  memref.store %3, %o[%c0] : memref<?xi32>
  %4 = xpu.cas %zero, %one, %p[%c0] ordering(acq_rel) failure(acquire) scope(system) : memref<?xi32>
  memref.store %4, %o[%c0] : memref<?xi32>
  %5 = xpu.atomic_rmw xchg %zero, %p[%c0] ordering(relaxed) scope(system) : memref<?xi32>
  memref.store %5, %o[%c0] : memref<?xi32>
  xpu.return
}
