// RUN: sed s/TYPE/i8/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=i8
// RUN: sed s/TYPE/i16/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=i16
// RUN: sed s/TYPE/i32/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=i32
// RUN: sed s/TYPE/i64/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=i64

// Every kind that integers have, on every integer type. No ordering, no scope.

// CHECK-LABEL: func.func @kinds(
// CHECK-SAME:    %[[V:.*]]: [[TYPE]], %[[M:.*]]: memref<?x[[TYPE]]>, %[[I:.*]]: index)
func.func @kinds(%v: TYPE, %m: memref<?xTYPE>, %i: index) -> TYPE {
  // CHECK-NEXT: xpu.atomic_rmw add %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %0 = memref.atomic_rmw addi %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw and %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %1 = memref.atomic_rmw andi %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw xchg %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %2 = memref.atomic_rmw assign %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw smax %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %3 = memref.atomic_rmw maxs %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw umax %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %4 = memref.atomic_rmw maxu %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw smin %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %5 = memref.atomic_rmw mins %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw umin %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %6 = memref.atomic_rmw minu %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw or %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %7 = memref.atomic_rmw ori %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: %[[XOR:.*]] = xpu.atomic_rmw xor %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %8 = memref.atomic_rmw xori %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE

  // The first value seen is read by an atomic, since a plain load would race.
  // CHECK-NEXT: %[[FIRST:.*]] = xpu.atomic_load %[[M]][%[[I]]] ordering(relaxed) : memref<?x[[TYPE]]>
  // CHECK-NEXT: %[[OLD:.*]] = scf.while (%[[SEEN:.*]] = %[[FIRST]]) : ([[TYPE]]) -> [[TYPE]] {
  // CHECK-NEXT:   %[[NEW:.*]] = arith.muli %[[SEEN]], %[[V]] : [[TYPE]]
  // CHECK-NEXT:   %[[NOW:.*]] = xpu.cas %[[SEEN]], %[[NEW]], %[[M]][%[[I]]] failure(relaxed) : memref<?x[[TYPE]]>
  // CHECK-NEXT:   %[[AGAIN:.*]] = arith.cmpi ne, %[[NOW]], %[[SEEN]] : [[TYPE]]
  // CHECK-NEXT:   scf.condition(%[[AGAIN]]) %[[NOW]] : [[TYPE]]
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ^bb0(%[[NEXT:.*]]: [[TYPE]]):
  // CHECK-NEXT:   scf.yield %[[NEXT]] : [[TYPE]]
  // CHECK-NEXT: }
  %9 = memref.atomic_rmw muli %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: arith.addi %[[XOR]], %[[OLD]]
  %10 = arith.addi %8, %9 : TYPE
  return %10 : TYPE
}
