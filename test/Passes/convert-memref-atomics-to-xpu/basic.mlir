// RUN: xpu-opt %s --convert-memref-atomics-to-xpu | FileCheck %s
// RUN: xpu-opt %s --convert-memref-atomics-to-xpu | FileCheck %s --check-prefix=NONE
// NONE-NOT: memref.atomic
// NONE-NOT: memref.generic_atomic
// NONE-NOT: arith.cmpf une

// A region with a nested region, a constant of its own and a value from outside. What comes back
// is the value before the update; NaN ends the loop.
// CHECK-LABEL: func.func @generic(
// CHECK-SAME:    %[[M:.*]]: memref<2x3xf32>, %[[I:.*]]: index, %[[J:.*]]: index, %[[LIMIT:.*]]: f32)
func.func @generic(%m: memref<2x3xf32>, %i: index, %j: index, %limit: f32) -> f32 {
  // CHECK-NEXT: %[[FIRST:.*]] = xpu.atomic_load %[[M]][%[[I]], %[[J]]] ordering(relaxed) : memref<2x3xf32>
  // CHECK-NEXT: %[[OLD:.*]] = scf.while (%[[SEEN:.*]] = %[[FIRST]]) : (f32) -> f32 {
  // CHECK-NEXT:   %[[TWO:.*]] = arith.constant 2.0
  // CHECK-NEXT:   %[[UNDER:.*]] = arith.cmpf olt, %[[SEEN]], %[[LIMIT]]
  // CHECK-NEXT:   %[[NEW:.*]] = scf.if %[[UNDER]] -> (f32) {
  // CHECK-NEXT:     %[[TWICE:.*]] = arith.mulf %[[SEEN]], %[[TWO]]
  // CHECK-NEXT:     scf.yield %[[TWICE]]
  // CHECK-NEXT:   } else {
  // CHECK-NEXT:     scf.yield %[[LIMIT]]
  // CHECK-NEXT:   }
  // CHECK-NEXT:   %[[NOW:.*]] = xpu.cas %[[SEEN]], %[[NEW]], %[[M]][%[[I]], %[[J]]] failure(relaxed) : memref<2x3xf32>
  // CHECK-NEXT:   %[[NOW_BITS:.*]] = arith.bitcast %[[NOW]] : f32 to i32
  // CHECK-NEXT:   %[[SEEN_BITS:.*]] = arith.bitcast %[[SEEN]] : f32 to i32
  // CHECK-NEXT:   %[[AGAIN:.*]] = arith.cmpi ne, %[[NOW_BITS]], %[[SEEN_BITS]] : i32
  // CHECK-NEXT:   scf.condition(%[[AGAIN]]) %[[NOW]] : f32
  // CHECK:      return %[[OLD]] : f32
  %old = memref.generic_atomic_rmw %m[%i, %j] : memref<2x3xf32> {
  ^bb0(%current: f32):
    %two = arith.constant 2.0 : f32
    %under = arith.cmpf olt, %current, %limit : f32
    %new = scf.if %under -> f32 {
      %twice = arith.mulf %current, %two : f32
      scf.yield %twice : f32
    } else {
      scf.yield %limit : f32
    }
    memref.atomic_yield %new : f32
  }
  return %old : f32
}

// A region that does not look at the old value, and one that gives it back.
// CHECK-LABEL: func.func @degenerate(
// CHECK-SAME:    %[[M:.*]]: memref<i64>, %[[V:.*]]: i64)
func.func @degenerate(%m: memref<i64>, %v: i64) {
  // CHECK-NEXT: xpu.atomic_rmw xchg %[[V]], %[[M]][] : memref<i64>
  %0 = memref.generic_atomic_rmw %m[] : memref<i64> {
  ^bb0(%current: i64):
    memref.atomic_yield %v : i64
  }
  // CHECK:      scf.while (%[[SEEN:.*]] = %{{.*}})
  // CHECK-NEXT:   xpu.cas %[[SEEN]], %[[SEEN]], %[[M]][] failure(relaxed) : memref<i64>
  %1 = memref.generic_atomic_rmw %m[] : memref<i64> {
  ^bb0(%current: i64):
    memref.atomic_yield %current : i64
  }
  return
}

