// RUN: xpu-opt %s -verify-diagnostics -split-input-file

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

func.func @too_few_indices(%v: i32, %m: memref<?x4xi32>, %i: index) {
  // expected-error @below {{'xpu.atomic_rmw' op expects 2 indices, one for each dimension of 'memref<?x4xi32>', but has 1}}
  %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?x4xi32>
  return
}

// -----

func.func @too_many_indices(%v: i32, %m: memref<i32>, %i: index) {
  // expected-error @below {{'xpu.cas' op expects 0 indices, one for each dimension of 'memref<i32>', but has 1}}
  %0 = xpu.cas %v, %v, %m[%i] : memref<i32>
  return
}

// -----

func.func @load_indices(%m: memref<?xi32>) {
  // expected-error @below {{'xpu.atomic_load' op expects 1 indices, one for each dimension of 'memref<?xi32>', but has 0}}
  %0 = xpu.atomic_load %m[] : memref<?xi32>
  return
}

// -----

func.func @store_indices(%v: i32, %m: memref<?xi32>) {
  // expected-error @below {{'xpu.atomic_store' op expects 1 indices, one for each dimension of 'memref<?xi32>', but has 0}}
  xpu.atomic_store %v, %m[] : memref<?xi32>
  return
}

// -----

#tiled = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>
func.func @layout(%m: memref<16xi32, #tiled>, %i: index) {
  // expected-error @below {{'xpu.atomic_load' op expects a memref with a strided layout, but has 'memref<16xi32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>'}}
  %0 = xpu.atomic_load %m[%i] : memref<16xi32, #tiled>
  return
}

// -----

func.func @element_i1(%m: memref<?xi1>, %i: index) {
  // expected-error @below {{'xpu.atomic_load' op operand #0 must be memref of 8, 16, 32 or 64-bit integer, or f16, bf16, f32 or f64 values or !llvm.ptr or !ptr.ptr, but got 'memref<?xi1>'}}
  %0 = xpu.atomic_load %m[%i] : memref<?xi1>
  return
}

// -----

func.func @element_i128(%v: i128, %m: memref<?xi128>, %i: index) {
  // expected-error @below {{'xpu.atomic_rmw' op operand #0 must be 8, 16, 32 or 64-bit integer, or f16, bf16, f32 or f64, but got 'i128'}}
  %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi128>
  return
}

// -----

func.func @element_index(%v: index, %m: memref<?xindex>, %i: index) {
  // expected-error @below {{'xpu.atomic_store' op operand #0 must be 8, 16, 32 or 64-bit integer, or f16, bf16, f32 or f64, but got 'index'}}
  xpu.atomic_store %v, %m[%i] : memref<?xindex>
  return
}

// -----

