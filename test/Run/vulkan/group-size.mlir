// What a module declares as the size of a workgroup holds for all its kernels: one that says its size has it beside one that
// leaves it to the launch.
//
// REQUIRES: vulkan
// RUN: xpu-run %s --kernel known --target vulkan --groups 2 --arg zeros:8xi32 --expect 0='[3,2,1,0,3,2,1,0]:i32'
// RUN: xpu-run %s --kernel open --target vulkan --groups 2 --workgroup-size 4 --arg zeros:8xi32 --expect 0='[4,4,4,4,4,4,4,4]:i32'

gpu.module @m {
  gpu.func @known(%out: memref<?xi32>) workgroup(%s: memref<4xi32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c3 = arith.constant 3 : index
    %i = gpu.global_id x
    %l = gpu.thread_id x
    %v = arith.index_cast %l : index to i32
    memref.store %v, %s[%l] : memref<4xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %mirror = arith.subi %c3, %l : index
    %r = memref.load %s[%mirror] : memref<4xi32, #gpu.address_space<workgroup>>
    memref.store %r, %out[%i] : memref<?xi32>
    gpu.return
  }
  gpu.func @open(%out: memref<?xi32>) kernel {
    %i = gpu.global_id x
    %n = gpu.block_dim x
    %v = arith.index_cast %n : index to i32
    memref.store %v, %out[%i] : memref<?xi32>
    gpu.return
  }
}
