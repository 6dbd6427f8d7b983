// f16 and bf16 on a device that need not have them: every number widens and narrows to itself, and f32 rounds to the nearest,
// ties to even.
//
// REQUIRES: vulkan
// RUN: xpu-run %s --kernel same --target vulkan --threads 65536 --arg zeros:2xi32 --expect 0='[0,0]:i32'
//
// f16: overflow is at 65520; 2^-25 is a tie with zero, and the next number is not; 1.5 and 1023.5 least numbers are ties.
// RUN: xpu-run %s --kernel to_f16 --target vulkan --threads 12 --arg zeros:12xi16 \
// RUN:   --arg '[0x477fefff,0x477ff000,0x33000000,0x33000001,0x33800000,0x33c00000,0x387fe000,0x3f801000,0x3f803000,0xbf801001,0xff800000,0x80000000]:f32' \
// RUN:   --expect 0='[0x7bff,0x7c00,0,1,1,2,0x400,0x3c00,0x3c02,-17407,-1024,-32768]:i16'
//
// bf16: subnormals round as all others do.
// RUN: xpu-run %s --kernel to_bf16 --target vulkan --threads 8 --arg zeros:8xi16 \
// RUN:   --arg '[0x3f808000,0x3f818000,0x7f7f8000,0x7f7f7fff,0x00008000,0x00018000,0x80008001,0x00007fff]:f32' \
// RUN:   --expect 0='[0x3f80,0x3f82,0x7f80,0x7f7f,0,2,-32767,0]:i16'

// Counts what is another number afterwards: of f16, then of bf16. A NaN stays one, with any payload.
xpu.kernel @same(%wrong: memref<2xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %n = arith.index_castui %i : index to i32
  %bits = arith.trunci %n : i32 to i16
  %h = arith.bitcast %bits : i16 to f16
  %h32 = arith.extf %h : f16 to f32
  %h_again = arith.truncf %h32 : f32 to f16
  %h_bits = arith.bitcast %h_again : f16 to i16
  %h_differs = arith.cmpi ne, %bits, %h_bits : i16
  %h_is_number = arith.cmpf ord, %h, %h : f16
  %h_wrong = arith.andi %h_differs, %h_is_number : i1
  scf.if %h_wrong {
    %0 = xpu.atomic_rmw add %one, %wrong[%c0] ordering(relaxed) : memref<2xi32>
  }
  %b = arith.bitcast %bits : i16 to bf16
  %b32 = arith.extf %b : bf16 to f32
  %b_again = arith.truncf %b32 : f32 to bf16
  %b_bits = arith.bitcast %b_again : bf16 to i16
  %b_differs = arith.cmpi ne, %bits, %b_bits : i16
  %b_is_number = arith.cmpf ord, %b, %b : bf16
  %b_wrong = arith.andi %b_differs, %b_is_number : i1
  scf.if %b_wrong {
    %0 = xpu.atomic_rmw add %one, %wrong[%c1] ordering(relaxed) : memref<2xi32>
  }
  xpu.return
}

xpu.kernel @to_f16(%out: memref<?xi16>, %in: memref<?xf32>) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %v = memref.load %in[%i] : memref<?xf32>
  %h = arith.truncf %v : f32 to f16
  %bits = arith.bitcast %h : f16 to i16
  memref.store %bits, %out[%i] : memref<?xi16>
  xpu.return
}

xpu.kernel @to_bf16(%out: memref<?xi16>, %in: memref<?xf32>) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %v = memref.load %in[%i] : memref<?xf32>
  %h = arith.truncf %v : f32 to bf16
  %bits = arith.bitcast %h : bf16 to i16
  memref.store %bits, %out[%i] : memref<?xi16>
  xpu.return
}
