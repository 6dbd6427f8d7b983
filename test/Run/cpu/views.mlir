// Views of buffers, dynamic extents in several dimensions, memref.dim, and arguments with strides.
//
// RUN: xpu-run %s --kernel subviews --target cpu --groups 1 --arg iota:6x8xi32 --arg zeros:2x3xi32 --expect 1='[10,12,14,26,28,30]:2x3xi32'
// RUN: xpu-run %s --kernel transposed --target cpu --groups 1 --arg iota:2x3xi32 --arg zeros:3x2xi32 --expect 1='[0,3,1,4,2,5]:3x2xi32'
// RUN: xpu-run %s --kernel casts --target cpu --groups 1 --arg iota:12xi32 --arg zeros:3xi32 --expect 1='[7,12,4]:i32'
// RUN: xpu-run %s --kernel reshaped --target cpu --groups 1 --arg iota:24xi32 --arg zeros:3xi32 --expect 1='[23,9,24]:i32'
// RUN: xpu-run %s --kernel dims --target cpu --groups 1 --arg zeros:2x5x7xf16 --arg zeros:5xindex --expect 1='[2,5,7,5,4]:index'
// RUN: xpu-run %s --kernel column --target cpu --groups 1 --arg '[1,2,3,4]:i32' --expect 0='[2,4,6,8]:i32'
// RUN: xpu-run %s --kernel strided --target cpu --groups 1 --arg '[1,2,3,4,5,6]:2x3xf64' --expect 0='[2,4,6,8,10,12]:2x3xf64'
// RUN: xpu-run %s --kernel any_strides --target cpu --groups 1 --arg '[1,2,3,4,5,6]:2x3xi16' --arg zeros:2xindex \
// RUN:   --expect 0='[2,3,4,5,6,7]:2x3xi16' --expect 1='[2,3]:index'
// RUN: xpu-run %s --kernel rank0 --target cpu --groups 4 --arg '[0]:i64' --expect 0='[4]:i64'
// RUN: xpu-run %s --kernel bytes --target cpu --groups 1 --arg zeros:8xi8 --expect 0='[0,0,0,0,1,2,3,4]:i8'
// RUN: xpu-run %s --kernel copied --target cpu --groups 1 --arg iota:4x4xi16 --arg zeros:4x4xi16 \
// RUN:   --expect 1='[0,0,0,0,0,0,0,0,0,5,9,0,0,6,10,0]:4x4xi16'

// Rows 1 and 3, of them columns 2, 4 and 6.
xpu.kernel @subviews(%m: memref<?x?xi32>, %out: memref<2x3xi32>) workgroup_size(3, 2, 1) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = xpu.local_id x
  %y = xpu.local_id y
  %some = memref.subview %m[1, 2] [%c2, %c3] [%c2, 2] : memref<?x?xi32> to memref<?x?xi32, strided<[?, 2], offset: ?>>
  %v = memref.load %some[%y, %x] : memref<?x?xi32, strided<[?, 2], offset: ?>>
  memref.store %v, %out[%y, %x] : memref<2x3xi32>
  xpu.return
}

xpu.kernel @transposed(%m: memref<2x3xi32>, %out: memref<3x2xi32>) workgroup_size(2, 3, 1) {
  %x = xpu.local_id x
  %y = xpu.local_id y
  %t = memref.transpose %m (i, j) -> (j, i) : memref<2x3xi32> to memref<3x2xi32, strided<[1, 3]>>
  %v = memref.load %t[%y, %x] : memref<3x2xi32, strided<[1, 3]>>
  memref.store %v, %out[%y, %x] : memref<3x2xi32>
  xpu.return
}

// Static to dynamic, to another start, to two dimensions.
xpu.kernel @casts(%m: memref<12xi32>, %out: memref<3xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %table = memref.reinterpret_cast %m to offset: [%c1], sizes: [%c3, %c4], strides: [%c4, %c1]
      : memref<12xi32> to memref<?x?xi32, strided<[?, ?], offset: ?>>
  %v = memref.load %table[%c1, %c2] : memref<?x?xi32, strided<[?, ?], offset: ?>>
  memref.store %v, %out[%c0] : memref<3xi32>
  %any = memref.cast %m : memref<12xi32> to memref<?xi32>
  %n = memref.dim %any, %c0 : memref<?xi32>
  %n32 = arith.index_cast %n : index to i32
  memref.store %n32, %out[%c1] : memref<3xi32>
  %width = memref.dim %table, %c1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %width32 = arith.index_cast %width : index to i32
  memref.store %width32, %out[%c2] : memref<3xi32>
  xpu.return
}

