// The stock mlir-opt reads, verifies and writes the dialect once it has loaded the plugin.
// RUN: %mlir_opt --load-dialect-plugin=%xpu_plugin %s | FileCheck %s
// RUN: %mlir_opt --load-dialect-plugin=%xpu_plugin %s --mlir-print-op-generic \
// RUN:   | %mlir_opt --load-dialect-plugin=%xpu_plugin | FileCheck %s
// RUN: %mlir_opt --load-dialect-plugin=%xpu_plugin %s --emit-bytecode -o %t.mlirbc
// RUN: %mlir_opt --load-dialect-plugin=%xpu_plugin %t.mlirbc | FileCheck %s
// RUN: %mlir_opt --load-dialect-plugin=%xpu_plugin %s -canonicalize -cse | FileCheck %s

// Without it, it does not know it.
// RUN: not %mlir_opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: error: Dialect `xpu' not found for custom op 'xpu.kernel'

// CHECK-LABEL: xpu.kernel @kernel(
xpu.kernel @kernel(%m: memref<?xi32>, %v: i32) workgroup_size(64, 1, 1) {
  // CHECK: xpu.global_id x
  %i = xpu.global_id x
  // CHECK: xpu.atomic_rmw add {{.*}} ordering(relaxed) scope(device)
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // CHECK: xpu.atomic_load
  %1 = xpu.atomic_load %m[%i] : memref<?xi32>
  // CHECK: xpu.barrier
  xpu.barrier
  xpu.return
}
