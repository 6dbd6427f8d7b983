// RUN: python3 %S/Inputs/converse.py %s xpu-lsp-server | FileCheck %s

// CHECK: server mlir-lsp-server
// CHECK-NEXT: diagnostics 0

xpu.kernel @count(%bins: memref<?xi32>, %n: i32) workgroup_size(64, 1, 1) {
  %one = arith.constant 1 : i32
  // CHECK-NEXT: hover "xpu.global_id" Generic Form: {{.*}} <{dimension = 0 : i32}> : () -> index
  // ASK hover "xpu.global_id"
  %i = xpu.global_id x
  // The operation, with the numbers of its clauses.
  // CHECK-NEXT: hover "xpu.atomic_rmw" {{.*}}ordering = 0 : i32, scope = 30 : i32
  // ASK hover "xpu.atomic_rmw"
  %old = xpu.atomic_rmw add %one, %bins[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // A value's definition, and that of a function.
  // CHECK-NEXT: definition [[#@LINE - 3]]:2
  // ASK definition "%old"
  memref.store %old, %bins[%i] : memref<?xi32>
  // CHECK-NEXT: definition [[#@LINE + 4]]:{{[0-9]+}}
  // ASK definition "@helper"
  func.call @helper(%bins) : (memref<?xi32>) -> ()
  xpu.return
}
func.func private @helper(memref<?xi32>)

// CHECK-NEXT: status 0
