// Report A23: float max and min by integer instructions must look at the sign bit; by `x >= 0`, -0 and mixed signs go wrong.
//
// RUN: xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[-3.4028235e38,-1,1]:f32' --arg zeros:10xf32 \
// RUN:   --expect 0='[-0.0,3,-5]:f32' --expect 1='[-3.4028235e38,-0.0,-1,-1,3,3,1,-5,-5,-5]:f32'
// RUN: xpu-run %s --kernel f64 --target cpu --groups 1 --arg '[-1e308,-1,1]:f64' --arg zeros:10xf64 \
// RUN:   --expect 0='[-0.0,3,-5]:f64' --expect 1='[-1e308,-0.0,-1,-1,3,3,1,-5,-5,-5]:f64'
// RUN: xpu-run %s --kernel f16 --target cpu --groups 1 --arg '[-65504,-1,1]:f16' --arg zeros:10xf16 \
// RUN:   --expect 0='[-0.0,3,-5]:f16' --expect 1='[-65504,-0.0,-1,-1,3,3,1,-5,-5,-5]:f16'
// RUN: xpu-run %s --kernel bf16 --target cpu --groups 1 --arg '[-1e38,-1,1]:bf16' --arg zeros:10xbf16 \
// RUN:   --expect 0='[-0.0,3,-5]:bf16' --expect 1='[-1e38,-0.0,-1,-1,3,3,1,-5,-5,-5]:bf16'
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s

// Element 0: max with -0, then -1. Element 1: max with -5, 3, -0, 2. Element 2: min with the same.

// -0 and -1 by unsigned minimum; a number of clear sign by signed maximum; mirrored for min.
// CHECK-LABEL: .entry f32(
// CHECK: atom.global.min.u32
// CHECK: atom.global.min.u32
// CHECK: atom.global.min.u32
// CHECK: ret;
xpu.kernel @f32(%m: memref<3xf32>, %old: memref<10xf32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %minus_zero = arith.constant -0.0 : f32
  %minus_one = arith.constant -1.0 : f32
  %0 = xpu.atomic_rmw fmax %minus_zero, %m[%c0] ordering(relaxed) scope(device) : memref<3xf32>
  memref.store %0, %old[%c0] : memref<10xf32>
  %1 = xpu.atomic_rmw fmax %minus_one, %m[%c0] ordering(relaxed) scope(device) : memref<3xf32>
  memref.store %1, %old[%c1] : memref<10xf32>
  %operands = memref.get_global @operands_f32 : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %operands[%i] : memref<4xf32>
    %2 = xpu.atomic_rmw fmax %v, %m[%c1] ordering(relaxed) scope(device) : memref<3xf32>
    %at2 = arith.addi %i, %c2 : index
    memref.store %2, %old[%at2] : memref<10xf32>
    %3 = xpu.atomic_rmw fmin %v, %m[%c2] ordering(relaxed) scope(device) : memref<3xf32>
    %at3 = arith.addi %i, %c6 : index
    memref.store %3, %old[%at3] : memref<10xf32>
  }
  xpu.return
}

memref.global "private" constant @operands_f32 : memref<4xf32> = dense<[-5.0, 3.0, -0.0, 2.0]>

// CHECK-LABEL: .entry f64(
// CHECK: atom.global.min.u64
// CHECK: atom.global.min.u64
// CHECK: atom.global.max.s64
// CHECK: atom.global.min.u64
// CHECK: atom.global.min.s64
// CHECK: atom.global.max.u64
// CHECK: ret;
xpu.kernel @f64(%m: memref<3xf64>, %old: memref<10xf64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %minus_zero = arith.constant -0.0 : f64
  %minus_one = arith.constant -1.0 : f64
  %0 = xpu.atomic_rmw fmax %minus_zero, %m[%c0] ordering(relaxed) scope(device) : memref<3xf64>
  memref.store %0, %old[%c0] : memref<10xf64>
  %1 = xpu.atomic_rmw fmax %minus_one, %m[%c0] ordering(relaxed) scope(device) : memref<3xf64>
  memref.store %1, %old[%c1] : memref<10xf64>
  %operands = memref.get_global @operands_f64 : memref<4xf64>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %operands[%i] : memref<4xf64>
    %2 = xpu.atomic_rmw fmax %v, %m[%c1] ordering(relaxed) scope(device) : memref<3xf64>
    %at2 = arith.addi %i, %c2 : index
    memref.store %2, %old[%at2] : memref<10xf64>
    %3 = xpu.atomic_rmw fmin %v, %m[%c2] ordering(relaxed) scope(device) : memref<3xf64>
    %at3 = arith.addi %i, %c6 : index
    memref.store %3, %old[%at3] : memref<10xf64>
  }
  xpu.return
}

memref.global "private" constant @operands_f64 : memref<4xf64> = dense<[-5.0, 3.0, -0.0, 2.0]>

xpu.kernel @f16(%m: memref<3xf16>, %old: memref<10xf16>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %minus_zero = arith.constant -0.0 : f16
  %minus_one = arith.constant -1.0 : f16
  %0 = xpu.atomic_rmw fmax %minus_zero, %m[%c0] ordering(relaxed) scope(device) : memref<3xf16>
  memref.store %0, %old[%c0] : memref<10xf16>
  %1 = xpu.atomic_rmw fmax %minus_one, %m[%c0] ordering(relaxed) scope(device) : memref<3xf16>
  memref.store %1, %old[%c1] : memref<10xf16>
  %operands = memref.get_global @operands_f16 : memref<4xf16>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %operands[%i] : memref<4xf16>
    %2 = xpu.atomic_rmw fmax %v, %m[%c1] ordering(relaxed) scope(device) : memref<3xf16>
    %at2 = arith.addi %i, %c2 : index
    memref.store %2, %old[%at2] : memref<10xf16>
    %3 = xpu.atomic_rmw fmin %v, %m[%c2] ordering(relaxed) scope(device) : memref<3xf16>
    %at3 = arith.addi %i, %c6 : index
    memref.store %3, %old[%at3] : memref<10xf16>
  }
  xpu.return
}

memref.global "private" constant @operands_f16 : memref<4xf16> = dense<[-5.0, 3.0, -0.0, 2.0]>

xpu.kernel @bf16(%m: memref<3xbf16>, %old: memref<10xbf16>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %minus_zero = arith.constant -0.0 : bf16
  %minus_one = arith.constant -1.0 : bf16
  %0 = xpu.atomic_rmw fmax %minus_zero, %m[%c0] ordering(relaxed) scope(device) : memref<3xbf16>
  memref.store %0, %old[%c0] : memref<10xbf16>
  %1 = xpu.atomic_rmw fmax %minus_one, %m[%c0] ordering(relaxed) scope(device) : memref<3xbf16>
  memref.store %1, %old[%c1] : memref<10xbf16>
  %operands = memref.get_global @operands_bf16 : memref<4xbf16>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %operands[%i] : memref<4xbf16>
    %2 = xpu.atomic_rmw fmax %v, %m[%c1] ordering(relaxed) scope(device) : memref<3xbf16>
    %at2 = arith.addi %i, %c2 : index
    memref.store %2, %old[%at2] : memref<10xbf16>
    %3 = xpu.atomic_rmw fmin %v, %m[%c2] ordering(relaxed) scope(device) : memref<3xbf16>
    %at3 = arith.addi %i, %c6 : index
    memref.store %3, %old[%at3] : memref<10xbf16>
  }
  xpu.return
}

memref.global "private" constant @operands_bf16 : memref<4xbf16> = dense<[-5.0, 3.0, -0.0, 2.0]>
