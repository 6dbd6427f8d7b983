// RUN: xpu-opt %s --xpu-assign-ordering -verify-diagnostics

func.func @seq_cst(%m: memref<?xi32>, %v: i32, %i: index) {
  // expected-error @below {{failure ordering 'seq_cst' is stronger than ordering 'acq_rel', which the op has not been written with but gets from 'xpu-assign-ordering{default=acq_rel}'}}
  %0 = xpu.cas %v, %v, %m[%i] failure(seq_cst) : memref<?xi32>
  return
}
