// RUN: xpu-opt %s --xpu-assign-scope | FileCheck %s

// By storage: what all who can see the memory need.
// CHECK-LABEL: func.func @storage(
func.func @storage(%plain: memref<?xi32>, %shared: memref<?xi32, #gpu.address_space<workgroup>>,
                   %private: memref<?xi32, #gpu.address_space<private>>,
                   %global: memref<?xi32, #gpu.address_space<global>>,
                   %three: memref<?xi32, 3>, %five: memref<?xi32, 5>, %one: memref<?xi32, 1>,
                   %spirv_shared: memref<?xi32, #spirv.storage_class<Workgroup>>,
                   %spirv_private: memref<?xi32, #spirv.storage_class<Function>>,
                   %spirv_buffer: memref<?xi32, #spirv.storage_class<StorageBuffer>>,
                   %v: i32, %i: index) {
  // CHECK: xpu.atomic_rmw add {{.*}} scope(device) : memref<?xi32>
  %0 = xpu.atomic_rmw add %v, %plain[%i] : memref<?xi32>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workgroup) : memref<?xi32, #gpu.address_space<workgroup>>
  %1 = xpu.atomic_rmw add %v, %shared[%i] : memref<?xi32, #gpu.address_space<workgroup>>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workitem) : memref<?xi32, #gpu.address_space<private>>
  %2 = xpu.atomic_rmw add %v, %private[%i] : memref<?xi32, #gpu.address_space<private>>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(device) : memref<?xi32, #gpu.address_space<global>>
  %3 = xpu.atomic_rmw add %v, %global[%i] : memref<?xi32, #gpu.address_space<global>>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workgroup) : memref<?xi32, 3>
  %4 = xpu.atomic_rmw add %v, %three[%i] : memref<?xi32, 3>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workitem) : memref<?xi32, 5>
  %5 = xpu.atomic_rmw add %v, %five[%i] : memref<?xi32, 5>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(device) : memref<?xi32, 1>
  %6 = xpu.atomic_rmw add %v, %one[%i] : memref<?xi32, 1>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workgroup) : memref<?xi32, #spirv.storage_class<Workgroup>>
  %7 = xpu.atomic_rmw add %v, %spirv_shared[%i] : memref<?xi32, #spirv.storage_class<Workgroup>>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workitem) : memref<?xi32, #spirv.storage_class<Function>>
  %8 = xpu.atomic_rmw add %v, %spirv_private[%i] : memref<?xi32, #spirv.storage_class<Function>>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(device) : memref<?xi32, #spirv.storage_class<StorageBuffer>>
  %9 = xpu.atomic_rmw add %v, %spirv_buffer[%i] : memref<?xi32, #spirv.storage_class<StorageBuffer>>
  return
}

// Every operation with a scope.
// CHECK-LABEL: func.func @operations(
func.func @operations(%m: memref<?xi32>, %s: memref<?xi32, 3>, %v: i32, %i: index) {
  // CHECK: xpu.cas {{.*}} ordering(seq_cst) failure(relaxed) scope(device)
  %0 = xpu.cas %v, %v, %m[%i] ordering(seq_cst) failure(relaxed) : memref<?xi32>
  // CHECK: xpu.cas {{.*}}] scope(workgroup)
  %1 = xpu.cas %v, %v, %s[%i] : memref<?xi32, 3>
  // CHECK: xpu.atomic_load {{.*}} scope(workgroup)
  %2 = xpu.atomic_load %s[%i] : memref<?xi32, 3>
  // CHECK: xpu.atomic_store {{.*}} scope(workgroup)
  xpu.atomic_store %v, %s[%i] : memref<?xi32, 3>
  // CHECK: xpu.fence ordering(acq_rel) scope(device)
  xpu.fence ordering(acq_rel)
  return
}

