// RUN: not xpu-compile %s --target nvptx:sm_60 --emit asm -o - 2>&1 | FileCheck %s
// RUN: not xpu-opt %s --xpu-to-nvvm=chip=sm_60 2>&1 | FileCheck %s

// Before sm_70 PTX has no memory model: a message that says so, not an abort of the back end.

// CHECK: {{.*}}sm_60{{.*}}sm_70
// CHECK-NOT: LLVM ERROR
xpu.kernel @k(%p: memref<?xf64>, %v: f64) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw fadd %v, %p[%c0] ordering(acq_rel) scope(device) : memref<?xf64>
  xpu.return
}
