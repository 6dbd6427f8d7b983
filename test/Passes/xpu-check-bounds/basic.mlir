// RUN: xpu-opt %s --xpu-check-bounds | FileCheck %s

// Every index of every access is compared with its extent; what a kernel calls is checked, too.

// CHECK:       gpu.module @m attributes {xpu.cpu_target}
// CHECK-DAG:     llvm.func @xpu_cpu_out_of_bounds(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64)
// CHECK-DAG:     llvm.mlir.global internal constant @{{.*}}("memref.load\00")
// CHECK-LABEL:   gpu.func @k
// CHECK-SAME:      %[[M:.*]]: memref<?x4xi32>, %[[I:.*]]: index
gpu.module @m attributes {xpu.cpu_target} {
  gpu.func @k(%m: memref<?x4xi32>, %i: index) kernel {
    // CHECK:       %[[ROWS:.*]] = memref.dim %[[M]]
    // CHECK:       %[[OUT:.*]] = arith.cmpi uge, %[[I]], %[[ROWS]] : index
    // CHECK:       scf.if %[[OUT]] {
    // CHECK:         llvm.call @xpu_cpu_out_of_bounds
    // CHECK:       }
    // CHECK:       %[[FOUR:.*]] = arith.constant 4 : index
    // CHECK:       arith.cmpi uge, %[[I]], %[[FOUR]] : index
    // CHECK:       %[[V:.*]] = memref.load
    %v = memref.load %m[%i, %i] : memref<?x4xi32>
    // CHECK-COUNT-2: llvm.call @xpu_cpu_out_of_bounds
    // CHECK:       xpu.atomic_rmw
    %o = xpu.atomic_rmw add %v, %m[%i, %i] : memref<?x4xi32>
    gpu.return
  }
  // CHECK-LABEL: func.func @helper
  func.func @helper(%m: memref<2xi32>, %i: index, %v: i32) {
    // CHECK:       llvm.call @xpu_cpu_out_of_bounds
    // CHECK:       memref.store
    memref.store %v, %m[%i] : memref<2xi32>
    return
  }
}

// Code that is not the CPU's is not checked.

// CHECK-LABEL: gpu.module @other
// CHECK-NOT:     xpu_cpu_out_of_bounds
gpu.module @other [#nvvm.target] {
  gpu.func @k(%m: memref<2xi32>, %i: index) kernel {
    %v = memref.load %m[%i] : memref<2xi32>
    gpu.return
  }
}
