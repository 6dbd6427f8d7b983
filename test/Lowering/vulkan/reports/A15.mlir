// A15: 64-bit atomics of every kind declare Int64 and Int64Atomics; without the features they are an
// error at the operation.

// RUN: xpu-compile %s --target vulkan:1.3,+shader_int64,+shader_buffer_int64_atomics --emit asm \
// RUN:   --manifest %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST <%t.json
// RUN: not xpu-compile %s --target vulkan:1.3 --emit asm 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: not xpu-compile %s --target vulkan:1.3,+shader_int64 --emit asm 2>&1 | FileCheck %s --check-prefix=OFF

// CHECK-DAG:  OpCapability Int64{{$}}
// CHECK-DAG:  OpCapability Int64Atomics
// CHECK-DAG:  [[VALUE:%ulong_[0-9]+]] = OpConstant %ulong 4294967297
// CHECK:      %add = OpFunction
// CHECK:      OpAtomicIAdd %ulong %{{[^ ]+}} %uint_1 %uint_0 [[VALUE]]
// MANIFEST:      "features": [
// MANIFEST-NEXT:   "shader_buffer_int64_atomics",
// MANIFEST-NEXT:   "shader_int64",
// MANIFEST-NEXT:   "vulkan_memory_model",
// MANIFEST-NEXT:   "vulkan_memory_model_device_scope"
// MANIFEST-NEXT: ],
xpu.kernel @add(%p: memref<1xi64>) workgroup_size(8, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 0x100000001 : i64
  // OFF: A15.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'xpu.atomic_rmw' op {{.*}}shader_buffer_int64_atomics
  %old = xpu.atomic_rmw add %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xi64>
  xpu.return
}

// CHECK:      %cas = OpFunction
// CHECK:      OpAtomicCompareExchange %ulong %{{[^ ]+}} %uint_1 %uint_24648 %uint_0 %ulong_5
xpu.kernel @cas(%p: memref<1xi64>, %out: memref<1xi64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %expected = arith.constant 0x800000008 : i64
  %desired = arith.constant 5 : i64
  %old = xpu.cas %expected, %desired, %p[%c0] ordering(acq_rel) failure(relaxed) scope(device) : memref<1xi64>
  memref.store %old, %out[%c0] : memref<1xi64>
  xpu.return
}