xpu.kernel @reshaped(%m: memref<?xi32>, %out: memref<3xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %m, %c0 : memref<?xi32>
  %c8 = arith.constant 8 : index
  %rows = arith.divui %n, %c8 : index
  %table = memref.expand_shape %m [[0, 1, 2]] output_shape [%rows, 2, 4] : memref<?xi32> into memref<?x2x4xi32>
  %last = memref.load %table[%c2, %c1, %c3] : memref<?x2x4xi32>
  memref.store %last, %out[%c0] : memref<3xi32>
  %flat = memref.collapse_shape %table [[0, 1], [2]] : memref<?x2x4xi32> into memref<?x4xi32>
  %ninth = memref.load %flat[%c2, %c1] : memref<?x4xi32>
  memref.store %ninth, %out[%c1] : memref<3xi32>
  %all = memref.collapse_shape %flat [[0, 1]] : memref<?x4xi32> into memref<?xi32>
  %count = memref.dim %all, %c0 : memref<?xi32>
  %count32 = arith.index_cast %count : index to i32
  memref.store %count32, %out[%c2] : memref<3xi32>
  xpu.return
}

// The extents of the argument, one of them by a computed dimension, and that of a view.
xpu.kernel @dims(%m: memref<?x5x?xf16>, %out: memref<5xindex>) workgroup_size(3, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %l = xpu.local_id x
  %extent = memref.dim %m, %l : memref<?x5x?xf16>
  memref.store %extent, %out[%l] : memref<5xindex>
  %fixed = memref.dim %m, %c1 : memref<?x5x?xf16>
  memref.store %fixed, %out[%c3] : memref<5xindex>
  %some = memref.subview %m[0, 0, 0] [1, 1, %c4] [1, 1, 1] : memref<?x5x?xf16> to memref<?xf16, strided<[1]>>
  %part = memref.dim %some, %c0 : memref<?xf16, strided<[1]>>
  memref.store %part, %out[%c4] : memref<5xindex>
  xpu.return
}

// Arguments whose elements do not lie side by side: a launcher gives the elements in the order of their indices.
xpu.kernel @column(%m: memref<4xi32, strided<[8], offset: 3>>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %v = memref.load %m[%l] : memref<4xi32, strided<[8], offset: 3>>
  %old = xpu.atomic_rmw add %v, %m[%l] : memref<4xi32, strided<[8], offset: 3>>
  xpu.return
}

xpu.kernel @strided(%m: memref<?x?xf64, strided<[16, 2]>>) workgroup_size(3, 2, 1) {
  %x = xpu.local_id x
  %y = xpu.local_id y
  %v = memref.load %m[%y, %x] : memref<?x?xf64, strided<[16, 2]>>
  %old = xpu.atomic_rmw fadd %v, %m[%y, %x] : memref<?x?xf64, strided<[16, 2]>>
  xpu.return
}

xpu.kernel @any_strides(%m: memref<?x?xi16, strided<[?, ?], offset: ?>>, %dims: memref<2xindex>) workgroup_size(3, 2, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i16
  %x = xpu.local_id x
  %y = xpu.local_id y
  %old = xpu.atomic_rmw add %one, %m[%y, %x] : memref<?x?xi16, strided<[?, ?], offset: ?>>
  %rows = memref.dim %m, %c0 : memref<?x?xi16, strided<[?, ?], offset: ?>>
  %columns = memref.dim %m, %c1 : memref<?x?xi16, strided<[?, ?], offset: ?>>
  memref.store %rows, %dims[%c0] : memref<2xindex>
  memref.store %columns, %dims[%c1] : memref<2xindex>
  xpu.return
}

xpu.kernel @rank0(%m: memref<i64>) workgroup_size(1, 1, 1) {
  %one = arith.constant 1 : i64
  %old = xpu.atomic_rmw add %one, %m[] : memref<i64>
  xpu.return
}

// memref.view: words in bytes.
xpu.kernel @bytes(%m: memref<8xi8>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 0x04030201 : i32
  %words = memref.view %m[%c4][] : memref<8xi8> to memref<1xi32>
  %old = xpu.atomic_rmw or %v, %words[%c0] : memref<1xi32>
  xpu.return
}

// The square in the middle, transposed, to rows 2 and 3.
xpu.kernel @copied(%m: memref<4x4xi16>, %n: memref<4x4xi16>) workgroup_size(1, 1, 1) {
  %from = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<4x4xi16> to memref<2x2xi16, strided<[4, 1], offset: 5>>
  %to = memref.reinterpret_cast %n to offset: [9], sizes: [2, 2], strides: [1, 4]
      : memref<4x4xi16> to memref<2x2xi16, strided<[1, 4], offset: 9>>
  memref.copy %from, %to : memref<2x2xi16, strided<[4, 1], offset: 5>> to memref<2x2xi16, strided<[1, 4], offset: 9>>
  xpu.return
}
