// f16 and bf16 in kernels: each operation rounds once, to the nearest, ties to even, whatever the processor has of them.
//
// RUN: xpu-run %s --kernel add_f16 --target cpu --groups 1 --arg '[2048,2048,65504,65504,6e-8,1,-0.0,inf]:f16' \
// RUN:   --arg '[1,3,16,15,6e-8,0x0400,-0.0,-inf]:f16' --expect 0='[2048,2052,inf,65504,0x0002,1,-0.0,nan]:f16'
// RUN: xpu-run %s --kernel add_bf16 --target cpu --groups 1 --arg '[256,256,0x7f7f,0x7f7f,0x0001,1,-0.0,inf]:bf16' \
// RUN:   --arg '[1,3,0x7b00,0x7a80,0x0001,0x0080,-0.0,-inf]:bf16' --expect 0='[256,260,inf,0x7f7f,0x0002,1,-0.0,nan]:bf16'
// RUN: xpu-run %s --kernel others_f16 --target cpu --groups 1 --arg '[3]:f16' --arg '[7]:f16' --arg zeros:8xf16 \
// RUN:   --expect 2='[21,0x36db,-4,3,3,7,-3,1]:f16'
// RUN: xpu-run %s --kernel others_bf16 --target cpu --groups 1 --arg '[3]:bf16' --arg '[7]:bf16' --arg zeros:8xbf16 \
// RUN:   --expect 2='[21,0x3edb,-4,3,3,7,-3,1]:bf16'
//
// 1 + 2^-11 and 1 + 2^-8 are halfway between two numbers; a little more is not, though it is as an f32.
// RUN: xpu-run %s --kernel truncate --target cpu --groups 1 --arg '[1.00048828125,1.0004882812500002,65519.9999999,5.9604644775390625e-8]:f64' \
// RUN:   --arg zeros:4xf16 --arg zeros:4xbf16 --arg zeros:4xf16 --arg zeros:4xbf16 \
// RUN:   --expect 1='[1,0x3c01,65504,0x0001]:f16' --expect 2='[1,1,65536,0x3380]:bf16' \
// RUN:   --expect 3='[1,1,inf,0x0001]:f16'
// RUN: xpu-run %s --kernel truncate --target cpu --groups 1 --arg '[1.00390625,1.0039062500000002,3.3961775292304601e38,1e-40]:f64' \
// RUN:   --arg zeros:4xf16 --arg zeros:4xbf16 --arg zeros:4xf16 --arg zeros:4xbf16 \
// RUN:   --expect 2='[1,0x3f81,inf,0x0001]:bf16' --expect 4='[1,1,inf,0x0001]:bf16'
//
// Bits that are only moved stay as they are, those of signalling NaNs and subnormals too.
// RUN: xpu-run %s --kernel moved --target cpu --groups 1 --arg '[0x7c01,0xfdff,0x0001,0x83ff,0x7e00,0xffff,0x8000,0x3c00]:f16' \
// RUN:   --arg '[0x7f81,0xffbf,0x0001,0x807f,0x7fc0,0xffff,0x8000,0x3f80]:bf16' --arg 1:i1 --arg zeros:8xi16 --arg zeros:8xi16 \
// RUN:   --expect 3='[0x7c01,0xfdff,0x0001,0x83ff,0x7e00,0xffff,0x8000,0x3c00]:i16' \
// RUN:   --expect 4='[0x7f81,0xffbf,0x0001,0x807f,0x7fc0,0xffff,0x8000,0x3f80]:i16'

xpu.kernel @add_f16(%a: memref<?xf16>, %b: memref<?xf16>) workgroup_size(8, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %a[%l] : memref<?xf16>
  %y = memref.load %b[%l] : memref<?xf16>
  %r = arith.addf %x, %y : f16
  memref.store %r, %a[%l] : memref<?xf16>
  xpu.return
}

xpu.kernel @add_bf16(%a: memref<?xbf16>, %b: memref<?xbf16>) workgroup_size(8, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %a[%l] : memref<?xbf16>
  %y = memref.load %b[%l] : memref<?xbf16>
  %r = arith.addf %x, %y : bf16
  memref.store %r, %a[%l] : memref<?xbf16>
  xpu.return
}

