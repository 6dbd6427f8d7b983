// REQUIRES: ptxas
// With ptxas, a binary is a cubin, which the manifest says.

// RUN: xpu-compile %s --target nvptx:sm_90 -o %t.cubin
// RUN: llvm-readobj -h %t.cubin | FileCheck %s --check-prefix=CUBIN
// RUN: FileCheck %s --check-prefix=MANIFEST <%t.json
// CUBIN: Machine: EM_CUDA
// MANIFEST: "format": "cubin"

// RUN: xpu-compile %s --target nvptx:sm_90 -g -o %t-lines.cubin
// RUN: llvm-readobj -S %t-lines.cubin | FileCheck %s --check-prefix=LINES
// LINES: Name: .debug_line

xpu.kernel @count(%m: memref<?xi32>) workgroup_size(1, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  xpu.atomic_rmw add %one, %m[%i] scope(system) : memref<?xi32>
  xpu.return
}
