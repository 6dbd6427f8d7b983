// Whatever a pass makes stands where that stood which it makes it of.
// DEFINE: %{passes} =
// DEFINE: %{check} = xpu-opt %s %{passes} --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --implicit-check-not='loc(unknown)'

// REDEFINE: %{passes} = --convert-memref-atomics-to-xpu
// RUN: %{check} --check-prefix=MEMREF
// REDEFINE: %{passes} = --xpu-resolve-signedness
// RUN: %{check} --check-prefix=SIGN
// REDEFINE: %{passes} = --xpu-assign-scope --xpu-assign-ordering --xpu-legalize-atomics
// RUN: %{check} --check-prefix=ASSIGN
// REDEFINE: %{passes} = --xpu-check-bounds
// RUN: %{check} --allow-empty
// REDEFINE: %{passes} = --convert-xpu-to-gpu
// RUN: %{check} --check-prefix=GPU
// REDEFINE: %{passes} = --convert-memref-atomics-to-xpu --convert-xpu-to-gpu --xpu-attach-cpu-target \
// REDEFINE:   --xpu-resolve-signedness --xpu-assign-scope --xpu-assign-ordering --xpu-legalize-atomics --xpu-expand-atomics
// RUN: %{check} --check-prefix=EXPAND
// REDEFINE: %{passes} = --convert-memref-atomics-to-xpu --convert-xpu-to-gpu --xpu-attach-cpu-target \
// REDEFINE:   --xpu-resolve-signedness --xpu-assign-scope --xpu-assign-ordering --xpu-legalize-atomics --xpu-expand-atomics \
// REDEFINE:   --convert-xpu-to-llvm
// RUN: %{check} --check-prefix=LLVM

// Upstream's canonicalization takes the location of a constant that it moves; the rest keeps its own.
// RUN: xpu-opt %s --xpu-to-cpu --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LLVM

// MEMREF: xpu.atomic_rmw fadd {{.*}} loc("a.mlir":10:1)
// MEMREF: xpu.atomic_load {{.*}} loc("a.mlir":20:1)
// MEMREF: arith.mulf {{.*}} loc("a.mlir":21:1)
// MEMREF: xpu.cas {{.*}} loc("a.mlir":20:1)
// MEMREF: arith.cmpi {{.*}} loc("a.mlir":20:1)
// MEMREF: scf.condition{{.*}} loc("a.mlir":20:1)
// MEMREF: scf.yield {{.*}} loc("a.mlir":20:1)
// MEMREF: } loc("a.mlir":20:1)

// SIGN: xpu.atomic_rmw umin {{.*}} loc("a.mlir":30:1)

// ASSIGN: xpu.atomic_rmw min {{.*}} ordering(acq_rel) scope(device) {{.*}} loc("a.mlir":30:1)
// ASSIGN: xpu.cas {{.*}} ordering(acq_rel) failure(acquire) scope(device) {{.*}} loc("a.mlir":31:1)
// ASSIGN: xpu.fence ordering(release) scope(device) loc("a.mlir":32:1)

// GPU: gpu.thread_id {{.*}} loc("a.mlir":5:1)
// GPU: } loc("a.mlir":1:1)

// EXPAND: xpu.cas {{.*}} loc("a.mlir":10:1)
// EXPAND: xpu.atomic_rmw umin {{.*}} loc("a.mlir":30:1)

// LLVM: llvm.cmpxchg {{.*}} loc("a.mlir":10:1)
// LLVM: llvm.atomicrmw umin {{.*}} loc("a.mlir":30:1)
// LLVM: llvm.cmpxchg {{.*}} loc("a.mlir":31:1)
// LLVM: llvm.fence {{.*}} loc("a.mlir":32:1)

xpu.kernel @kernel(%m: memref<?xf32> loc("a.mlir":2:1), %u: memref<?xui32> loc("a.mlir":3:1),
                   %x: f32 loc("a.mlir":4:1)) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x loc("a.mlir":5:1)
  %k = xpu.local_id x loc("a.mlir":6:1)
  %s = xpu.shared : memref<64xf32, #gpu.address_space<workgroup>> loc("a.mlir":7:1)
  %v = memref.load %u[%i] : memref<?xui32> loc("a.mlir":8:1)
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<?xf32>) -> f32 loc("a.mlir":10:1)
  memref.store %0, %s[%k] : memref<64xf32, #gpu.address_space<workgroup>> loc("a.mlir":11:1)
  xpu.barrier loc("a.mlir":12:1)
  %1 = memref.generic_atomic_rmw %m[%i] : memref<?xf32> {
  ^bb0(%old: f32 loc("a.mlir":22:1)):
    %new = arith.mulf %old, %x : f32 loc("a.mlir":21:1)
    memref.atomic_yield %new : f32 loc("a.mlir":23:1)
  } loc("a.mlir":20:1)
  %2 = xpu.atomic_rmw min %v, %u[%i] : memref<?xui32> loc("a.mlir":30:1)
  %3 = xpu.cas %v, %v, %u[%i] : memref<?xui32> loc("a.mlir":31:1)
  xpu.fence ordering(release) loc("a.mlir":32:1)
  xpu.return loc("a.mlir":33:1)
} loc("a.mlir":1:1)
