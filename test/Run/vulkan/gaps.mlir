// Operations that MLIR's conversions to SPIR-V lack or get wrong, on a device.
//
// REQUIRES: vulkan
//
// The remainder of the least integer, and divisions that round down and up.
// RUN: xpu-run %s --kernel divisions --target vulkan --threads 5 --arg '[-2147483648,-7,7,-7,6]:i32' --arg '[3,2,-2,-2,3]:i32' \
// RUN:   --arg zeros:5xi32 --arg zeros:5xi32 --arg zeros:5xi32 \
// RUN:   --expect 2='[-2,-1,1,-1,0]:i32' --expect 3='[-715827883,-4,-4,3,2]:i32' --expect 4='[-715827882,-3,-3,4,2]:i32'
//
// (+0, -0), (-0, +0), (1, NaN), (NaN, 2): minimumf and maximumf give the NaN, minnumf and maxnumf the number.
// RUN: xpu-run %s --kernel extremes --target vulkan --threads 4 --arg '[0,-0,1,nan]:f32' --arg '[-0,0,nan,2]:f32' \
// RUN:   --arg zeros:4xf32 --arg zeros:4xf32 --arg zeros:4xf32 --arg zeros:4xf32 \
// RUN:   --expect 2='[-0,-0,nan,nan]:f32' --expect 3='[0,0,nan,nan]:f32' --expect 4='[-0,-0,1,2]:f32' --expect 5='[0,0,1,2]:f32'
//
// Counts of bits: ones, leading and trailing zeros.
// RUN: xpu-run %s --kernel counts --target vulkan --threads 4 --arg '[0,1,-128,40]:i8' --arg zeros:4xi8 --arg zeros:4xi8 --arg zeros:4xi8 \
// RUN:   --expect 1='[0,1,1,2]:i8' --expect 2='[8,7,0,2]:i8' --expect 3='[8,0,7,3]:i8'
//
// The sums of an unsigned loop and of a loop in what another loop asks: 0 + 1 + 2, and halves until there is one left.
// RUN: xpu-run %s --kernel loops --target vulkan --threads 1 --arg zeros:2xi32 --arg 13:i32 --expect 0='[3,10]:i32'

xpu.kernel @divisions(%x: memref<?xi32>, %y: memref<?xi32>, %rest: memref<?xi32>, %down: memref<?xi32>, %up: memref<?xi32>) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %a = memref.load %x[%i] : memref<?xi32>
  %b = memref.load %y[%i] : memref<?xi32>
  %r = arith.remsi %a, %b : i32
  %d = arith.floordivsi %a, %b : i32
  %u = arith.ceildivsi %a, %b : i32
  memref.store %r, %rest[%i] : memref<?xi32>
  memref.store %d, %down[%i] : memref<?xi32>
  memref.store %u, %up[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @extremes(%x: memref<?xf32>, %y: memref<?xf32>, %a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %d: memref<?xf32>) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %l = memref.load %x[%i] : memref<?xf32>
  %r = memref.load %y[%i] : memref<?xf32>
  %0 = arith.minimumf %l, %r : f32
  %1 = arith.maximumf %l, %r : f32
  %2 = arith.minnumf %l, %r : f32
  %3 = arith.maxnumf %l, %r : f32
  memref.store %0, %a[%i] : memref<?xf32>
  memref.store %1, %b[%i] : memref<?xf32>
  memref.store %2, %c[%i] : memref<?xf32>
  memref.store %3, %d[%i] : memref<?xf32>
  xpu.return
}

xpu.kernel @counts(%x: memref<?xi8>, %ones: memref<?xi8>, %leading: memref<?xi8>, %trailing: memref<?xi8>) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %v = memref.load %x[%i] : memref<?xi8>
  %0 = math.ctpop %v : i8
  %1 = math.ctlz %v : i8
  %2 = math.cttz %v : i8
  memref.store %0, %ones[%i] : memref<?xi8>
  memref.store %1, %leading[%i] : memref<?xi8>
  memref.store %2, %trailing[%i] : memref<?xi8>
  xpu.return
}

xpu.kernel @loops(%out: memref<2xi32>, %n: i32) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %sum = scf.for unsigned %i = %zero to %three step %one iter_args(%s = %zero) -> i32 : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  memref.store %sum, %out[%c0] : memref<2xi32>
  // The inner loop halves 13 to 6, 3 and 1; the outer one takes that 1 off, and goes on with 12 and 11 until 10 is left.
  %left = scf.while (%x = %n) : (i32) -> i32 {
    %steps = scf.while (%y = %x) : (i32) -> i32 {
      %half = arith.shrui %y, %one : i32
      %more = arith.cmpi ugt, %half, %one : i32
      scf.condition(%more) %half : i32
    } do {
    ^bb0(%y: i32):
      scf.yield %y : i32
    }
    %next = arith.subi %x, %steps : i32
    %ten = arith.constant 10 : i32
    %more = arith.cmpi sgt, %next, %ten : i32
    scf.condition(%more) %next : i32
  } do {
  ^bb0(%x: i32):
    scf.yield %x : i32
  }
  memref.store %left, %out[%c1] : memref<2xi32>
  xpu.return
}
