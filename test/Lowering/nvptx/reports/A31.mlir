// RUN: xpu-compile %s --target nvptx:sm_80 --emit asm -o - | FileCheck %s

// A byte is swapped within its aligned word, whose other bytes are put back as they were read.

// CHECK-NOT: atom{{.*}}.b8
// CHECK:     ld.relaxed.gpu.global.b32
// CHECK:     atom.acq_rel.gpu.global.cas.b32
// CHECK-NOT: atom{{.*}}.b8
xpu.kernel @k(%p: memref<?xi8>, %o: memref<?xi8>, %expected: i8, %desired: i8) workgroup_size(1, 1, 1) {
  %c1 = arith.constant 1 : index
  %0 = xpu.cas %expected, %desired, %p[%c1] ordering(acq_rel) failure(relaxed) scope(device) : memref<?xi8>
  memref.store %0, %o[%c1] : memref<?xi8>
  xpu.return
}