// A scope that is there stays, whatever the storage.
// CHECK-LABEL: func.func @kept(
func.func @kept(%m: memref<?xi32>, %s: memref<?xi32, 3>, %v: i32, %i: index) {
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workitem)
  %0 = xpu.atomic_rmw add %v, %m[%i] scope(workitem) : memref<?xi32>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(subgroup)
  %1 = xpu.atomic_rmw add %v, %m[%i] scope(subgroup) : memref<?xi32>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(system)
  %2 = xpu.atomic_rmw add %v, %s[%i] scope(system) : memref<?xi32, 3>
  // CHECK: xpu.fence ordering(release) scope(workgroup)
  xpu.fence ordering(release) scope(workgroup)
  return
}

// In a kernel, memory that comes through views from an alloca is the work-item's own; workgroup
// memory is the workgroup's through every view.
// CHECK-LABEL: xpu.kernel @traced(
xpu.kernel @traced(%m: memref<?xi32>, %v: i32) workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  %own = memref.alloca() : memref<64xi32>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workitem) : memref<64xi32>
  %0 = xpu.atomic_rmw add %v, %own[%i] : memref<64xi32>
  %part = memref.subview %own[%i] [8] [2] : memref<64xi32> to memref<8xi32, strided<[2], offset: ?>>
  %cast = memref.cast %part : memref<8xi32, strided<[2], offset: ?>> to memref<?xi32, strided<[?], offset: ?>>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workitem) : memref<?xi32, strided<[?], offset: ?>>
  %1 = xpu.atomic_rmw add %v, %cast[%i] : memref<?xi32, strided<[?], offset: ?>>
  %bytes = xpu.reinterpret %own : memref<64xi32> to memref<256xi8>
  %byte = arith.trunci %v : i32 to i8
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workitem) : memref<256xi8>
  %2 = xpu.atomic_rmw add %byte, %bytes[%i] : memref<256xi8>
  %shared = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %shared_part = memref.subview %shared[%i] [8] [1]
    : memref<64xi32, #gpu.address_space<workgroup>> to memref<8xi32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(workgroup) :
  %3 = xpu.atomic_rmw add %v, %shared_part[%i] : memref<8xi32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  %view = memref.cast %m : memref<?xi32> to memref<16xi32>
  // CHECK: xpu.atomic_rmw add {{.*}} scope(device) : memref<16xi32>
  %4 = xpu.atomic_rmw add %v, %view[%i] : memref<16xi32>
  xpu.return
}

// In a host function an alloca may be shared by the iterations of a parallel loop.
// CHECK-LABEL: func.func @host(
func.func @host(%v: i32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = memref.alloca() : memref<1xi32>
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    // CHECK: xpu.atomic_rmw add {{.*}} scope(device)
    %0 = xpu.atomic_rmw add %v, %sum[%zero] : memref<1xi32>
    scf.reduce
  }
  return
}

// CHECK-LABEL: gpu.module @module
gpu.module @module {
  // CHECK: gpu.func @kernel
  gpu.func @kernel(%v: i32, %m: memref<?xi32>) workgroup(%s: memref<4xi32, 3>) private(%p: memref<4xi32, 5>) kernel {
    %i = gpu.thread_id x
    %own = memref.alloca() : memref<4xi32>
    // CHECK: xpu.atomic_rmw add {{.*}} scope(workitem) : memref<4xi32>
    %0 = xpu.atomic_rmw add %v, %own[%i] : memref<4xi32>
    // CHECK: xpu.atomic_rmw add {{.*}} scope(workgroup) : memref<4xi32, 3>
    %1 = xpu.atomic_rmw add %v, %s[%i] : memref<4xi32, 3>
    // CHECK: xpu.atomic_rmw add {{.*}} scope(workitem) : memref<4xi32, 5>
    %2 = xpu.atomic_rmw add %v, %p[%i] : memref<4xi32, 5>
    // CHECK: xpu.atomic_rmw add {{.*}} scope(device) : memref<?xi32>
    %3 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}