func.func @element_vector(%m: memref<?xvector<2xf16>>, %i: index) {
  // expected-error @below {{'xpu.atomic_load' op operand #0 must be memref of 8, 16, 32 or 64-bit integer, or f16, bf16, f32 or f64 values}}
  %0 = xpu.atomic_load %m[%i] : memref<?xvector<2xf16>>
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @value_type(%v: i64, %m: memref<?xi32>, %i: index) {
  // expected-error @below {{use of value '%v' expects different type than prior uses: 'i32' vs 'i64'}}
  %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
  return
}

// -----

func.func @value_type_generic(%v: i64, %m: memref<i32>) {
  // expected-error @below {{'xpu.atomic_rmw' op failed to verify that type of 'value' matches the element type of 'memref'}}
  %0 = "xpu.atomic_rmw"(%v, %m) <{kind = 0 : i32}> : (i64, memref<i32>) -> i32
  return
}

// -----

func.func @expected_type_generic(%v: i64, %w: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.cas' op failed to verify that type of 'expected' matches the element type of 'memref'}}
  %0 = "xpu.cas"(%v, %w, %m) : (i64, i32, memref<i32>) -> i32
  return
}

// -----

func.func @desired_type_generic(%v: i64, %w: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.cas' op failed to verify that type of 'desired' matches the element type of 'memref'}}
  %0 = "xpu.cas"(%w, %v, %m) : (i32, i64, memref<i32>) -> i32
  return
}

// -----

func.func @result_type_generic(%w: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.cas' op failed to infer returned types}}
  // expected-error @below {{'xpu.cas' op inferred type(s) 'i32' are incompatible with return type(s) of operation 'i64'}}
  %0 = "xpu.cas"(%w, %w, %m) : (i32, i32, memref<i32>) -> i64
  return
}

// -----

func.func @unranked(%m: memref<*xi32>) {
  // expected-error @below {{expected a ranked memref, !llvm.ptr or !ptr.ptr, but found 'memref<*xi32>'}}
  %0 = xpu.atomic_load %m[] : memref<*xi32>
  return
}

// -----

func.func @unranked_generic(%m: memref<*xi32>) {
  // expected-error @below {{'xpu.atomic_load' op operand #0 must be memref of}}
  %0 = "xpu.atomic_load"(%m) : (memref<*xi32>) -> i32
  return
}

// -----

func.func @unknown_number(%v: i32, %m: memref<i32>) {
  // expected-error @below {{invalid properties {kind = 1 : i32} for op xpu.atomic_rmw: Invalid attribute `kind` in property conversion: 1 : i32}}
  %0 = "xpu.atomic_rmw"(%v, %m) <{kind = 1 : i32}> : (i32, memref<i32>) -> i32
  return
}

// -----

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

func.func @no_word(%v: i32, %m: memref<i32>) {
  // expected-error @below {{expected one of relaxed, acquire, release, acq_rel, seq_cst}}
  %0 = xpu.atomic_rmw add %v, %m[] ordering() : memref<i32>
  return
}

// -----

func.func @unknown_ordering(%v: i32, %m: memref<i32>) {
  // expected-error @below {{expected one of relaxed, acquire, release, acq_rel, seq_cst, but found 'monotonic'}}
  %0 = xpu.atomic_rmw add %v, %m[] ordering(monotonic) : memref<i32>
  return
}

// -----

func.func @unknown_failure(%v: i32, %m: memref<i32>) {
  // expected-error @below {{expected one of relaxed, acquire, release, acq_rel, seq_cst, but found 'weak'}}
  %0 = xpu.cas %v, %v, %m[] failure(weak) : memref<i32>
  return
}

// -----

func.func @unknown_scope(%v: i32, %m: memref<i32>) {
  // expected-error @below {{expected one of workitem, subgroup, workgroup, device, system, but found 'agent'}}
  %0 = xpu.atomic_rmw add %v, %m[] scope(agent) : memref<i32>
  return
}

// -----

func.func @unknown_denormals(%v: f32, %m: memref<f32>) {
  // expected-error @below {{expected one of keep, flush, but found 'drop'}}
  %0 = xpu.atomic_rmw fadd %v, %m[] denormals(drop) : memref<f32>
  return
}

// -----

func.func @twice(%v: i32, %m: memref<i32>) {
  // expected-error @below {{`scope` clause can appear at most once}}
  %0 = xpu.atomic_rmw add %v, %m[] scope(device) scope(device) : memref<i32>
  return
}

// -----

func.func @failure_without_comparison(%v: i32, %m: memref<i32>) {
  // expected-error @below {{expected ':'}}
  %0 = xpu.atomic_rmw add %v, %m[] failure(relaxed) : memref<i32>
  return
}

// -----

func.func @unknown_kind(%v: i32, %m: memref<i32>) {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'kind' [add, sub, and, or, xor, xchg, smin, smax, umin, umax, uinc_wrap, udec_wrap, min, max, fadd, fsub, fmin, fmax, fminimum, fmaximum]}}
  %0 = xpu.atomic_rmw mul %v, %m[] : memref<i32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// xpu.atomic_rmw
//===----------------------------------------------------------------------===//

