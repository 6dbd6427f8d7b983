// RUN: xpu-opt %s -inline=default-pipeline= | FileCheck %s

// Helpers with atomics become part of the kernel that calls them, and of each other.

func.func private @claim(%counter: memref<1xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %old = xpu.atomic_rmw add %one, %counter[%zero] ordering(relaxed) scope(device) : memref<1xi32>
  return %old : i32
}

func.func private @publish(%data: memref<?xi32>, %flag: memref<?xi32>, %counter: memref<1xi32>, %i: index) {
  %v = func.call @claim(%counter) : (memref<1xi32>) -> i32
  memref.store %v, %data[%i] : memref<?xi32>
  xpu.fence ordering(release) scope(device)
  xpu.atomic_store %v, %flag[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return
}

func.func private @swap(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %seen = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  %old = xpu.cas %seen, %v, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<?xi32>
  %bits = xpu.sign_cast %old : i32 to ui32
  %back = xpu.sign_cast %bits : ui32 to i32
  %same = arith.cmpi eq, %seen, %back : i32
  cf.cond_br %same, ^won, ^lost
^won:
  return %old : i32
^lost:
  return %v : i32
}

// CHECK-LABEL: xpu.kernel @kernel(
// CHECK-SAME:    %[[DATA:.*]]: memref<?xi32>, %[[FLAG:.*]]: memref<?xi32>, %[[COUNTER:.*]]: memref<1xi32>)
xpu.kernel @kernel(%data: memref<?xi32>, %flag: memref<?xi32>, %counter: memref<1xi32>) workgroup_size(64, 1, 1) {
  // CHECK-NOT: call
  // CHECK: %[[I:.*]] = xpu.global_id x
  %i = xpu.global_id x
  // CHECK: %[[V:.*]] = xpu.atomic_rmw add %{{.*}}, %[[COUNTER]][%{{.*}}] ordering(relaxed) scope(device)
  // CHECK: memref.store %[[V]], %[[DATA]][%[[I]]]
  // CHECK: xpu.fence ordering(release) scope(device)
  // CHECK: xpu.atomic_store %[[V]], %[[FLAG]][%[[I]]] ordering(relaxed) scope(device)
  func.call @publish(%data, %flag, %counter, %i) : (memref<?xi32>, memref<?xi32>, memref<1xi32>, index) -> ()
  // CHECK: xpu.barrier
  xpu.barrier
  %v = arith.index_cast %i : index to i32
  // CHECK: xpu.atomic_load
  // CHECK: xpu.cas
  // CHECK: cf.cond_br
  %w = func.call @swap(%flag, %i, %v) : (memref<?xi32>, index, i32) -> i32
  // CHECK: memref.store %{{.*}}, %[[DATA]]
  memref.store %w, %data[%i] : memref<?xi32>
  // CHECK: xpu.return
  xpu.return
}
