// Report A24: whether a work-item takes part belongs to the op; with an operand that all share, idle ones must not add.
//
// RUN: xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[0]:f32' --arg 0.5:f32 --arg 5:i32 --expect 0='[2.5]:f32'
// RUN: xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[0]:f32' --arg 0.5:f32 --arg 8:i32 --expect 0='[4]:f32'
// RUN: xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[0]:f32' --arg 0.5:f32 --arg 0:i32 --expect 0='[0]:f32'
// RUN: xpu-run %s --kernel i16 --target cpu --groups 1 --arg '[0]:i16' --arg 5:i16 --arg 5:i32 --expect 0='[25]:i16'
// RUN: xpu-run %s --kernel selected --target cpu --groups 1 --arg '[0]:f64' --arg 0.5:f64 --arg 5:i32 --expect 0='[2.5]:f64'

xpu.kernel @f32(%p: memref<1xf32>, %c: f32, %n: i32) workgroup_size(8, 1, 1) {
  %c0 = arith.constant 0 : index
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %in = arith.cmpi slt, %l32, %n : i32
  scf.if %in {
    %old = xpu.atomic_rmw fadd %c, %p[%c0] ordering(relaxed) scope(device) : memref<1xf32>
  }
  xpu.return
}

xpu.kernel @i16(%p: memref<1xi16>, %c: i16, %n: i32) workgroup_size(8, 1, 1) {
  %c0 = arith.constant 0 : index
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %in = arith.cmpi slt, %l32, %n : i32
  scf.if %in {
    %old = xpu.atomic_rmw add %c, %p[%c0] ordering(relaxed) scope(device) : memref<1xi16>
  }
  xpu.return
}

// The mask as a value: idle work-items add the identity.
xpu.kernel @selected(%p: memref<1xf64>, %c: f64, %n: i32) workgroup_size(8, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant -0.0 : f64
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %in = arith.cmpi slt, %l32, %n : i32
  %v = arith.select %in, %c, %zero : f64
  %old = xpu.atomic_rmw fadd %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xf64>
  xpu.return
}
