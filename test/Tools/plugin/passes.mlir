// The stock mlir-opt has the passes and the pipelines too, with their options.
// DEFINE: %{opt} = %mlir_opt --load-dialect-plugin=%xpu_plugin --load-pass-plugin=%xpu_plugin %s
// RUN: %{opt} --pass-pipeline='builtin.module(convert-memref-atomics-to-xpu,xpu-assign-scope,xpu-assign-ordering{default=seq_cst})' \
// RUN:   | FileCheck %s
// RUN: %{opt} --pass-pipeline='builtin.module(xpu-to-cpu{default-ordering=seq_cst})' | FileCheck %s --check-prefix=CPU

// Its diagnostics as well.
// RUN: not %{opt} --pass-pipeline='builtin.module(convert-memref-atomics-to-xpu,xpu-legalize-atomics)' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// RUN: not %{opt} --pass-pipeline='builtin.module(xpu-assign-ordering{default=monotonic})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// OPTION: error: option 'default' of 'xpu-assign-ordering' takes one of acq_rel, relaxed, seq_cst, target, but is 'monotonic'

// CHECK-LABEL: func.func @f(
// CPU-LABEL: llvm.func @f(
func.func @f(%m: memref<?xf64>, %v: f64, %i: index) -> f64 {
  // ERROR: :[[#@LINE + 3]]:8: error: 'xpu.atomic_rmw' op has no scope; run 'xpu-assign-scope' first
  // CHECK: xpu.atomic_rmw fadd {{.*}} ordering(seq_cst) scope(device) : memref<?xf64>
  // CPU: llvm.cmpxchg {{.*}} seq_cst
  %0 = memref.atomic_rmw addf %v, %m[%i] : (f64, memref<?xf64>) -> f64
  return %0 : f64
}
