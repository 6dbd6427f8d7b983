// RUN: xpu-opt %s --xpu-expand-atomics | FileCheck %s

// Where the element's word and the element's integer are, for each kind of memref (reports A20 and
// A21).

gpu.module @g [#nvvm.target<chip = "sm_70">] {

// Sizes are rounded up to words.
// CHECK-LABEL: func.func @row
// CHECK-SAME: (%[[M:.*]]: memref<7xi8, #gpu.address_space<workgroup>>, %[[I:.*]]: index
// CHECK-DAG: %[[W:.*]] = arith.shrui %[[I]], %c2
// CHECK-DAG: %[[WORDS:.*]] = xpu.reinterpret %[[M]] : memref<7xi8, #gpu.address_space<workgroup>> to memref<2xi32, #gpu.address_space<workgroup>>
// CHECK: xpu.atomic_rmw or %{{.*}}, %[[WORDS]][%[[W]]]
func.func @row(%m: memref<7xi8, #gpu.address_space<workgroup>>, %i: index, %v: i8) {
  %0 = xpu.atomic_rmw or %v, %m[%i] ordering(relaxed) scope(workgroup) : memref<7xi8, #gpu.address_space<workgroup>>
  return
}

// CHECK-LABEL: func.func @point
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]] = memref.extract_strided_metadata %{{.*}} : memref<i16> -> memref<i16>, index
// CHECK: %[[AT:.*]] = arith.constant 0 : index
// CHECK: %[[END:.*]] = arith.addi %[[AT]], %c1
// CHECK: %[[ROW:.*]] = memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[END]]], strides: [1] : memref<i16> to memref<?xi16>
// CHECK: %[[W:.*]] = arith.shrui %[[AT]]
// CHECK: %[[WORDS:.*]] = xpu.reinterpret %[[ROW]] : memref<?xi16> to memref<?xi32>
// CHECK: xpu.atomic_rmw or %{{.*}}, %[[WORDS]][%[[W]]]
func.func @point(%m: memref<i16>, %v: i16) {
  %0 = xpu.atomic_rmw or %v, %m[] ordering(relaxed) scope(device) : memref<i16>
  return
}

// CHECK-LABEL: func.func @table
// CHECK-SAME: %{{.*}}: memref<?x6xi8>, %[[I:.*]]: index, %[[J:.*]]: index
// CHECK: memref.extract_strided_metadata
// CHECK: %[[STEP:.*]] = arith.muli %[[I]], %c6
// CHECK: %[[AT:.*]] = arith.addi %[[STEP]], %[[J]]
// CHECK: arith.shrui %[[AT]], %c2
func.func @table(%m: memref<?x6xi8>, %i: index, %j: index, %v: i8) {
  %0 = xpu.atomic_rmw or %v, %m[%i, %j] ordering(relaxed) scope(device) : memref<?x6xi8>
  return
}

// CHECK-LABEL: func.func @known_offset
// CHECK: memref.extract_strided_metadata
// CHECK: %[[OFFSET:.*]] = arith.constant 5 : index
// CHECK: %[[STEP:.*]] = arith.muli %{{.*}}, %c2
// CHECK: %[[AT:.*]] = arith.addi %[[OFFSET]], %[[STEP]]
// CHECK: arith.shrui %[[AT]], %c2
func.func @known_offset(%m: memref<4xi8, strided<[2], offset: 5>>, %i: index, %v: i8) {
  %0 = xpu.atomic_rmw or %v, %m[%i] ordering(relaxed) scope(device) : memref<4xi8, strided<[2], offset: 5>>
  return
}

// CHECK-LABEL: func.func @unknown_offset
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata
// CHECK: %[[STEP:.*]] = arith.muli %{{.*}}, %[[STRIDES]]#0
// CHECK: %[[SUM:.*]] = arith.addi %[[OFFSET]], %[[STEP]]
// CHECK: %[[STEP:.*]] = arith.muli %{{.*}}, %[[STRIDES]]#1
// CHECK: %[[AT:.*]] = arith.addi %[[SUM]], %[[STEP]]
// CHECK: arith.shrui %[[AT]], %c1
func.func @unknown_offset(%m: memref<?x?xi16, strided<[?, ?], offset: ?>>, %i: index, %v: i16) {
  %0 = xpu.atomic_rmw or %v, %m[%i, %i] ordering(relaxed) scope(device) : memref<?x?xi16, strided<[?, ?], offset: ?>>
  return
}

// A view that shifts by whole words keeps words where they are.
// CHECK-LABEL: func.func @shifted_by_words
// CHECK: xpu.reinterpret
func.func @shifted_by_words(%m: memref<64xi8>, %i: index, %v: i16) {
  %c8 = arith.constant 8 : index
  %view = memref.view %m[%c8][] : memref<64xi8> to memref<4xi16>
  %0 = xpu.atomic_rmw or %v, %view[%i] ordering(relaxed) scope(device) : memref<4xi16>
  return
}

// As integers of the same width, a memref keeps its shape.
// CHECK-LABEL: func.func @same_width
// CHECK: %[[BITS:.*]] = xpu.reinterpret %{{.*}} : memref<?x3xf64, 1> to memref<?x3xi64, 1>
// CHECK: xpu.atomic_rmw umin %{{.*}}, %[[BITS]][%{{.*}}, %{{.*}}]
func.func @same_width(%m: memref<?x3xf64, 1>, %i: index, %v: f64) {
  %0 = xpu.atomic_rmw fmax %v, %m[%i, %i] ordering(relaxed) scope(device) : memref<?x3xf64, 1>
  return
}

// CHECK-LABEL: func.func @same_width_strided
// CHECK: %[[ROW:.*]] = memref.reinterpret_cast
// CHECK: %[[BITS:.*]] = xpu.reinterpret %[[ROW]] : memref<?xf32> to memref<?xi32>
// CHECK: xpu.atomic_rmw umin %{{.*}}, %[[BITS]][%{{.*}}]
func.func @same_width_strided(%m: memref<?xf32, strided<[?]>>, %i: index, %v: f32) {
  %0 = xpu.atomic_rmw fmax %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32, strided<[?]>>
  return
}
}
