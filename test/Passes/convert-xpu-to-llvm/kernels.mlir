// RUN: xpu-opt %s --convert-xpu-to-gpu --xpu-attach-cpu-target --convert-xpu-to-llvm -split-input-file | FileCheck %s

// Without barriers, the entry loops over the work-items of a group.

// CHECK-NOT:   gpu.module
// CHECK:       llvm.func internal @xpu_kernels.loop.body(%[[ARGS:.*]]: !llvm.ptr, %[[GROUP:.*]]: !llvm.ptr, %[[X:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64)
// CHECK:         llvm.load %[[ARGS]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK:         llvm.return
// CHECK:       llvm.func @xpu_kernels.loop(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-SAME:    mode = "group"
// CHECK-SAME:    shared_bytes = 0
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               llvm.call @xpu_kernels.loop.body
xpu.kernel @loop(%m: memref<?xi32>, %n: i32) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  memref.store %n, %m[%i] : memref<?xi32>
  xpu.return
}

// -----

// With barriers, the entry runs one work-item; each barrier calls the runtime with its place.

// CHECK:       llvm.func internal @xpu_kernels.items.body
// CHECK:         %[[PLACE:.*]] = llvm.mlir.addressof @xpu_kernels.place.0
// CHECK:         llvm.call @xpu_cpu_barrier(%{{.*}}, %[[PLACE]])
// CHECK:       llvm.mlir.global internal constant @xpu_kernels.place.0("{{.*}}kernels.mlir:{{[0-9]+}}:3\00")
// CHECK:       llvm.func @xpu_kernels.items
// CHECK-SAME:    mode = "item"
// CHECK-SAME:    shared_bytes = 32
// CHECK-SAME:    uses_barrier = 1
// CHECK-NOT:     scf.for
// CHECK:       llvm.func @xpu_cpu_barrier(!llvm.ptr, !llvm.ptr)
xpu.kernel @items(%m: memref<?xi32>) workgroup_size(8, 1, 1) {
  %s = xpu.shared : memref<8xi32, #gpu.address_space<workgroup>>
  %i = xpu.local_id x
  %v = memref.load %m[%i] : memref<?xi32>
  memref.store %v, %s[%i] : memref<8xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  xpu.return
}

// -----

// A module of another target is left as it is.

// CHECK:       gpu.module @other [#nvvm.target]
// CHECK:         xpu.fence ordering(acquire) scope(device)
gpu.module @other [#nvvm.target] {
  gpu.func @k() kernel {
    xpu.fence ordering(acquire) scope(device)
    gpu.return
  }
}
