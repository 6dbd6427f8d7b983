// Scalar arguments of every type, between others, so that each has to be found in its place.
//
// RUN: xpu-run %s --kernel integers --target cpu --groups 1 --arg 1:i1 --arg -128:i8 --arg -32768:i16 --arg zeros:6xi64 \
// RUN:   --arg -2147483648:i32 --arg -9223372036854775808:i64 --arg 9223372036854775807:index \
// RUN:   --expect 3='[1,-128,-32768,-2147483648,-9223372036854775808,9223372036854775807]:i64'
// RUN: xpu-run %s --kernel integers --target cpu --groups 1 --arg false:i1 --arg 255:i8 --arg 0xffff:i16 --arg zeros:6xi64 \
// RUN:   --arg 4294967295:i32 --arg 0xffffffffffffffff:i64 --arg 0:index --expect 3='[0,-1,-1,-1,-1,0]:i64'
// RUN: xpu-run %s --kernel floats --target cpu --groups 1 --arg 65504:f16 --arg zeros:4xf64 --arg -2.5:bf16 --arg 0.1:f32 --arg 0.1:f64 \
// RUN:   --expect 1='[65504,-2.5,0.10000000149011612,0.1]:f64'
// RUN: xpu-run %s --kernel floats --target cpu --groups 1 --arg -nan:f16 --arg zeros:4xf64 --arg -inf:bf16 --arg 1e-45:f32 --arg 5e-324:f64 \
// RUN:   --expect 1='[nan,-inf,1.401298464324817e-45,5e-324]:f64'
// RUN: xpu-run %s --kernel after_dynamic --target cpu --groups 1 --arg zeros:2x3xi8 --arg 7:i32 --arg zeros:1xi32 --arg 9:i32 \
// RUN:   --expect 2='[16]:i32'
// RUN: xpu-run %s --kernel across_barrier --target cpu --groups 2 --arg 3:i8 --arg zeros:8xf16 --arg 0.5:f16 --expect 1=fill(3.5):8xf16

xpu.kernel @integers(%a: i1, %b: i8, %c: i16, %out: memref<6xi64>, %d: i32, %e: i64, %f: index) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %0 = arith.extui %a : i1 to i64
  %1 = arith.extsi %b : i8 to i64
  %2 = arith.extsi %c : i16 to i64
  %3 = arith.extsi %d : i32 to i64
  %4 = arith.index_cast %f : index to i64
  memref.store %0, %out[%c0] : memref<6xi64>
  memref.store %1, %out[%c1] : memref<6xi64>
  memref.store %2, %out[%c2] : memref<6xi64>
  memref.store %3, %out[%c3] : memref<6xi64>
  memref.store %e, %out[%c4] : memref<6xi64>
  memref.store %4, %out[%c5] : memref<6xi64>
  xpu.return
}

xpu.kernel @floats(%a: f16, %out: memref<4xf64>, %b: bf16, %c: f32, %d: f64) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = arith.extf %a : f16 to f64
  %1 = arith.extf %b : bf16 to f64
  %2 = arith.extf %c : f32 to f64
  memref.store %0, %out[%c0] : memref<4xf64>
  memref.store %1, %out[%c1] : memref<4xf64>
  memref.store %2, %out[%c2] : memref<4xf64>
  memref.store %d, %out[%c3] : memref<4xf64>
  xpu.return
}

// Behind a buffer with two dynamic extents.
xpu.kernel @after_dynamic(%m: memref<?x?xi8>, %a: i32, %out: memref<1xi32>, %b: i32) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %sum = arith.addi %a, %b : i32
  memref.store %sum, %out[%c0] : memref<1xi32>
  xpu.return
}

xpu.kernel @across_barrier(%a: i8, %out: memref<?xf16>, %b: f16) workgroup_size(4, 1, 1) {
  %i = xpu.global_id x
  %whole = arith.sitofp %a : i8 to f16
  xpu.barrier
  %sum = arith.addf %whole, %b : f16
  memref.store %sum, %out[%i] : memref<?xf16>
  xpu.return
}
