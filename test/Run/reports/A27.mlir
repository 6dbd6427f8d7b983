// Report A27: work-items that do not exist must not take part; a zero from them defeats a min of positive or a max of negative numbers.
//
// RUN: xpu-run %s --kernel min_f32 --target cpu --groups 1 --arg '[1000,-1000]:f32' --expect 0='[1,-1000]:f32'
// RUN: xpu-run %s --kernel max_f32 --target cpu --groups 1 --arg '[1000,-1000]:f32' --expect 0='[1000,-1]:f32'
// RUN: xpu-run %s --kernel min_i32 --target cpu --groups 1 --arg '[1000,-1000]:i32' --expect 0='[1,-1000]:i32'
// RUN: xpu-run %s --kernel max_i32 --target cpu --groups 1 --arg '[1000,-1000]:i32' --expect 0='[1000,-1]:i32'
// RUN: xpu-run %s --kernel min_i8 --target cpu --groups 1 --arg '[100,-100]:i8' --expect 0='[1,-100]:i8'

// min with 1, 2, …, 16 by 16 work-items; max with -1, -2, …, -19 by 19.

xpu.kernel @min_f32(%p: memref<2xf32>) workgroup_size(16, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %lf = arith.sitofp %l32 : i32 to f32
  %v = arith.addf %lf, %one : f32
  %old = xpu.atomic_rmw fmin %v, %p[%c0] ordering(relaxed) scope(device) : memref<2xf32>
  xpu.return
}

xpu.kernel @max_f32(%p: memref<2xf32>) workgroup_size(19, 1, 1) {
  %c1 = arith.constant 1 : index
  %minus_one = arith.constant -1.0 : f32
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %lf = arith.sitofp %l32 : i32 to f32
  %v = arith.subf %minus_one, %lf : f32
  %old = xpu.atomic_rmw fmax %v, %p[%c1] ordering(relaxed) scope(device) : memref<2xf32>
  xpu.return
}

xpu.kernel @min_i32(%p: memref<2xi32>) workgroup_size(16, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %v = arith.addi %l32, %one : i32
  %old = xpu.atomic_rmw smin %v, %p[%c0] ordering(relaxed) scope(device) : memref<2xi32>
  xpu.return
}

xpu.kernel @max_i32(%p: memref<2xi32>) workgroup_size(19, 1, 1) {
  %c1 = arith.constant 1 : index
  %minus_one = arith.constant -1 : i32
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %v = arith.subi %minus_one, %l32 : i32
  %old = xpu.atomic_rmw smax %v, %p[%c1] ordering(relaxed) scope(device) : memref<2xi32>
  xpu.return
}

xpu.kernel @min_i8(%p: memref<2xi8>) workgroup_size(16, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i8
  %l = xpu.local_id x
  %l8 = arith.index_cast %l : index to i8
  %v = arith.addi %l8, %one : i8
  %old = xpu.atomic_rmw smin %v, %p[%c0] ordering(relaxed) scope(device) : memref<2xi8>
  xpu.return
}
