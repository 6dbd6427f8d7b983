// RUN: xpu-opt %s --xpu-raise-cas-loops | FileCheck %s

// A maximum as it is written where there is no such atomic.
// CHECK-LABEL: func.func @maximum(
// CHECK-SAME: %[[M:.*]]: memref<?xi32>, %[[I:.*]]: index, %[[V:.*]]: i32
// CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw smax %[[V]], %[[M]][%[[I]]] ordering(acq_rel) scope(device) : memref<?xi32>
// CHECK-NEXT: return %[[OLD]]
func.func @maximum(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %first = xpu.atomic_load %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.maxsi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] ordering(acq_rel) failure(relaxed) scope(device) : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return %old : i32
}

// A sum of floats by way of their bits, in blocks.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[M:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[V:.*]]: f32
// CHECK: xpu.atomic_rmw fadd %[[V]], %[[M]][%[[I]]] : memref<?xf32>
// CHECK-NEXT: cf.br ^[[OUT:.*]]
// CHECK-NEXT: ^[[OUT]]:
// CHECK-NEXT: return
func.func @sum(%m: memref<?xf32>, %i: index, %v: f32) {
  %bits = xpu.reinterpret %m : memref<?xf32> to memref<?xi32>
  %first = memref.load %bits[%i] : memref<?xi32>
  cf.br ^turn(%first : i32)
^turn(%seen: i32):
  %number = arith.bitcast %seen : i32 to f32
  %sum = arith.addf %number, %v : f32
  %new = arith.bitcast %sum : f32 to i32
  %got = xpu.cas %seen, %new, %bits[%i] : memref<?xi32>
  %stored = arith.cmpi eq, %got, %seen : i32
  cf.cond_br %stored, ^out, ^turn(%got : i32)
^out:
  return
}
