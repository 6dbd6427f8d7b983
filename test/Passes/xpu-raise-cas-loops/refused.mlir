// What stays a loop, and what the remark on it says.
//
// RUN: xpu-opt %s --xpu-raise-cas-loops --split-input-file --verify-diagnostics -o - | FileCheck %s
// CHECK-NOT: xpu.atomic_rmw

// No kind multiplies.
func.func @product(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{stays a loop: what it stores is none of the kinds: 'arith.muli' on the value that it read is none of the kinds}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.muli %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// Both operands are the value that was read.
func.func @doubled(%m: memref<?xi32>, %i: index) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{what it stores is none of the kinds: both operands of 'arith.addi' depend on the value that it read}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %seen : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// The operand is the value that was read, in another type.
func.func @with_own_bits(%m: memref<?xi32>, %i: index) {
  %one = arith.constant 1 : i32
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{it computes more on the value that it read than one operation}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %part = arith.andi %seen, %one : i32
    %number = arith.bitcast %seen : i32 to f32
    %other = arith.bitcast %part : i32 to f32
    %sum = arith.addf %number, %other : f32
    %new = arith.bitcast %sum : f32 to i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// v - x is not x - v.
func.func @subtracted_from(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{none of the kinds}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.subi %v, %seen : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// Never ends on a NaN, and ends on the other zero without having stored.
func.func @compares_floats(%m: memref<?xf32>, %i: index, %v: f32) {
  %first = memref.load %m[%i] : memref<?xf32>
  // expected-remark @below {{it compares floats to see whether the swap has succeeded: a NaN is unequal to itself, so that it would never end on one, and -0 equals +0}}
  %old = scf.while (%seen = %first) : (f32) -> f32 {
    %new = arith.addf %seen, %v : f32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xf32>
    %lost = arith.cmpf une, %got, %seen : f32
    scf.condition(%lost) %got : f32
  } do {
  ^bb0(%again: f32):
    scf.yield %again : f32
  }
  return
}

// -----

// x < v ? x : v stores v where either is a NaN, and +0 for x = -0, v = +0.
func.func @chooses_floats(%m: memref<?xf32>, %i: index, %v: f32) {
  %first = memref.load %m[%i] : memref<?xf32>
  // expected-remark @below {{its choice by 'arith.cmpf' differs from 'arith.minnumf' and 'arith.minimumf' where one is a NaN or both are zeros}}
  %old = scf.while (%seen = %first) : (f32) -> f32 {
    %less = arith.cmpf olt, %seen, %v : f32
    %new = arith.select %less, %seen, %v : f32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xf32>
    %got_bits = arith.bitcast %got : f32 to i32
    %seen_bits = arith.bitcast %seen : f32 to i32
    %lost = arith.cmpi ne, %got_bits, %seen_bits : i32
    scf.condition(%lost) %got : f32
  } do {
  ^bb0(%again: f32):
    scf.yield %again : f32
  }
  return
}

// -----

// A bound on the turns.
func.func @bounded(%m: memref<?xi32>, %i: index, %v: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 1000 : i32
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{something else than the success of the swap decides whether it ends}}
  %old:2 = scf.while (%seen = %first, %n = %zero) : (i32, i32) -> (i32, i32) {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    %next = arith.addi %n, %one : i32
    %few = arith.cmpi ult, %next, %limit : i32
    %go = arith.andi %lost, %few : i1
    scf.condition(%go) %got, %next : i32, i32
  } do {
  ^bb0(%again: i32, %turns: i32):
    scf.yield %again, %turns : i32, i32
  }
  return
}

// -----

// The number of turns is asked for.
func.func @counted(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{something that it carries besides the value that was read is used}}
  %old:2 = scf.while (%seen = %first, %n = %zero) : (i32, i32) -> (i32, i32) {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    %next = arith.addi %n, %one : i32
    scf.condition(%lost) %got, %next : i32, i32
  } do {
  ^bb0(%again: i32, %turns: i32):
    scf.yield %again, %turns : i32, i32
  }
  return %old#1 : i32
}

// -----

// An effect in each turn.
func.func @stores(%m: memref<?xi32>, %trace: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{it does more in a turn than to compute and swap: 'memref.store'}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    memref.store %seen, %trace[%i] : memref<?xi32>
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// The operand is read anew in each turn.
func.func @reads_operand(%m: memref<?xi32>, %values: memref<?xi32>, %i: index) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{it reads another element than it swaps}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %v = memref.load %values[%i] : memref<?xi32>
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// Two swaps in a turn.
func.func @swaps_twice(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{it swaps more than once in a turn}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %other = xpu.cas %v, %new, %m[%i] : memref<?xi32>
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// A lock: it waits for 0.
func.func @lock(%m: memref<?xi32>, %i: index) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-remark @below {{it expects the same value in every turn, so that it waits for that value, as a lock does}}
  scf.while : () -> () {
    %got = xpu.cas %zero, %one, %m[%i] ordering(acquire) : memref<?xi32>
    %lost = arith.cmpi ne, %got, %zero : i32
    scf.condition(%lost)
  } do {
    scf.yield
  }
  return
}

// -----

// The same, with the expected value carried along.
func.func @carried_lock(%m: memref<?xi32>, %i: index) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-remark @below {{it waits for that value}}
  %r = scf.while (%free = %zero) : (i32) -> i32 {
    %got = xpu.cas %free, %one, %m[%i] ordering(acquire) : memref<?xi32>
    %lost = arith.cmpi ne, %got, %free : i32
    scf.condition(%lost) %free : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// What is expected next is not what was read.
func.func @expects_more(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{it expects a value that is not the one read last}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %new : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// The guess comes from a neighbour.
func.func @reads_neighbour(%m: memref<?xi32>, %i: index, %j: index, %v: i32) {
  %first = memref.load %m[%j] : memref<?xi32>
  // expected-remark @below {{it reads another element than it swaps}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// Each turn expects what a neighbour holds: it waits for the two to be equal.
func.func @rereads_neighbour(%m: memref<?xi32>, %i: index, %j: index, %v: i32) {
  // expected-remark @below {{it reads another element than it swaps}}
  scf.while : () -> () {
    %seen = memref.load %m[%j] : memref<?xi32>
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost)
  } do {
    scf.yield
  }
  return
}

// -----

// The read before it orders more than the swap.
func.func @acquires_before(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = xpu.atomic_load %m[%i] ordering(acquire) : memref<?xi32>
  // expected-remark @below {{its read orders more than its swap does: the read's ordering is acquire, the swap's is relaxed}}
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

// -----

// What an absent ordering becomes may be more than relaxed.
func.func @may_acquire_before(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = xpu.atomic_load %m[%i] : memref<?xi32>
  // expected-remark @below {{the read's ordering is absent, the swap's is release}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] ordering(release) : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// A failure that acquires, and a success that may become relaxed.
func.func @failure_alone(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{its swap has an ordering where it fails (acquire) and none yet where it succeeds}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] failure(acquire) : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

func.func @scopes_differ(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = xpu.atomic_load %m[%i] ordering(relaxed) scope(system) : memref<?xi32>
  // expected-remark @below {{its read and its swap have different scopes}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

func.func @nontemporal(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] {nontemporal = true} : memref<?xi32>
  // expected-remark @below {{it reads in a way ('nontemporal')}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// A byte in a word: there is no operation on the word that leaves the other bytes alone.
func.func @byte_in_word(%bytes: memref<8xi8>, %i: index, %v: i32) {
  %m = xpu.reinterpret %bytes : memref<8xi8> to memref<2xi32>
  %low = arith.constant 255 : i32
  %high = arith.constant -256 : i32
  %first = memref.load %m[%i] : memref<2xi32>
  // expected-remark @below {{what it stores is none of the kinds}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %others = arith.andi %seen, %high : i32
    %sum = arith.addi %seen, %v : i32
    %byte = arith.andi %sum, %low : i32
    %new = arith.ori %others, %byte : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<2xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// Which element it is depends on what was read.
func.func @follows(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = arith.constant 0 : i32
  // expected-remark @below {{which element it swaps depends on the value that it read}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %j = arith.index_cast %seen : i32 to index
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%j] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// The maximum that is most often written by hand stores nothing where the value stays.
func.func @tests_first(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{it asks whether to go on before it swaps, so that it may end without storing anything}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %less = arith.cmpi slt, %seen, %v : i32
    scf.condition(%less) %seen : i32
  } do {
  ^bb0(%seen: i32):
    %got = xpu.cas %seen, %v, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    %next = arith.select %lost, %got, %v : i32
    scf.yield %next : i32
  }
  return
}

// -----

// The same by a branch.
func.func @on_a_branch(%m: memref<?xi32>, %i: index, %v: i32) {
  %true = arith.constant true
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{it swaps on a branch only, so that a turn may store nothing}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %less = arith.cmpi slt, %seen, %v : i32
    %next:2 = scf.if %less -> (i1, i32) {
      %got = xpu.cas %seen, %v, %m[%i] : memref<?xi32>
      %lost = arith.cmpi ne, %got, %seen : i32
      scf.yield %lost, %got : i1, i32
    } else {
      %done = arith.constant false
      scf.yield %done, %seen : i1, i32
    }
    scf.condition(%next#0) %next#1 : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// Goes on where it has succeeded.
func.func @turned_over(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  // expected-remark @below {{it goes on where the swap has succeeded, and ends where it has failed}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %stored = arith.cmpi eq, %got, %seen : i32
    scf.condition(%stored) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// In blocks, tested at the top.
func.func @blocks_test_first(%m: memref<?xi32>, %i: index, %v: i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  cf.br ^test(%first : i32)
^test(%seen: i32):
  %less = arith.cmpi slt, %seen, %v : i32
  cf.cond_br %less, ^swap, ^out
^swap:
  // expected-remark @below {{its turns have more than the block that swaps}}
  %got = xpu.cas %seen, %v, %m[%i] : memref<?xi32>
  %lost = arith.cmpi ne, %got, %seen : i32
  cf.cond_br %lost, ^test(%got : i32), ^out
^out:
  return
}

// -----

// In blocks, from two places.
func.func @entered_twice(%m: memref<?xi32>, %i: index, %v: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %first = memref.load %m[%i] : memref<?xi32>
  cf.cond_br %c, ^turn(%first : i32), ^turn(%zero : i32)
^turn(%seen: i32):
  %new = arith.addi %seen, %v : i32
  // expected-remark @below {{it is entered in more than one place}}
  %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
  %lost = arith.cmpi ne, %got, %seen : i32
  cf.cond_br %lost, ^turn(%got : i32), ^out
^out:
  return
}

// -----

// No loop, no remark.
func.func @once(%m: memref<?xi32>, %i: index, %e: i32, %d: i32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = xpu.cas %e, %d, %m[%i] : memref<?xi32>
  scf.for %j = %zero to %n step %one {
    %b = xpu.cas %e, %d, %m[%j] : memref<?xi32>
  }
  return
}
