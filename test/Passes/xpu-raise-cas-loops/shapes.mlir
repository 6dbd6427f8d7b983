// The shapes that loops come in, and what is used behind them.
//
// RUN: xpu-opt %s --xpu-raise-cas-loops | FileCheck %s
// RUN: xpu-opt %s --xpu-raise-cas-loops --verify-each --canonicalize -o /dev/null
// CHECK-NOT: xpu.cas
// CHECK-NOT: stays a loop

// The element is read again in each turn, and what was expected is the result.
// CHECK-LABEL: func.func @reload(
// CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw add %arg2, %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: return %[[OLD]]
func.func @reload(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = scf.while : () -> i32 {
    %seen = memref.load %m[%i] : memref<?xi32>
    %new = arith.addi %v, %seen : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %seen, %got : i32
    scf.condition(%lost) %seen : i32
  } do {
  ^bb0(%unused: i32):
    scf.yield
  }
  return %old : i32
}

// The element is read again between two turns.
// CHECK-LABEL: func.func @reload_between(
// CHECK-NEXT: xpu.atomic_rmw add %arg2, %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: return
func.func @reload_between(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  scf.while (%seen = %first) : (i32) -> () {
    %new = arith.addi %v, %seen : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %seen, %got : i32
    scf.condition(%lost)
  } do {
    %again = memref.load %m[%i] : memref<?xi32>
    scf.yield %again : i32
  }
  return
}

// The first turn may expect anything.
// CHECK-LABEL: func.func @guess(
// CHECK: xpu.atomic_rmw xor %arg2, %arg0[%arg1] ordering(seq_cst) scope(system)
// CHECK-NEXT: return
func.func @guess(%m: memref<?xi64>, %i: index, %v: i64) {
  %zero = arith.constant 0 : i64
  %old = scf.while (%seen = %zero) : (i64) -> i64 {
    %new = arith.xori %seen, %v : i64
    %got = xpu.cas %seen, %new, %m[%i] ordering(seq_cst) failure(seq_cst) scope(system) : memref<?xi64>
    %lost = arith.cmpi ne, %got, %seen : i64
    scf.condition(%lost) %got : i64
  } do {
  ^bb0(%again: i64):
    scf.yield %again : i64
  }
  return
}

// The new value is used: it is computed again.
// CHECK-LABEL: func.func @new_value(
// CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw add %arg2, %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: %[[NEW:.*]] = arith.addi %[[OLD]], %arg2 : i32
// CHECK-NEXT: return %[[NEW]], %[[OLD]]
func.func @new_value(%m: memref<?xi32>, %i: index, %v: i32) -> (i32, i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  %r:3 = scf.while (%seen = %first) : (i32) -> (i32, i32, i32) {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %new, %seen, %got : i32, i32, i32
  } do {
  ^bb0(%n: i32, %s: i32, %again: i32):
    scf.yield %again : i32
  }
  return %r#0, %r#1 : i32, i32
}

// The operand is computed in the loop.
// CHECK-LABEL: func.func @operand_inside(
// CHECK-NEXT: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK-NEXT: %[[V:.*]] = arith.divui %arg2, %[[THREE]] : i32
// CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw sub %[[V]], %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: return %[[OLD]]
func.func @operand_inside(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %first = memref.load %m[%i] : memref<?xi32>
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %three = arith.constant 3 : i32
    %third = arith.divui %v, %three : i32
    %new = arith.subi %seen, %third : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return %old : i32
}

// A number of turns that nobody asks for, and an operand that is carried along unchanged.
// CHECK-LABEL: func.func @carries_more(
// CHECK: xpu.atomic_rmw add %arg2, %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: return
func.func @carries_more(%m: memref<?xi32>, %i: index, %v: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = memref.load %m[%i] : memref<?xi32>
  %r:3 = scf.while (%seen = %first, %n = %zero, %w = %v) : (i32, i32, i32) -> (i32, i32, i32) {
    %new = arith.addi %seen, %w : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    %next = arith.addi %n, %one : i32
    scf.condition(%lost) %got, %next, %w : i32, i32, i32
  } do {
  ^bb0(%again: i32, %turns: i32, %same: i32):
    scf.yield %again, %turns, %same : i32, i32, i32
  }
  return
}

