// Report A19: the two rules for NaN must not be swapped: fminimum and fmaximum give NaN, fmin and fmax give the number.
//
// RUN: xpu-run %s --kernel xpu_f32 --target cpu --groups 1 \
// RUN:   --arg '[1,nan,-0.0]:f32' --arg '[1,nan,-0.0]:f32' --arg '[1,nan,-0.0]:f32' --arg '[1,nan,-0.0]:f32' --arg zeros:12xf32 \
// RUN:   --expect 0='[nan,nan,0.0]:f32' --expect 1='[nan,nan,-0.0]:f32' --expect 2='[1,2,0.0]:f32' --expect 3='[1,2,-0.0]:f32' \
// RUN:   --expect 4='[1,nan,-0.0,1,nan,-0.0,1,nan,-0.0,1,nan,-0.0]:f32'
// RUN: xpu-run %s --kernel xpu_f64 --target cpu --groups 1 \
// RUN:   --arg '[1,nan,-0.0]:f64' --arg '[1,nan,-0.0]:f64' --arg '[1,nan,-0.0]:f64' --arg '[1,nan,-0.0]:f64' --arg zeros:12xf64 \
// RUN:   --expect 0='[nan,nan,0.0]:f64' --expect 1='[nan,nan,-0.0]:f64' --expect 2='[1,2,0.0]:f64' --expect 3='[1,2,-0.0]:f64' \
// RUN:   --expect 4='[1,nan,-0.0,1,nan,-0.0,1,nan,-0.0,1,nan,-0.0]:f64'
// RUN: xpu-run %s --kernel xpu_f16 --target cpu --groups 1 \
// RUN:   --arg '[1,nan,-0.0]:f16' --arg '[1,nan,-0.0]:f16' --arg '[1,nan,-0.0]:f16' --arg '[1,nan,-0.0]:f16' --arg zeros:12xf16 \
// RUN:   --expect 0='[nan,nan,0.0]:f16' --expect 1='[nan,nan,-0.0]:f16' --expect 2='[1,2,0.0]:f16' --expect 3='[1,2,-0.0]:f16' \
// RUN:   --expect 4='[1,nan,-0.0,1,nan,-0.0,1,nan,-0.0,1,nan,-0.0]:f16'
// RUN: xpu-run %s --kernel xpu_bf16 --target cpu --groups 1 \
// RUN:   --arg '[1,nan,-0.0]:bf16' --arg '[1,nan,-0.0]:bf16' --arg '[1,nan,-0.0]:bf16' --arg '[1,nan,-0.0]:bf16' --arg zeros:12xbf16 \
// RUN:   --expect 0='[nan,nan,0.0]:bf16' --expect 1='[nan,nan,-0.0]:bf16' --expect 2='[1,2,0.0]:bf16' --expect 3='[1,2,-0.0]:bf16' \
// RUN:   --expect 4='[1,nan,-0.0,1,nan,-0.0,1,nan,-0.0,1,nan,-0.0]:bf16'
// RUN: xpu-run %s --kernel memref_f32 --target cpu --groups 1 \
// RUN:   --arg '[1,nan,-0.0]:f32' --arg '[1,nan,-0.0]:f32' --arg '[1,nan,-0.0]:f32' --arg '[1,nan,-0.0]:f32' --arg zeros:12xf32 \
// RUN:   --expect 0='[nan,nan,0.0]:f32' --expect 1='[nan,nan,-0.0]:f32' --expect 2='[1,2,0.0]:f32' --expect 3='[1,2,-0.0]:f32' \
// RUN:   --expect 4='[1,nan,-0.0,1,nan,-0.0,1,nan,-0.0,1,nan,-0.0]:f32'

// Element i is updated with operand i of (NaN, 2, +0). The CPU promises -0 < +0 for all four kinds. %old takes what
// the updates return: the values before, for each kind.

xpu.kernel @xpu_f32(%maximum: memref<3xf32>, %minimum: memref<3xf32>, %max: memref<3xf32>, %min: memref<3xf32>, %old: memref<4x3xf32>)
    workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %operands = memref.get_global @operands_f32 : memref<3xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %operands[%i] : memref<3xf32>
    %0 = xpu.atomic_rmw fmaximum %v, %maximum[%i] ordering(relaxed) : memref<3xf32>
    memref.store %0, %old[%c0, %i] : memref<4x3xf32>
    %1 = xpu.atomic_rmw fminimum %v, %minimum[%i] ordering(relaxed) : memref<3xf32>
    memref.store %1, %old[%c1, %i] : memref<4x3xf32>
    %2 = xpu.atomic_rmw fmax %v, %max[%i] ordering(relaxed) : memref<3xf32>
    memref.store %2, %old[%c2, %i] : memref<4x3xf32>
    %3 = xpu.atomic_rmw fmin %v, %min[%i] ordering(relaxed) : memref<3xf32>
    memref.store %3, %old[%c3, %i] : memref<4x3xf32>
  }
  xpu.return
}

