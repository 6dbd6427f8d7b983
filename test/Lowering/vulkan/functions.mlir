// Kernels of other frontends, through the whole pipeline: upstream's operations, and no words of ours.
//
// RUN: xpu-opt %s --xpu-to-spirv -split-input-file | FileCheck %s
// RUN: xpu-compile %s --target vulkan:1.1 --emit asm -o - | FileCheck %s --check-prefix=ASM

// Affine loops, views, a barrier, memory of the workgroup; the size of a workgroup is the launch's.

// CHECK-LABEL: spirv.module @tiles Logical Vulkan
// CHECK-NOT:     gpu.
// CHECK-NOT:     memref.
// CHECK:         spirv.func @tile() "None"
// CHECK:           spirv.mlir.loop
// CHECK:           spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible>
// CHECK:           spirv.AtomicIAdd <Device>
// CHECK:         spirv.EntryPoint "GLCompute" @tile

// SPIR-V 1.3 has its own extension for the memory model, and the group's size is decorated constants.
// ASM:         OpExtension "SPV_KHR_vulkan_memory_model"
// ASM:         OpMemoryModel Logical Vulkan
// ASM:         OpEntryPoint GLCompute %tile "tile"
// ASM-DAG:     OpDecorate %{{.*}} BuiltIn WorkgroupSize
// ASM-DAG:     OpDecorate %{{.*}} SpecId 0
// ASM:         OpControlBarrier %uint_2 %uint_2 %uint_24904
gpu.module @tiles {
  gpu.func @tile(%m: memref<?x8xi32>, %n: index) workgroup(%s: memref<8x8xi32, #gpu.address_space<workgroup>>) kernel {
    %c1 = arith.constant 1 : index
    %x = gpu.thread_id x
    %rows = memref.subview %m[%n, 0] [4, 8] [1, 1] : memref<?x8xi32> to memref<4x8xi32, strided<[8, 1], offset: ?>>
    affine.for %j = 0 to 8 {
      %v = memref.load %rows[%c1, %j] : memref<4x8xi32, strided<[8, 1], offset: ?>>
      memref.store %v, %s[%x, %j] : memref<8x8xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %flat = memref.collapse_shape %s [[0, 1]] : memref<8x8xi32, #gpu.address_space<workgroup>> into memref<64xi32, #gpu.address_space<workgroup>>
    %w = memref.load %flat[%x] : memref<64xi32, #gpu.address_space<workgroup>>
    %old = memref.atomic_rmw addi %w, %m[%x, %c1] : (i32, memref<?x8xi32>) -> i32
    gpu.return
  }
}

// -----

// Parallel loops in a kernel are loops of each work-item.

// CHECK-LABEL: spirv.module @parallel
// CHECK:         spirv.mlir.loop
// CHECK:         spirv.mlir.loop
// CHECK:         spirv.EntryPoint "GLCompute" @k
gpu.module @parallel {
  gpu.func @k(%m: memref<?xi32>, %n: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = arith.constant 1 : i32
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %v, %m[%i] : memref<?xi32>
    }
    scf.forall (%i) in (%n) {
      memref.store %v, %m[%i] : memref<?xi32>
    }
    gpu.return
  }
}
