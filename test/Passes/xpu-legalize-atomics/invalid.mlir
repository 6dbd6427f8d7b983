// RUN: xpu-opt %s --xpu-legalize-atomics -verify-diagnostics -split-input-file

func.func @scope(%m: memref<?xi32>, %v: i32, %i: index) {
  // expected-error @below {{'xpu.atomic_rmw' op has no scope; run 'xpu-assign-scope' first}}
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32>
  // expected-error @below {{'xpu.atomic_load' op has no scope; run 'xpu-assign-scope' first}}
  %1 = xpu.atomic_load %m[%i] ordering(relaxed) : memref<?xi32>
  // expected-error @below {{'xpu.fence' op has no scope; run 'xpu-assign-scope' first}}
  xpu.fence ordering(acquire)
  return
}

// -----

func.func @ordering(%m: memref<?xi32>, %v: i32, %i: index) {
  // expected-error @below {{'xpu.atomic_rmw' op has no ordering; run 'xpu-assign-ordering' first}}
  %0 = xpu.atomic_rmw add %v, %m[%i] scope(device) : memref<?xi32>
  // expected-error @below {{'xpu.atomic_store' op has no ordering; run 'xpu-assign-ordering' first}}
  xpu.atomic_store %v, %m[%i] scope(device) : memref<?xi32>
  // expected-error @below {{'xpu.cas' op has no ordering; run 'xpu-assign-ordering' first}}
  %1 = xpu.cas %v, %v, %m[%i] failure(relaxed) scope(device) : memref<?xi32>
  // expected-error @below {{'xpu.cas' op has no failure ordering; run 'xpu-assign-ordering' first}}
  %2 = xpu.cas %v, %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return
}

// -----

// expected-error @below {{'gpu.module' op has no target; attach one with}}
gpu.module @none {
  gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.fence ordering(acquire) scope(device)
    gpu.return
  }
}

// -----

// expected-error @below {{'gpu.module' op has 2 targets (#nvvm.target<chip = "sm_90">, cpu), but xpu compiles for one at a time}}
gpu.module @two [#nvvm.target<chip = "sm_90">] attributes {xpu.cpu_target} {
  gpu.func @k() kernel {
    xpu.fence ordering(acquire) scope(device)
    gpu.return
  }
}

// -----

// expected-error @below {{chip 'sm_60' is older than 'sm_70', the oldest supported}}
gpu.module @old [#nvvm.target<chip = "sm_60">] {
  gpu.func @k() kernel {
    xpu.fence ordering(acquire) scope(device)
    gpu.return
  }
}
