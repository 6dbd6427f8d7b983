// Report A08 on AMD chips, emulated: a quarter of a million exclusive ors on one address end, and none is lost. The text is in
// test/Lowering/rocdl/reports, for gfx90a too.
//
// REQUIRES: amdgpu
// DEFINE: %{run} = --kernel device --groups 1024 --arg [0]:i32 --expect 0=[262144]:i32
// RUN: xpu-run %s --target amdgpu:gfx1100 %{run}
// RUN: xpu-run %s --target amdgpu:gfx942 %{run}
// RUN: xpu-run %s --target amdgpu:gfx1200 %{run}
// RUN: xpu-run %s --target amdgpu:gfx1151 %{run}
// RUN: xpu-run %s --target amdgpu:gfx950 %{run}
//
// Fewer, with late accesses; and at system scope, where it is a loop.
// DEFINE: %{weak} = env XPU_AMDGPU_MEMORY=weak XPU_AMDGPU_SEED=1 xpu-run %s --groups 16 --arg [0]:i32 --expect 0=[4096]:i32 --target amdgpu
// RUN: %{weak}:gfx1100 --kernel device
// RUN: %{weak}:gfx1100 --kernel system
// RUN: %{weak}:gfx942 --kernel device
// RUN: %{weak}:gfx942 --kernel system
// RUN: %{weak}:gfx1200 --kernel device
// RUN: %{weak}:gfx1200 --kernel system

// The exclusive or of 1, …, n is n where n is a multiple of four.

xpu.kernel @device(%p: memref<1xi32>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %v = arith.addi %i32, %one : i32
  %0 = xpu.atomic_rmw xor %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  xpu.return
}

xpu.kernel @system(%p: memref<1xi32>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %v = arith.addi %i32, %one : i32
  %0 = xpu.atomic_rmw xor %v, %p[%c0] ordering(relaxed) scope(system) : memref<1xi32>
  xpu.return
}
