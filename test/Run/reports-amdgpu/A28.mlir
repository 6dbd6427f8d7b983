// Report A28 on AMD chips, emulated: the kind alone says the sign. Each result would be another with the other sign. The text is in
// test/Lowering/rocdl/reports.
//
// REQUIRES: amdgpu
// DEFINE: %{run} = --kernel k --groups 1 --arg [0x8000000000000000,-5,-1]:i64 --arg [2,0xffffffff,0x80000000]:i32 --arg [-3]:i32 --arg [0xffffffff,0x80000000]:ui32 --expect 0=[100,-5,0]:i64 --expect 1=[-3,0xffffffff,1]:i32 --expect 2=[1]:i32 --expect 3=[0xffffffff,1]:ui32
// RUN: xpu-run %s --target amdgpu:gfx1100 %{run}
// RUN: xpu-run %s --target amdgpu:gfx1151 %{run}
// RUN: xpu-run %s --target amdgpu:gfx942 %{run}
// RUN: xpu-run %s --target amdgpu:gfx950 %{run}
// RUN: xpu-run %s --target amdgpu:gfx1200 %{run}
// RUN: xpu-run %s --target amdgpu:gfx1201 %{run}
//
// Bytes, which are compared in a loop on the word around them, and types that say the sign.
// DEFINE: %{i8} = xpu-run %S/../reports/A28.mlir --kernel i8 --groups 1 --arg [0x80,0x80,0x80,0x80]:i8 --expect 0=[-128,1,1,-128]:i8
// DEFINE: %{typed} = xpu-run %S/../reports/A28.mlir --kernel by_type --groups 1 --arg [-1,-1]:si16 --arg [65535,65535]:ui16 --expect 0=[-1,1]:si16 --expect 1=[1,65535]:ui16
// RUN: %{i8} --target amdgpu:gfx1100
// RUN: %{i8} --target amdgpu:gfx942
// RUN: %{i8} --target amdgpu:gfx1200
// RUN: %{typed} --target amdgpu:gfx1100
// RUN: %{typed} --target amdgpu:gfx942
// RUN: %{typed} --target amdgpu:gfx1200
xpu.kernel @k(%w: memref<3xi64>, %p: memref<3xi32>, %q: memref<1xi32>, %u: memref<2xui32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %hundred = arith.constant 100 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %minus = arith.constant -3 : i32
  %unsigned = xpu.sign_cast %one : i32 to ui32
  %0 = xpu.atomic_rmw umin %hundred, %w[%c0] scope(device) : memref<3xi64>
  %1 = xpu.atomic_rmw smin %hundred, %w[%c1] scope(device) : memref<3xi64>
  %2 = xpu.atomic_rmw smax %zero, %w[%c2] scope(device) : memref<3xi64>
  %3 = xpu.atomic_rmw smin %minus, %p[%c0] scope(device) : memref<3xi32>
  %4 = xpu.atomic_rmw umax %one, %p[%c1] scope(device) : memref<3xi32>
  %5 = xpu.atomic_rmw umin %one, %p[%c2] scope(device) : memref<3xi32>
  %6 = xpu.atomic_rmw max %unsigned, %u[%c0] scope(device) : memref<2xui32>
  %7 = xpu.atomic_rmw min %unsigned, %u[%c1] scope(device) : memref<2xui32>
  // In memory of the group.
  %s = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  %before = memref.load %q[%c0] : memref<1xi32>
  memref.store %before, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  %8 = xpu.atomic_rmw smax %one, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  %after = memref.load %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %after, %q[%c0] : memref<1xi32>
  xpu.return
}
