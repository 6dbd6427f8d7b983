// RUN: xpu-opt %s --convert-xpu-to-rocdl -split-input-file | FileCheck %s

// LLVM's own atomics in the address space of the memory, with the scope; and what is promised about the memory, where LLVM
// would make a loop without the promise.

// CHECK-LABEL: func.func @updates
// CHECK:         %[[AT:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:    llvm.atomicrmw add %[[AT]], %{{.*}} syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
// CHECK:         llvm.atomicrmw _xor %{{.*}}, %{{.*}} syncscope("agent") acq_rel {alignment = 4 : i64, rocdl.no_fine_grained_memory, rocdl.no_remote_memory} : !llvm.ptr<1>, i32
// CHECK:         llvm.atomicrmw sub %{{.*}}, %{{.*}} syncscope("workgroup") release {alignment = 4 : i64, rocdl.no_fine_grained_memory, rocdl.no_remote_memory}
// CHECK:         llvm.atomicrmw umax %{{.*}}, %{{.*}} syncscope("wavefront") acquire {alignment = 4 : i64, rocdl.no_fine_grained_memory, rocdl.no_remote_memory}
// CHECK:         llvm.atomicrmw xchg %{{.*}}, %{{.*}} seq_cst {alignment = 4 : i64} : !llvm.ptr<1>, i32
gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @updates(%m: memref<?xi32>, %i: index, %v: i32) {
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    %1 = xpu.atomic_rmw xor %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
    %2 = xpu.atomic_rmw sub %v, %m[%i] ordering(release) scope(workgroup) : memref<?xi32>
    %3 = xpu.atomic_rmw umax %v, %m[%i] ordering(acquire) scope(subgroup) : memref<?xi32>
    %4 = xpu.atomic_rmw xchg %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>
    return
  }
}

// -----

// A sum of floats goes through an address of which LLVM knows nothing, so that it does not combine those of a wave; with leave
// to add in another order it may. Where a flushed subnormal does not matter, LLVM is told.

// CHECK-LABEL: func.func @floats
// CHECK:         %[[AT:.*]] = llvm.inline_asm {{.*}}"", "=v,0" %{{.*}} : (!llvm.ptr<1>) -> !llvm.ptr<1>
// CHECK-NEXT:    llvm.atomicrmw fadd %[[AT]], %{{.*}} syncscope("agent") monotonic {alignment = 4 : i64, rocdl.ignore_denormal_mode, rocdl.no_fine_grained_memory, rocdl.no_remote_memory} : !llvm.ptr<1>, f32
// CHECK-NOT:     inline_asm
// CHECK:         llvm.atomicrmw fadd
// CHECK:         llvm.inline_asm
// CHECK:         llvm.atomicrmw fmin %{{.*}} : !llvm.ptr<1>, f64
gpu.module @m [#rocdl.target<chip = "gfx90a">] {
  func.func @floats(%m: memref<?xf32>, %d: memref<?xf64>, %i: index, %v: f32, %w: f64) {
    %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) denormals(flush) : memref<?xf32>
    %1 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) denormals(flush) fastmath<reassoc> : memref<?xf32>
    %2 = xpu.atomic_rmw fmin %w, %d[%i] ordering(relaxed) scope(device) : memref<?xf64>
    return
  }
}

// -----

// A 16-bit float is one of two in a word; the other one is given -0.

// CHECK-LABEL: func.func @packed
// CHECK:         %[[WORD:.*]] = llvm.call_intrinsic "llvm.ptrmask"(%[[AT:.*]], %{{.*}}) : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>
// CHECK:         %[[LOW:.*]] = llvm.ptrtoint %[[AT]] : !llvm.ptr<1> to i32
// CHECK:         %[[PAIR:.*]] = llvm.bitcast %{{.*}} : i32 to vector<2xf16>
// CHECK:         llvm.atomicrmw fadd %[[WORD]], %[[PAIR]] syncscope("agent") monotonic {alignment = 4 : i64, rocdl.no_fine_grained_memory, rocdl.no_remote_memory} : !llvm.ptr<1>, vector<2xf16>
// CHECK:         llvm.call_intrinsic "llvm.ptrmask"(%{{.*}}, %{{.*}}) : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>
// CHECK:         llvm.atomicrmw fadd %{{.*}} syncscope("workgroup") monotonic {alignment = 4 : i64} : !llvm.ptr<3>, vector<2xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func @packed(%m: memref<?xf16>, %s: memref<?xbf16, 3>, %i: index, %v: f16, %w: bf16) -> (f16, bf16) {
    %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf16>
    %1 = xpu.atomic_rmw fadd %w, %s[%i] ordering(relaxed) scope(workgroup) : memref<?xbf16, 3>
    return %0, %1 : f16, bf16
  }
}

// -----