xpu.kernel @others_f16(%a: memref<1xf16>, %b: memref<1xf16>, %out: memref<8xf16>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<1xf16>
  %y = memref.load %b[%c0] : memref<1xf16>
  %0 = arith.mulf %x, %y : f16
  %1 = arith.divf %x, %y : f16
  %2 = arith.subf %x, %y : f16
  %3 = arith.remf %x, %y : f16
  %4 = arith.minimumf %x, %y : f16
  %5 = arith.maxnumf %x, %y : f16
  %6 = arith.negf %x : f16
  %less = arith.cmpf olt, %x, %y : f16
  %7 = arith.uitofp %less : i1 to f16
  %v = vector.from_elements %0, %1, %2, %3, %4, %5, %6, %7 : vector<8xf16>
  vector.store %v, %out[%c0] : memref<8xf16>, vector<8xf16>
  xpu.return
}

xpu.kernel @others_bf16(%a: memref<1xbf16>, %b: memref<1xbf16>, %out: memref<8xbf16>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<1xbf16>
  %y = memref.load %b[%c0] : memref<1xbf16>
  %0 = arith.mulf %x, %y : bf16
  %1 = arith.divf %x, %y : bf16
  %2 = arith.subf %x, %y : bf16
  %3 = arith.remf %x, %y : bf16
  %4 = arith.minimumf %x, %y : bf16
  %5 = arith.maxnumf %x, %y : bf16
  %6 = arith.negf %x : bf16
  %less = arith.cmpf olt, %x, %y : bf16
  %7 = arith.uitofp %less : i1 to bf16
  %v = vector.from_elements %0, %1, %2, %3, %4, %5, %6, %7 : vector<8xbf16>
  vector.store %v, %out[%c0] : memref<8xbf16>, vector<8xbf16>
  xpu.return
}

// Directly, then by way of f32.
xpu.kernel @truncate(%in: memref<4xf64>, %half: memref<4xf16>, %bhalf: memref<4xbf16>, %half_by_f32: memref<4xf16>,
    %bhalf_by_f32: memref<4xbf16>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %in[%l] : memref<4xf64>
  %h = arith.truncf %x : f64 to f16
  %b = arith.truncf %x : f64 to bf16
  %s = arith.truncf %x : f64 to f32
  %hs = arith.truncf %s : f32 to f16
  %bs = arith.truncf %s : f32 to bf16
  memref.store %h, %half[%l] : memref<4xf16>
  memref.store %b, %bhalf[%l] : memref<4xbf16>
  memref.store %hs, %half_by_f32[%l] : memref<4xf16>
  memref.store %bs, %bhalf_by_f32[%l] : memref<4xbf16>
  xpu.return
}

// Through a branch, a barrier, a selection and a function.
func.func @same(%h: f16, %b: bf16) -> (f16, bf16) {
  return %h, %b : f16, bf16
}

xpu.kernel @moved(%half: memref<8xf16>, %bhalf: memref<8xbf16>, %take: i1, %h_out: memref<8xi16>, %b_out: memref<8xi16>)
    workgroup_size(8, 1, 1) {
  %one_h = arith.constant 1.0 : f16
  %one_b = arith.constant 1.0 : bf16
  %l = xpu.local_id x
  %h0 = memref.load %half[%l] : memref<8xf16>
  %b0 = memref.load %bhalf[%l] : memref<8xbf16>
  xpu.barrier
  %h1, %b1 = scf.if %take -> (f16, bf16) {
    %h, %b = func.call @same(%h0, %b0) : (f16, bf16) -> (f16, bf16)
    scf.yield %h, %b : f16, bf16
  } else {
    scf.yield %one_h, %one_b : f16, bf16
  }
  xpu.barrier
  %h2 = arith.select %take, %h1, %one_h : f16
  %b2 = arith.select %take, %b1, %one_b : bf16
  %h3 = arith.bitcast %h2 : f16 to i16
  %b3 = arith.bitcast %b2 : bf16 to i16
  memref.store %h3, %h_out[%l] : memref<8xi16>
  memref.store %b3, %b_out[%l] : memref<8xi16>
  xpu.return
}
