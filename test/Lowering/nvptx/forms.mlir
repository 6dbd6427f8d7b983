// One function for each row of FORM in passes/targets/src/nvptx.rs, in its order.
//
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s --check-prefixes=CHECK,SM70

// The wrapping sum.
// CHECK-LABEL: .visible .entry form_add(
// CHECK:       atom.acq_rel.gpu.global.add.u32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_add(%m: memref<?xi32>, %i: index, %j: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  memref.store %old, %out[%i] : memref<?xi32>
  xpu.return
}

// A sum with the negated operand; PTX has no sub.
// CHECK-LABEL: .visible .entry form_sub(
// CHECK:       neg.s64 [[NEGATED:%rd[0-9]+]], 
// CHECK:       atom.acq_rel.gpu.global.add.u64 {{%rd[0-9]+}}, [{{%rd[0-9]+}}], [[NEGATED]];
// CHECK:       ret;
xpu.kernel @form_sub(%m: memref<?xi64>, %i: index, %j: index, %v: i64, %w: i64, %out: memref<?xi64>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw sub %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64>
  memref.store %old, %out[%i] : memref<?xi64>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_and(
// CHECK:       atom.acq_rel.gpu.global.and.b32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_and(%m: memref<?xi32>, %i: index, %j: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw and %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  memref.store %old, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_or(
// CHECK:       atom.acq_rel.gpu.global.or.b32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_or(%m: memref<?xi32>, %i: index, %j: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw or %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  memref.store %old, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_xor(
// CHECK:       atom.acq_rel.gpu.global.xor.b32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_xor(%m: memref<?xi32>, %i: index, %j: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw xor %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  memref.store %old, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_smin(
// CHECK:       atom.acq_rel.gpu.global.min.s64 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_smin(%m: memref<?xi64>, %i: index, %j: index, %v: i64, %w: i64, %out: memref<?xi64>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw smin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64>
  memref.store %old, %out[%i] : memref<?xi64>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_smax(
// CHECK:       atom.acq_rel.gpu.global.max.s64 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_smax(%m: memref<?xi64>, %i: index, %j: index, %v: i64, %w: i64, %out: memref<?xi64>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw smax %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64>
  memref.store %old, %out[%i] : memref<?xi64>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_umin(
// CHECK:       atom.acq_rel.gpu.global.min.u64 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_umin(%m: memref<?xi64>, %i: index, %j: index, %v: i64, %w: i64, %out: memref<?xi64>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw umin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64>
  memref.store %old, %out[%i] : memref<?xi64>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_umax(
// CHECK:       atom.acq_rel.gpu.global.max.u64 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_umax(%m: memref<?xi64>, %i: index, %j: index, %v: i64, %w: i64, %out: memref<?xi64>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw umax %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64>
  memref.store %old, %out[%i] : memref<?xi64>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_uinc_wrap(
// CHECK:       atom.acq_rel.gpu.global.inc.u32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_uinc_wrap(%m: memref<?xi32>, %i: index, %j: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw uinc_wrap %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  memref.store %old, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_udec_wrap(
// CHECK:       atom.acq_rel.gpu.global.dec.u32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_udec_wrap(%m: memref<?xi32>, %i: index, %j: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw udec_wrap %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  memref.store %old, %out[%i] : memref<?xi32>
  xpu.return
}

// PTX has no 64-bit inc and dec.
// CHECK-LABEL: .visible .entry form_uinc_wrap_i64(
// CHECK-NOT:   ld.global
// CHECK:       ld.relaxed.gpu.global.b64 [[SEEN:%r[d]?[0-9]+]], [[[AT:%rd[0-9]+]]];
// CHECK:       [[AGAIN:\$L__BB[0-9_]+]]:
// CHECK:       atom.acq_rel.gpu.global.cas.b64 [[GOT:%r[d]?[0-9]+]], [[[AT]]], [[SEEN]],
// CHECK-NEXT:  setp.ne.b64 [[LOST:%p[0-9]+]], [[GOT]], [[SEEN]];
// CHECK-NEXT:  mov.b64 [[SEEN]], [[GOT]];
// CHECK-NEXT:  @[[LOST]] bra [[AGAIN]];
// CHECK:       ret;
xpu.kernel @form_uinc_wrap_i64(%m: memref<?xi64>, %i: index, %j: index, %v: i64, %w: i64, %out: memref<?xi64>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw uinc_wrap %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64>
  memref.store %old, %out[%i] : memref<?xi64>
  xpu.return
}

// Bitwise on the word around the element; neighbours get zeros, or ones for and.
// CHECK-LABEL: .visible .entry form_xor_i8(
// CHECK:       and.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, -4;
// CHECK:       atom.acq_rel.gpu.global.xor.b32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_xor_i8(%m: memref<?xi8>, %i: index, %j: index, %v: i8, %w: i8, %out: memref<?xi8>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw xor %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi8>
  memref.store %old, %out[%i] : memref<?xi8>
  xpu.return
}

// Other small integers go through a swap of the word.
// CHECK-LABEL: .visible .entry form_add_i16(
// CHECK:       and.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, -4;
// CHECK-NOT:   ld.global
// CHECK:       ld.relaxed.gpu.global.b32 [[SEEN:%r[d]?[0-9]+]], [[[AT:%rd[0-9]+]]];
// CHECK:       [[AGAIN:\$L__BB[0-9_]+]]:
// CHECK:       atom.acq_rel.gpu.global.cas.b32 [[GOT:%r[d]?[0-9]+]], [[[AT]]], [[SEEN]],
// CHECK-NEXT:  setp.ne.b32 [[LOST:%p[0-9]+]], [[GOT]], [[SEEN]];
// CHECK-NEXT:  mov.b32 [[SEEN]], [[GOT]];
// CHECK-NEXT:  @[[LOST]] bra [[AGAIN]];
// CHECK:       ret;
xpu.kernel @form_add_i16(%m: memref<?xi16>, %i: index, %j: index, %v: i16, %w: i16, %out: memref<?xi16>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi16>
  memref.store %old, %out[%i] : memref<?xi16>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_xchg(
// CHECK:       atom.acq_rel.gpu.global.exch.b32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_xchg(%m: memref<?xf32>, %i: index, %j: index, %v: f32, %w: f32, %out: memref<?xf32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw xchg %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  memref.store %old, %out[%i] : memref<?xf32>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_cas(
// CHECK:       atom.acq_rel.gpu.global.cas.b64 {{%rd[0-9]+}}, [{{%rd[0-9]+}}], {{%rd[0-9]+}}, {{%rd[0-9]+}};
// CHECK:       ret;
xpu.kernel @form_cas(%m: memref<?xf64>, %i: index, %j: index, %v: f64, %w: f64, %out: memref<?xf64>) workgroup_size(32, 1, 1) {
  %old = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<?xf64>
  memref.store %old, %out[%i] : memref<?xf64>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_xchg_bf16(
// CHECK:       and.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, -4;
// CHECK-NOT:   ld.global
// CHECK:       ld.relaxed.gpu.global.b32 [[SEEN:%r[d]?[0-9]+]], [[[AT:%rd[0-9]+]]];
// CHECK:       [[AGAIN:\$L__BB[0-9_]+]]:
// CHECK:       atom.acq_rel.gpu.global.cas.b32 [[GOT:%r[d]?[0-9]+]], [[[AT]]], [[SEEN]],
// CHECK-NEXT:  setp.ne.b32 [[LOST:%p[0-9]+]], [[GOT]], [[SEEN]];
// CHECK-NEXT:  mov.b32 [[SEEN]], [[GOT]];
// CHECK-NEXT:  @[[LOST]] bra [[AGAIN]];
// CHECK:       ret;
xpu.kernel @form_xchg_bf16(%m: memref<?xbf16>, %i: index, %j: index, %v: bf16, %w: bf16, %out: memref<?xbf16>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw xchg %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xbf16>
  memref.store %old, %out[%i] : memref<?xbf16>
  xpu.return
}

// The first read has the failure ordering: it may be what shows that the element differs.
// CHECK-LABEL: .visible .entry form_cas_i8(
// CHECK:       ld.acquire.gpu.global.b32 [[SEEN:%r[0-9]+]], [[[AT:%rd[0-9]+]]];
// CHECK:       setp.ne.b32
// CHECK:       atom.acq_rel.gpu.global.cas.b32 [[GOT:%r[0-9]+]], [[[AT]]], [[SEEN]],
// CHECK-NEXT:  setp.ne.b32 {{%p[0-9]+}}, [[GOT]], [[SEEN]];
// CHECK:       ret;
xpu.kernel @form_cas_i8(%m: memref<?xi8>, %i: index, %j: index, %v: i8, %w: i8, %out: memref<?xi8>) workgroup_size(32, 1, 1) {
  %old = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<?xi8>
  memref.store %old, %out[%i] : memref<?xi8>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_fadd_f16(
// CHECK:       atom.acq_rel.gpu.global.add.noftz.f16 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_fadd_f16(%m: memref<?xf16>, %i: index, %j: index, %v: f16, %w: f16, %out: memref<?xf16>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf16>
  memref.store %old, %out[%i] : memref<?xf16>
  xpu.return
}

// On sm_90; a loop before.
// CHECK-LABEL: .visible .entry form_fadd_bf16(
// SM90:        atom.acq_rel.gpu.global.add.noftz.bf16
// SM90-NOT:    cas
// SM70-NOT:    bf16 {{.*}}[
// SM70:        ld.relaxed.gpu.global.b32
// SM70:        atom.acq_rel.gpu.global.cas.b32
// CHECK:       ret;
xpu.kernel @form_fadd_bf16(%m: memref<?xbf16>, %i: index, %j: index, %v: bf16, %w: bf16, %out: memref<?xbf16>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xbf16>
  memref.store %old, %out[%i] : memref<?xbf16>
  xpu.return
}

// The instruction flushes subnormals in global memory: a loop where that could show, below 2^-101.
// CHECK-LABEL: .visible .entry form_fadd_f32(
// CHECK:       and.b32 [[MAGNITUDE:%r[0-9]+]], {{%r[0-9]+}}, 2147483647;
// CHECK:       setp.lt.u32 [[SMALL:%p[0-9]+]], [[MAGNITUDE]], 218103808;
// CHECK:       @[[SMALL]] bra
// CHECK:       atom.acq_rel.gpu.global.add.f32
// CHECK:       ld.relaxed.gpu.global.b32 {{%r[0-9]+}}, [[[AT:%rd[0-9]+]]];
// CHECK:       add.rn.f32
// CHECK:       atom.acq_rel.gpu.global.cas.b32 [[GOT:%r[0-9]+]], [[[AT]]], [[SEEN:%r[0-9]+]],
// CHECK-NEXT:  setp.ne.b32 {{%p[0-9]+}}, [[GOT]], [[SEEN]];
// CHECK:       ret;
xpu.kernel @form_fadd_f32(%m: memref<?xf32>, %i: index, %j: index, %v: f32, %w: f32, %out: memref<?xf32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  memref.store %old, %out[%i] : memref<?xf32>
  xpu.return
}

// It keeps them in shared memory.
// CHECK-LABEL: .visible .entry form_fadd_f32_shared(
// CHECK:       atom.acq_rel.gpu.shared.add.f32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK-NOT:   cas
// CHECK:       ret;
xpu.kernel @form_fadd_f32_shared(%i: index, %j: index, %v: f32, %w: f32, %out: memref<?xf32>) workgroup_size(32, 1, 1) {
  %m = xpu.shared : memref<64xf32, #gpu.address_space<workgroup>>
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %old, %out[%i] : memref<?xf32>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_fadd_f32_flush(
// CHECK:       atom.acq_rel.gpu.global.add.f32 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK-NOT:   cas
// CHECK:       ret;
xpu.kernel @form_fadd_f32_flush(%m: memref<?xf32>, %i: index, %j: index, %v: f32, %w: f32, %out: memref<?xf32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) denormals(flush) : memref<?xf32>
  memref.store %old, %out[%i] : memref<?xf32>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_fadd_f64(
// CHECK:       atom.acq_rel.gpu.global.add.f64 {{%r[sd]?[0-9]+}}, [{{%rd[0-9]+}}], 
// CHECK:       ret;
xpu.kernel @form_fadd_f64(%m: memref<?xf64>, %i: index, %j: index, %v: f64, %w: f64, %out: memref<?xf64>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf64>
  memref.store %old, %out[%i] : memref<?xf64>
  xpu.return
}

// A sum with the negated operand.
// CHECK-LABEL: .visible .entry form_fsub_f64(
// CHECK:       xor.b64 [[NEGATED:%rd[0-9]+]], {{%rd[0-9]+}}, -9223372036854775808;
// CHECK:       atom.acq_rel.gpu.global.add.f64 {{%rd[0-9]+}}, [{{%rd[0-9]+}}], [[NEGATED]];
// CHECK:       ret;
xpu.kernel @form_fsub_f64(%m: memref<?xf64>, %i: index, %j: index, %v: f64, %w: f64, %out: memref<?xf64>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fsub %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf64>
  memref.store %old, %out[%i] : memref<?xf64>
  xpu.return
}

// By the sign bit of the operand; a NaN that was in memory is repaired.
// CHECK-LABEL: .visible .entry form_fmin(
// CHECK:       setp.gt.s32 [[POSITIVE:%p[0-9]+]], [[STEP:%r[d]?[0-9]+]], -1;
// CHECK:       @[[POSITIVE]] bra [[THEN:\$L__BB[0-9_]+]];
// CHECK:       [[THEN]]:
// CHECK:       atom.acq_rel.gpu.global.min.s32 [[OLD:%r[d]?[0-9]+]], [[[AT:%rd[0-9]+]]], [[STEP]];
// CHECK:       atom.acq_rel.gpu.global.max.u32 [[OLD]], [[[AT]]], [[STEP]];
// CHECK:       setp.lt.u32 {{%p[0-9]+}}, [[OLD]],
// CHECK:       atom.acq_rel.gpu.global.cas.b32 {{%r[d]?[0-9]+}}, [[[AT]]],
// CHECK-NEXT:  setp.ne.b32
// CHECK:       ret;
xpu.kernel @form_fmin(%m: memref<?xf32>, %i: index, %j: index, %v: f32, %w: f32, %out: memref<?xf32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fmin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  memref.store %old, %out[%i] : memref<?xf32>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_fmax(
// CHECK:       setp.gt.s64 [[POSITIVE:%p[0-9]+]], [[STEP:%r[d]?[0-9]+]], -1;
// CHECK:       @[[POSITIVE]] bra [[THEN:\$L__BB[0-9_]+]];
// CHECK:       [[THEN]]:
// CHECK:       atom.acq_rel.gpu.global.max.s64 [[OLD:%r[d]?[0-9]+]], [[[AT:%rd[0-9]+]]], [[STEP]];
// CHECK:       atom.acq_rel.gpu.global.min.u64 [[OLD]], [[[AT]]], [[STEP]];
// CHECK:       setp.lt.s64 {{%p[0-9]+}}, [[OLD]],
// CHECK:       atom.acq_rel.gpu.global.cas.b64 {{%r[d]?[0-9]+}}, [[[AT]]],
// CHECK-NEXT:  setp.ne.b64
// CHECK:       ret;
xpu.kernel @form_fmax(%m: memref<?xf64>, %i: index, %j: index, %v: f64, %w: f64, %out: memref<?xf64>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fmax %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf64>
  memref.store %old, %out[%i] : memref<?xf64>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_fmin_f16(
// CHECK:       and.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, -4;
// CHECK-NOT:   ld.global
// CHECK:       ld.relaxed.gpu.global.b32 [[SEEN:%r[d]?[0-9]+]], [[[AT:%rd[0-9]+]]];
// CHECK:       [[AGAIN:\$L__BB[0-9_]+]]:
// CHECK:       atom.acq_rel.gpu.global.cas.b32 [[GOT:%r[d]?[0-9]+]], [[[AT]]], [[SEEN]],
// CHECK-NEXT:  setp.ne.b32 [[LOST:%p[0-9]+]], [[GOT]], [[SEEN]];
// CHECK-NEXT:  mov.b32 [[SEEN]], [[GOT]];
// CHECK-NEXT:  @[[LOST]] bra [[AGAIN]];
// CHECK:       ret;
xpu.kernel @form_fmin_f16(%m: memref<?xf16>, %i: index, %j: index, %v: f16, %w: f16, %out: memref<?xf16>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fmin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf16>
  memref.store %old, %out[%i] : memref<?xf16>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_fminimum(
// CHECK-NOT:   ld.global
// CHECK:       ld.relaxed.gpu.global.b32 [[SEEN:%r[d]?[0-9]+]], [[[AT:%rd[0-9]+]]];
// CHECK:       [[AGAIN:\$L__BB[0-9_]+]]:
// CHECK:       atom.acq_rel.gpu.global.cas.b32 [[GOT:%r[d]?[0-9]+]], [[[AT]]], [[SEEN]],
// CHECK-NEXT:  setp.ne.b32 [[LOST:%p[0-9]+]], [[GOT]], [[SEEN]];
// CHECK-NEXT:  mov.b32 [[SEEN]], [[GOT]];
// CHECK-NEXT:  @[[LOST]] bra [[AGAIN]];
// CHECK:       ret;
xpu.kernel @form_fminimum(%m: memref<?xf32>, %i: index, %j: index, %v: f32, %w: f32, %out: memref<?xf32>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fminimum %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  memref.store %old, %out[%i] : memref<?xf32>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_fmaximum_bf16(
// CHECK:       and.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, -4;
// CHECK-NOT:   ld.global
// CHECK:       ld.relaxed.gpu.global.b32 [[SEEN:%r[d]?[0-9]+]], [[[AT:%rd[0-9]+]]];
// CHECK:       [[AGAIN:\$L__BB[0-9_]+]]:
// CHECK:       atom.acq_rel.gpu.global.cas.b32 [[GOT:%r[d]?[0-9]+]], [[[AT]]], [[SEEN]],
// CHECK-NEXT:  setp.ne.b32 [[LOST:%p[0-9]+]], [[GOT]], [[SEEN]];
// CHECK-NEXT:  mov.b32 [[SEEN]], [[GOT]];
// CHECK-NEXT:  @[[LOST]] bra [[AGAIN]];
// CHECK:       ret;
xpu.kernel @form_fmaximum_bf16(%m: memref<?xbf16>, %i: index, %j: index, %v: bf16, %w: bf16, %out: memref<?xbf16>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_rmw fmaximum %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xbf16>
  memref.store %old, %out[%i] : memref<?xbf16>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_load(
// CHECK:       ld.acquire.gpu.global.b8
// CHECK:       ret;
xpu.kernel @form_load(%m: memref<?xi8>, %i: index, %j: index, %v: i8, %w: i8, %out: memref<?xi8>) workgroup_size(32, 1, 1) {
  %old = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi8>
  memref.store %old, %out[%i] : memref<?xi8>
  xpu.return
}

// CHECK-LABEL: .visible .entry form_store(
// CHECK:       st.release.gpu.global.b16
// CHECK:       ret;
xpu.kernel @form_store(%m: memref<?xbf16>, %i: index, %j: index, %v: bf16, %w: bf16, %out: memref<?xbf16>) workgroup_size(32, 1, 1) {
  xpu.atomic_store %v, %m[%i] ordering(release) scope(device) : memref<?xbf16>
  xpu.return
}

// Nobody else can name private memory.
// CHECK-LABEL: .visible .entry form_private(
// CHECK-NOT:   {{(atom|red|fence|ld.relaxed|ld.acquire)}}
// CHECK:       ld.local.b32
// CHECK:       st.local.b32
// CHECK:       ret;
xpu.kernel @form_private(%i: index, %j: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %m = memref.alloca() : memref<4xi32>
  memref.store %w, %m[%j] : memref<4xi32>
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi32>
  %new = memref.load %m[%j] : memref<4xi32>
  memref.store %old, %out[%i] : memref<?xi32>
  memref.store %new, %out[%j] : memref<?xi32>
  xpu.return
}
