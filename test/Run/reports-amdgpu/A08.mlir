// Report A08 on AMD chips, emulated: a quarter of a million exclusive ors on one address end, and none is lost. The text is in
// test/Lowering/rocdl/reports, for gfx90a too.
//
// REQUIRES: amdgpu
// DEFINE: %{run} = xpu-run %s --kernel device --groups 1024 --arg [0]:i32 --expect 0=[262144]:i32 --target amdgpu
// RUN: %{run}:gfx1100
// RUN: %{run}:gfx942
// RUN: %{run}:gfx1200
//
// Fewer on their relatives, and with late accesses; and at system scope, where it is a loop.
// DEFINE: %{few} = xpu-run %s --kernel device --groups 16 --arg [0]:i32 --expect 0=[4096]:i32 --target amdgpu
// DEFINE: %{loop} = xpu-run %s --kernel system --groups 4 --arg [0]:i32 --expect 0=[1024]:i32 --target amdgpu
// DEFINE: %{weak} = env XPU_AMDGPU_MEMORY=weak XPU_AMDGPU_SEED=1
// RUN: %{few}:gfx1151
// RUN: %{few}:gfx950
// RUN: %{few}:gfx1201
// RUN: %{weak} %{few}:gfx1100
// RUN: %{weak} %{few}:gfx942
// RUN: %{weak} %{few}:gfx1200
// RUN: %{weak} %{loop}:gfx1100
// RUN: %{weak} %{loop}:gfx942
// RUN: %{weak} %{loop}:gfx1200

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
