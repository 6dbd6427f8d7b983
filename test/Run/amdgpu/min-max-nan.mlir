// Minimum and maximum ignore a NaN of either sign, in memory and as the operand, alone and where a wave's lanes contend for one
// element that holds one: by integers (f32 on gfx942, f64 on gfx1100 and gfx1200) and by the instruction.
//
// REQUIRES: amdgpu
//
// DEFINE: %{memory} = '[0xffc00000,0x7fc00000,0xffc00000,0x7fc00000,0xffffffff,0x7fffffff,1.0,-1.0,0x80000000,0x00000000]:f32'
// DEFINE: %{values} = '[2.0,2.0,-2.0,-2.0,-inf,inf,0xffc00000,0x7fc00000,3.0,-3.0]:f32'
// DEFINE: %{least} = '[2.0,2.0,-2.0,-2.0,-inf,inf,1.0,-1.0,0x80000000,-3.0]:f32'
// DEFINE: %{most} = '[2.0,2.0,-2.0,-2.0,-inf,inf,1.0,-1.0,3.0,0x00000000]:f32'
// DEFINE: %{kernel} = least
// DEFINE: %{chip} = gfx942
// DEFINE: %{run} = xpu-run %s --target amdgpu:%{chip} --kernel %{kernel} --groups 1 --arg %{memory} --arg %{values} --arg zeros:10xf32
// RUN: %{run} --expect 0=%{least} --expect 2=%{memory}
// REDEFINE: %{kernel} = most
// RUN: %{run} --expect 0=%{most} --expect 2=%{memory}
// REDEFINE: %{chip} = gfx1100
// RUN: %{run} --expect 0=%{most} --expect 2=%{memory}
// REDEFINE: %{chip} = gfx1200
// REDEFINE: %{kernel} = least
// RUN: %{run} --expect 0=%{least} --expect 2=%{memory}

// DEFINE: %{contend} = xpu-run %s --target amdgpu:%{chip} --kernel contend --groups 2 --arg '[nan,0xfff8000000000000]:f64' --arg '[0xffc00000,nan]:f32' --expect '0=[-63.0,64.0]:f64' --expect '1=[-63.0,64.0]:f32'
// REDEFINE: %{chip} = gfx942
// RUN: %{contend}
// REDEFINE: %{chip} = gfx1100
// RUN: %{contend}
// REDEFINE: %{chip} = gfx1200
// RUN: %{contend}

xpu.kernel @least(%m: memref<10xf32>, %v: memref<10xf32>, %old: memref<10xf32>) workgroup_size(10, 1, 1) {
  %i = xpu.local_id x
  %x = memref.load %v[%i] : memref<10xf32>
  %0 = xpu.atomic_rmw fmin %x, %m[%i] ordering(relaxed) scope(device) : memref<10xf32>
  memref.store %0, %old[%i] : memref<10xf32>
  xpu.return
}

xpu.kernel @most(%m: memref<10xf32>, %v: memref<10xf32>, %old: memref<10xf32>) workgroup_size(10, 1, 1) {
  %i = xpu.local_id x
  %x = memref.load %v[%i] : memref<10xf32>
  %0 = xpu.atomic_rmw fmax %x, %m[%i] ordering(acq_rel) scope(device) : memref<10xf32>
  memref.store %0, %old[%i] : memref<10xf32>
  xpu.return
}

// From -63 to 64, in an order that is nobody's business.
xpu.kernel @contend(%d: memref<2xf64>, %f: memref<2xf32>) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.index_cast %i : index to i32
  %last = arith.constant 63 : i32
  %k = arith.subi %n, %last : i32
  %x = arith.sitofp %k : i32 to f64
  %y = arith.sitofp %k : i32 to f32
  %0 = xpu.atomic_rmw fmin %x, %d[%zero] ordering(relaxed) scope(device) : memref<2xf64>
  %1 = xpu.atomic_rmw fmax %x, %d[%one] ordering(relaxed) scope(device) : memref<2xf64>
  %2 = xpu.atomic_rmw fmin %y, %f[%zero] ordering(relaxed) scope(device) : memref<2xf32>
  %3 = xpu.atomic_rmw fmax %y, %f[%one] ordering(relaxed) scope(device) : memref<2xf32>
  xpu.return
}
