// A15: workgroup memory has a feature of its own.

// RUN: xpu-compile %s --target vulkan:1.3,+shader_int64,+shader_shared_int64_atomics --emit asm \
// RUN:   --manifest %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST <%t.json
// RUN: not xpu-compile %s --target vulkan:1.3,+shader_int64,+shader_buffer_int64_atomics --emit asm 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OFF

// CHECK-DAG:  OpCapability Int64{{$}}
// CHECK-DAG:  OpCapability Int64Atomics
// CHECK:      OpAtomicUMax %ulong %{{[^ ]+}} %uint_2 %uint_0 %ulong_7
// MANIFEST:      "shader_int64",
// MANIFEST-NEXT: "shader_shared_int64_atomics",
#shared = #gpu.address_space<workgroup>
xpu.kernel @max(%out: memref<1xi64>) workgroup_size(1, 1, 1) {
  %s = xpu.shared : memref<1xi64, #shared>
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i64
  // OFF: A15-shared.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}shader_shared_int64_atomics
  %old = xpu.atomic_rmw umax %v, %s[%c0] ordering(relaxed) : memref<1xi64, #shared>
  memref.store %old, %out[%c0] : memref<1xi64>
  xpu.return
}
