// RUN: xpu-opt %s --convert-xpu-to-llvm -split-input-file -verify-diagnostics

func.func @no_scope(%m: memref<?xi32>, %i: index) {
  // expected-error @below {{'xpu.atomic_load' op has no scope; run 'xpu-assign-scope' first}}
  %0 = xpu.atomic_load %m[%i] ordering(relaxed) : memref<?xi32>
  return
}

// -----

func.func @no_ordering(%m: memref<?xi32>, %i: index) {
  // expected-error @below {{'xpu.atomic_load' op has no ordering; run 'xpu-assign-ordering' first}}
  %0 = xpu.atomic_load %m[%i] scope(device) : memref<?xi32>
  return
}

// -----

func.func @no_failure(%m: memref<?xi32>, %i: index, %v: i32) {
  // expected-error @below {{'xpu.cas' op has no failure ordering; run 'xpu-assign-ordering' first}}
  %0 = xpu.cas %v, %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return
}

// -----

func.func @not_expanded(%m: memref<?xf32>, %i: index, %v: f32) {
  // expected-error @below {{'xpu.atomic_rmw' op has no instruction for 'fadd' on cpu; run 'xpu-expand-atomics' first}}
  %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  return
}

// -----

func.func @not_expanded_plain(%m: memref<?xi32>, %i: index, %v: i32) {
  // expected-error @below {{run 'xpu-expand-atomics' first}}
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xi32>
  return
}

// -----

func.func @sign(%v: ui32) -> i32 {
  // expected-error @below {{'xpu.sign_cast' op has no lowering; run 'xpu-resolve-signedness' first}}
  %0 = xpu.sign_cast %v : ui32 to i32
  return %0 : i32
}

// -----

// expected-error @below {{'gpu.module' op has no target; attach one with}}
gpu.module @no_target {
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

gpu.module @m attributes {xpu.cpu_target} {
  gpu.func @k() kernel {
    // expected-error @below {{'gpu.subgroup_size' op has no form on the CPU}}
    %0 = gpu.subgroup_size : index
    gpu.return
  }
}

// -----

func.func @pointer(%p: !llvm.ptr) {
  // expected-error @below {{'xpu.atomic_load' op goes through a pointer; run 'xpu-expand-atomics' first}}
  %0 = xpu.atomic_load %p ordering(relaxed) scope(device) : !llvm.ptr, i32
  return
}
