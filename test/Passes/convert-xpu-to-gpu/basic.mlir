// RUN: xpu-opt %s --convert-xpu-to-gpu -split-input-file | FileCheck %s

// A kernel becomes a gpu.func whose workgroup size is known; ids become those of the gpu dialect.

// CHECK-LABEL: gpu.module @xpu_kernels
// CHECK:       gpu.func @ids(%[[OUT:.*]]: memref<?xi32>) kernel attributes {known_block_size = array<i32: 64, 2, 1>}
// CHECK:         %[[GROUP:.*]] = gpu.block_id x
// CHECK:         %[[SIZE:.*]] = arith.constant 64 : index
// CHECK:         %[[LOCAL:.*]] = gpu.thread_id x
// CHECK:         %[[FIRST:.*]] = arith.muli %[[GROUP]], %[[SIZE]] : index
// CHECK:         arith.addi %[[FIRST]], %[[LOCAL]] : index
// CHECK:         gpu.thread_id y
// CHECK:         gpu.block_id z
// CHECK:         gpu.grid_dim x
// CHECK:         arith.constant 2 : index
// CHECK:         gpu.return
xpu.kernel @ids(%out: memref<?xi32>) workgroup_size(64, 2, 1) {
  %a = xpu.global_id x
  %b = xpu.local_id y
  %c = xpu.group_id z
  %d = xpu.group_count x
  %e = xpu.workgroup_size y
  xpu.return
}

// -----

// Atomics, fences and barriers stay; shared memory becomes an attribution, and two stay two.

// CHECK-LABEL: gpu.func @shared
// CHECK-SAME:    workgroup(%[[A:.*]] : memref<4xi32, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<4xi32, #gpu.address_space<workgroup>>)
// CHECK:         xpu.atomic_rmw add %{{.*}}, %[[A]][%{{.*}}] : memref<4xi32, #gpu.address_space<workgroup>>
// CHECK:         xpu.barrier
// CHECK:         xpu.fence ordering(release)
// CHECK:         xpu.atomic_load %[[B]]
xpu.kernel @shared() workgroup_size(4, 1, 1) {
  %a = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>
  %b = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>
  %i = xpu.local_id x
  %one = arith.constant 1 : i32
  %o = xpu.atomic_rmw add %one, %a[%i] : memref<4xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  xpu.fence ordering(release)
  %v = xpu.atomic_load %b[%i] : memref<4xi32, #gpu.address_space<workgroup>>
  xpu.return
}

// -----

// What kernels call is copied once, with what that calls and the globals it names; the originals stay.

// CHECK:       gpu.module @xpu_kernels
// CHECK:         gpu.func @first
// CHECK:         gpu.func @second
// CHECK-DAG:     memref.global "private" constant @table
// CHECK-DAG:     func.func private @inner
// CHECK-DAG:     func.func private @outer
// CHECK:       func.func @outer
// CHECK:       func.func @unused
memref.global "private" constant @table : memref<2xi32> = dense<[1, 2]>
xpu.kernel @first(%m: memref<?xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  func.call @outer(%m, %c0) : (memref<?xi32>, index) -> ()
  xpu.return
}
xpu.kernel @second(%m: memref<?xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  func.call @outer(%m, %c0) : (memref<?xi32>, index) -> ()
  xpu.return
}
func.func @outer(%m: memref<?xi32>, %i: index) {
  %v = func.call @inner(%i) : (index) -> i32
  memref.store %v, %m[%i] : memref<?xi32>
  return
}
func.func private @inner(%i: index) -> i32 {
  %t = memref.get_global @table : memref<2xi32>
  %v = memref.load %t[%i] : memref<2xi32>
  return %v : i32
}
func.func @unused() { return }

// -----

// Attributes of the kernel and of its arguments stay. The module's name is one that nobody has.

// CHECK:       gpu.module @xpu_kernels_0
// CHECK:         gpu.func @k(%{{.*}}: memref<?xf32> {xpu.memory = #xpu.memory<host_visible>}) kernel attributes {
// CHECK-SAME:      xpu.denormals = #xpu.denormals<flush>
xpu.kernel @k(%m: memref<?xf32> {xpu.memory = #xpu.memory<host_visible>}) workgroup_size(1, 1, 1)
    attributes {xpu.denormals = #xpu.denormals<flush>} {
  xpu.return
}
func.func @xpu_kernels() { return }

// -----

// Kernels that are upstream's already are not touched.

// CHECK:       gpu.module @mine
// CHECK-NEXT:    gpu.func @k() kernel
// CHECK-NOT:   @xpu_kernels
gpu.module @mine {
  gpu.func @k() kernel {
    gpu.return
  }
}
