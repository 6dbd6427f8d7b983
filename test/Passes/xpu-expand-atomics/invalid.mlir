// RUN: xpu-opt %s --xpu-expand-atomics -verify-diagnostics -split-input-file

func.func @no_scope(%m: memref<?xi32>, %i: index, %v: i32) {
  // expected-error@+1 {{'xpu.atomic_rmw' op has no scope; run 'xpu-assign-scope' first}}
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32>
  return
}

// -----

func.func @no_ordering(%m: memref<?xi32>, %i: index, %v: i32) {
  // expected-error@+1 {{'xpu.atomic_load' op has no ordering; run 'xpu-assign-ordering' first}}
  %0 = xpu.atomic_load %m[%i] scope(device) : memref<?xi32>
  // expected-error@+1 {{'xpu.atomic_store' op has no scope; run 'xpu-assign-scope' first}}
  xpu.atomic_store %v, %m[%i] ordering(relaxed) : memref<?xi32>
  return
}

// -----

func.func @no_failure(%m: memref<?xi32>, %i: index, %v: i32) {
  // expected-error@+1 {{'xpu.cas' op has no failure ordering; run 'xpu-assign-ordering' first}}
  %0 = xpu.cas %v, %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return
}

// -----

func.func @no_sign(%m: memref<?xsi32>, %i: index, %v: si32) {
  // expected-error@+1 {{'xpu.atomic_rmw' op 'min' has no sign yet; run 'xpu-resolve-signedness' first (target 'cpu')}}
  %0 = xpu.atomic_rmw min %v, %m[%i] ordering(relaxed) scope(device) : memref<?xsi32>
  // expected-error@+1 {{'xpu.atomic_rmw' op element type 'si32' has a sign; run 'xpu-resolve-signedness' first}}
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xsi32>
  return
}

// -----

// Said once, however many operations there are.
// expected-error@+1 {{'gpu.module' op has no target; attach one with 'nvvm-attach-target', 'rocdl-attach-target' or 'spirv-attach-target', or with 'xpu-attach-cpu-target' for the CPU}}
gpu.module @no_target {
  func.func @f(%m: memref<?xi32>, %i: index, %v: i32) {
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    %1 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    return
  }
}

// -----

gpu.module @moved_words [#nvvm.target<chip = "sm_70">] {
  func.func @f(%m: memref<?xi8>, %i: index, %n: index, %v: i8) {
    %view = memref.view %m[%i][%n] : memref<?xi8> to memref<?xi8>
    %sub = memref.subview %view[1] [4] [1] : memref<?xi8> to memref<4xi8, strided<[1], offset: 1>>
    // expected-error@+1 {{'xpu.atomic_rmw' op on 'i8' swaps the aligned 32-bit word around the element, but a 'memref.view' may shift it away from words; make the byte shift a constant multiple of 4, or use 'memref.subview'}}
    %0 = xpu.atomic_rmw add %v, %sub[%i] ordering(relaxed) scope(device) : memref<4xi8, strided<[1], offset: 1>>
    return
  }
}
