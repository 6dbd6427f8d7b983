// RUN: xpu-opt %s --convert-xpu-to-nvvm -split-input-file -verify-diagnostics

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%m: memref<?xi32>, %i: index) kernel {
    // expected-error @below {{'xpu.atomic_load' op has no scope; run 'xpu-assign-scope' first}}
    %0 = xpu.atomic_load %m[%i] ordering(relaxed) : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%m: memref<?xf32>, %i: index, %v: f32) kernel {
    // expected-error @below {{'xpu.atomic_rmw' op has no instruction for 'fmin' on nvptx:sm_90; run 'xpu-expand-atomics' first}}
    %0 = xpu.atomic_rmw fmin %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  // expected-error @below {{'gpu.func' op has the name 'a.b', but PTX names take letters, digits, '_' and '$'}}
  gpu.func @"a.b"() kernel {
    gpu.return
  }
}

// -----

// expected-error @below {{sm_60}}
gpu.module @m [#nvvm.target<chip = "sm_60">] {
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

// expected-error @below {{'gpu.module' op has 2 targets}}
gpu.module @m [#nvvm.target<chip = "sm_90">, #nvvm.target<chip = "sm_80">] {
  gpu.func @k() kernel {
    gpu.return
  }
}
