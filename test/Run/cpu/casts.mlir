// xpu.reinterpret: the same storage with other elements. xpu.sign_cast: the same bits with another sign.
//
// RUN: xpu-run %s --kernel words --target cpu --groups 1 --arg '[1,2,3,4,5,6,7,8]:i8' --arg zeros:2xi32 --arg zeros:1xindex \
// RUN:   --expect 0='[1,2,3,4,5,6,7,8]:i8' --expect 1='[0x04030201,0x08070605]:i32' --expect 2='[2]:index'
// Five bytes are in two words.
// RUN: xpu-run %s --kernel words --target cpu --groups 1 --arg '[1,2,3,4,5]:i8' --arg zeros:2xi32 --arg zeros:1xindex \
// RUN:   --expect 1='[0x04030201,5]:i32' --expect 2='[2]:index'
// RUN: xpu-run %s --kernel bits --target cpu --groups 1 --arg '[1.0,-0.0]:f32' --expect 0='[-1.0,0.0]:f32'
// RUN: xpu-run %s --kernel halves --target cpu --groups 1 --arg '[0x11112222,0x33334444]:i32' --arg zeros:1xindex \
// RUN:   --expect 0='[0x11112223,0x33344444]:i32' --expect 1='[4]:index'
// RUN: xpu-run %s --kernel rows --target cpu --groups 1 --arg '[1,2,3,4,5,6,7,8]:2x4xi16' --arg zeros:2xindex \
// RUN:   --expect 0='[1,2,3,4,5,6,0,0]:2x4xi16' --expect 1='[2,2]:index'
// RUN: xpu-run %s --kernel shared --target cpu --groups 2 --arg zeros:2xi64 --expect 0=fill(0x0101010101010101):2xi64
// RUN: xpu-run %s --kernel signs --target cpu --groups 1 --arg '[-1]:si8' --arg '[255]:ui8' --arg zeros:2xi32 --expect 2='[-1,255]:i32'
// RUN: xpu-run %s --kernel scalars --target cpu --groups 1 --arg -5:si32 --arg 4294967291:ui32 --arg '[0]:ui32' --expect 2='[4294967286]:ui32'

xpu.kernel @words(%m: memref<?xi8>, %out: memref<2xi32>, %count: memref<1xindex>) workgroup_size(2, 1, 1) {
  %c0 = arith.constant 0 : index
  %l = xpu.local_id x
  %words = xpu.reinterpret %m : memref<?xi8> to memref<?xi32>
  %v = memref.load %words[%l] : memref<?xi32>
  memref.store %v, %out[%l] : memref<2xi32>
  %n = memref.dim %words, %c0 : memref<?xi32>
  memref.store %n, %count[%c0] : memref<1xindex>
  xpu.return
}

// Floats as integers: their signs are turned over.
xpu.kernel @bits(%m: memref<2xf32>) workgroup_size(2, 1, 1) {
  %sign = arith.constant 0x80000000 : i32
  %l = xpu.local_id x
  %bits = xpu.reinterpret %m : memref<2xf32> to memref<2xi32>
  %old = xpu.atomic_rmw xor %sign, %bits[%l] : memref<2xi32>
  xpu.return
}

// Words as half words: the first and the last of four are incremented.
xpu.kernel @halves(%m: memref<?xi32>, %count: memref<1xindex>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i16
  %halves = xpu.reinterpret %m : memref<?xi32> to memref<?xi16>
  %0 = xpu.atomic_rmw add %one, %halves[%c0] : memref<?xi16>
  %1 = xpu.atomic_rmw add %one, %halves[%c3] : memref<?xi16>
  %n = memref.dim %halves, %c0 : memref<?xi16>
  memref.store %n, %count[%c0] : memref<1xindex>
  xpu.return
}

// The last dimension is what scales.
xpu.kernel @rows(%m: memref<?x4xi16>, %dims: memref<2xindex>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %words = xpu.reinterpret %m : memref<?x4xi16> to memref<?x2xi32>
  xpu.atomic_store %zero, %words[%c1, %c1] : memref<?x2xi32>
  %rows = memref.dim %words, %c0 : memref<?x2xi32>
  %columns = memref.dim %words, %c1 : memref<?x2xi32>
  memref.store %rows, %dims[%c0] : memref<2xindex>
  memref.store %columns, %dims[%c1] : memref<2xindex>
  xpu.return
}

xpu.kernel @shared(%out: memref<?xi64>) workgroup_size(8, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i8
  %bytes = xpu.shared : memref<8xi8, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %g = xpu.group_id x
  memref.store %one, %bytes[%l] : memref<8xi8, #gpu.address_space<workgroup>>
  xpu.barrier
  %wide = xpu.reinterpret %bytes : memref<8xi8, #gpu.address_space<workgroup>> to memref<1xi64, #gpu.address_space<workgroup>>
  %v = memref.load %wide[%c0] : memref<1xi64, #gpu.address_space<workgroup>>
  memref.store %v, %out[%g] : memref<?xi64>
  xpu.return
}

xpu.kernel @signs(%s: memref<1xsi8>, %u: memref<1xui8>, %out: memref<2xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %s[%c0] : memref<1xsi8>
  %b = memref.load %u[%c0] : memref<1xui8>
  %a8 = xpu.sign_cast %a : si8 to i8
  %b8 = xpu.sign_cast %b : ui8 to i8
  %a32 = arith.extsi %a8 : i8 to i32
  %b32 = arith.extui %b8 : i8 to i32
  memref.store %a32, %out[%c0] : memref<2xi32>
  memref.store %b32, %out[%c1] : memref<2xi32>
  xpu.return
}

// 2^32 - 5 twice, modulo 2^32.
xpu.kernel @scalars(%s: si32, %u: ui32, %out: memref<1xui32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %bits = xpu.sign_cast %s : si32 to i32
  %as_unsigned = xpu.sign_cast %bits : i32 to ui32
  %0 = xpu.atomic_rmw add %as_unsigned, %out[%c0] : memref<1xui32>
  %1 = xpu.atomic_rmw add %u, %out[%c0] : memref<1xui32>
  xpu.return
}
