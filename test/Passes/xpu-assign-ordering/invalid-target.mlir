// RUN: xpu-opt %s --xpu-assign-ordering=default=target -verify-diagnostics -split-input-file

// The module is told once, however many atomics it has.
// expected-error @below {{'gpu.module' op has no target; attach one with 'nvvm-attach-target', 'rocdl-attach-target' or 'spirv-attach-target', or with 'xpu-attach-cpu-target' for the CPU}}
gpu.module @none {
  gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
    %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
    %1 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// -----

// expected-error @below {{'gpu.module' op has 2 targets (#nvvm.target<chip = "sm_90">, #rocdl.target<chip = "gfx1100">), but xpu compiles for one at a time; keep one in 'targets'}}
gpu.module @two [#nvvm.target<chip = "sm_90">, #rocdl.target<chip = "gfx1100">] {
  gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
    %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @nvidia [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
    // expected-error @below {{failure ordering 'acquire' is stronger than ordering 'relaxed', which the op has not been written with but gets from 'xpu-assign-ordering{default=target}'}}
    %0 = xpu.cas %v, %v, %m[%i] failure(acquire) : memref<?xi32>
    gpu.return
  }
}
