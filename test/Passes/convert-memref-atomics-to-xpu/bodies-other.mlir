// RUN: xpu-opt %s --convert-memref-atomics-to-xpu | FileCheck %s
// RUN: xpu-opt %s --convert-memref-atomics-to-xpu=forbid-cas-loop -verify-diagnostics -split-input-file

// What is none of the kinds stays a loop, and the error says why.

// CHECK-LABEL: func.func @identity(
func.func @identity(%m: memref<?xi32>, %i: index) {
  // CHECK: xpu.cas
  // expected-error @below {{'memref.generic_atomic_rmw' op becomes a CAS loop on every target, and CAS loops are forbidden: it stores the value that it read; use a kind that targets have, such as 'memref.atomic_rmw addi'}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    memref.atomic_yield %x : i32
  }
  return
}

// -----

// CHECK-LABEL: func.func @twice(
func.func @twice(%m: memref<?xi32>, %i: index) {
  // CHECK: xpu.cas
  // expected-error @below {{both operands of 'arith.addi' depend on the value that it read}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.addi %x, %x : i32
    memref.atomic_yield %y : i32
  }
  return
}

// -----

// The operand depends on the old value by what a region uses.
// CHECK-LABEL: func.func @by_a_region(
func.func @by_a_region(%m: memref<?xi32>, %i: index, %b: i1, %v: i32) {
  // CHECK: xpu.cas
  // expected-error @below {{both operands of 'arith.addi' depend on the value that it read}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %o = scf.if %b -> i32 {
      scf.yield %x : i32
    } else {
      scf.yield %v : i32
    }
    %y = arith.addi %x, %o : i32
    memref.atomic_yield %y : i32
  }
  return
}

// -----

// CHECK-LABEL: func.func @subtracted_from(
func.func @subtracted_from(%m: memref<?xi32>, %i: index, %v: i32) {
  // CHECK: xpu.cas
  // expected-error @below {{the value that it read is subtracted by 'arith.subi' from the other}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.subi %v, %x : i32
    memref.atomic_yield %y : i32
  }
  return
}

// -----

// CHECK-LABEL: func.func @product(
func.func @product(%m: memref<?xf32>, %i: index, %v: f32) {
  // CHECK: xpu.cas
  // expected-error @below {{'arith.mulf' on the value that it read is none of the kinds}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xf32> {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %v : f32
    memref.atomic_yield %y : f32
  }
  // CHECK: xpu.cas
  // expected-error @below {{'arith.mulf' is none of the kinds}}
  %1 = memref.atomic_rmw mulf %v, %m[%i] : (f32, memref<?xf32>) -> f32
  return
}

// -----

// CHECK-LABEL: func.func @more(
func.func @more(%m: memref<?xi32>, %i: index, %v: i32) {
  // CHECK: xpu.cas
  // expected-error @below {{it computes more on the value that it read than one 'arith.addi'}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.xori %x, %v : i32
    %z = arith.addi %y, %v : i32
    memref.atomic_yield %z : i32
  }
  return
}

// -----

// A NaN of %v would be stored, and -0 < +0 is false.
// CHECK-LABEL: func.func @nan(
func.func @nan(%m: memref<?xf32>, %i: index, %v: f32) {
  // CHECK: xpu.cas
  // expected-error @below {{its choice by 'arith.cmpf' differs from 'arith.minnumf' and 'arith.minimumf' where one is a NaN or both are zeros; use one of these, or say 'fastmath<nnan,nsz>' on the comparison}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xf32> {
  ^bb0(%x: f32):
    %c = arith.cmpf olt, %x, %v : f32
    %y = arith.select %c, %x, %v : f32
    memref.atomic_yield %y : f32
  }
  return
}

// -----

// Signed where it should be unsigned; limits that are not the operand; a step of two.
// CHECK-LABEL: func.func @no_wrap(
func.func @no_wrap(%m: memref<?xi32>, %i: index, %v: i32, %w: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  // CHECK: xpu.cas
  // expected-error @below {{its 'arith.select' is no minimum, maximum, uinc_wrap or udec_wrap of the value that it read}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %up = arith.addi %x, %one : i32
    %c = arith.cmpi sge, %x, %v : i32
    %y = arith.select %c, %zero, %up : i32
    memref.atomic_yield %y : i32
  }
  // CHECK: xpu.cas
  // expected-error @below {{its 'arith.select' is no}}
  %1 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %up = arith.addi %x, %one : i32
    %c = arith.cmpi ugt, %x, %v : i32
    %y = arith.select %c, %zero, %up : i32
    memref.atomic_yield %y : i32
  }
  // CHECK: xpu.cas
  // expected-error @below {{its 'arith.select' is no}}
  %2 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %up = arith.addi %x, %two : i32
    %c = arith.cmpi uge, %x, %v : i32
    %y = arith.select %c, %zero, %up : i32
    memref.atomic_yield %y : i32
  }
  // CHECK: xpu.cas
  // expected-error @below {{its 'arith.select' is no}}
  %3 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %down = arith.subi %x, %one : i32
    %none = arith.cmpi eq, %x, %zero : i32
    %above = arith.cmpi ugt, %x, %v : i32
    %c = arith.ori %none, %above : i1
    %y = arith.select %c, %w, %down : i32
    memref.atomic_yield %y : i32
  }
  // CHECK: xpu.cas
  // expected-error @below {{its 'arith.select' is no}}
  %4 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi eq, %x, %v : i32
    %y = arith.select %c, %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK: xpu.cas
  // expected-error @below {{its 'arith.select' is no}}
  %5 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi slt, %x, %w : i32
    %y = arith.select %c, %x, %v : i32
    memref.atomic_yield %y : i32
  }
  return
}
