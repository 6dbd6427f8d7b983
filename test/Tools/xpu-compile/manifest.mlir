// The manifest, by which any program can launch the code; docs/manifest.md describes it.

// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o %t.ptx
// RUN: FileCheck %s <%t.json

// CHECK:      {
// CHECK-NEXT:   "abi": 1,
// CHECK-NEXT:   "target": "nvptx:sm_90",
// CHECK-NEXT:   "index_bits": 64,
// CHECK-NEXT:   "image": {
// CHECK-NEXT:     "file": "manifest.mlir.tmp.ptx",
// CHECK-NEXT:     "format": "ptx"
// CHECK:        "kernels": [
// CHECK:          "name": "k",
// CHECK-NEXT:     "module": "xpu_kernels",
// CHECK-NEXT:     "symbol": "k",
// CHECK-NEXT:     "workgroup_size": [
// CHECK-NEXT:       64,
// CHECK-NEXT:       2,
// CHECK-NEXT:       1
// CHECK-NEXT:     ],
// Ten bytes in whole words, then 16 at the next multiple of 16.
// CHECK-NEXT:     "shared_bytes": 32,
// CHECK:          "memref": {
// CHECK-NEXT:       "element": "i8",
// CHECK-NEXT:       "shape": [
// CHECK-NEXT:         null
// CHECK-NEXT:       ],
// CHECK:            "whole_words": true,
// CHECK-NEXT:       "memory": "host_visible",
// CHECK:          "scalar": {
// CHECK-NEXT:       "type": "f32"
// CHECK:        "weakenings": []

// RUN: xpu-compile %s --target cpu -o %t.o
// RUN: FileCheck %s --check-prefix=CPU <%t.json
// CPU: "target": "cpu",
// CPU: "format": "object"
// CPU: "symbol": "xpu_kernels.k",
// CPU: "cpu": {
// CPU-NEXT: "mode":

xpu.kernel @k(%m: memref<?xi8> {xpu.memory = #xpu.memory<host_visible>}, %x: f32) workgroup_size(64, 2, 1) {
  %a = xpu.shared : memref<10xi8, #gpu.address_space<workgroup>>
  %b = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>
  %i = xpu.local_id x
  %v = xpu.atomic_load %a[%i] : memref<10xi8, #gpu.address_space<workgroup>>
  %w = xpu.atomic_load %b[%i] : memref<4xi32, #gpu.address_space<workgroup>>
  memref.store %v, %m[%i] : memref<?xi8>
  xpu.return
}
