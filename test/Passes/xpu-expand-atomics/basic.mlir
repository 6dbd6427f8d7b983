// RUN: xpu-opt %s --xpu-expand-atomics | FileCheck %s

// What is native stays as it is; what is not becomes a loop that begins with an atomic read, swaps
// with the ordering and scope asked for, and ends on equal bits.

// CHECK-LABEL: func.func @native
// CHECK-NEXT: xpu.atomic_rmw add %{{.*}}, %{{.*}}[%{{.*}}] ordering(seq_cst) scope(system) : memref<?xi32>
// CHECK-NEXT: xpu.fence ordering(acquire)
// CHECK-NEXT: return
func.func @native(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>
  xpu.fence ordering(acquire)
  return %old : i32
}

// Reports A18 and A30: the bits decide, so that a NaN ends the loop.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[M:.*]]: memref<?x?xf32>, %[[I:.*]]: index, %[[V:.*]]: f32)
// CHECK-NEXT: %[[FIRST:.*]] = xpu.atomic_load %[[M]][%[[I]], %[[I]]] ordering(relaxed) scope(workgroup) : memref<?x?xf32>
// CHECK-NEXT: %[[OLD:.*]] = scf.while (%[[SEEN:.*]] = %[[FIRST]]) : (f32) -> f32 {
// CHECK-NEXT:   %[[NEW:.*]] = arith.addf %[[SEEN]], %[[V]] : f32
// CHECK-NEXT:   %[[GOT:.*]] = xpu.cas %[[SEEN]], %[[NEW]], %[[M]][%[[I]], %[[I]]] ordering(acq_rel) failure(relaxed) scope(workgroup) : memref<?x?xf32>
// CHECK-NEXT:   %[[GOT_BITS:.*]] = arith.bitcast %[[GOT]] : f32 to i32
// CHECK-NEXT:   %[[SEEN_BITS:.*]] = arith.bitcast %[[SEEN]] : f32 to i32
// CHECK-NEXT:   %[[LOST:.*]] = arith.cmpi ne, %[[GOT_BITS]], %[[SEEN_BITS]] : i32
// CHECK-NEXT:   scf.condition(%[[LOST]]) %[[GOT]] : f32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[AGAIN:.*]]: f32):
// CHECK-NEXT:   scf.yield %[[AGAIN]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %[[OLD]] : f32
// DOC
func.func @loop(%m: memref<?x?xf32>, %i: index, %v: f32) -> f32 {
  %old = xpu.atomic_rmw fadd %v, %m[%i, %i] ordering(acq_rel) scope(workgroup) : memref<?x?xf32>
  return %old : f32
}

// A kernel that is in no gpu.module is for the CPU as well.
// CHECK-LABEL: xpu.kernel @kernel
// CHECK: scf.while
// CHECK-NOT: fadd
xpu.kernel @kernel(%m: memref<?xf64>, %v: f64) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf64>
  xpu.return
}
