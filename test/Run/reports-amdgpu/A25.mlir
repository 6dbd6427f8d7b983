// Report A25 on AMD chips, emulated with late accesses and stale caches: an update whose result nobody uses keeps its ordering. The
// text is in test/Lowering/rocdl/reports.
//
// REQUIRES: amdgpu
// DEFINE: %{counts} = env XPU_AMDGPU_MEMORY=weak XPU_AMDGPU_SEED=1 xpu-run %S/../reports/A25.mlir --groups 1 --arg zeros:1xi32 --expect 0=[32]:i32 --target amdgpu
// RUN: %{counts}:gfx1100 --kernel relaxed
// RUN: %{counts}:gfx1100 --kernel release
// RUN: %{counts}:gfx1100 --kernel acquire
// RUN: %{counts}:gfx1100 --kernel acq_rel
// RUN: %{counts}:gfx1100 --kernel fenced --arg [7]:i32 --arg [0]:i32 --expect 2=[7]:i32
// RUN: %{counts}:gfx942 --kernel relaxed
// RUN: %{counts}:gfx942 --kernel release
// RUN: %{counts}:gfx942 --kernel acquire
// RUN: %{counts}:gfx942 --kernel acq_rel
// RUN: %{counts}:gfx942 --kernel fenced --arg [7]:i32 --arg [0]:i32 --expect 2=[7]:i32
// RUN: %{counts}:gfx1200 --kernel acq_rel
// RUN: %{counts}:gfx1200 --kernel fenced --arg [7]:i32 --arg [0]:i32 --expect 2=[7]:i32
//
// The order itself: what the writer stored before its update is what the reader loads after an update of its own that saw it. Neither
// result is used; the reader has seen the flag by a relaxed load.
// DEFINE: %{pass} = --kernel pass --groups 2000 --arg zeros:1000xi32 --arg zeros:1000xi32 --arg zeros:1000xi32 --expect '2=fill(42):1000xi32' --target amdgpu
// DEFINE: %{weak} = env XPU_AMDGPU_MEMORY=weak XPU_AMDGPU_SEED=1
// RUN: %{weak} xpu-run %s %{pass}:gfx1100
// RUN: %{weak} xpu-run %s %{pass}:gfx942
// RUN: %{weak} xpu-run %s %{pass}:gfx1200
// RUN: sed 's/ordering(acquire)/ordering(relaxed)/' %s > %t.mlir
// RUN: %{weak} not xpu-run %t.mlir %{pass}:gfx1100 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: %{weak} not xpu-run %t.mlir %{pass}:gfx942 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: %{weak} not xpu-run %t.mlir %{pass}:gfx1200 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: sed 's/ordering(release)/ordering(relaxed)/' %s > %t.mlir
// RUN: %{weak} not xpu-run %t.mlir %{pass}:gfx1100 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: %{weak} not xpu-run %t.mlir %{pass}:gfx942 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: %{weak} not xpu-run %t.mlir %{pass}:gfx1200 2>&1 | FileCheck %s --check-prefix=STALE
// STALE: error: argument 2: element {{[0-9]+}} is 0, expected 42
xpu.kernel @pass(%d: memref<?xi32>, %f: memref<?xi32>, %o: memref<?xi32>) workgroup_size(1, 1, 1) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %data = arith.constant 42 : i32
  %g = xpu.group_id x
  %role = arith.andi %g, %c1 : index
  %i = arith.divui %g, %c2 : index
  %reads = arith.cmpi eq, %role, %c1 : index
  scf.if %reads {
    scf.while : () -> () {
      %now = xpu.atomic_load %f[%i] ordering(relaxed) scope(device) : memref<?xi32>
      %again = arith.cmpi eq, %now, %zero : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    %0 = xpu.atomic_rmw add %one, %f[%i] ordering(acquire) scope(device) : memref<?xi32>
    %v = memref.load %d[%i] : memref<?xi32>
    memref.store %v, %o[%i] : memref<?xi32>
  } else {
    memref.store %data, %d[%i] : memref<?xi32>
    %0 = xpu.atomic_rmw add %one, %f[%i] ordering(release) scope(device) : memref<?xi32>
  }
  xpu.return
}
