// RUN: xpu-opt %s -verify-diagnostics -split-input-file

func.func @no_element(%p: !llvm.ptr<1>, %v: i32) {
  // expected-error @below {{'!llvm.ptr<1>' does not say what it leads to; write the type of the element after it, as in ': '!llvm.ptr<1>', i32'}}
  xpu.atomic_store %v, %p : !llvm.ptr<1>
  return
}

// -----

func.func @indices(%p: !llvm.ptr<1>, %v: i32, %i: index) {
  // expected-error @below {{'xpu.atomic_rmw' op takes no indices with '!llvm.ptr<1>'; move the pointer to the element before, with 'llvm.getelementptr' or 'ptr.ptr_add', or use a memref}}
  %0 = xpu.atomic_rmw add %v, %p[%i] : !llvm.ptr<1>, i32
  return
}

// -----

func.func @element_of_memref(%m: memref<?xi32>, %v: i32, %i: index) {
  // expected-error @below {{the elements of 'memref<?xi32>' are not of type 'i64'; leave the type of the element out}}
  %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>, i64
  return
}

// -----

func.func @no_memory(%v: i32) {
  // expected-error @below {{expected a ranked memref, !llvm.ptr or !ptr.ptr, but found 'i32'}}
  xpu.atomic_store %v, %v : i32, i32
  return
}

// -----

func.func @element_i1(%p: !llvm.ptr, %v: i1) {
  // expected-error @below {{'xpu.atomic_store' op operand #0 must be 8, 16, 32 or 64-bit integer, or f16, bf16, f32 or f64, but got 'i1'}}
  xpu.atomic_store %v, %p : !llvm.ptr, i1
  return
}

// -----

func.func @element_i128(%p: !llvm.ptr) {
  // expected-error @below {{'xpu.atomic_load' op result #0 must be 8, 16, 32 or 64-bit integer, or f16, bf16, f32 or f64, but got 'i128'}}
  %0 = xpu.atomic_load %p : !llvm.ptr, i128
  return
}

// -----

func.func @min(%p: !llvm.ptr, %v: i32) {
  // expected-error @below {{'xpu.atomic_rmw' op kind 'min' needs an element type with a sign, but 'i32' has none; write 'smin' or 'umin'}}
  %0 = xpu.atomic_rmw min %v, %p : !llvm.ptr, i32
  return
}

// -----

func.func @signed(%p: !llvm.ptr, %v: si32) {
  // expected-error @below {{'xpu.atomic_rmw' op element type 'si32' has a sign, but memory behind a pointer has none; write 'i32' (with 'xpu.sign_cast'), and the sign in the kind, as in 'smin' and 'umin'}}
  %0 = xpu.atomic_rmw min %v, %p : !llvm.ptr, si32
  return
}

// -----

func.func @integer_kind_on_float(%p: !llvm.ptr, %v: f32) {
  // expected-error @below {{'xpu.atomic_rmw' op kind 'add' is for integers, but the element type is 'f32'}}
  %0 = xpu.atomic_rmw add %v, %p : !llvm.ptr, f32
  return
}

// -----

func.func @cas_types(%p: !llvm.ptr, %v: i32, %w: i64) {
  // expected-error @below {{'xpu.cas' op expects one type for 'expected' and 'desired', but they are of types 'i32' and 'i64'}}
  %0 = "xpu.cas"(%v, %w, %p) : (i32, i64, !llvm.ptr) -> i32
  return
}

// -----

func.func @result_type(%p: !llvm.ptr, %v: i32) {
  // expected-error @below {{'xpu.atomic_rmw' op failed to infer returned types}}
  // expected-error @below {{'xpu.atomic_rmw' op inferred type(s) 'i32' are incompatible with return type(s) of operation 'i64'}}
  %0 = "xpu.atomic_rmw"(%v, %p) <{kind = 0 : i32}> : (i32, !llvm.ptr) -> i64
  return
}

// -----

func.func @space(%p: !llvm.ptr<7>, %v: i32) {
  // expected-error @below {{'xpu.atomic_store' op cannot reach the memory of '!llvm.ptr<7>'; address spaces are 0 (generic), 1 (global), 3 (workgroup) and 5 (private)}}
  xpu.atomic_store %v, %p : !llvm.ptr<7>, i32
  return
}

// -----

func.func @ordering(%p: !llvm.ptr) {
  // expected-error @below {{'xpu.atomic_load' op a load cannot have ordering 'release'; write relaxed, acquire or seq_cst}}
  %0 = xpu.atomic_load %p ordering(release) : !llvm.ptr, i32
  return
}

// -----

func.func @reinterpret_dynamic(%p: !llvm.ptr) {
  // expected-error @below {{'xpu.reinterpret' op makes a memref of one dimension and static size of a pointer, not 'memref<?xi32>'}}
  %0 = xpu.reinterpret %p : !llvm.ptr to memref<?xi32>
  return
}

// -----

func.func @reinterpret_space(%p: !llvm.ptr<3>) {
  // expected-error @below {{'xpu.reinterpret' op expects one kind of memory, but goes from '!llvm.ptr<3>' to 'memref<1xi32>'}}
  %0 = xpu.reinterpret %p : !llvm.ptr<3> to memref<1xi32>
  return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #0 has type '!llvm.ptr<3>', but a launch gives pointers to global memory: !llvm.ptr<1> or !llvm.ptr}}
xpu.kernel @shared(%p: !llvm.ptr<3>) workgroup_size(1, 1, 1) {
  xpu.return
}
