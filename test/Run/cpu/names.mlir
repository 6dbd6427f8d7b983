// Names of kernels and functions are the user's: none of them is in the way of what the compiler calls its own.
//
// RUN: xpu-run %s --kernel k --target cpu --groups 1 --arg zeros:4xi32 --expect 0=fill(1):4xi32
// RUN: xpu-run %s --kernel k.body --target cpu --groups 1 --arg zeros:4xi32 --expect 0=fill(2):4xi32
// RUN: xpu-run %s --kernel place.0 --target cpu --groups 1 --arg zeros:4xi32 --expect 0=fill(3):4xi32
// RUN: xpu-run %s --kernel 'odd "name" é' --target cpu --groups 1 --arg zeros:4xi32 --expect 0=fill(4):4xi32
// RUN: xpu-run %s --kernel main --target cpu --groups 1 --arg zeros:4xi32 --expect 0=fill(5):4xi32
// RUN: xpu-run %s --kernel upstream --target cpu --groups 1 --arg zeros:4xi32 --expect 0=fill(6):4xi32
// RUN: xpu-run %s --kernel a::b::c --target cpu --groups 1 --arg zeros:4xi32 --expect 0=fill(7):4xi32
// RUN: xpu-run %s --kernel main --target cpu --check-bounds --groups 1 --arg zeros:4xi32 --expect 0=fill(5):4xi32

xpu.kernel @k(%m: memref<?xi32>) workgroup_size(4, 1, 1) {
  %v = arith.constant 1 : i32
  %i = xpu.global_id x
  xpu.barrier
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @k.body(%m: memref<?xi32>) workgroup_size(4, 1, 1) {
  %v = arith.constant 2 : i32
  %i = xpu.global_id x
  xpu.barrier
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @place.0(%m: memref<?xi32>) workgroup_size(4, 1, 1) {
  %v = arith.constant 3 : i32
  %i = xpu.global_id x
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @"odd \22name\22 é"(%m: memref<?xi32>) workgroup_size(4, 1, 1) {
  %v = arith.constant 4 : i32
  %i = xpu.global_id x
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}

// Functions with the names of the runtime's and the C library's.
func.func @memcpy(%m: memref<?xi32>, %i: index) {
  return
}

func.func @xpu_cpu_barrier(%m: memref<?xi32>, %i: index) {
  %v = arith.constant 5 : i32
  memref.store %v, %m[%i] : memref<?xi32>
  return
}

memref.global "private" constant @xpu_kernels.k : memref<1xi32> = dense<0>

xpu.kernel @main(%m: memref<?xi32>) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %i = xpu.global_id x
  xpu.barrier
  %zeros = memref.get_global @xpu_kernels.k : memref<1xi32>
  %zero = memref.load %zeros[%c0] : memref<1xi32>
  memref.store %zero, %m[%i] : memref<?xi32>
  func.call @memcpy(%m, %i) : (memref<?xi32>, index) -> ()
  func.call @xpu_cpu_barrier(%m, %i) : (memref<?xi32>, index) -> ()
  xpu.return
}

// The module's name is that of the module which the kernels above move to.
gpu.module @xpu_kernels {
  gpu.func @upstream(%m: memref<?xi32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %v = arith.constant 6 : i32
    %i = gpu.global_id x
    gpu.barrier
    memref.store %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}

gpu.module @"a::b" {
  gpu.func @c(%m: memref<?xi32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %v = arith.constant 7 : i32
    %i = gpu.global_id x
    gpu.barrier
    memref.store %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}