xpu.kernel @xpu_f64(%maximum: memref<3xf64>, %minimum: memref<3xf64>, %max: memref<3xf64>, %min: memref<3xf64>, %old: memref<4x3xf64>)
    workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %operands = memref.get_global @operands_f64 : memref<3xf64>
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %operands[%i] : memref<3xf64>
    %0 = xpu.atomic_rmw fmaximum %v, %maximum[%i] ordering(relaxed) : memref<3xf64>
    memref.store %0, %old[%c0, %i] : memref<4x3xf64>
    %1 = xpu.atomic_rmw fminimum %v, %minimum[%i] ordering(relaxed) : memref<3xf64>
    memref.store %1, %old[%c1, %i] : memref<4x3xf64>
    %2 = xpu.atomic_rmw fmax %v, %max[%i] ordering(relaxed) : memref<3xf64>
    memref.store %2, %old[%c2, %i] : memref<4x3xf64>
    %3 = xpu.atomic_rmw fmin %v, %min[%i] ordering(relaxed) : memref<3xf64>
    memref.store %3, %old[%c3, %i] : memref<4x3xf64>
  }
  xpu.return
}

xpu.kernel @xpu_f16(%maximum: memref<3xf16>, %minimum: memref<3xf16>, %max: memref<3xf16>, %min: memref<3xf16>, %old: memref<4x3xf16>)
    workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %operands = memref.get_global @operands_f16 : memref<3xf16>
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %operands[%i] : memref<3xf16>
    %0 = xpu.atomic_rmw fmaximum %v, %maximum[%i] ordering(relaxed) : memref<3xf16>
    memref.store %0, %old[%c0, %i] : memref<4x3xf16>
    %1 = xpu.atomic_rmw fminimum %v, %minimum[%i] ordering(relaxed) : memref<3xf16>
    memref.store %1, %old[%c1, %i] : memref<4x3xf16>
    %2 = xpu.atomic_rmw fmax %v, %max[%i] ordering(relaxed) : memref<3xf16>
    memref.store %2, %old[%c2, %i] : memref<4x3xf16>
    %3 = xpu.atomic_rmw fmin %v, %min[%i] ordering(relaxed) : memref<3xf16>
    memref.store %3, %old[%c3, %i] : memref<4x3xf16>
  }
  xpu.return
}

xpu.kernel @xpu_bf16(%maximum: memref<3xbf16>, %minimum: memref<3xbf16>, %max: memref<3xbf16>, %min: memref<3xbf16>, %old: memref<4x3xbf16>)
    workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %operands = memref.get_global @operands_bf16 : memref<3xbf16>
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %operands[%i] : memref<3xbf16>
    %0 = xpu.atomic_rmw fmaximum %v, %maximum[%i] ordering(relaxed) : memref<3xbf16>
    memref.store %0, %old[%c0, %i] : memref<4x3xbf16>
    %1 = xpu.atomic_rmw fminimum %v, %minimum[%i] ordering(relaxed) : memref<3xbf16>
    memref.store %1, %old[%c1, %i] : memref<4x3xbf16>
    %2 = xpu.atomic_rmw fmax %v, %max[%i] ordering(relaxed) : memref<3xbf16>
    memref.store %2, %old[%c2, %i] : memref<4x3xbf16>
    %3 = xpu.atomic_rmw fmin %v, %min[%i] ordering(relaxed) : memref<3xbf16>
    memref.store %3, %old[%c3, %i] : memref<4x3xbf16>
  }
  xpu.return
}

memref.global "private" constant @operands_f32 : memref<3xf32> = dense<[0x7FC00000, 2.0, 0.0]>
memref.global "private" constant @operands_f64 : memref<3xf64> = dense<[0x7FF8000000000000, 2.0, 0.0]>
memref.global "private" constant @operands_f16 : memref<3xf16> = dense<[0x7E00, 2.0, 0.0]>
memref.global "private" constant @operands_bf16 : memref<3xbf16> = dense<[0x7FC0, 2.0, 0.0]>

xpu.kernel @memref_f32(%maximum: memref<3xf32>, %minimum: memref<3xf32>, %max: memref<3xf32>, %min: memref<3xf32>, %old: memref<4x3xf32>)
    workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %operands = memref.get_global @operands_f32 : memref<3xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %operands[%i] : memref<3xf32>
    %0 = memref.atomic_rmw maximumf %v, %maximum[%i] : (f32, memref<3xf32>) -> f32
    memref.store %0, %old[%c0, %i] : memref<4x3xf32>
    %1 = memref.atomic_rmw minimumf %v, %minimum[%i] : (f32, memref<3xf32>) -> f32
    memref.store %1, %old[%c1, %i] : memref<4x3xf32>
    %2 = memref.atomic_rmw maxnumf %v, %max[%i] : (f32, memref<3xf32>) -> f32
    memref.store %2, %old[%c2, %i] : memref<4x3xf32>
    %3 = memref.atomic_rmw minnumf %v, %min[%i] : (f32, memref<3xf32>) -> f32
    memref.store %3, %old[%c3, %i] : memref<4x3xf32>
  }
  xpu.return
}
