// Report A04: chips before sm_70 have no ordered atomics; that must be an error at a place, not the end of the compiler.
//
// RUN: split-file %s %t
// RUN: xpu-run %t/kernels.mlir --kernel add --target cpu --groups 1 --arg '[1.0]:f64' --expect 0='[2.0]:f64'
// RUN: xpu-run %t/kernels.mlir --kernel read --target cpu --groups 1 --arg '[6]:i32' --arg zeros:1xi32 \
// RUN:   --expect 0='[6]:i32' --expect 1='[6]:i32'
// RUN: not xpu-compile %t/kernels.mlir --target nvptx:sm_60 --emit asm -o - 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not xpu-opt %t/kernels.mlir --xpu-to-nvvm=chip=sm_60 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not xpu-compile %t/module.mlir --target nvptx:sm_90 --emit asm -o - 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: xpu-compile %t/kernels.mlir --target nvptx:sm_70 --emit asm -o - | FileCheck %s

// OPTION: chip 'sm_60' is older than 'sm_70', the oldest supported: scoped and ordered atomics need the PTX memory model, which starts there
// MODULE: module.mlir:1:1: error: 'gpu.module' op chip 'sm_60' is older than 'sm_70', the oldest supported

// CHECK: .entry add(
// CHECK: atom.acq_rel.gpu.global.add.f64
// CHECK: .entry read(
// CHECK: fence.sc.gpu;
// CHECK: atom.acquire.gpu.global.or.b32

//--- kernels.mlir
xpu.kernel @add(%p: memref<1xf64>) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 0.25 : f64
  %0 = xpu.atomic_rmw fadd %v, %p[%c0] ordering(acq_rel) scope(device) : memref<1xf64>
  xpu.return
}
xpu.kernel @read(%f: memref<1xi32>, %o: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %0 = xpu.atomic_rmw or %zero, %f[%c0] ordering(seq_cst) scope(device) : memref<1xi32>
  memref.store %0, %o[%c0] : memref<1xi32>
  xpu.return
}

//--- module.mlir
gpu.module @m [#nvvm.target<chip = "sm_60">] {
  gpu.func @k(%f: memref<1xi32>, %v: i32, %i: index) kernel {
    %0 = xpu.atomic_rmw or %v, %f[%i] ordering(seq_cst) scope(device) : memref<1xi32>
    gpu.return
  }
}
