// What a kernel cannot call is an error at the call.
//
// RUN: split-file %s %t
// RUN: not xpu-run %t/recursive.mlir --kernel k --target cpu --groups 1 --arg zeros:1xi32 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RUN: not xpu-run %t/mutual.mlir --kernel k --target cpu --groups 1 --arg zeros:1xi32 2>&1 | FileCheck %s --check-prefix=MUTUAL
// RUN: not xpu-run %t/declared.mlir --kernel k --target cpu --groups 1 --arg zeros:1xi32 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: not xpu-run %t/barrier.mlir --kernel k --target cpu --groups 1 --arg zeros:1xi32 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not xpu-run %t/indirect.mlir --kernel k --target cpu --groups 1 --arg zeros:1xi32 2>&1 | FileCheck %s --check-prefix=INDIRECT

//--- recursive.mlir
// RECURSIVE: recursive.mlir:3:3: error: 'func.call' op calls itself
func.func @f(%m: memref<1xi32>) {
  func.call @f(%m) : (memref<1xi32>) -> ()
  return
}
xpu.kernel @k(%m: memref<1xi32>) workgroup_size(1, 1, 1) {
  func.call @f(%m) : (memref<1xi32>) -> ()
  xpu.return
}

//--- mutual.mlir
// MUTUAL: mutual.mlir:7:3: error: 'func.call' op calls itself
func.func @f(%m: memref<1xi32>) {
  func.call @g(%m) : (memref<1xi32>) -> ()
  return
}
func.func @g(%m: memref<1xi32>) {
  func.call @f(%m) : (memref<1xi32>) -> ()
  return
}
xpu.kernel @k(%m: memref<1xi32>) workgroup_size(1, 1, 1) {
  func.call @f(%m) : (memref<1xi32>) -> ()
  xpu.return
}

//--- declared.mlir
// DECLARED: error: 'func.call' op calls a function that has no body
// DECLARED: note: it is declared here
func.func private @f(memref<1xi32>)
xpu.kernel @k(%m: memref<1xi32>) workgroup_size(1, 1, 1) {
  func.call @f(%m) : (memref<1xi32>) -> ()
  xpu.return
}

//--- barrier.mlir
// BARRIER: error: 'xpu.barrier' op
func.func @f() {
  xpu.barrier
  return
}
xpu.kernel @k(%m: memref<1xi32>) workgroup_size(1, 1, 1) {
  func.call @f() : () -> ()
  xpu.return
}

//--- indirect.mlir
// INDIRECT: error:
func.func @f(%m: memref<1xi32>) {
  return
}
xpu.kernel @k(%m: memref<1xi32>) workgroup_size(1, 1, 1) {
  %f = func.constant @f : (memref<1xi32>) -> ()
  func.call_indirect %f(%m) : (memref<1xi32>) -> ()
  xpu.return
}
