// RUN: xpu-opt %s --convert-xpu-to-nvvm | FileCheck %s

// A kernel takes pointers to global memory and its dynamic extents; workgroup memory is a global of
// address space 3, in whole words.

// CHECK-LABEL: gpu.module @m [#nvvm.target<chip = "sm_90">]
// CHECK:         llvm.mlir.global internal @k.shared.0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i8>
// CHECK:         llvm.func @k(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: i32)
// CHECK-SAME:      nvvm.kernel
// CHECK-SAME:      nvvm.reqntid = array<i32: 64, 1, 1>
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%m: memref<?xi32>, %v: i32)
      workgroup(%s: memref<7xi8, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index

    // Ordering and scope are in the text, and the state space always is.
    // CHECK: "atom.acq_rel.sys.global.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"
    %0 = xpu.atomic_rmw add %v, %m[%c0] ordering(acq_rel) scope(system) : memref<?xi32>
    memref.store %0, %m[%c0] : memref<?xi32>

    // PTX has no sequentially consistent atom: a fence, then an acquire.
    // CHECK: llvm.fence syncscope("block") seq_cst
    // CHECK: "atom.acquire.cta.global.min.s32 $0, [$1], $2;"
    %1 = xpu.atomic_rmw smin %v, %m[%c0] ordering(seq_cst) scope(workgroup) : memref<?xi32>
    memref.store %1, %m[%c0] : memref<?xi32>

    // What LLVM 22 prints right is LLVM's own.
    // CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("device") monotonic
    %2 = xpu.atomic_rmw add %v, %m[%c0] ordering(relaxed) scope(device) : memref<?xi32>
    memref.store %2, %m[%c0] : memref<?xi32>
    // CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} syncscope("device") acq_rel acquire
    %3 = xpu.cas %v, %0, %m[%c0] ordering(acq_rel) failure(acquire) scope(device) : memref<?xi32>
    // CHECK: llvm.load %{{.*}} atomic syncscope("device") acquire
    %4 = xpu.atomic_load %m[%c0] ordering(acquire) scope(device) : memref<?xi32>
    // CHECK: llvm.store %{{.*}}, %{{.*}} atomic release
    xpu.atomic_store %v, %m[%c0] ordering(release) scope(system) : memref<?xi32>

    // CHECK: llvm.fence syncscope("block") acq_rel
    xpu.fence ordering(release) scope(subgroup)
    // CHECK: gpu.barrier
    xpu.barrier
    // CHECK: llvm.return
    gpu.return
  }
}

// Nobody reads the old value, and no fence could acquire through it: red is cheaper.

// CHECK-LABEL: gpu.module @unused
// CHECK:         "red.release.gpu.global.add.u32 [$0], $1;", "l,r,~{memory}"
// CHECK:         "atom.acquire.gpu.global.add.u32 $0, [$1], $2;"
gpu.module @unused [#nvvm.target<chip = "sm_70", features = "+ptx63">] {
  gpu.func @k(%m: memref<?xi32>, %v: i32) kernel {
    %c0 = arith.constant 0 : index
    %0 = xpu.atomic_rmw add %v, %m[%c0] ordering(release) scope(device) : memref<?xi32>
    %1 = xpu.atomic_rmw add %v, %m[%c0] ordering(acquire) scope(device) : memref<?xi32>
    gpu.return
  }
}
