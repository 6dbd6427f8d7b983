// RUN: xpu-opt %s --pass-pipeline='builtin.module(func.func(xpu-resolve-signedness))' \
// RUN:   -verify-diagnostics -split-input-file

// A signless buffer with kind 'min' or 'max' is refused whenever MLIR verifies, with or without the
// pass.
func.func @signless(%m: memref<?xi32>, %v: i32, %i: index) {
  // expected-error @below {{'xpu.atomic_rmw' op kind 'min' needs an element type with a sign, but 'i32' has none; write 'smin' or 'umin'}}
  %0 = xpu.atomic_rmw min %v, %m[%i] : memref<?xi32>
  return
}

// -----

// What stands around the operation that the pass runs on keeps its types: MLIR's verifier says
// where that no longer fits.
memref.global "private" @table : memref<4xui32>
func.func @user() {
  // expected-error @below {{'memref.get_global' op result type 'memref<4xi32>' does not match type 'memref<4xui32>' of the global memref @table}}
  %0 = memref.get_global @table : memref<4xui32>
  return
}
