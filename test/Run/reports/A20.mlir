// Report A20: an atomic on a view must compute the address that a store to it does, offset and stride included.
//
// RUN: xpu-run %s --kernel static --target cpu --groups 1 --arg zeros:16xi32 --arg fill(-1):4xi32 \
// RUN:   --expect 0='[0,0,0,0,0,1,0,2,0,3,0,4,0,0,0,0]:i32' --expect 1=zeros:4xi32
// RUN: xpu-run %s --kernel dynamic --target cpu --groups 1 --arg zeros:16xi32 --arg fill(-1):4xi32 --arg 5:index --arg 2:index \
// RUN:   --expect 0='[0,0,0,0,0,1,0,2,0,3,0,4,0,0,0,0]:i32' --expect 1=zeros:4xi32
// RUN: xpu-run %s --kernel dynamic --target cpu --groups 1 --arg zeros:16xi32 --arg fill(-1):4xi32 --arg 12:index --arg 1:index \
// RUN:   --expect 0='[0,0,0,0,0,0,0,0,0,0,0,0,1,2,3,4]:i32' --expect 1=zeros:4xi32
// RUN: xpu-run %s --kernel f16 --target cpu --groups 1 --arg zeros:16xf16 --arg fill(-1):4xf16 --arg 5:index \
// RUN:   --expect 0='[0,0,0,0,0,1,0,2,0,3,0,4,0,0,0,0]:f16' --expect 1=zeros:4xf16
// RUN: xpu-run %s --kernel column --target cpu --groups 1 --arg zeros:4x4xi64 --arg 2:index \
// RUN:   --expect 0='[0,0,1,0,0,0,2,0,0,0,3,0,0,0,4,0]:4x4xi64'
// RUN: xpu-run %s --kernel shared --target cpu --groups 1 --arg zeros:16xi32 --arg 5:index \
// RUN:   --expect 0='[0,0,0,0,0,1,0,2,0,3,0,4,0,0,0,0]:i32'
// RUN: xpu-run %s --kernel cas --target cpu --groups 1 --arg zeros:16xi32 --arg 5:index \
// RUN:   --expect 0='[0,0,0,0,0,1,0,2,0,3,0,4,0,0,0,0]:i32'

xpu.kernel @static(%base: memref<16xi32>, %o: memref<4xi32>) workgroup_size(4, 1, 1) {
  %one = arith.constant 1 : i32
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %v = arith.addi %l32, %one : i32
  %view = memref.subview %base[5] [4] [2] : memref<16xi32> to memref<4xi32, strided<[2], offset: 5>>
  %old = xpu.atomic_rmw add %v, %view[%l] ordering(relaxed) scope(device) : memref<4xi32, strided<[2], offset: 5>>
  memref.store %old, %o[%l] : memref<4xi32>
  xpu.return
}

xpu.kernel @dynamic(%base: memref<?xi32>, %o: memref<4xi32>, %offset: index, %stride: index) workgroup_size(4, 1, 1) {
  %one = arith.constant 1 : i32
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %v = arith.addi %l32, %one : i32
  %view = memref.subview %base[%offset] [4] [%stride] : memref<?xi32> to memref<4xi32, strided<[?], offset: ?>>
  %old = xpu.atomic_rmw add %v, %view[%l] ordering(relaxed) scope(device) : memref<4xi32, strided<[?], offset: ?>>
  memref.store %old, %o[%l] : memref<4xi32>
  xpu.return
}

// The loop of a compare-and-swap, on half words.
xpu.kernel @f16(%base: memref<?xf16>, %o: memref<4xf16>, %offset: index) workgroup_size(4, 1, 1) {
  %one = arith.constant 1.0 : f16
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %lf = arith.sitofp %l32 : i32 to f16
  %v = arith.addf %lf, %one : f16
  %view = memref.subview %base[%offset] [4] [2] : memref<?xf16> to memref<4xf16, strided<[2], offset: ?>>
  %old = xpu.atomic_rmw fadd %v, %view[%l] ordering(relaxed) scope(device) : memref<4xf16, strided<[2], offset: ?>>
  memref.store %old, %o[%l] : memref<4xf16>
  xpu.return
}

// A column of a matrix, by reinterpret_cast.
xpu.kernel @column(%base: memref<4x4xi64>, %column: index) workgroup_size(4, 1, 1) {
  %one = arith.constant 1 : i64
  %l = xpu.local_id x
  %l64 = arith.index_cast %l : index to i64
  %v = arith.addi %l64, %one : i64
  %view = memref.reinterpret_cast %base to offset: [%column], sizes: [4], strides: [4]
      : memref<4x4xi64> to memref<4xi64, strided<[4], offset: ?>>
  %old = xpu.atomic_rmw umax %v, %view[%l] ordering(relaxed) scope(device) : memref<4xi64, strided<[4], offset: ?>>
  xpu.return
}

xpu.kernel @shared(%out: memref<16xi32>, %offset: index) workgroup_size(16, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c4 = arith.constant 4 : index
  %s = xpu.shared : memref<16xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %v = arith.addi %l32, %one : i32
  memref.store %zero, %s[%l] : memref<16xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  %view = memref.subview %s[%offset] [4] [2] : memref<16xi32, #gpu.address_space<workgroup>>
      to memref<4xi32, strided<[2], offset: ?>, #gpu.address_space<workgroup>>
  %in = arith.cmpi ult, %l, %c4 : index
  scf.if %in {
    %old = xpu.atomic_rmw add %v, %view[%l] : memref<4xi32, strided<[2], offset: ?>, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %r = memref.load %s[%l] : memref<16xi32, #gpu.address_space<workgroup>>
  memref.store %r, %out[%l] : memref<16xi32>
  xpu.return
}

// The other operations on an element: cas, load and store. Each ends with l + 1 in its element.
xpu.kernel @cas(%base: memref<16xi32>, %offset: index) workgroup_size(4, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %view = memref.subview %base[%offset] [4] [2] : memref<16xi32> to memref<4xi32, strided<[2], offset: ?>>
  %swapped = xpu.cas %zero, %l32, %view[%l] : memref<4xi32, strided<[2], offset: ?>>
  %is = xpu.atomic_load %view[%l] : memref<4xi32, strided<[2], offset: ?>>
  %next = arith.addi %is, %one : i32
  xpu.atomic_store %next, %view[%l] : memref<4xi32, strided<[2], offset: ?>>
  xpu.return
}