// Any memory that names an element: offsets, strides, memory spaces, any rank.
// CHECK-LABEL: func.func @memory(
func.func @memory(%v: i32, %i: index, %strided: memref<?x4xi32, strided<[?, 2], offset: ?>>,
                  %swapped: memref<2x3xi32, affine_map<(d0, d1) -> (d0 + d1 * 2)>>,
                  %shared: memref<64xi32, #gpu.address_space<workgroup>>) {
  // CHECK: xpu.atomic_rmw add %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x4xi32, strided<[?, 2], offset: ?>>
  %0 = memref.atomic_rmw addi %v, %strided[%i, %i] : (i32, memref<?x4xi32, strided<[?, 2], offset: ?>>) -> i32
  // CHECK: xpu.atomic_rmw add %{{.*}}[%{{.*}}, %{{.*}}] : memref<2x3xi32, #{{.*}}>
  %1 = memref.atomic_rmw addi %v, %swapped[%i, %i] : (i32, memref<2x3xi32, affine_map<(d0, d1) -> (d0 + d1 * 2)>>) -> i32
  // CHECK: xpu.atomic_rmw add %{{.*}}[%{{.*}}] : memref<64xi32, #gpu.address_space<workgroup>>
  %2 = memref.atomic_rmw addi %v, %shared[%i] : (i32, memref<64xi32, #gpu.address_space<workgroup>>) -> i32
  return
}

// Wherever they stand.
// CHECK-LABEL: xpu.kernel @kernel(
xpu.kernel @kernel(%m: memref<?xi32>, %v: i32) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  // CHECK: xpu.atomic_rmw umin
  %0 = memref.atomic_rmw minu %v, %m[%i] : (i32, memref<?xi32>) -> i32
  xpu.return
}

// CHECK-LABEL: gpu.module @module
gpu.module @module {
  // CHECK: gpu.func @kernel
  gpu.func @kernel(%m: memref<?xf32>, %v: f32) kernel {
    %i = gpu.thread_id x
    // CHECK: xpu.atomic_rmw fadd
    %0 = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<?xf32>) -> f32
    gpu.return
  }
}

// CHECK-LABEL: func.func @parallel(
func.func @parallel(%m: memref<?xi32>, %v: i32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.parallel
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    // CHECK: xpu.atomic_rmw add
    %0 = memref.atomic_rmw addi %v, %m[%zero] : (i32, memref<?xi32>) -> i32
    // CHECK: scf.while
    // CHECK: xpu.cas
    %1 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
    ^bb0(%current: i32):
      %new = arith.divui %current, %v : i32
      memref.atomic_yield %new : i32
    }
    scf.reduce
  }
  // CHECK: affine.parallel
  affine.parallel (%i) = (0) to (symbol(%n)) {
    // CHECK: xpu.atomic_rmw or
    %0 = memref.atomic_rmw ori %v, %m[%i] : (i32, memref<?xi32>) -> i32
  }
  return
}

// What a frontend has noted stays.
// CHECK-LABEL: func.func @attributes(
func.func @attributes(%m: memref<?xi32>, %v: i32, %i: index) {
  // CHECK: xpu.atomic_rmw add %{{.*}} {frontend.note = "a"} : memref<?xi32>
  %0 = memref.atomic_rmw addi %v, %m[%i] {frontend.note = "a"} : (i32, memref<?xi32>) -> i32
  // CHECK: xpu.cas %{{.*}} failure(relaxed) {frontend.note = "b"} : memref<?xi32>
  %1 = memref.atomic_rmw muli %v, %m[%i] {frontend.note = "b"} : (i32, memref<?xi32>) -> i32
  return
}
