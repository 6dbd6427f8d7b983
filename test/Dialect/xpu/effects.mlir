// RUN: xpu-opt %s -cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: xpu-opt %s -canonicalize | FileCheck %s --check-prefixes=CHECK,CANON
// RUN: xpu-opt %s -loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: xpu-opt %s -canonicalize -cse -loop-invariant-code-motion -sccp -control-flow-sink -canonicalize | FileCheck %s
// RUN: xpu-opt %s --pass-pipeline='builtin.module(func.func(affine-scalrep),gpu.module(func.func(affine-scalrep)))' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SCALREP

// Atomics, fences and barriers read and write all memory, so that upstream's passes neither drop,
// merge nor move them, nor take plain accesses across them.

//===----------------------------------------------------------------------===//
// Plain accesses on either side of an atomic
//===----------------------------------------------------------------------===//

// The second load must see what the other work-item wrote before its release.
// CHECK-LABEL: func.func @load_load(
func.func @load_load(%data: memref<?xi32>, %flag: memref<?xi32>, %i: index) -> (i32, i32, i32) {
  // CHECK: %[[BEFORE:.*]] = memref.load
  // CHECK-NEXT: %[[FLAG:.*]] = xpu.atomic_load
  // CHECK-NEXT: %[[AFTER:.*]] = memref.load
  // CHECK-NEXT: return %[[BEFORE]], %[[FLAG]], %[[AFTER]]
  %0 = memref.load %data[%i] : memref<?xi32>
  %1 = xpu.atomic_load %flag[%i] ordering(acquire) scope(device) : memref<?xi32>
  %2 = memref.load %data[%i] : memref<?xi32>
  return %0, %1, %2 : i32, i32, i32
}

