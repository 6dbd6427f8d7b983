// Report A12 on AMD chips, emulated with late accesses and stale caches: a fence of the device orders data in plain memory before
// a relaxed flag. Two groups of one work-item are a trial, and a launch has many, each with words of its own: 10,000 trials on a chip,
// in four launches. What fences become is in test/Lowering/rocdl/reports.
//
// REQUIRES: amdgpu
// DEFINE: %{litmus} = env XPU_AMDGPU_MEMORY=weak xpu-run %s --kernel litmus --groups 5000 --arg zeros:2500xi32 --arg zeros:2500xi32 --arg zeros:2500xi32 --expect '2=fill(42):2500xi32' --target amdgpu
// RUN: env XPU_AMDGPU_SEED=1 %{litmus}:gfx1100
// RUN: env XPU_AMDGPU_SEED=2 %{litmus}:gfx1100
// RUN: env XPU_AMDGPU_SEED=3 %{litmus}:gfx1100
// RUN: env XPU_AMDGPU_SEED=4 %{litmus}:gfx1100
// RUN: env XPU_AMDGPU_SEED=1 %{litmus}:gfx942
// RUN: env XPU_AMDGPU_SEED=2 %{litmus}:gfx942
// RUN: env XPU_AMDGPU_SEED=3 %{litmus}:gfx942
// RUN: env XPU_AMDGPU_SEED=4 %{litmus}:gfx942
// RUN: env XPU_AMDGPU_SEED=1 %{litmus}:gfx1200
// RUN: env XPU_AMDGPU_SEED=2 %{litmus}:gfx1200
// RUN: env XPU_AMDGPU_SEED=3 %{litmus}:gfx1200
// RUN: env XPU_AMDGPU_SEED=4 %{litmus}:gfx1200
//
// It can fail: with fences that are too narrow, or without the one or the other, what comes is the data from before. On gfx12 a
// fence of the workgroup does what one of the device does.
// DEFINE: %{fault} = env XPU_AMDGPU_MEMORY=weak XPU_AMDGPU_SEED=1 not xpu-run %t.mlir --kernel litmus --groups 1000 --arg zeros:500xi32 --arg zeros:500xi32 --arg zeros:500xi32 --expect '2=fill(42):500xi32' 2>&1 --target amdgpu
// RUN: sed '/xpu.fence/s/scope(device)/scope(workgroup)/' %s > %t.mlir
// RUN: %{fault}:gfx1100 | FileCheck %s --check-prefix=STALE
// RUN: %{fault}:gfx942 | FileCheck %s --check-prefix=STALE
// RUN: sed '/xpu.fence/s/scope(device)/scope(subgroup)/' %s > %t.mlir
// RUN: %{fault}:gfx1200 | FileCheck %s --check-prefix=STALE
// RUN: sed '/xpu.fence ordering(acquire)/d' %s > %t.mlir
// RUN: %{fault}:gfx1100 | FileCheck %s --check-prefix=STALE
// RUN: %{fault}:gfx942 | FileCheck %s --check-prefix=STALE
// RUN: %{fault}:gfx1200 | FileCheck %s --check-prefix=STALE
// RUN: sed '/xpu.fence ordering(release)/d' %s > %t.mlir
// RUN: %{fault}:gfx1100 | FileCheck %s --check-prefix=STALE
// RUN: %{fault}:gfx942 | FileCheck %s --check-prefix=STALE
// RUN: %{fault}:gfx1200 | FileCheck %s --check-prefix=STALE
// STALE: error: argument 2: element {{[0-9]+}} is 0, expected 42

// Groups 2i and 2i + 1 are a trial. %o[i] is what was read, or -1 where the flag was not seen, which a thousand rounds see to.
xpu.kernel @litmus(%d: memref<?xi32>, %f: memref<?xi32>, %o: memref<?xi32>) workgroup_size(1, 1, 1) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %most = arith.constant 1000 : i32
  %data = arith.constant 42 : i32
  %unseen = arith.constant -1 : i32
  %g = xpu.group_id x
  %role = arith.andi %g, %c1 : index
  %i = arith.divui %g, %c2 : index
  %reads = arith.cmpi eq, %role, %c1 : index
  scf.if %reads {
    %flag, %rounds = scf.while (%round = %zero) : (i32) -> (i32, i32) {
      %now = xpu.atomic_rmw add %zero, %f[%i] ordering(relaxed) scope(device) : memref<?xi32>
      %next = arith.addi %round, %one : i32
      %is_unset = arith.cmpi ne, %now, %one : i32
      %may = arith.cmpi ult, %next, %most : i32
      %again = arith.andi %is_unset, %may : i1
      scf.condition(%again) %now, %next : i32, i32
    } do {
    ^bb0(%now: i32, %next: i32):
      scf.yield %next : i32
    }
    %saw = arith.cmpi eq, %flag, %one : i32
    %got = scf.if %saw -> i32 {
      xpu.fence ordering(acquire) scope(device)
      %v = memref.load %d[%i] : memref<?xi32>
      scf.yield %v : i32
    } else {
      scf.yield %unseen : i32
    }
    memref.store %got, %o[%i] : memref<?xi32>
  } else {
    memref.store %data, %d[%i] : memref<?xi32>
    xpu.fence ordering(release) scope(device)
    %0 = xpu.atomic_rmw xchg %one, %f[%i] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.return
}
