// RUN: xpu-compile %s --target vulkan:1.3 --emit asm -o %t.spvasm --manifest %t.json
// RUN: FileCheck %s <%t.spvasm
// RUN: FileCheck %s --check-prefix=MANIFEST <%t.json

// An image is one module: where two gpu.modules use one name, the second's gets another. Types are there
// once. The size that the launcher decides is in constants that it specializes.

// CHECK-DAG:     OpEntryPoint GLCompute %{{[^ ]+}} "k" %
// CHECK-DAG:     OpEntryPoint GLCompute %{{[^ ]+}} "second_k" %
// CHECK-DAG:     OpDecorate [[X:%[^ ]+]] SpecId 0
// CHECK-DAG:     OpDecorate %{{[^ ]+}} SpecId 1
// CHECK-DAG:     OpDecorate %{{[^ ]+}} SpecId 2
// CHECK-DAG:     OpDecorate [[SIZE:%[^ ]+]] BuiltIn WorkgroupSize
// CHECK-COUNT-1: OpTypeInt 32
// CHECK-DAG:     [[X]] = OpSpecConstant %uint 1
// CHECK-DAG:     [[SIZE]] = OpSpecConstantComposite %v3uint [[X]]
// CHECK:         OpFunctionEnd
// CHECK:         OpFunctionEnd
// MANIFEST:      "module": "first"
// MANIFEST:      "symbol": "k"
// MANIFEST:      "workgroup_size": null
// MANIFEST:      "module": "second"
// MANIFEST:      "symbol": "second_k"
gpu.module @first {
  gpu.func @k(%m: memref<?xi32>) kernel {
    %i = gpu.thread_id x
    %c = arith.index_cast %i : index to i32
    memref.store %c, %m[%i] : memref<?xi32>
    gpu.return
  }
}
gpu.module @second {
  gpu.func @k(%m: memref<?xi32>) kernel {
    %i = gpu.thread_id x
    %n = gpu.block_dim x
    %c = arith.index_cast %n : index to i32
    memref.store %c, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// Nothing to compile is a module too.
// RUN: echo 'module {}' >%t.mlir
// RUN: xpu-compile %t.mlir --target vulkan:1.2 --emit asm 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: warning: there are no kernels in {{.*}}.mlir
// NOTHING: OpMemoryModel Logical
