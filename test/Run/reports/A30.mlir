// Report A30: the loop of an emulated float update must end on equal bits; a comparison of floats never ends once the cell holds NaN.
//
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[nan,1]:f32' --arg nan:f32 --expect 0='[nan,nan]:f32'
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel f64 --target cpu --groups 1 --arg '[nan,1]:f64' --arg nan:f64 --expect 0='[nan,nan]:f64'
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel f16 --target cpu --groups 1 --arg '[nan,1]:f16' --arg nan:f16 --expect 0='[nan,nan]:f16'
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel bf16 --target cpu --groups 1 --arg '[nan,1]:bf16' --arg nan:bf16 --expect 0='[nan,nan]:bf16'
// And signalling NaNs, whose bits a move may not change.
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[0x7fa00000,1]:f32' --arg 0x7fa00000:f32 --expect 0='[nan,nan]:f32'
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel f64 --target cpu --groups 1 --arg '[0x7ff4000000000000,1]:f64' --arg 0x7ff4000000000000:f64 --expect 0='[nan,nan]:f64'
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel f16 --target cpu --groups 1 --arg '[0x7d00,1]:f16' --arg 0x7d00:f16 --expect 0='[nan,nan]:f16'
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel bf16 --target cpu --groups 1 --arg '[0x7fa0,1]:bf16' --arg 0x7fa0:bf16 --expect 0='[nan,nan]:bf16'
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel add --target cpu --groups 1 --arg '[nan,1]:f32' --arg nan:f32 --expect 0='[nan,nan]:f32'
// RUN: xpu-opt %s --convert-memref-atomics-to-xpu --xpu-assign-scope --xpu-assign-ordering --xpu-expand-atomics \
// RUN:   | FileCheck %s --implicit-check-not=arith.cmpf
// CHECK: xpu.cas

// All double element 0; element 1 is multiplied by 2, and by NaN once.

xpu.kernel @f32(%p: memref<2xf32>, %nan: f32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  %by = arith.select %leads, %nan, %two : f32
  %0 = memref.generic_atomic_rmw %p[%c0] : memref<2xf32> {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %two : f32
    memref.atomic_yield %y : f32
  }
  %1 = memref.generic_atomic_rmw %p[%c1] : memref<2xf32> {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %by : f32
    memref.atomic_yield %y : f32
  }
  xpu.return
}

xpu.kernel @f64(%p: memref<2xf64>, %nan: f64) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  %by = arith.select %leads, %nan, %two : f64
  %0 = memref.generic_atomic_rmw %p[%c0] : memref<2xf64> {
  ^bb0(%x: f64):
    %y = arith.mulf %x, %two : f64
    memref.atomic_yield %y : f64
  }
  %1 = memref.generic_atomic_rmw %p[%c1] : memref<2xf64> {
  ^bb0(%x: f64):
    %y = arith.mulf %x, %by : f64
    memref.atomic_yield %y : f64
  }
  xpu.return
}

xpu.kernel @f16(%p: memref<2xf16>, %nan: f16) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f16
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  %by = arith.select %leads, %nan, %two : f16
  %0 = memref.generic_atomic_rmw %p[%c0] : memref<2xf16> {
  ^bb0(%x: f16):
    %y = arith.mulf %x, %two : f16
    memref.atomic_yield %y : f16
  }
  %1 = memref.generic_atomic_rmw %p[%c1] : memref<2xf16> {
  ^bb0(%x: f16):
    %y = arith.mulf %x, %by : f16
    memref.atomic_yield %y : f16
  }
  xpu.return
}

xpu.kernel @bf16(%p: memref<2xbf16>, %nan: bf16) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : bf16
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  %by = arith.select %leads, %nan, %two : bf16
  %0 = memref.generic_atomic_rmw %p[%c0] : memref<2xbf16> {
  ^bb0(%x: bf16):
    %y = arith.mulf %x, %two : bf16
    memref.atomic_yield %y : bf16
  }
  %1 = memref.generic_atomic_rmw %p[%c1] : memref<2xbf16> {
  ^bb0(%x: bf16):
    %y = arith.mulf %x, %by : bf16
    memref.atomic_yield %y : bf16
  }
  xpu.return
}

// The loops that fadd and mulf become.
xpu.kernel @add(%p: memref<2xf32>, %nan: f32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  %by = arith.select %leads, %nan, %two : f32
  %0 = xpu.atomic_rmw fadd %two, %p[%c0] : memref<2xf32>
  %1 = memref.atomic_rmw mulf %by, %p[%c1] : (f32, memref<2xf32>) -> f32
  xpu.return
}