// The condition is the negation of success.
// CHECK-LABEL: func.func @negated(
// CHECK: xpu.atomic_rmw add %arg2, %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: return
func.func @negated(%m: memref<?xi32>, %i: index, %v: i32) {
  %true = arith.constant true
  %first = memref.load %m[%i] : memref<?xi32>
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %stored = arith.cmpi eq, %got, %seen : i32
    %lost = arith.xori %stored, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// Floats, compared as bits.
// CHECK-LABEL: func.func @floats(
// CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw fmax %arg2, %arg0[%arg1] ordering(acquire) scope(workgroup) : memref<?xf64>
// CHECK-NEXT: return %[[OLD]]
func.func @floats(%m: memref<?xf64>, %i: index, %v: f64) -> f64 {
  %first = xpu.atomic_load %m[%i] ordering(acquire) scope(workgroup) : memref<?xf64>
  %old = scf.while (%seen = %first) : (f64) -> f64 {
    %new = arith.maxnumf %seen, %v : f64
    %got = xpu.cas %seen, %new, %m[%i] ordering(acquire) scope(workgroup) : memref<?xf64>
    %got_bits = arith.bitcast %got : f64 to i64
    %seen_bits = arith.bitcast %seen : f64 to i64
    %lost = arith.cmpi ne, %got_bits, %seen_bits : i64
    scf.condition(%lost) %got : f64
  } do {
  ^bb0(%again: f64):
    scf.yield %again : f64
  }
  return %old : f64
}

// A buffer of integers whose bits are floats.
// CHECK-LABEL: func.func @floats_in_integers(
// CHECK-NEXT: %[[M:.*]] = xpu.reinterpret %arg0 : memref<8xi32> to memref<8xf32>
// CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw fsub %arg2, %[[M]][%arg1] : memref<8xf32>
// CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[OLD]] : f32 to i32
// CHECK-NEXT: return %[[BITS]]
func.func @floats_in_integers(%m: memref<8xi32>, %i: index, %v: f32) -> i32 {
  %first = memref.load %m[%i] : memref<8xi32>
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %number = arith.bitcast %seen : i32 to f32
    %less = arith.subf %number, %v : f32
    %new = arith.bitcast %less : f32 to i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<8xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return %old : i32
}

// The float is carried, its bits are swapped.
// CHECK-LABEL: func.func @carries_float(
// CHECK: %[[OLD:.*]] = xpu.atomic_rmw fminimum %arg2, %arg0[%arg1] : memref<?xf32>
// CHECK-NEXT: return %[[OLD]]
func.func @carries_float(%m: memref<?xf32>, %i: index, %v: f32) -> f32 {
  %bits = xpu.reinterpret %m : memref<?xf32> to memref<?xi32>
  %first = memref.load %m[%i] : memref<?xf32>
  %old = scf.while (%seen = %first) : (f32) -> f32 {
    %new = arith.minimumf %seen, %v : f32
    %seen_bits = arith.bitcast %seen : f32 to i32
    %new_bits = arith.bitcast %new : f32 to i32
    %got = xpu.cas %seen_bits, %new_bits, %bits[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen_bits : i32
    %number = arith.bitcast %got : i32 to f32
    scf.condition(%lost) %number : f32
  } do {
  ^bb0(%again: f32):
    scf.yield %again : f32
  }
  return %old : f32
}

// Halves, added in f32, where rounding twice is as rounding once.
// CHECK-LABEL: func.func @halves(
// CHECK-NEXT: xpu.atomic_rmw fadd %arg2, %arg0[%arg1] : memref<?xbf16>
// CHECK-NEXT: return
func.func @halves(%m: memref<?xbf16>, %i: index, %v: bf16) {
  %first = memref.load %m[%i] : memref<?xbf16>
  %old = scf.while (%seen = %first) : (bf16) -> bf16 {
    %wide = arith.extf %seen : bf16 to f32
    %wide_v = arith.extf %v : bf16 to f32
    %sum = arith.addf %wide, %wide_v : f32
    %new = arith.truncf %sum : f32 to bf16
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xbf16>
    %got_bits = arith.bitcast %got : bf16 to i16
    %seen_bits = arith.bitcast %seen : bf16 to i16
    %lost = arith.cmpi ne, %got_bits, %seen_bits : i16
    scf.condition(%lost) %got : bf16
  } do {
  ^bb0(%again: bf16):
    scf.yield %again : bf16
  }
  return
}

// Bytes, added as C does.
// CHECK-LABEL: func.func @bytes(
// CHECK-NEXT: %[[V:.*]] = arith.constant 44 : i8
// CHECK-NEXT: xpu.atomic_rmw add %[[V]], %arg0[%arg1] : memref<?xi8>
// CHECK-NEXT: return
func.func @bytes(%m: memref<?xi8>, %i: index) {
  %first = memref.load %m[%i] : memref<?xi8>
  %old = scf.while (%seen = %first) : (i8) -> i8 {
    %v = arith.constant 300 : i32
    %wide = arith.extsi %seen : i8 to i32
    %sum = arith.addi %wide, %v : i32
    %new = arith.trunci %sum : i32 to i8
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi8>
    %lost = arith.cmpi ne, %got, %seen : i8
    scf.condition(%lost) %got : i8
  } do {
  ^bb0(%again: i8):
    scf.yield %again : i8
  }
  return
}

// Elements with a sign.
// CHECK-LABEL: func.func @signed(
// CHECK: %[[V:.*]] = xpu.sign_cast %arg2 : i32 to si32
// CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw smin %[[V]], %arg0[%arg1] : memref<?xsi32>
// CHECK-NEXT: return %[[OLD]]
func.func @signed(%m: memref<?xsi32>, %i: index, %v: i32) -> si32 {
  %first = memref.load %m[%i] : memref<?xsi32>
  %old = scf.while (%seen = %first) : (si32) -> si32 {
    %number = xpu.sign_cast %seen : si32 to i32
    %least = arith.minsi %number, %v : i32
    %new = xpu.sign_cast %least : i32 to si32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xsi32>
    %got_number = xpu.sign_cast %got : si32 to i32
    %lost = arith.cmpi ne, %got_number, %number : i32
    scf.condition(%lost) %got : si32
  } do {
  ^bb0(%again: si32):
    scf.yield %again : si32
  }
  return %old : si32
}

// A fence stands between the read and the loop: the read stays, since the fence acquires through it.
// CHECK-LABEL: func.func @fence_between(
// CHECK-NEXT: xpu.atomic_load %arg0[%arg1] ordering(relaxed)
// CHECK-NEXT: xpu.fence ordering(acquire)
// CHECK-NEXT: xpu.atomic_rmw add %arg2, %arg0[%arg1] ordering(relaxed)
// CHECK-NEXT: return
func.func @fence_between(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = xpu.atomic_load %m[%i] ordering(relaxed) : memref<?xi32>
  xpu.fence ordering(acquire)
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] ordering(relaxed) : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// The read is used otherwise: it stays.
// CHECK-LABEL: func.func @read_used(
// CHECK-NEXT: %[[FIRST:.*]] = xpu.atomic_load %arg0[%arg1] ordering(relaxed)
// CHECK-NEXT: xpu.atomic_rmw add %arg2, %arg0[%arg1] ordering(relaxed)
// CHECK-NEXT: return %[[FIRST]]
func.func @read_used(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %first = xpu.atomic_load %m[%i] ordering(relaxed) : memref<?xi32>
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] ordering(relaxed) : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return %first : i32
}

// What a frontend says of its swap stays, and so do both locations.
// CHECK-LABEL: func.func @labelled(
// CHECK: xpu.atomic_rmw add %arg2, %arg0[%arg1] {frontend.line = 7 : i64}
func.func @labelled(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] {frontend.line = 7} : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// The old value of one loop is the guess of the next.
// CHECK-LABEL: func.func @twice(
// CHECK: xpu.atomic_rmw add
// CHECK: xpu.atomic_rmw umax
func.func @twice(%m: memref<?xi32>, %i: index, %v: i32) {
  %c = memref.load %m[%i] : memref<?xi32>
  %old = scf.while (%seen = %c) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  %old2 = scf.while (%seen = %old) : (i32) -> i32 {
    %new = arith.maxui %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}