func.func @integer_kind_on_float(%v: f32, %m: memref<f32>) {
  // expected-error @below {{'xpu.atomic_rmw' op kind 'add' is for integers, but the element type is 'f32'; floats take xchg, fadd, fsub, fmin, fmax, fminimum and fmaximum}}
  %0 = xpu.atomic_rmw add %v, %m[] : memref<f32>
  return
}

// -----

func.func @sign_kind_on_float(%v: f32, %m: memref<f32>) {
  // expected-error @below {{'xpu.atomic_rmw' op kind 'min' is for integers, but the element type is 'f32'}}
  %0 = xpu.atomic_rmw min %v, %m[] : memref<f32>
  return
}

// -----

func.func @float_kind_on_integer(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.atomic_rmw' op kind 'fadd' is for floats, but the element type is 'i32'}}
  %0 = xpu.atomic_rmw fadd %v, %m[] : memref<i32>
  return
}

// -----

func.func @float_kind_on_signed(%v: si32, %m: memref<si32>) {
  // expected-error @below {{'xpu.atomic_rmw' op kind 'fmaximum' is for floats, but the element type is 'si32'}}
  %0 = xpu.atomic_rmw fmaximum %v, %m[] : memref<si32>
  return
}

// -----

func.func @min_without_sign(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.atomic_rmw' op kind 'min' needs an element type with a sign, but 'i32' has none; write 'smin' or 'umin'}}
  %0 = xpu.atomic_rmw min %v, %m[] : memref<i32>
  return
}

// -----

func.func @max_without_sign(%v: i8, %m: memref<i8>) {
  // expected-error @below {{'xpu.atomic_rmw' op kind 'max' needs an element type with a sign, but 'i8' has none; write 'smax' or 'umax'}}
  %0 = xpu.atomic_rmw max %v, %m[] : memref<i8>
  return
}

// -----

func.func @denormals_of_min(%v: f32, %m: memref<f32>) {
  // expected-error @below {{'xpu.atomic_rmw' op 'denormals' is for fadd and fsub, but the kind is 'fmin'}}
  %0 = xpu.atomic_rmw fmin %v, %m[] denormals(flush) : memref<f32>
  return
}

// -----

func.func @denormals_of_integer(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.atomic_rmw' op 'denormals' is for fadd and fsub, but the kind is 'add'}}
  %0 = xpu.atomic_rmw add %v, %m[] denormals(keep) : memref<i32>
  return
}

// -----

func.func @fastmath_of_integer(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.atomic_rmw' op 'fastmath' is for float kinds, but the kind is 'add'}}
  %0 = xpu.atomic_rmw add %v, %m[] fastmath<reassoc> : memref<i32>
  return
}

// -----

func.func @fastmath_of_exchange(%v: f32, %m: memref<f32>) {
  // expected-error @below {{'xpu.atomic_rmw' op 'fastmath' is for float kinds, but the kind is 'xchg'}}
  %0 = xpu.atomic_rmw xchg %v, %m[] fastmath<reassoc> : memref<f32>
  return
}

// -----

func.func @fastmath_flags(%v: f32, %m: memref<f32>) {
  // expected-error @below {{'xpu.atomic_rmw' op 'fastmath' takes only 'reassoc', but has 'nnan'}}
  %0 = xpu.atomic_rmw fadd %v, %m[] fastmath<nnan> : memref<f32>
  return
}

// -----

func.func @fastmath_none(%v: f32, %m: memref<f32>) {
  // expected-error @below {{'xpu.atomic_rmw' op 'fastmath' takes only 'reassoc', but has 'none'}}
  %0 = xpu.atomic_rmw fadd %v, %m[] fastmath<none> : memref<f32>
  return
}

// -----

func.func @fastmath_unknown(%v: f32, %m: memref<f32>) {
  // expected-error @below {{expected reassoc, but found 'quick'}}
  %0 = xpu.atomic_rmw fadd %v, %m[] fastmath<quick> : memref<f32>
  return
}

// -----

