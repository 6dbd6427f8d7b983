// What no conversion takes is an error at the op, not a crash and not a wrong answer.
//
// RUN: split-file %s %t
// RUN: not xpu-run %t/linalg.mlir --kernel k --target cpu --groups 1 --arg zeros:4xf32 2>&1 | FileCheck %s --check-prefix=LINALG
// RUN: not xpu-run %t/tensor.mlir --kernel k --target cpu --groups 1 --arg zeros:4xf32 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not xpu-run %t/math.mlir --kernel k --target cpu --groups 1 --arg zeros:4xf32 2>&1 | FileCheck %s --check-prefix=MATH
// RUN: not xpu-run %t/vector.mlir --kernel k --target cpu --groups 1 --arg zeros:4xf32 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not xpu-run %t/external.mlir --kernel k --target cpu --groups 1 --arg zeros:4xf32 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// RUN: not xpu-run %t/argument.mlir --kernel k --target cpu --groups 1 --arg zeros:4xf32 2>&1 | FileCheck %s --check-prefix=ARGUMENT

//--- linalg.mlir
// LINALG: linalg.mlir:4:3: error: 'linalg.fill' op has no form on the CPU; run 'convert-linalg-to-loops' first
xpu.kernel @k(%m: memref<4xf32>) workgroup_size(1, 1, 1) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%m : memref<4xf32>)
  xpu.return
}

//--- tensor.mlir
// TENSOR: tensor.mlir:4:8: error: 'bufferization.to_tensor' op has no form on the CPU
xpu.kernel @k(%m: memref<4xf32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %v = tensor.extract %t[%c0] : tensor<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  xpu.return
}

//--- math.mlir
// MATH: math.mlir:5:8: error: failed to legalize operation 'math.isinf'
xpu.kernel @k(%m: memref<4xf32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<4xf32>
  %b = math.isinf %v : f32
  %r = arith.uitofp %b : i1 to f32
  memref.store %r, %m[%c0] : memref<4xf32>
  xpu.return
}

//--- vector.mlir
// VECTOR: vector.mlir:6:8: error: 'vector.multi_reduction' op has no form on the CPU
xpu.kernel @k(%m: memref<4xf32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<4xf32>
  %w = vector.broadcast %v : f32 to vector<2x2xf32>
  %r = vector.multi_reduction <add>, %w, %v [0, 1] : vector<2x2xf32> to f32
  memref.store %r, %m[%c0] : memref<4xf32>
  xpu.return
}

//--- external.mlir
// EXTERNAL: external.mlir:6:3: error: 'func.call' op calls a function that has no body
// EXTERNAL: external.mlir:3:1: note: it is declared here
func.func private @printf(f32)
xpu.kernel @k(%m: memref<4xf32>) workgroup_size(1, 1, 1) {
  %f = arith.constant 1.0 : f32
  func.call @printf(%f) : (f32) -> ()
  xpu.return
}

//--- argument.mlir
// ARGUMENT: argument.mlir:3:3: error: 'gpu.func' op argument #1 of type 'i24' cannot be given by a launcher
gpu.module @m {
  gpu.func @k(%m: memref<4xf32>, %v: i24) kernel {
    gpu.return
  }
}
