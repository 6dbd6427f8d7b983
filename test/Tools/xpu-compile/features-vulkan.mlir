// What the code needs and the target lacks is an error that says what to add.

// RUN: not xpu-compile %s --target vulkan:1.3 --emit asm 2>&1 | FileCheck %s
// RUN: xpu-compile %s --target vulkan:1.3,+shader_int64 --emit asm --manifest %t.json | FileCheck %s --check-prefix=ASM
// RUN: FileCheck %s --check-prefix=MANIFEST <%t.json

// CHECK:         error: {{.*}}shader_int64
// ASM:           OpCapability Int64{{$}}
// MANIFEST:      "features": [
// MANIFEST-NEXT:   "shader_int64",
xpu.kernel @k(%m: memref<?xi64>, %x: i64) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %v = memref.load %m[%i] : memref<?xi64>
  %sum = arith.addi %v, %x : i64
  memref.store %sum, %m[%i] : memref<?xi64>
  xpu.return
}
