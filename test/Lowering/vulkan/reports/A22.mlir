// A22: a barrier orders workgroup memory and buffers, however it is written: AcquireRelease,
// UniformMemory, WorkgroupMemory, MakeAvailable and MakeVisible, 0x6148; without the Vulkan memory model
// 0x148.

// RUN: xpu-compile %s --target vulkan:1.3 --emit asm | FileCheck %s
// RUN: xpu-compile %s --target vulkan:1.1,-vulkan_memory_model --emit asm | FileCheck %s --check-prefix=GLSL450

// CHECK:       %ours = OpFunction
// CHECK:       OpControlBarrier %uint_2 %uint_2 %uint_24904
// CHECK:       OpAtomicIAdd %uint %{{[^ ]+}} %uint_2 %uint_0 %
// CHECK:       OpControlBarrier %uint_2 %uint_2 %uint_24904
// GLSL450:     %ours = OpFunction
// GLSL450:     OpControlBarrier %uint_2 %uint_2 %uint_328
// GLSL450:     OpAtomicIAdd %uint %{{[^ ]+}} %uint_2 %uint_0 %
// GLSL450:     OpControlBarrier %uint_2 %uint_2 %uint_328
#shared = #gpu.address_space<workgroup>
xpu.kernel @ours(%g: memref<1024xi32>, %r: memref<4xi32>, %h: memref<1024xi32>) workgroup_size(256, 1, 1) {
  %a = xpu.shared : memref<1xi32, #shared>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %lane = xpu.local_id x
  %group = xpu.group_id x
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %first = arith.cmpi eq, %lane, %c0 : index
  scf.if %first {
    memref.store %zero, %a[%c0] : memref<1xi32, #shared>
  }
  xpu.barrier
  %old = xpu.atomic_rmw add %i32, %a[%c0] ordering(relaxed) scope(workgroup) : memref<1xi32, #shared>
  memref.store %i32, %g[%i] : memref<1024xi32>
  xpu.barrier
  scf.if %first {
    %sum = memref.load %a[%c0] : memref<1xi32, #shared>
    memref.store %sum, %r[%group] : memref<4xi32>
  }
  %next = arith.addi %lane, %c1 : index
  %wrapped = arith.remui %next, %c256 : index
  %start = arith.muli %group, %c256 : index
  %at = arith.addi %start, %wrapped : index
  %v = memref.load %g[%at] : memref<1024xi32>
  memref.store %v, %h[%i] : memref<1024xi32>
  xpu.return
}

// CHECK:       %upstream = OpFunction
// CHECK:       OpControlBarrier %uint_2 %uint_2 %uint_24904
// GLSL450:     %upstream = OpFunction
// GLSL450:     OpControlBarrier %uint_2 %uint_2 %uint_328
gpu.module @kernels {
  gpu.func @upstream(%g: memref<64xi32>) workgroup(%s: memref<64xi32, #shared>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %g[%i] : memref<64xi32>
    memref.store %v, %s[%i] : memref<64xi32, #shared>
    gpu.barrier
    %c0 = arith.constant 0 : index
    %w = memref.load %s[%c0] : memref<64xi32, #shared>
    memref.store %w, %g[%i] : memref<64xi32>
    gpu.return
  }
}