// No fence has a list of address spaces; a barrier orders global memory too, also one that upstream made.

// CHECK-LABEL: func.func @fences
// CHECK-NEXT:    llvm.fence syncscope("agent") release{{$}}
// CHECK-NEXT:    llvm.fence seq_cst{{$}}
// CHECK-NEXT:    llvm.fence syncscope("singlethread") seq_cst{{$}}
gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @fences() {
    xpu.fence ordering(release) scope(device)
    xpu.fence ordering(seq_cst) scope(system)
    xpu.fence ordering(acquire) scope(workitem)
    return
  }
}

// -----

// CHECK-LABEL: llvm.func @barriers
// CHECK-COUNT-2: llvm.fence syncscope("workgroup") release{{[[:space:]]+}}rocdl.s.barrier{{[[:space:]]+}}llvm.fence syncscope("workgroup") acquire
gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  gpu.func @barriers() kernel {
    xpu.barrier
    gpu.barrier
    gpu.return
  }
}

// -----

// Before gfx10 a release of the workgroup is a fence and a wait, so that what waves stored is there when another one of their group
// releases it further. On gfx90a one to the device is LLVM's own.

// CHECK-LABEL: llvm.func @waits
// CHECK-COUNT-2: llvm.fence syncscope("workgroup") release{{[[:space:]]+}}rocdl.s.waitcnt 3952{{[[:space:]]+}}rocdl.s.barrier{{[[:space:]]+}}llvm.fence syncscope("workgroup") acquire
// CHECK-NEXT:    llvm.fence syncscope("workgroup") release
// CHECK-NEXT:    rocdl.s.waitcnt 3952
// CHECK-NEXT:    llvm.fence syncscope("workgroup") acquire
// CHECK-NEXT:    llvm.fence syncscope("agent") acq_rel
// CHECK-NEXT:    llvm.return
gpu.module @m [#rocdl.target<chip = "gfx90a">] {
  gpu.func @waits() kernel {
    xpu.barrier
    gpu.barrier
    xpu.fence ordering(acq_rel) scope(workgroup)
    xpu.fence ordering(acq_rel) scope(device)
    gpu.return
  }
}

// -----

// Memory that may be the host's gets no promise, though the scope be narrow; with a promise of the kernel's, system scope gets it.

// CHECK-LABEL: llvm.func @promises
// CHECK-SAME:    relies_on_device_local = array<i32: 1>
// CHECK:         llvm.atomicrmw add %{{.*}} syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
// CHECK:         llvm.atomicrmw _or %{{.*}} monotonic {alignment = 4 : i64, rocdl.no_fine_grained_memory, rocdl.no_remote_memory} : !llvm.ptr<1>, i32
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @promises(%h: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>}, %d: memref<?xi32> {xpu.memory = #xpu.memory<device_local>}, %i: index, %v: i32) kernel {
    %0 = xpu.atomic_rmw add %v, %h[%i] ordering(relaxed) scope(device) : memref<?xi32>
    %1 = xpu.atomic_rmw or %v, %d[%i] ordering(relaxed) scope(system) : memref<?xi32>
    gpu.return
  }
}

// -----

// A memref of a pointer has its address; a generic one stays in no address space, and its update is told about memory as that of a
// buffer is.

// CHECK-LABEL: func.func @pointers
// CHECK:         llvm.atomicrmw _xor %{{.*}}, %{{.*}} syncscope("agent") monotonic {alignment = 4 : i64, rocdl.no_fine_grained_memory, rocdl.no_remote_memory} : !llvm.ptr<1>, i32
// CHECK:         llvm.atomicrmw _xor %{{.*}}, %{{.*}} syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<3>, i32
// CHECK:         llvm.atomicrmw _xor %{{.*}}, %{{.*}} syncscope("agent") monotonic {alignment = 4 : i64, rocdl.no_fine_grained_memory, rocdl.no_remote_memory} : !llvm.ptr, i32
gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @pointers(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %r: !llvm.ptr, %v: i32) -> (i32, i32, i32) {
    %zero = arith.constant 0 : index
    %a = xpu.reinterpret %p : !llvm.ptr<1> to memref<1xi32>
    %0 = xpu.atomic_rmw xor %v, %a[%zero] ordering(relaxed) scope(device) : memref<1xi32>
    %b = xpu.reinterpret %q : !llvm.ptr<3> to memref<1xi32, 3>
    %1 = xpu.atomic_rmw xor %v, %b[%zero] ordering(relaxed) scope(device) : memref<1xi32, 3>
    %c = xpu.reinterpret %r : !llvm.ptr to memref<1xi32, #ptr.generic_space>
    %2 = xpu.atomic_rmw xor %v, %c[%zero] ordering(relaxed) scope(device) : memref<1xi32, #ptr.generic_space>
    return %0, %1, %2 : i32, i32, i32
  }
}
