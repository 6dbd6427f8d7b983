// RUN: xpu-opt %s --xpu-assign-ordering=default=relaxed -verify-diagnostics -split-input-file

// The verifier could only say that the two clash, not where one of them is from.
func.func @acquire(%m: memref<?xi32>, %v: i32, %i: index) {
  // expected-error @below {{'xpu.cas' op failure ordering 'acquire' is stronger than ordering 'relaxed', which the op has not been written with but gets from 'xpu-assign-ordering{default=relaxed}'; write an ordering that is as strong}}
  %0 = xpu.cas %v, %v, %m[%i] failure(acquire) : memref<?xi32>
  return
}

// -----

// Each is told.
func.func @all(%m: memref<?xi32>, %v: i32, %i: index) {
  // expected-error @below {{failure ordering 'seq_cst' is stronger than ordering 'relaxed'}}
  %0 = xpu.cas %v, %v, %m[%i] failure(seq_cst) : memref<?xi32>
  // expected-error @below {{failure ordering 'acquire' is stronger than ordering 'relaxed'}}
  %1 = xpu.cas %v, %v, %m[%i] failure(acquire) : memref<?xi32>
  return
}
