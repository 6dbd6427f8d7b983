// Report A11 on AMD chips, emulated: the lane that adds gets the bits that were in memory. Combining a wave's sums into one, LLVM
// mixed 0 * value into what the first lane got: a NaN for an infinity, +0 for -0.
//
// REQUIRES: amdgpu
// DEFINE: %{f32} = xpu-run %s --groups 1 --arg [3.0]:f32 --arg inf:f32 --arg [7.0]:f32 --expect 0=[0x7f800000]:f32 --expect 2=[0x40400000]:f32
// DEFINE: %{f32_zero} = xpu-run %s --groups 1 --arg [0x80000000]:f32 --arg 1.0:f32 --arg [7.0]:f32 --expect 0=[1.0]:f32 --expect 2=[0x80000000]:f32
// DEFINE: %{f64} = xpu-run %s --groups 1 --arg [3.0]:f64 --arg inf:f64 --arg [7.0]:f64 --expect 0=[inf]:f64 --expect 2=[0x4008000000000000]:f64
// DEFINE: %{f64_zero} = xpu-run %s --groups 1 --arg [-0.0]:f64 --arg 1.0:f64 --arg [7.0]:f64 --expect 0=[1.0]:f64 --expect 2=[0x8000000000000000]:f64
// DEFINE: %{f16_zero} = xpu-run %s --groups 1 --arg [0x8000]:f16 --arg 1.0:f16 --arg [7.0]:f16 --expect 0=[1.0]:f16 --expect 2=[0x8000]:f16
//
// RUN: %{f32} --kernel f32 --target amdgpu:gfx1100
// RUN: %{f32_zero} --kernel f32 --target amdgpu:gfx1100
// RUN: %{f32} --kernel f32 --target amdgpu:gfx1151
// RUN: %{f32_zero} --kernel f32 --target amdgpu:gfx1151
// RUN: %{f32} --kernel f32 --target amdgpu:gfx942
// RUN: %{f32_zero} --kernel f32 --target amdgpu:gfx942
// RUN: %{f32} --kernel f32 --target amdgpu:gfx950
// RUN: %{f32_zero} --kernel f32 --target amdgpu:gfx950
// RUN: %{f32} --kernel f32 --target amdgpu:gfx1200
// RUN: %{f32_zero} --kernel f32 --target amdgpu:gfx1200
// RUN: %{f32} --kernel f32 --target amdgpu:gfx1201
// RUN: %{f32_zero} --kernel f32 --target amdgpu:gfx1201
//
// Other types, and where combining is allowed.
// RUN: %{f64} --kernel f64 --target amdgpu:gfx942
// RUN: %{f64_zero} --kernel f64 --target amdgpu:gfx942
// RUN: %{f64_zero} --kernel f64 --target amdgpu:gfx1100
// RUN: %{f16_zero} --kernel f16 --target amdgpu:gfx942
// RUN: %{f16_zero} --kernel f16 --target amdgpu:gfx1200
// RUN: %{f32} --kernel combined --target amdgpu:gfx1100
// RUN: %{f32_zero} --kernel combined --target amdgpu:gfx1100
// RUN: %{f32} --kernel combined --target amdgpu:gfx942
// RUN: %{f32_zero} --kernel combined --target amdgpu:gfx942

// One lane of a whole wave adds, the same value that all could.

xpu.kernel @f32(%p: memref<1xf32>, %v: f32, %o: memref<1xf32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %l = xpu.local_id x
  %is_5 = arith.cmpi eq, %l, %c5 : index
  scf.if %is_5 {
    %0 = xpu.atomic_rmw fadd %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xf32>
    memref.store %0, %o[%c0] : memref<1xf32>
  }
  xpu.return
}

xpu.kernel @combined(%p: memref<1xf32>, %v: f32, %o: memref<1xf32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %l = xpu.local_id x
  %is_5 = arith.cmpi eq, %l, %c5 : index
  scf.if %is_5 {
    %0 = xpu.atomic_rmw fadd %v, %p[%c0] ordering(relaxed) scope(device) fastmath<reassoc> : memref<1xf32>
    memref.store %0, %o[%c0] : memref<1xf32>
  }
  xpu.return
}

xpu.kernel @f64(%p: memref<1xf64>, %v: f64, %o: memref<1xf64>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %l = xpu.local_id x
  %is_5 = arith.cmpi eq, %l, %c5 : index
  scf.if %is_5 {
    %0 = xpu.atomic_rmw fadd %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xf64>
    memref.store %0, %o[%c0] : memref<1xf64>
  }
  xpu.return
}

xpu.kernel @f16(%p: memref<1xf16>, %v: f16, %o: memref<1xf16>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %l = xpu.local_id x
  %is_5 = arith.cmpi eq, %l, %c5 : index
  scf.if %is_5 {
    %0 = xpu.atomic_rmw fadd %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xf16>
    memref.store %0, %o[%c0] : memref<1xf16>
  }
  xpu.return
}
