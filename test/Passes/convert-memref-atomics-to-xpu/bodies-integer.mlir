// RUN: xpu-opt %s --convert-memref-atomics-to-xpu | FileCheck %s
// RUN: sed s/i32/i8/g %s | xpu-opt --convert-memref-atomics-to-xpu | sed s/i8/i32/g | FileCheck %s
// RUN: sed s/i32/i64/g %s | xpu-opt --convert-memref-atomics-to-xpu | sed s/i64/i32/g | FileCheck %s

// A body that is one of the kinds becomes that operation, however it is spelled.

// CHECK-LABEL: func.func @operations(
// CHECK-SAME:    %[[M:.*]]: memref<?xi32>, %[[I:.*]]: index, %[[V:.*]]: i32)
func.func @operations(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  // CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw add %[[V]], %[[M]][%[[I]]] : memref<?xi32>
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.addi %x, %v overflow<nsw> : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw add %[[V]], %[[M]][%[[I]]]
  %1 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.addi %v, %x : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw sub %[[V]], %[[M]][%[[I]]]
  %2 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.subi %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw and %[[V]], %[[M]][%[[I]]]
  %3 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.andi %v, %x : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw or %[[V]], %[[M]][%[[I]]]
  %4 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.ori %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw xor %[[V]], %[[M]][%[[I]]]
  %5 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.xori %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw smin %[[V]], %[[M]][%[[I]]]
  %6 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.minsi %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw smax %[[V]], %[[M]][%[[I]]]
  %7 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.maxsi %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw umin %[[V]], %[[M]][%[[I]]]
  %8 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.minui %v, %x : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw umax %[[V]], %[[M]][%[[I]]]
  %9 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.maxui %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw xchg %[[V]], %[[M]][%[[I]]]
  %10 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    memref.atomic_yield %v : i32
  }
  // CHECK-NEXT: return %[[OLD]]
  return %0 : i32
}

// What the operand is computed from, also in the body, comes before.
// CHECK-LABEL: func.func @operand_in_the_body(
// CHECK-SAME:    %[[M:.*]]: memref<?xi32>, %[[I:.*]]: index, %[[V:.*]]: i32, %[[B:.*]]: i1)
func.func @operand_in_the_body(%m: memref<?xi32>, %i: index, %v: i32, %b: i1) {
  // CHECK-NEXT: %[[C:.*]] = arith.constant 3 : i32
  // CHECK-NEXT: %[[P:.*]] = arith.muli %[[V]], %[[C]] : i32
  // CHECK-NEXT: %[[O:.*]] = scf.if %[[B]] -> (i32) {
  // CHECK-NEXT:   scf.yield %[[P]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   scf.yield %[[V]]
  // CHECK-NEXT: }
  // CHECK-NEXT: xpu.atomic_rmw add %[[O]], %[[M]][%[[I]]]
  // CHECK-NEXT: return
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.constant 3 : i32
    %p = arith.muli %v, %c : i32
    %unused = arith.addi %x, %p : i32
    %o = scf.if %b -> i32 {
      scf.yield %p : i32
    } else {
      scf.yield %v : i32
    }
    %y = arith.addi %x, %o : i32
    memref.atomic_yield %y : i32
  }
  return
}

// CHECK-LABEL: func.func @exchange_of_a_constant(
func.func @exchange_of_a_constant(%m: memref<i32>) {
  // CHECK-NEXT: %[[C:.*]] = arith.constant 7 : i32
  // CHECK-NEXT: xpu.atomic_rmw xchg %[[C]], %{{.*}}[] : memref<i32>
  %0 = memref.generic_atomic_rmw %m[] : memref<i32> {
  ^bb0(%x: i32):
    %c = arith.constant 7 : i32
    memref.atomic_yield %c : i32
  }
  return
}

// CHECK-LABEL: func.func @compare_and_select(
// CHECK-SAME:    %[[M:.*]]: memref<?xi32>, %[[I:.*]]: index, %[[V:.*]]: i32)
func.func @compare_and_select(%m: memref<?xi32>, %i: index, %v: i32) {
  // CHECK-NEXT: xpu.atomic_rmw smin %[[V]], %[[M]][%[[I]]]
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi slt, %x, %v : i32
    %y = arith.select %c, %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw smin %[[V]], %[[M]][%[[I]]]
  %1 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi sge, %x, %v : i32
    %y = arith.select %c, %v, %x : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw smax %[[V]], %[[M]][%[[I]]]
  %2 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi slt, %x, %v : i32
    %y = arith.select %c, %v, %x : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw smax %[[V]], %[[M]][%[[I]]]
  %3 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi sgt, %v, %x : i32
    %y = arith.select %c, %v, %x : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw smin %[[V]], %[[M]][%[[I]]]
  %4 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi sle, %v, %x : i32
    %y = arith.select %c, %v, %x : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw umin %[[V]], %[[M]][%[[I]]]
  %5 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi ule, %x, %v : i32
    %y = arith.select %c, %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw umin %[[V]], %[[M]][%[[I]]]
  %6 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi ugt, %v, %x : i32
    %y = arith.select %c, %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw umax %[[V]], %[[M]][%[[I]]]
  %7 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi uge, %x, %v : i32
    %y = arith.select %c, %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw umax %[[V]], %[[M]][%[[I]]]
  %8 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %c = arith.cmpi ult, %v, %x : i32
    %y = arith.select %c, %x, %v : i32
    memref.atomic_yield %y : i32
  }
  return
}

// CHECK-LABEL: func.func @wrapping(
// CHECK-SAME:    %[[M:.*]]: memref<?xi32>, %[[I:.*]]: index, %[[V:.*]]: i32)
func.func @wrapping(%m: memref<?xi32>, %i: index, %v: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  // CHECK: xpu.atomic_rmw uinc_wrap %[[V]], %[[M]][%[[I]]]
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %up = arith.addi %x, %one : i32
    %c = arith.cmpi uge, %x, %v : i32
    %y = arith.select %c, %zero, %up : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw uinc_wrap %[[V]], %[[M]][%[[I]]]
  %1 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %up = arith.subi %x, %minus : i32
    %c = arith.cmpi ugt, %v, %x : i32
    %y = arith.select %c, %up, %zero : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw udec_wrap %[[V]], %[[M]][%[[I]]]
  %2 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %down = arith.subi %x, %one : i32
    %none = arith.cmpi eq, %x, %zero : i32
    %above = arith.cmpi ugt, %x, %v : i32
    %c = arith.ori %none, %above : i1
    %y = arith.select %c, %v, %down : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw udec_wrap %[[V]], %[[M]][%[[I]]]
  %3 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %down = arith.addi %x, %minus : i32
    %some = arith.cmpi ne, %zero, %x : i32
    %within = arith.cmpi uge, %v, %x : i32
    %c = arith.andi %within, %some : i1
    %y = arith.select %c, %down, %v : i32
    memref.atomic_yield %y : i32
  }
  // CHECK-NEXT: xpu.atomic_rmw udec_wrap %[[V]], %[[M]][%[[I]]]
  %4 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %down = arith.addi %x, %minus : i32
    %y = arith.minui %down, %v : i32
    memref.atomic_yield %y : i32
  }
  return
}
