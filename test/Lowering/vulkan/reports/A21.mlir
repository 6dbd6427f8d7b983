// A21: `or` and `and` on i8 without 8-bit storage are those on the aligned word, with the byte's bits in
// its place and the others as they change nothing.

// RUN: xpu-compile %s --target vulkan:1.3 --emit asm --manifest %t.json | FileCheck %s --implicit-check-not='OpTypeInt 8'
// RUN: FileCheck %s --check-prefix=MANIFEST <%t.json

// CHECK:      %constant = OpFunction
// CHECK:      OpAtomicOr %uint %{{[^ ]+}} %uint_1 %uint_0 %uint_786432{{$}}
// CHECK:      OpAtomicAnd %uint %{{[^ ]+}} %uint_1 %uint_0 %uint_4294905855{{$}}
// MANIFEST:   "whole_words": true,
// MANIFEST:   "stride": 4
xpu.kernel @constant(%p: memref<4xi8>, %out: memref<2xi8>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %or = arith.constant 0x0c : i8
  %and = arith.constant 0x0f : i8
  %a = xpu.atomic_rmw or %or, %p[%c2] ordering(relaxed) scope(device) : memref<4xi8>
  %b = xpu.atomic_rmw and %and, %p[%c1] ordering(relaxed) scope(device) : memref<4xi8>
  memref.store %a, %out[%c0] : memref<2xi8>
  memref.store %b, %out[%c1] : memref<2xi8>
  xpu.return
}
