// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=MANIFEST < %t.json

// An image is one module: where two gpu.modules use one name, the second's gets another.

// CHECK-DAG: .visible .entry k(
// CHECK-DAG: .visible .entry second_k(
// MANIFEST:  "module": "first"
// MANIFEST:  "symbol": "k"
// MANIFEST:  "module": "second"
// MANIFEST:  "symbol": "second_k"
gpu.module @first {
  gpu.func @k(%m: memref<?xi32>) kernel {
    gpu.return
  }
}
gpu.module @second {
  gpu.func @k(%m: memref<?xi32>) kernel {
    gpu.return
  }
}

// An atomic access to a constant is one to a variable: NVPTX has no other.

// CHECK: ld.acquire.gpu.global.b32
memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]>
xpu.kernel @constant(%m: memref<?xi32>) workgroup_size(4, 1, 1) {
  %i = xpu.global_id x
  %t = memref.get_global @table : memref<4xi32>
  %v = xpu.atomic_load %t[%i] ordering(acquire) : memref<4xi32>
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}
