// RUN: xpu-opt %s --convert-xpu-to-nvvm -split-input-file | FileCheck %s

// Each memref is a pointer to global memory, then its dynamic extents and strides; a dynamic offset is in the pointer.
// An index is 64 bits, and an i1 is a byte.

// CHECK-LABEL: gpu.module @m
// CHECK:         llvm.func @k(%[[A:[^:]*]]: !llvm.ptr<1>, %[[A0:[^:]*]]: i64, %[[S:[^:]*]]: !llvm.ptr<1>, %[[S0:[^:]*]]: i64, %[[S1:[^:]*]]: i64, %[[ST:[^:]*]]: i64,
// CHECK-SAME:              %[[N:[^:]*]]: i64, %[[P:[^:]*]]: i8, %{{[^:]*}}: i8, %{{[^:]*}}: bf16)
// CHECK-SAME:      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 2, 1>}
// CHECK:         %[[GA:.*]] = llvm.addrspacecast %[[A]] : !llvm.ptr<1> to !llvm.ptr
// CHECK:         llvm.insertvalue %[[A0]], %{{.*}}[3, 0]
// CHECK:         llvm.insertvalue %[[S0]], %{{.*}}[3, 0]
// CHECK:         llvm.insertvalue %[[ST]], %{{.*}}[4, 0]
// CHECK:         llvm.insertvalue %[[S1]], %{{.*}}[3, 1]
// CHECK:         builtin.unrealized_conversion_cast %[[N]] : i64 to index
// CHECK:         llvm.trunc %[[P]] : i8 to i1
// CHECK:         gpu.barrier
// CHECK:         llvm.return
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%a: memref<?x4xi32>, %s: memref<?x?xf32, strided<[?, 1], offset: ?>>, %n: index, %p: i1, %b: i8, %h: bf16) kernel
      attributes {known_block_size = array<i32: 32, 2, 1>} {
    %0 = memref.load %a[%n, %n] : memref<?x4xi32>
    %1 = memref.load %s[%n, %n] : memref<?x?xf32, strided<[?, 1], offset: ?>>
    xpu.barrier
    gpu.return
  }
}

// -----

// Workgroup memory is in whole words, and two buffers are never one. Private memory is an alloca.

// CHECK-LABEL: gpu.module @m
// CHECK-DAG:     llvm.mlir.global internal @k.shared.0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i8>
// CHECK-DAG:     llvm.mlir.global internal @k.shared.1() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i8>
// CHECK:         llvm.func @k(%{{[^:]*}}: i64)
// CHECK:         llvm.mlir.addressof @k.shared.0 : !llvm.ptr<3>
// CHECK:         llvm.mlir.addressof @k.shared.1 : !llvm.ptr<3>
// CHECK:         %[[PRIVATE:.*]] = memref.alloca() : memref<2xi16>
// CHECK:         memref.load %{{.*}} : memref<3xi16, 3>
// CHECK:         memref.store %{{.*}}, %[[PRIVATE]][
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%i: index) workgroup(%a: memref<3xi16, #gpu.address_space<workgroup>>, %b: memref<3xi16, #gpu.address_space<workgroup>>)
      private(%p: memref<2xi16, #gpu.address_space<private>>) kernel {
    %0 = memref.load %a[%i] : memref<3xi16, #gpu.address_space<workgroup>>
    memref.store %0, %b[%i] : memref<3xi16, #gpu.address_space<workgroup>>
    memref.store %0, %p[%i] : memref<2xi16, #gpu.address_space<private>>
    gpu.return
  }
}

// -----

// All that a kernel may declare; a buffer of nothing has a word.

// CHECK-LABEL: gpu.module @m
// CHECK-DAG:     @k.shared.0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<49136 x i8>
// CHECK-DAG:     @k.shared.1() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i8>
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @k() workgroup(%a: memref<49136xi8, #gpu.address_space<workgroup>>, %b: memref<0xi64, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}

// -----

// In a block that nothing reaches, views may go round in a circle.

// CHECK-LABEL: llvm.func @circle
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @circle(%i: index, %v: i32) kernel {
    gpu.return
  ^bb1:
    %a = memref.cast %b : memref<?xi32> to memref<4xi32>
    %b = memref.cast %a : memref<4xi32> to memref<?xi32>
    %0 = xpu.atomic_rmw add %v, %b[%i] ordering(relaxed) scope(device) : memref<?xi32>
    cf.br ^bb1
  }
}
