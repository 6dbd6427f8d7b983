// A13: each scope is the number that SPIR-V has for it, and none is CrossDevice, 0.

// RUN: xpu-compile %s --target vulkan:1.2 --emit asm 2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID <%t.said
// RUN: not xpu-compile %s --target vulkan:1.2 --strict --emit asm 2>&1 | FileCheck %s --check-prefix=STRICT

// CHECK-DAG:   OpCapability GroupNonUniform{{$}}
// CHECK-DAG:   %uint_0 = OpConstant %uint 0
// CHECK-DAG:   %uint_1 = OpConstant %uint 1
// CHECK-DAG:   %uint_2 = OpConstant %uint 2
// CHECK-DAG:   %uint_3 = OpConstant %uint 3

// CHECK:       %workgroup = OpFunction
// CHECK:       OpAtomicOr %uint %{{[^ ]+}} %uint_2 %uint_0 %uint_6
xpu.kernel @workgroup(%o: memref<1xi32>) workgroup_size(1, 1, 1) {
  %s = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  memref.store %one, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  %old = xpu.atomic_rmw or %six, %s[%c0] ordering(relaxed) scope(workgroup) : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %old, %o[%c0] : memref<1xi32>
  xpu.return
}

// CHECK:       %device = OpFunction
// CHECK:       OpAtomicOr %uint %{{[^ ]+}} %uint_1 %uint_0 %uint_6
xpu.kernel @device(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %six = arith.constant 6 : i32
  %old = xpu.atomic_rmw or %six, %p[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  xpu.return
}

// CHECK:       %subgroup = OpFunction
// CHECK:       OpAtomicOr %uint %{{[^ ]+}} %uint_3 %uint_0 %uint_6
xpu.kernel @subgroup(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %six = arith.constant 6 : i32
  %old = xpu.atomic_rmw or %six, %p[%c0] ordering(relaxed) scope(subgroup) : memref<1xi32>
  xpu.return
}

// CHECK:       %system = OpFunction
// CHECK:       OpAtomicOr %uint %{{[^ ]+}} %uint_1 %uint_0 %uint_6
// CHECK-NOT:   OpAtomic
xpu.kernel @system(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %six = arith.constant 6 : i32
  // SAID:   A13.mlir:[[#@LINE+2]]:{{[0-9]+}}: warning: {{.*}}'system'{{.*}}'device'
  // STRICT: A13.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}'system'{{.*}}'device'
  %old = xpu.atomic_rmw or %six, %p[%c0] ordering(relaxed) scope(system) : memref<1xi32>
  xpu.return
}
