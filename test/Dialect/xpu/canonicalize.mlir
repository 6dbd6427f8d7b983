// RUN: xpu-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: xpu.kernel @sizes(
// CHECK-SAME:    %[[M:.*]]: memref<?xindex>
xpu.kernel @sizes(%m: memref<?xindex>) workgroup_size(64, 1, 4) {
  // CHECK-DAG: %[[SIXTY_FOUR:.*]] = arith.constant 64 : index
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
  %0 = xpu.workgroup_size x
  %1 = xpu.workgroup_size y
  %2 = xpu.workgroup_size z
  // A dimension of one work-item has one place.
  // CHECK-DAG: %[[X:.*]] = xpu.local_id x
  %3 = xpu.local_id x
  %4 = xpu.local_id y
  // CHECK-DAG: %[[Z:.*]] = xpu.local_id z
  %5 = xpu.local_id z
  // CHECK-DAG: %[[GLOBAL:.*]] = xpu.global_id y
  %6 = xpu.global_id y
  // CHECK: memref.store %[[SIXTY_FOUR]]
  memref.store %0, %m[%6] : memref<?xindex>
  // CHECK: memref.store %[[ONE]]
  memref.store %1, %m[%6] : memref<?xindex>
  // CHECK: memref.store %[[FOUR]]
  memref.store %2, %m[%6] : memref<?xindex>
  // CHECK: memref.store %[[X]]
  memref.store %3, %m[%6] : memref<?xindex>
  // CHECK: memref.store %[[ZERO]]
  memref.store %4, %m[%6] : memref<?xindex>
  // CHECK: memref.store %[[Z]]
  memref.store %5, %m[%6] : memref<?xindex>
  xpu.return
}

// A gpu.func does not say its size here.
// CHECK-LABEL: gpu.func @unknown_size
gpu.module @module {
  gpu.func @unknown_size(%m: memref<?xindex>) kernel {
    // CHECK: xpu.workgroup_size x
    %0 = xpu.workgroup_size x
    // CHECK: xpu.local_id y
    %1 = xpu.local_id y
    memref.store %0, %m[%1] : memref<?xindex>
    gpu.return
  }
}

// CHECK-LABEL: func.func @reinterpret(
// CHECK-SAME:    %[[WORDS:.*]]: memref<?xi32>, %[[BYTES:.*]]: memref<?xi8>, %[[STATIC:.*]]: memref<5xi8>, %[[EVEN:.*]]: memref<8xi8>)
func.func @reinterpret(%words: memref<?xi32>, %bytes: memref<?xi8>, %static: memref<5xi8>, %even: memref<8xi8>)
    -> (memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi8>, memref<8xi8>, memref<8xi8>) {
  %same = xpu.reinterpret %words : memref<?xi32> to memref<?xi32>
  // To narrower elements and back, and to elements as wide and back, nothing is rounded.
  %narrow = xpu.reinterpret %words : memref<?xi32> to memref<?xi8>
  %back = xpu.reinterpret %narrow : memref<?xi8> to memref<?xi32>
  %float = xpu.reinterpret %words : memref<?xi32> to memref<?xf32>
  %back_from_float = xpu.reinterpret %float : memref<?xf32> to memref<?xi32>
  // To wider elements and back, the count may have been rounded up.
  // CHECK: %[[WIDE:.*]] = xpu.reinterpret %[[BYTES]] : memref<?xi8> to memref<?xi32>
  // CHECK: %[[LONGER:.*]] = xpu.reinterpret %[[WIDE]] : memref<?xi32> to memref<?xi8>
  %wide = xpu.reinterpret %bytes : memref<?xi8> to memref<?xi32>
  %longer = xpu.reinterpret %wide : memref<?xi32> to memref<?xi8>
  // CHECK: %[[STATIC_WIDE:.*]] = xpu.reinterpret %[[STATIC]] : memref<5xi8> to memref<2xi32>
  // CHECK: %[[STATIC_LONGER:.*]] = xpu.reinterpret %[[STATIC_WIDE]] : memref<2xi32> to memref<8xi8>
  %static_wide = xpu.reinterpret %static : memref<5xi8> to memref<2xi32>
  %static_longer = xpu.reinterpret %static_wide : memref<2xi32> to memref<8xi8>
  %even_wide = xpu.reinterpret %even : memref<8xi8> to memref<2xi32>
  %even_back = xpu.reinterpret %even_wide : memref<2xi32> to memref<8xi8>
  // CHECK: return %[[WORDS]], %[[WORDS]], %[[WORDS]], %[[LONGER]], %[[STATIC_LONGER]], %
  return %same, %back, %back_from_float, %longer, %static_longer, %even_back
    : memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi8>, memref<8xi8>, memref<8xi8>
}

// One element of three bytes takes two of two bytes, which take two of three.
// CHECK-LABEL: func.func @rounded(
func.func @rounded(%m: memref<?xi24>) -> memref<?xi24> {
  // CHECK: xpu.reinterpret %{{.*}} : memref<?xi24> to memref<?xi16>
  // CHECK: xpu.reinterpret %{{.*}} : memref<?xi16> to memref<?xi24>
  %0 = xpu.reinterpret %m : memref<?xi24> to memref<?xi16>
  %1 = xpu.reinterpret %0 : memref<?xi16> to memref<?xi24>
  return %1 : memref<?xi24>
}

// CHECK-LABEL: func.func @sign_cast(
// CHECK-SAME:    %[[V:.*]]: i32, %[[U:.*]]: ui32)
func.func @sign_cast(%v: i32, %u: ui32) -> (i32, ui32, ui32, i32) {
  %0 = xpu.sign_cast %v : i32 to si32
  %1 = xpu.sign_cast %0 : si32 to i32
  %2 = xpu.sign_cast %u : ui32 to ui32
  // CHECK: %[[CAST:.*]] = xpu.sign_cast %[[V]] : i32 to si32
  // CHECK: %[[UNSIGNED:.*]] = xpu.sign_cast %[[CAST]] : si32 to ui32
  %3 = xpu.sign_cast %0 : si32 to ui32
  %4 = xpu.sign_cast %2 : ui32 to si32
  %5 = xpu.sign_cast %4 : si32 to ui32
  // CHECK: %[[SIGNLESS:.*]] = xpu.sign_cast %[[U]] : ui32 to i32
  %6 = xpu.sign_cast %5 : ui32 to i32
  // CHECK: return %[[V]], %[[U]], %[[UNSIGNED]], %[[SIGNLESS]]
  return %1, %2, %3, %6 : i32, ui32, ui32, i32
}

// What a kernel does not use goes, workgroup memory too.
// CHECK-LABEL: xpu.kernel @unused(
// CHECK-NEXT:    xpu.return
xpu.kernel @unused(%m: memref<?xi32>) workgroup_size(64, 1, 1) {
  %0 = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %1 = xpu.global_id x
  %2 = xpu.reinterpret %m : memref<?xi32> to memref<?xf32>
  xpu.return
}
