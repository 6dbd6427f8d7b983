// RUN: python3 %S/Inputs/converse.py %s xpu-lsp-server | FileCheck %s

// What a verifier says is shown where it says it.
func.func @f(%m: memref<?xi32>, %v: i32, %i: index) {
  // CHECK: diagnostics 1
  // CHECK-NEXT: [[#@LINE]]:{{[0-9]+}} 'xpu.atomic_load' op a load cannot have ordering 'release'; write relaxed, acquire or seq_cst
  %0 = xpu.atomic_load %m[%i] ordering(release) : memref<?xi32>
  return
}

// CHECK-NEXT: status 0
