// RUN: xpu-opt %s --convert-memref-atomics-to-xpu -verify-diagnostics -split-input-file

func.func @i1(%m: memref<?xi1>, %v: i1, %i: index) {
  // expected-error @below {{'memref.atomic_rmw' op has elements of type 'i1', which no atomic takes; use i8, i16, i32, i64, f16, bf16, f32 or f64}}
  %0 = memref.atomic_rmw ori %v, %m[%i] : (i1, memref<?xi1>) -> i1
  return
}

// -----

func.func @i24(%m: memref<?xi24>, %v: i24, %i: index) {
  // expected-error @below {{has elements of type 'i24', which no atomic takes}}
  %0 = memref.atomic_rmw muli %v, %m[%i] : (i24, memref<?xi24>) -> i24
  return
}

// -----

func.func @i128(%m: memref<?xi128>, %v: i128, %i: index) {
  // expected-error @below {{has elements of type 'i128', which no atomic takes}}
  %0 = memref.atomic_rmw assign %v, %m[%i] : (i128, memref<?xi128>) -> i128
  return
}

// -----

func.func @f80(%m: memref<?xf80>, %v: f80, %i: index) {
  // expected-error @below {{has elements of type 'f80', which no atomic takes}}
  %0 = memref.atomic_rmw addf %v, %m[%i] : (f80, memref<?xf80>) -> f80
  return
}

// -----

func.func @f8(%m: memref<?xf8E5M2>, %i: index) {
  // expected-error @below {{'memref.generic_atomic_rmw' op has elements of type 'f8E5M2', which no atomic takes}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xf8E5M2> {
  ^bb0(%current: f8E5M2):
    memref.atomic_yield %current : f8E5M2
  }
  return
}

// -----

// Each is told.
func.func @all(%a: memref<?xi1>, %b: memref<?xtf32>, %v: i1, %w: tf32, %i: index) {
  // expected-error @below {{has elements of type 'i1'}}
  %0 = memref.atomic_rmw ori %v, %a[%i] : (i1, memref<?xi1>) -> i1
  // expected-error @below {{has elements of type 'tf32'}}
  %1 = memref.atomic_rmw addf %w, %b[%i] : (tf32, memref<?xtf32>) -> tf32
  return
}

// -----

#tiled = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>
func.func @layout(%m: memref<16xi32, #tiled>, %v: i32, %i: index) {
  // expected-error @below {{'memref.atomic_rmw' op expects a memref with a strided layout, but has 'memref<16xi32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>'}}
  %0 = memref.atomic_rmw addi %v, %m[%i] : (i32, memref<16xi32, #tiled>) -> i32
  return
}

// -----

// Upstream's own verifier refuses index and signed integers before the pass runs.
func.func @index(%m: memref<?xindex>, %v: index, %i: index) {
  // expected-error @below {{'memref.atomic_rmw' op operand #0 must be signless integer or floating-point}}
  %0 = memref.atomic_rmw addi %v, %m[%i] : (index, memref<?xindex>) -> index
  return
}

// -----

func.func @signed(%m: memref<?xsi32>, %v: si32, %i: index) {
  // expected-error @below {{'memref.atomic_rmw' op operand #0 must be signless integer or floating-point}}
  %0 = memref.atomic_rmw addi %v, %m[%i] : (si32, memref<?xsi32>) -> si32
  return
}
