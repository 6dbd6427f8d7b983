// Report A10 on AMD chips, emulated: a float sum is right in memory of which nothing is known, and in memory of the device. The
// text is in test/Lowering/rocdl/reports, for gfx90a too.
//
// REQUIRES: amdgpu
// DEFINE: %{run} = env XPU_AMDGPU_MEMORY=weak XPU_AMDGPU_SEED=1 xpu-run %s --groups 1 --arg [100.0]:f32 --expect 0=[164.0]:f32 --target amdgpu
// RUN: %{run}:gfx1100 --kernel unknown
// RUN: %{run}:gfx1100 --kernel device
// RUN: %{run}:gfx1151 --kernel unknown
// RUN: %{run}:gfx1151 --kernel device
// RUN: %{run}:gfx942 --kernel unknown
// RUN: %{run}:gfx942 --kernel device
// RUN: %{run}:gfx950 --kernel unknown
// RUN: %{run}:gfx950 --kernel device
// RUN: %{run}:gfx1200 --kernel unknown
// RUN: %{run}:gfx1200 --kernel device
// RUN: %{run}:gfx1201 --kernel unknown
// RUN: %{run}:gfx1201 --kernel device
xpu.kernel @unknown(%p: memref<1xf32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %0 = xpu.atomic_rmw fadd %one, %p[%c0] ordering(relaxed) scope(system) : memref<1xf32>
  xpu.return
}

xpu.kernel @device(%p: memref<1xf32> {xpu.memory = #xpu.memory<device_local>}) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %0 = xpu.atomic_rmw fadd %one, %p[%c0] ordering(relaxed) scope(device) : memref<1xf32>
  xpu.return
}
