// RUN: xpu-opt %s --xpu-expand-atomics | FileCheck %s

// One function for each row of NVPTX's FORM table, in its order. The last row, private memory, is in
// plain.mlir.

gpu.module @before_sm_90 [#nvvm.target<chip = "sm_70">] {

// CHECK-LABEL: func.func @add(
// CHECK-NEXT: xpu.atomic_rmw add 
// CHECK-NEXT: return
func.func @add(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  return %old : i32
}

// Report A09.
// CHECK-LABEL: func.func @sub(
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT: %[[NEGATED:.*]] = arith.subi %[[ZERO]], %{{.*}} : i64
// CHECK-NEXT: xpu.atomic_rmw add %[[NEGATED]]
// CHECK-NEXT: return
func.func @sub(%m: memref<?xi64>, %i: index, %v: i64) -> i64 {
  %old = xpu.atomic_rmw sub %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi64>
  return %old : i64
}

// CHECK-LABEL: func.func @and(
// CHECK-NEXT: xpu.atomic_rmw and 
// CHECK-NEXT: return
func.func @and(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw and %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @or(
// CHECK-NEXT: xpu.atomic_rmw or 
// CHECK-NEXT: return
func.func @or(%m: memref<?xi64, #gpu.address_space<workgroup>>, %i: index, %v: i64) -> i64 {
  %old = xpu.atomic_rmw or %v, %m[%i] ordering(acquire) scope(device) : memref<?xi64, #gpu.address_space<workgroup>>
  return %old : i64
}

// CHECK-LABEL: func.func @xor(
// CHECK-NEXT: xpu.atomic_rmw xor 
// CHECK-NEXT: return
func.func @xor(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw xor %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @smin(
// CHECK-NEXT: xpu.atomic_rmw smin 
// CHECK-NEXT: return
func.func @smin(%m: memref<?xi64, #gpu.address_space<workgroup>>, %i: index, %v: i64) -> i64 {
  %old = xpu.atomic_rmw smin %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi64, #gpu.address_space<workgroup>>
  return %old : i64
}

// CHECK-LABEL: func.func @smax(
// CHECK-NEXT: xpu.atomic_rmw smax 
// CHECK-NEXT: return
func.func @smax(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw smax %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @umin(
// CHECK-NEXT: xpu.atomic_rmw umin 
// CHECK-NEXT: return
func.func @umin(%m: memref<?xi64, #gpu.address_space<workgroup>>, %i: index, %v: i64) -> i64 {
  %old = xpu.atomic_rmw umin %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi64, #gpu.address_space<workgroup>>
  return %old : i64
}

// CHECK-LABEL: func.func @umax(
// CHECK-NEXT: xpu.atomic_rmw umax 
// CHECK-NEXT: return
func.func @umax(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw umax %v, %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @uinc_wrap_i32(
// CHECK-NEXT: xpu.atomic_rmw uinc_wrap 
// CHECK-NEXT: return
func.func @uinc_wrap_i32(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw uinc_wrap %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @udec_wrap_i32(
// CHECK-NEXT: xpu.atomic_rmw udec_wrap 
// CHECK-NEXT: return
func.func @udec_wrap_i32(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw udec_wrap %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return %old : i32
}

// CHECK-LABEL: func.func @wrap_i64(
// CHECK: %[[FIRST:.*]] = xpu.atomic_load
// CHECK: scf.while (%[[SEEN:.*]] = %[[FIRST]]) : (i64) -> i64
// CHECK: xpu.cas %[[SEEN]]
// CHECK: arith.cmpi ne
func.func @wrap_i64(%m: memref<?xi64>, %i: index, %v: i64) -> i64 {
  %old = xpu.atomic_rmw udec_wrap %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi64>
  return %old : i64
}

// Report A21: ones for the neighbours of an and.
// CHECK-LABEL: func.func @bits_of_a_word(
// CHECK: %[[SHIFT:.*]] = arith.shli
// CHECK: %[[MASK:.*]] = arith.shli %c255_i32, %[[SHIFT]]
// CHECK: %[[LOWEST:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: %[[ELEMENT:.*]] = arith.shli %[[LOWEST]], %[[SHIFT]]
// CHECK: %[[NEIGHBOURS:.*]] = arith.xori %[[MASK]], %c-1_i32
// CHECK: %[[BITS:.*]] = arith.ori %[[ELEMENT]], %[[NEIGHBOURS]]
// CHECK: %[[WORD:.*]] = xpu.atomic_rmw and %[[BITS]], %{{.*}} ordering(acquire) scope(device) : memref<?xi32>
// CHECK: %[[LOWEST:.*]] = arith.shrui %[[WORD]], %[[SHIFT]]
// CHECK: %[[OLD:.*]] = arith.trunci %[[LOWEST]] : i32 to i8
// CHECK: return %[[OLD]]
func.func @bits_of_a_word(%m: memref<?xi8>, %i: index, %v: i8) -> i8 {
  %old = xpu.atomic_rmw and %v, %m[%i] ordering(acquire) scope(device) : memref<?xi8>
  return %old : i8
}

// Zeros for those of an or and an xor.
// CHECK-LABEL: func.func @bits_of_a_word_with_zeros(
// CHECK: %[[LOWEST:.*]] = arith.extui %{{.*}} : i16 to i32
// CHECK: %[[ELEMENT:.*]] = arith.shli %[[LOWEST]]
// CHECK-NEXT: xpu.atomic_rmw xor %[[ELEMENT]], %{{.*}} : memref<?xi32>
func.func @bits_of_a_word_with_zeros(%m: memref<?xi16>, %i: index, %v: i16) -> i16 {
  %old = xpu.atomic_rmw xor %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi16>
  return %old : i16
}

// Report A31: neighbours are put back as they were read.
// CHECK-LABEL: func.func @arithmetic_in_a_word(
// CHECK: %[[SHIFT:.*]] = arith.shli
// CHECK: %[[MASK:.*]] = arith.shli %c255_i32, %[[SHIFT]]
// CHECK: %[[FIRST:.*]] = xpu.atomic_load %[[WORDS:.*]][%[[W:.*]]] ordering(relaxed) scope(workgroup) : memref<?xi32>
// CHECK: %[[LAST:.*]] = scf.while (%[[SEEN:.*]] = %[[FIRST]]) : (i32) -> i32 {
// CHECK:   %[[LOWEST:.*]] = arith.shrui %[[SEEN]], %[[SHIFT]]
// CHECK:   %[[ELEMENT:.*]] = arith.trunci %[[LOWEST]] : i32 to i8
// CHECK:   %[[NEW:.*]] = arith.addi %[[ELEMENT]], %{{.*}} : i8
// CHECK:   %[[WIDE:.*]] = arith.extui %[[NEW]]
// CHECK:   %[[PLACED:.*]] = arith.shli %[[WIDE]], %[[SHIFT]]
// CHECK:   %[[NEIGHBOURS:.*]] = arith.xori %[[MASK]], %c-1_i32
// CHECK:   %[[OTHERS:.*]] = arith.andi %[[SEEN]], %[[NEIGHBOURS]]
// CHECK:   %[[WORD:.*]] = arith.ori %[[OTHERS]], %[[PLACED]]
// CHECK:   %[[GOT:.*]] = xpu.cas %[[SEEN]], %[[WORD]], %[[WORDS]][%[[W]]] ordering(acq_rel) failure(relaxed) scope(workgroup) : memref<?xi32>
// CHECK:   %[[LOST:.*]] = arith.cmpi ne, %[[GOT]], %[[SEEN]] : i32
// CHECK:   scf.condition(%[[LOST]]) %[[GOT]] : i32
// CHECK: %[[LOWEST:.*]] = arith.shrui %[[LAST]], %[[SHIFT]]
// CHECK: %[[OLD:.*]] = arith.trunci %[[LOWEST]] : i32 to i8
// CHECK: return %[[OLD]]
func.func @arithmetic_in_a_word(%m: memref<?xi8>, %i: index, %v: i8) -> i8 {
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(workgroup) : memref<?xi8>
  return %old : i8
}

// CHECK-LABEL: func.func @xchg(
// CHECK-NEXT: xpu.atomic_rmw xchg 
// CHECK-NEXT: return
func.func @xchg(%m: memref<?xf64>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw xchg %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf64>
  return %old : f64
}

// CHECK-LABEL: func.func @cas(
// CHECK-NEXT: xpu.cas 
// CHECK-NEXT: return
func.func @cas(%m: memref<?xf32>, %i: index, %v: f32, %w: f32) -> f32 {
  %old = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(seq_cst) scope(device) : memref<?xf32>
  return %old : f32
}

// CHECK-LABEL: func.func @xchg_in_a_word(
// CHECK: xpu.atomic_load {{.*}} : memref<?xi32>
// CHECK: scf.while
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f16 to i16
// CHECK: arith.extui %[[BITS]]
// CHECK: xpu.cas {{.*}} : memref<?xi32>
// CHECK: arith.bitcast %{{.*}} : i16 to f16
func.func @xchg_in_a_word(%m: memref<?xf16>, %i: index, %v: f16) -> f16 {
  %old = xpu.atomic_rmw xchg %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf16>
  return %old : f16
}

// An element that differs ends the loop and stores nothing; a neighbour that does goes round. Whatever shows
// the difference was read with the failure ordering.
// CHECK-LABEL: func.func @cas_in_a_word(
// CHECK: %[[SHIFT:.*]] = arith.shli
// CHECK: %[[MASK:.*]] = arith.shli %c255_i32, %[[SHIFT]]
// CHECK: %[[EXPECTED:.*]] = arith.shli %{{.*}}, %[[SHIFT]]
// CHECK: %[[DESIRED:.*]] = arith.shli %{{.*}}, %[[SHIFT]]
// CHECK: %[[FIRST:.*]] = xpu.atomic_load %{{.*}} ordering(acquire) scope(device) : memref<?xi32>
// CHECK: scf.while (%[[SEEN:.*]] = %[[FIRST]]) : (i32) -> i32 {
// CHECK:   %[[ELEMENT:.*]] = arith.andi %[[SEEN]], %[[MASK]]
// CHECK:   %[[DIFFERS:.*]] = arith.cmpi ne, %[[ELEMENT]], %[[EXPECTED]]
// CHECK:   %[[OUTCOME:.*]]:2 = scf.if %[[DIFFERS]] -> (i1, i32) {
// CHECK:     scf.yield %false, %[[SEEN]] : i1, i32
// CHECK:   } else {
// CHECK:     %[[OTHERS:.*]] = arith.andi %[[SEEN]]
// CHECK:     %[[WORD:.*]] = arith.ori %[[OTHERS]], %[[DESIRED]]
// CHECK:     %[[GOT:.*]] = xpu.cas %[[SEEN]], %[[WORD]], %{{.*}} ordering(acq_rel) failure(acquire) scope(device) : memref<?xi32>
// CHECK:     %[[LOST:.*]] = arith.cmpi ne, %[[GOT]], %[[SEEN]] : i32
// CHECK:     scf.yield %[[LOST]], %[[GOT]] : i1, i32
// CHECK:   scf.condition(%[[OUTCOME]]#0) %[[OUTCOME]]#1 : i32
func.func @cas_in_a_word(%m: memref<?xi8>, %i: index, %v: i8, %w: i8) -> i8 {
  %old = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<?xi8>
  return %old : i8
}

// CHECK-LABEL: func.func @fadd_f16(
// CHECK-NEXT: xpu.atomic_rmw fadd 
// CHECK-NEXT: return
func.func @fadd_f16(%m: memref<?xf16, #gpu.address_space<workgroup>>, %i: index, %v: f16) -> f16 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf16, #gpu.address_space<workgroup>>
  return %old : f16
}

// CHECK-LABEL: func.func @fadd_bf16_before_sm_90(
// CHECK: scf.while {{.*}} : (i32) -> i32
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: xpu.cas {{.*}} : memref<?xi32>
func.func @fadd_bf16_before_sm_90(%m: memref<?xbf16>, %i: index, %v: bf16) -> bf16 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xbf16>
  return %old : bf16
}

// The instruction flushes subnormals, which shows only where the operand is small.
// CHECK-LABEL: func.func @fadd_f32(
// CHECK: %[[BITS:.*]] = arith.bitcast %[[V:.*]] : f32 to i32
// CHECK: %[[MAGNITUDE:.*]] = arith.andi %[[BITS]], %c2147483647_i32
// CHECK: %[[EXACT:.*]] = arith.cmpi uge, %[[MAGNITUDE]], %c218103808_i32
// CHECK: %[[OLD:.*]] = scf.if %[[EXACT]] -> (f32) {
// CHECK-NEXT:   %[[FAST:.*]] = xpu.atomic_rmw fadd %[[V]], %{{.*}} ordering(acq_rel) scope(device) denormals(flush) : memref<?xf32>
// CHECK-NEXT:   scf.yield %[[FAST]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   xpu.atomic_load
// CHECK-NEXT:   scf.while
// CHECK:          xpu.cas {{.*}} ordering(acq_rel) failure(relaxed)
// CHECK: return %[[OLD]]
func.func @fadd_f32(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
  return %old : f32
}

// In workgroup memory it keeps them.
// CHECK-LABEL: func.func @fadd_f32_shared(
// CHECK-NEXT: xpu.atomic_rmw fadd 
// CHECK-NEXT: return
func.func @fadd_f32_shared(%m: memref<?xf32, #gpu.address_space<workgroup>>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32, #gpu.address_space<workgroup>>
  return %old : f32
}

// CHECK-LABEL: func.func @fadd_f64(
// CHECK-NEXT: xpu.atomic_rmw fadd 
// CHECK-NEXT: return
func.func @fadd_f64(%m: memref<?xf64>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf64>
  return %old : f64
}

// CHECK-LABEL: func.func @fsub(
// CHECK-NEXT: %[[NEGATED:.*]] = arith.negf
// CHECK-NEXT: xpu.atomic_rmw fadd %[[NEGATED]]
// CHECK-NEXT: return
func.func @fsub(%m: memref<?xf64>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw fsub %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf64>
  return %old : f64
}

// Report A23: the sign bit chooses, so that -0 is negative. -NaN in memory defeats the step; a NaN operand
// stands for the largest signed integer, which changes nothing.
// CHECK-LABEL: func.func @fmin(
// CHECK: %[[WORDS:.*]] = xpu.reinterpret %[[M:.*]] : memref<?xf32> to memref<?xi32>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[V:.*]] : f32 to i32
// CHECK: %[[NAN:.*]] = arith.cmpi ugt, %{{.*}}, %c2139095040_i32
// CHECK: %[[STEP:.*]] = arith.select %[[NAN]], %c2147483647_i32{{.*}}, %[[BITS]]
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[STEP]], %c0_i32
// CHECK: %[[OLD:.*]] = scf.if %[[NEGATIVE]] -> (i32) {
// CHECK-NEXT:   xpu.atomic_rmw umax %[[STEP]], %[[WORDS]][%{{.*}}] ordering(release) scope(device) : memref<?xi32>
// CHECK: } else {
// CHECK-NEXT:   xpu.atomic_rmw smin %[[STEP]], %[[WORDS]][%{{.*}}] ordering(release) scope(device) : memref<?xi32>
// CHECK: %[[STUCK:.*]] = arith.cmpi ugt, %[[OLD]], %c-8388608_i32
// CHECK: %[[NUMBER:.*]] = arith.xori %[[NAN]], %true
// CHECK: %[[REPAIR:.*]] = arith.andi %[[STUCK]], %[[NUMBER]]
// CHECK: %[[FLOAT:.*]] = arith.bitcast %[[OLD]] : i32 to f32
// CHECK: %[[RESULT:.*]] = scf.if %[[REPAIR]] -> (f32) {
// CHECK-NEXT:   %[[LAST:.*]] = scf.while (%[[SEEN:.*]] = %[[FLOAT]]) : (f32) -> f32 {
// CHECK:     %[[GOT:.*]] = xpu.cas %[[SEEN]], %{{.*}}, %[[M]][%{{.*}}] ordering(release) failure(relaxed) scope(device) : memref<?xf32>
// CHECK:     scf.condition(%{{.*}}) %[[GOT]]
// CHECK:   scf.yield %[[LAST]]
// CHECK: } else {
// CHECK-NEXT:   scf.yield %[[FLOAT]]
// CHECK: return %[[RESULT]]
func.func @fmin(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fmin %v, %m[%i] ordering(release) scope(device) : memref<?xf32>
  return %old : f32
}

// +NaN defeats it; the identity is that of umin, with its sign bit.
// CHECK-LABEL: func.func @fmax(
// CHECK: %[[NAN:.*]] = arith.cmpi ugt, %{{.*}}, %c9218868437227405312_i64
// CHECK: arith.select %[[NAN]], %c-1_i64, %{{.*}} : i64
// CHECK: xpu.atomic_rmw umin
// CHECK: } else {
// CHECK: xpu.atomic_rmw smax
// CHECK: arith.cmpi sgt, %{{.*}}, %c9218868437227405312_i64
// CHECK: scf.while
// CHECK: xpu.cas {{.*}} : memref<?xf64>
func.func @fmax(%m: memref<?xf64>, %i: index, %v: f64) -> f64 {
  %old = xpu.atomic_rmw fmax %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf64>
  return %old : f64
}

// CHECK-LABEL: func.func @fmin_fmax_in_a_word(
// CHECK: scf.while {{.*}} : (i32) -> i32
// CHECK: arith.cmpi slt, {{.*}} : i16
// CHECK: xpu.cas {{.*}} : memref<?xi32>
func.func @fmin_fmax_in_a_word(%m: memref<?xbf16>, %i: index, %v: bf16) -> bf16 {
  %old = xpu.atomic_rmw fmin %v, %m[%i] ordering(relaxed) scope(device) : memref<?xbf16>
  return %old : bf16
}

// CHECK-LABEL: func.func @fminimum_fmaximum(
// CHECK: scf.while {{.*}} : (f32) -> f32
// CHECK: arith.cmpi sgt, {{.*}} : i32
// CHECK: xpu.cas {{.*}} scope(workgroup)
func.func @fminimum_fmaximum(%m: memref<?xf32, #gpu.address_space<workgroup>>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fmaximum %v, %m[%i] ordering(relaxed) scope(workgroup) : memref<?xf32, #gpu.address_space<workgroup>>
  return %old : f32
}

// CHECK-LABEL: func.func @fminimum_fmaximum_in_a_word(
// CHECK: scf.while {{.*}} : (i32) -> i32
// CHECK: arith.cmpi slt, {{.*}} : i16
// CHECK: xpu.cas {{.*}} : memref<?xi32>
func.func @fminimum_fmaximum_in_a_word(%m: memref<?xf16>, %i: index, %v: f16) -> f16 {
  %old = xpu.atomic_rmw fminimum %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf16>
  return %old : f16
}

// CHECK-LABEL: func.func @atomic_load(
// CHECK-NEXT: xpu.atomic_load 
// CHECK-NEXT: return
func.func @atomic_load(%m: memref<?xbf16>, %i: index) -> bf16 {
  %old = xpu.atomic_load %m[%i] ordering(seq_cst) scope(device) : memref<?xbf16>
  return %old : bf16
}

// CHECK-LABEL: func.func @atomic_store(
// CHECK-NEXT: xpu.atomic_store 
// CHECK-NEXT: return
func.func @atomic_store(%m: memref<?xi8>, %i: index, %v: i8) {
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi8>
  return
}

// A chain of forms: sub is add, which is a loop on the word.
// CHECK-LABEL: func.func @sub_in_a_word(
// CHECK: %[[NEGATED:.*]] = arith.subi
// CHECK: scf.while {{.*}} : (i32) -> i32
// CHECK: arith.addi %{{.*}}, %[[NEGATED]] : i16
func.func @sub_in_a_word(%m: memref<?xi16>, %i: index, %v: i16) -> i16 {
  %old = xpu.atomic_rmw sub %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi16>
  return %old : i16
}
}

gpu.module @sm_90 [#nvvm.target<chip = "sm_90">] {

// Report A06.
// CHECK-LABEL: func.func @fadd_bf16(
// CHECK-NEXT: xpu.atomic_rmw fadd 
// CHECK-NEXT: return
func.func @fadd_bf16(%m: memref<?xbf16>, %i: index, %v: bf16) -> bf16 {
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xbf16>
  return %old : bf16
}
}
