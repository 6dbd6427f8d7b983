// What a kernel calls is compiled with it: addresses are those of buffers, and a fence of the caller acquires through
// what the function read.
//
// RUN: split-file %s %t
// RUN: xpu-compile %t/fence.mlir --target nvptx:sm_90 --emit asm -o - | FileCheck %s --check-prefix=FENCE
// RUN: xpu-compile %t/none.mlir --target nvptx:sm_90 --emit asm -o - | FileCheck %s --check-prefix=NONE

//--- fence.mlir
// FENCE-LABEL: .visible .entry k(
// FENCE-NOT:   red
// FENCE:       atom.global.add.u32
// FENCE:       fence.acq_rel.gpu;
// FENCE:       ret;
func.func private @bump(%m: memref<?xi32>, %i: index) {
  %c = arith.constant 1 : i32
  %o = xpu.atomic_rmw add %c, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return
}
xpu.kernel @k(%m: memref<?xi32>, %i: index) workgroup_size(32, 1, 1) {
  func.call @bump(%m, %i) : (memref<?xi32>, index) -> ()
  xpu.fence ordering(acquire) scope(device)
  xpu.return
}

//--- none.mlir
// NONE-LABEL: .visible .entry k(
// NONE:       red.relaxed.gpu.global.add.u32
// NONE:       ret;
func.func private @bump(%m: memref<?xi32>, %i: index) {
  %c = arith.constant 1 : i32
  %o = xpu.atomic_rmw add %c, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return
}
xpu.kernel @k(%m: memref<?xi32>, %i: index) workgroup_size(32, 1, 1) {
  func.call @bump(%m, %i) : (memref<?xi32>, index) -> ()
  xpu.return
}
