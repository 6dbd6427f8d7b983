// RUN: sed s/TYPE/f16/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=f16 -DBITS=i16
// RUN: sed s/TYPE/bf16/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=bf16 -DBITS=i16
// RUN: sed s/TYPE/f32/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=f32 -DBITS=i32
// RUN: sed s/TYPE/f64/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=f64 -DBITS=i64

// Every kind that floats have, on every float type. Upstream's 'maximumf' lets NaN win, 'maxnumf'
// ignores it.

// CHECK-LABEL: func.func @kinds(
// CHECK-SAME:    %[[V:.*]]: [[TYPE]], %[[M:.*]]: memref<?x[[TYPE]]>, %[[I:.*]]: index)
func.func @kinds(%v: TYPE, %m: memref<?xTYPE>, %i: index) -> TYPE {
  // CHECK-NEXT: xpu.atomic_rmw fadd %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %0 = memref.atomic_rmw addf %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw xchg %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %1 = memref.atomic_rmw assign %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw fmaximum %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %2 = memref.atomic_rmw maximumf %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw fmax %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %3 = memref.atomic_rmw maxnumf %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw fminimum %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %4 = memref.atomic_rmw minimumf %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: xpu.atomic_rmw fmin %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %5 = memref.atomic_rmw minnumf %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE

  // The loop ends by bits: a NaN differs from itself, and the zeros are equal.
  // CHECK-NEXT: %[[FIRST:.*]] = xpu.atomic_load %[[M]][%[[I]]] ordering(relaxed) : memref<?x[[TYPE]]>
  // CHECK-NEXT: %[[OLD:.*]] = scf.while (%[[SEEN:.*]] = %[[FIRST]]) : ([[TYPE]]) -> [[TYPE]] {
  // CHECK-NEXT:   %[[NEW:.*]] = arith.mulf %[[SEEN]], %[[V]] : [[TYPE]]
  // CHECK-NEXT:   %[[NOW:.*]] = xpu.cas %[[SEEN]], %[[NEW]], %[[M]][%[[I]]] failure(relaxed) : memref<?x[[TYPE]]>
  // CHECK-NEXT:   %[[NOW_BITS:.*]] = arith.bitcast %[[NOW]] : [[TYPE]] to [[BITS]]
  // CHECK-NEXT:   %[[SEEN_BITS:.*]] = arith.bitcast %[[SEEN]] : [[TYPE]] to [[BITS]]
  // CHECK-NEXT:   %[[AGAIN:.*]] = arith.cmpi ne, %[[NOW_BITS]], %[[SEEN_BITS]] : [[BITS]]
  // CHECK-NEXT:   scf.condition(%[[AGAIN]]) %[[NOW]] : [[TYPE]]
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ^bb0(%[[NEXT:.*]]: [[TYPE]]):
  // CHECK-NEXT:   scf.yield %[[NEXT]] : [[TYPE]]
  // CHECK-NEXT: }
  %6 = memref.atomic_rmw mulf %v, %m[%i] : (TYPE, memref<?xTYPE>) -> TYPE
  // CHECK-NEXT: return %[[OLD]]
  return %6 : TYPE
}
