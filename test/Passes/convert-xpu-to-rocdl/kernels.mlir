// RUN: xpu-opt %s --convert-xpu-to-rocdl -split-input-file | FileCheck %s

// Each memref is a pointer to global memory, then its dynamic extents and strides. An index is 64 bits, and an i1 is a byte.
// The size of a group is known; the number of groups is what the launcher passes.

// CHECK-LABEL: gpu.module @m
// CHECK:         llvm.func @k(%[[A:[^:]*]]: !llvm.ptr<1>, %[[A0:[^:]*]]: i64, %[[N:[^:]*]]: i64, %[[P:[^:]*]]: i8, %[[H:[^:]*]]: bf16)
// CHECK-SAME:      attributes {gpu.kernel, rocdl.flat_work_group_size = "64,64", rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 32, 2, 1>}
// CHECK:           llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"() : () -> !llvm.ptr<4>
// CHECK:           llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr<4> -> i32
// CHECK:           arith.constant 2 : index
gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  gpu.func @k(%a: memref<?x4xi64>, %n: index, %p: i1, %h: bf16) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %c0 = arith.constant 0 : index
    %g = gpu.grid_dim x
    %b = gpu.block_dim y
    %0 = arith.addi %g, %b : index
    %1 = arith.index_cast %0 : index to i64
    memref.store %1, %a[%n, %c0] : memref<?x4xi64>
    gpu.return
  }
}

// -----

// Without a known size of a group, that is read as well, 16 bits each.

// CHECK-LABEL: llvm.func @open
// CHECK-SAME:    attributes {gpu.kernel, rocdl.flat_work_group_size = "1,1024", rocdl.kernel}
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"
// CHECK:         %[[OFFSET:.*]] = llvm.mlir.constant(14 : i64) : i64
// CHECK:         llvm.getelementptr %[[BASE]][%[[OFFSET]]]
// CHECK:         llvm.load %{{.*}} invariant {alignment = 2 : i64} : !llvm.ptr<4> -> i16
gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  gpu.func @open(%a: memref<4xindex>) kernel {
    %b = gpu.block_dim y
    memref.store %b, %a[%b] : memref<4xindex>
    gpu.return
  }
}

// -----

// Workgroup memory is a global in whole words, private memory in address space 5.

// CHECK-LABEL: gpu.module @m
// CHECK:         llvm.mlir.global internal @k.shared.0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i8>
// CHECK:         llvm.alloca %{{.*}} x i8 {alignment = 4 : i64} : (i64) -> !llvm.ptr<5>
// CHECK:         llvm.addrspacecast %{{.*}} : !llvm.ptr<5> to !llvm.ptr
// CHECK:         llvm.alloca %{{.*}} x i64 {alignment = 8 : i64} : (i64) -> !llvm.ptr<5>
gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  gpu.func @k(%n: index, %v: i8) workgroup(%s: memref<5xi8, #gpu.address_space<workgroup>>) private(%p: memref<3xi8, #gpu.address_space<private>>) kernel {
    %a = memref.alloca(%n) : memref<?xindex>
    memref.store %v, %s[%n] : memref<5xi8, #gpu.address_space<workgroup>>
    memref.store %v, %p[%n] : memref<3xi8, #gpu.address_space<private>>
    memref.store %n, %a[%n] : memref<?xindex>
    gpu.return
  }
}

// -----

// Memory that may be private or a buffer asks at run time.

// CHECK-LABEL: func.func @f
// CHECK:         llvm.call_intrinsic "llvm.amdgcn.is.private"(%{{.*}}) : (!llvm.ptr) -> i1
gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @f(%m: memref<4xi32>, %i: index, %v: i32) {
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<4xi32>
    return
  }
  gpu.func @k(%b: memref<4xi32>, %i: index, %v: i32) kernel {
    %a = memref.alloca() : memref<4xi32>
    func.call @f(%a, %i, %v) : (memref<4xi32>, index, i32) -> ()
    func.call @f(%b, %i, %v) : (memref<4xi32>, index, i32) -> ()
    gpu.return
  }
}
