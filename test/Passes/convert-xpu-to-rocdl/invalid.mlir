// RUN: xpu-opt %s --convert-xpu-to-rocdl -verify-diagnostics -split-input-file

gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @f(%m: memref<?xi32>, %i: index, %v: i32) {
    // expected-error @below {{has no scope; run 'xpu-assign-scope' first}}
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32>
    return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @f(%m: memref<?xi32>, %i: index, %v: i32) {
    // expected-error @below {{has no ordering; run 'xpu-assign-ordering' first}}
    %0 = xpu.atomic_rmw add %v, %m[%i] scope(device) : memref<?xi32>
    return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @f(%m: memref<?xi32>, %i: index, %v: i32) {
    // expected-error @below {{has no failure ordering; run 'xpu-assign-ordering' first}}
    %0 = xpu.cas %v, %v, %m[%i] ordering(acquire) scope(device) : memref<?xi32>
    return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @f(%m: memref<?xbf16>, %i: index, %v: bf16) {
    // expected-error @below {{has no instruction for 'fadd' on amdgpu:gfx1100; run 'xpu-expand-atomics' first}}
    %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xbf16>
    return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @f(%v: i32) {
    // expected-error @below {{has no lowering; run 'xpu-resolve-signedness' first}}
    %0 = xpu.sign_cast %v : i32 to ui32
    return
  }
}

// -----

// expected-error @below {{has no target; attach one with 'nvvm-attach-target'}}
gpu.module @m {
}

// -----

// expected-error @below {{unknown chip 'gfx1010' of target 'amdgpu'; known chips are gfx906,}}
gpu.module @m [#rocdl.target<chip = "gfx1010">] {
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  // expected-error @below {{is no kernel, and nothing can call it}}
  gpu.func @k() {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  // expected-error @below {{has 65552 bytes of workgroup memory, but kernels for AMD chips may have 65536}}
  gpu.func @k() workgroup(%a: memref<3xi8, #gpu.address_space<workgroup>>, %b: memref<16384xi32, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  // expected-error @below {{bytes of workgroup memory, but kernels for AMD chips may have 65536}}
  gpu.func @k() workgroup(%a: memref<4611686018427387904x4xi64, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  func.func @f(%p: !llvm.ptr<1>, %v: i32) {
    // expected-error @below {{'xpu.atomic_rmw' op goes through a pointer; run 'xpu-expand-atomics' first}}
    %0 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
    return
  }
}
