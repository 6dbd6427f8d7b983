// memref.global: constants, and what a kernel may not do with the others.
//
// RUN: xpu-run %s --kernel table --target cpu --groups 2 --arg zeros:8xi32 --expect 0='[10,20,30,40,10,20,30,40]:i32'
// RUN: xpu-run %s --kernel matrix --target cpu --groups 1 --arg zeros:6xf32 --expect 0='[0.5,1.5,2.5,3.5,4.5,5.5]:f32'
// RUN: xpu-run %s --kernel splat --target cpu --groups 1 --arg zeros:4xbf16 --expect 0=fill(1.5):4xbf16
// RUN: xpu-run %s --kernel in_callee --target cpu --groups 1 --arg zeros:4xi32 --expect 0='[10,20,30,40]:i32'
// RUN: xpu-run %s --kernel bytes --target cpu --groups 1 --arg zeros:4xi8 --expect 0='[-1,2,-3,4]:i8'
// RUN: xpu-run %s --kernel in_gpu_module --target cpu --groups 1 --arg zeros:2xi64 --expect 0='[7,8]:i64'

memref.global "private" constant @numbers : memref<4xi32> = dense<[10, 20, 30, 40]>
memref.global constant @rows : memref<2x3xf32> = dense<[[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]]>
memref.global "private" constant @same : memref<4xbf16> = dense<1.5>
memref.global "private" constant @small : memref<4xi8> = dense<[-1, 2, -3, 4]>

xpu.kernel @table(%out: memref<?xi32>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %i = xpu.global_id x
  %m = memref.get_global @numbers : memref<4xi32>
  %v = memref.load %m[%l] : memref<4xi32>
  memref.store %v, %out[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @matrix(%out: memref<6xf32>) workgroup_size(3, 2, 1) {
  %c3 = arith.constant 3 : index
  %x = xpu.local_id x
  %y = xpu.local_id y
  %row = arith.muli %y, %c3 : index
  %at = arith.addi %row, %x : index
  %m = memref.get_global @rows : memref<2x3xf32>
  %v = memref.load %m[%y, %x] : memref<2x3xf32>
  memref.store %v, %out[%at] : memref<6xf32>
  xpu.return
}

xpu.kernel @splat(%out: memref<4xbf16>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %m = memref.get_global @same : memref<4xbf16>
  %v = memref.load %m[%l] : memref<4xbf16>
  memref.store %v, %out[%l] : memref<4xbf16>
  xpu.return
}

func.func @entry(%l: index) -> i32 {
  %m = memref.get_global @numbers : memref<4xi32>
  %v = memref.load %m[%l] : memref<4xi32>
  return %v : i32
}

xpu.kernel @in_callee(%out: memref<4xi32>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %v = func.call @entry(%l) : (index) -> i32
  xpu.barrier
  memref.store %v, %out[%l] : memref<4xi32>
  xpu.return
}

// An atomic read of a constant is fine.
xpu.kernel @bytes(%out: memref<4xi8>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %m = memref.get_global @small : memref<4xi8>
  %v = xpu.atomic_load %m[%l] : memref<4xi8>
  memref.store %v, %out[%l] : memref<4xi8>
  xpu.return
}

gpu.module @m {
  memref.global "private" constant @wide : memref<2xi64> = dense<[7, 8]>
  gpu.func @in_gpu_module(%out: memref<2xi64>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %l = gpu.thread_id x
    %m = memref.get_global @wide : memref<2xi64>
    %v = memref.load %m[%l] : memref<2xi64>
    memref.store %v, %out[%l] : memref<2xi64>
    gpu.return
  }
}