// Each op, and each side.
// CHECK-LABEL: func.func @load_op_load(
func.func @load_op_load(%data: memref<?xi32>, %flag: memref<?xi32>, %v: i32, %i: index) -> (i32, i32, i32, i32, i32) {
  // CHECK: %[[A:.*]] = memref.load
  %0 = memref.load %data[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.atomic_rmw
  %1 = xpu.atomic_rmw add %v, %flag[%i] ordering(relaxed) scope(workitem) : memref<?xi32>
  // CHECK-NEXT: %[[B:.*]] = memref.load
  %2 = memref.load %data[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.cas
  %3 = xpu.cas %v, %v, %flag[%i] : memref<?xi32>
  // CHECK-NEXT: %[[C:.*]] = memref.load
  %4 = memref.load %data[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.atomic_store
  xpu.atomic_store %v, %flag[%i] : memref<?xi32>
  // CHECK-NEXT: %[[D:.*]] = memref.load
  %5 = memref.load %data[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.fence
  xpu.fence ordering(acquire) scope(workgroup)
  // CHECK-NEXT: %[[E:.*]] = memref.load
  %6 = memref.load %data[%i] : memref<?xi32>
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  return %0, %2, %4, %5, %6 : i32, i32, i32, i32, i32
}

// CHECK-LABEL: xpu.kernel @load_barrier_load(
xpu.kernel @load_barrier_load(%data: memref<?xi32>, %out: memref<?xi32>, %i: index) workgroup_size(64, 1, 1) {
  // CHECK: %[[A:.*]] = memref.load
  %0 = memref.load %data[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.barrier
  xpu.barrier
  // CHECK-NEXT: %[[B:.*]] = memref.load
  %1 = memref.load %data[%i] : memref<?xi32>
  // CHECK-NEXT: arith.addi %[[A]], %[[B]]
  %2 = arith.addi %0, %1 : i32
  memref.store %2, %out[%i] : memref<?xi32>
  xpu.return
}

// Another work-item may have overwritten the value in between.
// CHECK-LABEL: func.func @store_load(
// CHECK-SAME:    %[[V:.*]]: i32
func.func @store_load(%v: i32, %data: memref<64xi32>, %flag: memref<?xi32>, %i: index) -> (i32, i32) {
  // CHECK: affine.store %[[V]]
  affine.store %v, %data[0] : memref<64xi32>
  // CHECK-NEXT: %[[FLAG:.*]] = xpu.atomic_load
  %0 = xpu.atomic_load %flag[%i] ordering(acquire) scope(device) : memref<?xi32>
  // CHECK-NEXT: %[[AFTER:.*]] = affine.load
  %1 = affine.load %data[0] : memref<64xi32>
  // CHECK-NEXT: return %[[FLAG]], %[[AFTER]]
  return %0, %1 : i32, i32
}

// Without the atomic the value is forwarded: the pass does run.
// CHECK-LABEL: func.func @store_load_plain(
// SCALREP-SAME:  %[[V:.*]]: i32
func.func @store_load_plain(%v: i32, %data: memref<64xi32>) -> i32 {
  affine.store %v, %data[0] : memref<64xi32>
  // SCALREP-NOT: affine.load
  // SCALREP: return %[[V]]
  %0 = affine.load %data[0] : memref<64xi32>
  return %0 : i32
}

// Another work-item may read the first value after the release.
// CHECK-LABEL: func.func @store_store(
func.func @store_store(%v: i32, %w: i32, %data: memref<64xi32>, %flag: memref<?xi32>, %i: index) {
  // CHECK: affine.store
  affine.store %v, %data[0] : memref<64xi32>
  // CHECK-NEXT: xpu.atomic_store
  xpu.atomic_store %v, %flag[%i] ordering(release) scope(device) : memref<?xi32>
  // CHECK-NEXT: affine.store
  affine.store %w, %data[0] : memref<64xi32>
  // CHECK-NEXT: xpu.fence
  xpu.fence ordering(release) scope(device)
  // CHECK-NEXT: affine.store
  affine.store %v, %data[0] : memref<64xi32>
  return
}

//===----------------------------------------------------------------------===//
// The operations themselves
//===----------------------------------------------------------------------===//

// A result that nobody uses.
// CHECK-LABEL: func.func @unused(
func.func @unused(%m: memref<?xi32>, %v: i32, %i: index) {
  // CHECK-NEXT: xpu.atomic_load {{.*}} ordering(acquire)
  %0 = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  // CHECK-NEXT: xpu.atomic_load {{.*}} ordering(relaxed)
  %1 = xpu.atomic_load %m[%i] ordering(relaxed) scope(workitem) : memref<?xi32>
  // CHECK-NEXT: xpu.atomic_rmw or
  %2 = xpu.atomic_rmw or %v, %m[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.cas
  %3 = xpu.cas %v, %v, %m[%i] : memref<?xi32>
  // CHECK-NEXT: return
  return
}

// Two that are the same.
// CHECK-LABEL: xpu.kernel @twice(
xpu.kernel @twice(%m: memref<?xi32>, %v: i32, %i: index) workgroup_size(64, 1, 1) {
  // CHECK-NEXT: %[[A:.*]] = xpu.atomic_load
  %0 = xpu.atomic_load %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // CHECK-NEXT: %[[B:.*]] = xpu.atomic_load
  %1 = xpu.atomic_load %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[A]], %[[B]]
  %2 = arith.addi %0, %1 : i32
  // CHECK-NEXT: xpu.atomic_store %[[SUM]]
  xpu.atomic_store %2, %m[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.atomic_store %[[SUM]]
  xpu.atomic_store %2, %m[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.atomic_rmw xchg %[[SUM]]
  %3 = xpu.atomic_rmw xchg %2, %m[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.atomic_rmw xchg %[[SUM]]
  %4 = xpu.atomic_rmw xchg %2, %m[%i] : memref<?xi32>
  // CHECK-NEXT: xpu.fence
  xpu.fence ordering(seq_cst) scope(device)
  // CHECK-NEXT: xpu.fence
  xpu.fence ordering(seq_cst) scope(device)
  // CHECK-NEXT: xpu.barrier
  xpu.barrier
  // CHECK-NEXT: xpu.barrier
  xpu.barrier
  // CHECK-NEXT: xpu.return
  xpu.return
}

// What does not depend on the loop.
// CHECK-LABEL: xpu.kernel @loop(
xpu.kernel @loop(%m: memref<?xi32>, %v: i32, %n: index, %i: index) workgroup_size(64, 1, 1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.for
  scf.for %k = %zero to %n step %one {
    // CHECK-NEXT: xpu.atomic_load
    %0 = xpu.atomic_load %m[%i] ordering(relaxed) scope(workitem) : memref<?xi32>
    // CHECK-NEXT: xpu.atomic_rmw
    %1 = xpu.atomic_rmw umax %v, %m[%i] : memref<?xi32>
    // CHECK-NEXT: xpu.cas
    %2 = xpu.cas %v, %v, %m[%i] : memref<?xi32>
    // CHECK-NEXT: xpu.atomic_store
    xpu.atomic_store %v, %m[%i] : memref<?xi32>
    // CHECK-NEXT: xpu.fence
    xpu.fence ordering(acq_rel) scope(device)
    // CHECK-NEXT: xpu.barrier
    xpu.barrier
    // CHECK-NEXT: }
  }
  xpu.return
}

// Only the second branch asks for it.
// CHECK-LABEL: func.func @branch(
func.func @branch(%m: memref<?xi32>, %i: index, %c: i1) {
  // CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_load
  // CHECK-NEXT: scf.if
  %0 = xpu.atomic_load %m[%i] : memref<?xi32>
  scf.if %c {
    memref.store %0, %m[%i] : memref<?xi32>
  }
  return
}

// Two that are the same are two pieces of memory.
// CHECK-LABEL: xpu.kernel @shared(
xpu.kernel @shared(%v: i32, %i: index) workgroup_size(64, 1, 1) {
  // CHECK: %[[A:.*]] = xpu.shared
  // CHECK-NEXT: %[[B:.*]] = xpu.shared
  %0 = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %1 = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  // CHECK: memref.store %{{.*}}, %[[A]]
  memref.store %v, %0[%i] : memref<64xi32, #gpu.address_space<workgroup>>
  // CHECK: memref.store %{{.*}}, %[[B]]
  memref.store %v, %1[%i] : memref<64xi32, #gpu.address_space<workgroup>>
  xpu.return
}

// Ids are the same wherever they stand.
// CSE-LABEL: xpu.kernel @ids(
// LICM-LABEL: xpu.kernel @ids(
xpu.kernel @ids(%m: memref<?xindex>, %n: index) workgroup_size(64, 1, 1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CSE: xpu.global_id x
  // CSE-NOT: xpu.global_id x
  // CSE: xpu.global_id y
  // LICM: xpu.global_id x
  // LICM: xpu.global_id y
  // LICM: scf.for
  %0 = xpu.global_id x
  scf.for %k = %zero to %n step %one {
    %1 = xpu.global_id x
    %2 = xpu.global_id y
    memref.store %1, %m[%0] : memref<?xindex>
    memref.store %2, %m[%k] : memref<?xindex>
  }
  xpu.return
}

//===----------------------------------------------------------------------===//
// Private memory has no other observer
//===----------------------------------------------------------------------===//

// CHECK-LABEL: gpu.module @private
gpu.module @private {
  func.func @private(%data: memref<64xi32>, %v: i32, %i: index, %out: memref<?xi32>) {
    // CHECK: %[[OWN:.*]] = memref.alloca
    %own = memref.alloca() : memref<4xi32>
    // An access to it leaves what is known of other memory.
    // SCALREP: affine.store
    affine.store %v, %data[0] : memref<64xi32>
    // CHECK: xpu.atomic_rmw add
    %0 = xpu.atomic_rmw add %v, %own[%i] : memref<4xi32>
    // SCALREP-NOT: affine.load
    %1 = affine.load %data[0] : memref<64xi32>
    // But not what is known of its own.
    // CHECK: %[[A:.*]] = memref.load %[[OWN]]
    %2 = memref.load %own[%i] : memref<4xi32>
    // CHECK: xpu.atomic_store
    xpu.atomic_store %1, %own[%i] : memref<4xi32>
    // CHECK: %[[B:.*]] = memref.load %[[OWN]]
    %3 = memref.load %own[%i] : memref<4xi32>
    // CHECK: arith.addi %[[A]], %[[B]]
    %4 = arith.addi %2, %3 : i32
    memref.store %4, %out[%i] : memref<?xi32>
    // A load that nobody uses goes.
    // CANON-NOT: xpu.atomic_load
    // CANON: return
    %5 = xpu.atomic_load %own[%i] ordering(seq_cst) : memref<4xi32>
    return
  }
}