func.func @fastmath_empty(%v: f32, %m: memref<f32>) {
  // expected-error @below {{expected reassoc}}
  %0 = xpu.atomic_rmw fadd %v, %m[] fastmath<> : memref<f32>
  return
}

// -----

func.func @fastmath_two(%v: f32, %m: memref<f32>) {
  // expected-error @below {{'xpu.atomic_rmw' op 'fastmath' takes only 'reassoc', but has 'reassoc,nnan'}}
  %0 = xpu.atomic_rmw fadd %v, %m[] fastmath<reassoc,nnan> : memref<f32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// xpu.cas
//===----------------------------------------------------------------------===//

func.func @failure_release(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.cas' op failure ordering may not be 'release', since a failed comparison stores nothing; write relaxed, acquire or seq_cst}}
  %0 = xpu.cas %v, %v, %m[] failure(release) : memref<i32>
  return
}

// -----

func.func @failure_acq_rel(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.cas' op failure ordering may not be 'acq_rel', since a failed comparison stores nothing; write relaxed, acquire or seq_cst}}
  %0 = xpu.cas %v, %v, %m[] ordering(seq_cst) failure(acq_rel) : memref<i32>
  return
}

// -----

func.func @failure_stronger_than_relaxed(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.cas' op failure ordering 'acquire' is stronger than ordering 'relaxed'}}
  %0 = xpu.cas %v, %v, %m[] ordering(relaxed) failure(acquire) : memref<i32>
  return
}

// -----

// A release and an acquire are not comparable; the failure must not have what the success lacks.
func.func @failure_beside_release(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.cas' op failure ordering 'acquire' is stronger than ordering 'release'}}
  %0 = xpu.cas %v, %v, %m[] ordering(release) failure(acquire) : memref<i32>
  return
}

// -----

func.func @failure_stronger_than_acq_rel(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.cas' op failure ordering 'seq_cst' is stronger than ordering 'acq_rel'}}
  %0 = xpu.cas %v, %v, %m[] ordering(acq_rel) failure(seq_cst) : memref<i32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// xpu.atomic_load, xpu.atomic_store, xpu.fence
//===----------------------------------------------------------------------===//

func.func @load_release(%m: memref<i32>) {
  // expected-error @below {{'xpu.atomic_load' op a load cannot have ordering 'release'; write relaxed, acquire or seq_cst}}
  %0 = xpu.atomic_load %m[] ordering(release) : memref<i32>
  return
}

// -----

func.func @load_acq_rel(%m: memref<i32>) {
  // expected-error @below {{'xpu.atomic_load' op a load cannot have ordering 'acq_rel'; write relaxed, acquire or seq_cst}}
  %0 = xpu.atomic_load %m[] ordering(acq_rel) : memref<i32>
  return
}

// -----

func.func @store_acquire(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.atomic_store' op a store cannot have ordering 'acquire'; write relaxed, release or seq_cst}}
  xpu.atomic_store %v, %m[] ordering(acquire) : memref<i32>
  return
}

// -----

func.func @store_acq_rel(%v: i32, %m: memref<i32>) {
  // expected-error @below {{'xpu.atomic_store' op a store cannot have ordering 'acq_rel'; write relaxed, release or seq_cst}}
  xpu.atomic_store %v, %m[] ordering(acq_rel) : memref<i32>
  return
}

// -----

func.func @fence_relaxed() {
  // expected-error @below {{'xpu.fence' op a relaxed fence orders nothing; write acquire, release, acq_rel or seq_cst}}
  xpu.fence ordering(relaxed)
  return
}

// -----

func.func @fence_without_ordering() {
  // expected-error @below {{expected 'ordering'}}
  xpu.fence scope(device)
  return
}

// -----

func.func @fence_without_word() {
  // expected-error @below {{expected one of relaxed, acquire, release, acq_rel, seq_cst}}
  xpu.fence ordering()
  return
}

// -----

func.func @fence_scope_without_word() {
  // expected-error @below {{expected one of workitem, subgroup, workgroup, device, system}}
  xpu.fence ordering(acquire) scope()
  return
}
