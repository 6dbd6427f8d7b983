// RUN: sed s/TYPE/f16/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=f16
// RUN: sed s/TYPE/bf16/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=bf16
// RUN: sed s/TYPE/f32/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=f32
// RUN: sed s/TYPE/f64/g %s | xpu-opt --convert-memref-atomics-to-xpu | FileCheck %s -DTYPE=f64

// CHECK-LABEL: func.func @operations(
// CHECK-SAME:    %[[M:.*]]: memref<?x[[TYPE]]>, %[[I:.*]]: index, %[[V:.*]]: [[TYPE]])
func.func @operations(%m: memref<?xTYPE>, %i: index, %v: TYPE) {
  // CHECK-NEXT: xpu.atomic_rmw fadd %[[V]], %[[M]][%[[I]]] : memref<?x[[TYPE]]>
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %y = arith.addf %v, %x : TYPE
    memref.atomic_yield %y : TYPE
  }
  // CHECK-NEXT: xpu.atomic_rmw fsub %[[V]], %[[M]][%[[I]]]
  %1 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %y = arith.subf %x, %v : TYPE
    memref.atomic_yield %y : TYPE
  }
  // CHECK-NEXT: xpu.atomic_rmw fmin %[[V]], %[[M]][%[[I]]]
  %2 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %y = arith.minnumf %x, %v : TYPE
    memref.atomic_yield %y : TYPE
  }
  // CHECK-NEXT: xpu.atomic_rmw fmax %[[V]], %[[M]][%[[I]]]
  %3 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %y = arith.maxnumf %v, %x : TYPE
    memref.atomic_yield %y : TYPE
  }
  // CHECK-NEXT: xpu.atomic_rmw fminimum %[[V]], %[[M]][%[[I]]]
  %4 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %y = arith.minimumf %v, %x : TYPE
    memref.atomic_yield %y : TYPE
  }
  // CHECK-NEXT: xpu.atomic_rmw fmaximum %[[V]], %[[M]][%[[I]]]
  %5 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %y = arith.maximumf %x, %v : TYPE
    memref.atomic_yield %y : TYPE
  }
  // CHECK-NEXT: xpu.atomic_rmw xchg %[[V]], %[[M]][%[[I]]]
  %6 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    memref.atomic_yield %v : TYPE
  }
  return
}

// A choice by a comparison is one where NaNs and the zeros' signs are said not to matter.
// CHECK-LABEL: func.func @compare_and_select(
// CHECK-SAME:    %[[M:.*]]: memref<?x[[TYPE]]>, %[[I:.*]]: index, %[[V:.*]]: [[TYPE]])
func.func @compare_and_select(%m: memref<?xTYPE>, %i: index, %v: TYPE) {
  // CHECK-NEXT: xpu.atomic_rmw fmin %[[V]], %[[M]][%[[I]]]
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %c = arith.cmpf olt, %x, %v fastmath<nnan,nsz> : TYPE
    %y = arith.select %c, %x, %v : TYPE
    memref.atomic_yield %y : TYPE
  }
  // CHECK-NEXT: xpu.atomic_rmw fmax %[[V]], %[[M]][%[[I]]]
  %1 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %c = arith.cmpf ugt, %v, %x fastmath<fast> : TYPE
    %y = arith.select %c, %v, %x : TYPE
    memref.atomic_yield %y : TYPE
  }
  // CHECK-NEXT: xpu.atomic_rmw fmax %[[V]], %[[M]][%[[I]]]
  %2 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %c = arith.cmpf ole, %x, %v fastmath<nnan,nsz> : TYPE
    %y = arith.select %c, %v, %x : TYPE
    memref.atomic_yield %y : TYPE
  }
  // CHECK-NEXT: xpu.atomic_load
  // CHECK:      xpu.cas
  %3 = memref.generic_atomic_rmw %m[%i] : memref<?xTYPE> {
  ^bb0(%x: TYPE):
    %c = arith.cmpf olt, %x, %v fastmath<nnan> : TYPE
    %y = arith.select %c, %x, %v : TYPE
    memref.atomic_yield %y : TYPE
  }
  return
}
