// Vectors in kernels: of one dimension and of two, masked, gathered, read beyond the end, next to atomics.
//
// RUN: xpu-run %s --kernel saxpy --target cpu --groups 2 --arg iota:16xf32 --arg fill(1):16xf32 --arg 2:f32 \
// RUN:   --expect 1='[1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31]:f32'
// RUN: xpu-run %s --kernel halves --target cpu --groups 1 --arg iota:8xbf16 --arg zeros:1xbf16 --expect 1='[28]:bf16'
// RUN: xpu-run %s --kernel reversed --target cpu --groups 1 --arg iota:4xi32 --arg zeros:4xi32 --expect 1='[3,2,1,0]:i32'
// RUN: xpu-run %s --kernel masked --target cpu --groups 1 --arg iota:4xi16 --arg fill(-1):4xi16 --arg 3:index --expect 1='[0,1,2,-1]:i16'
// RUN: xpu-run %s --kernel gathered --target cpu --groups 1 --arg '[10,11,12,13]:i64' --arg '[3,0,2,0]:index' --arg zeros:4xi64 \
// RUN:   --expect 2='[13,10,12,10]:i64'
// RUN: xpu-run %s --kernel beyond --target cpu --groups 1 --arg '[1,2,3]:f64' --arg zeros:1xf64 --expect 1='[51]:f64'
// RUN: xpu-run %s --kernel matrix --target cpu --groups 1 --arg iota:2x3xf32 --arg zeros:3x2xf32 --expect 1='[0,9,1,16,4,25]:3x2xf32'
// RUN: xpu-run %s --kernel atomics --target cpu --groups 4 --arg zeros:4xi32 --expect 0=fill(120):4xi32

xpu.kernel @saxpy(%x: memref<?xf32>, %y: memref<?xf32>, %a: f32) workgroup_size(2, 1, 1) {
  %c4 = arith.constant 4 : index
  %i = xpu.global_id x
  %at = arith.muli %i, %c4 : index
  %vx = vector.load %x[%at] : memref<?xf32>, vector<4xf32>
  %vy = vector.load %y[%at] : memref<?xf32>, vector<4xf32>
  %va = vector.broadcast %a : f32 to vector<4xf32>
  %r = math.fma %va, %vx, %vy : vector<4xf32>
  vector.store %r, %y[%at] : memref<?xf32>, vector<4xf32>
  xpu.return
}

xpu.kernel @halves(%x: memref<8xbf16>, %sum: memref<1xbf16>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<8xbf16>, vector<8xbf16>
  %s = vector.reduction <add>, %v : vector<8xbf16> into bf16
  memref.store %s, %sum[%c0] : memref<1xbf16>
  xpu.return
}

xpu.kernel @reversed(%x: memref<4xi32>, %y: memref<4xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<4xi32>, vector<4xi32>
  %r = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xi32>, vector<4xi32>
  vector.transfer_write %r, %y[%c0] {in_bounds = [true]} : vector<4xi32>, memref<4xi32>
  xpu.return
}

xpu.kernel @masked(%x: memref<?xi16>, %y: memref<?xi16>, %n: index) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : vector<4xi16>
  %mask = vector.create_mask %n : vector<4xi1>
  %v = vector.maskedload %x[%c0], %mask, %zero : memref<?xi16>, vector<4xi1>, vector<4xi16> into vector<4xi16>
  vector.maskedstore %y[%c0], %mask, %v : memref<?xi16>, vector<4xi1>, vector<4xi16>
  xpu.return
}

xpu.kernel @gathered(%x: memref<4xi64>, %at: memref<4xindex>, %y: memref<4xi64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<true> : vector<4xi1>
  %none = arith.constant dense<0> : vector<4xi64>
  %where = vector.load %at[%c0] : memref<4xindex>, vector<4xindex>
  %v = vector.gather %x[%c0] [%where], %all, %none : memref<4xi64>, vector<4xindex>, vector<4xi1>, vector<4xi64> into vector<4xi64>
  vector.store %v, %y[%c0] : memref<4xi64>, vector<4xi64>
  xpu.return
}

// Three elements are there; the others are 9. 1 + 2 + 3 + 5 * 9.
xpu.kernel @beyond(%x: memref<?xf64>, %sum: memref<1xf64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f64
  %v = vector.transfer_read %x[%c0], %nine : memref<?xf64>, vector<8xf64>
  %s = vector.reduction <add>, %v : vector<8xf64> into f64
  memref.store %s, %sum[%c0] : memref<1xf64>
  xpu.return
}

// Transposed and squared.
xpu.kernel @matrix(%x: memref<2x3xf32>, %y: memref<3x2xf32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<2x3xf32>, vector<2x3xf32>
  %t = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %s = arith.mulf %t, %t : vector<3x2xf32>
  vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true, true]} : vector<3x2xf32>, memref<3x2xf32>
  xpu.return
}

// Elements of a vector are added one by one: the sum of 0, 1, …, 15 in each of four elements.
xpu.kernel @atomics(%m: memref<4xi32>) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %v = vector.broadcast %i32 : i32 to vector<4xi32>
  scf.for %k = %c0 to %c4 step %c1 {
    %e = vector.extract %v[%k] : i32 from vector<4xi32>
    %old = xpu.atomic_rmw add %e, %m[%k] : memref<4xi32>
  }
  xpu.return
}
