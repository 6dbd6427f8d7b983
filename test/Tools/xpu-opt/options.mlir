// Options survive being printed and read again.
// DEFINE: %{pipeline} = builtin.module(xpu-assign-ordering{default=target},func.func(xpu-assign-scope,xpu-legalize-atomics{strict=true}),xpu-assign-ordering)
// RUN: xpu-opt %s --pass-pipeline='%{pipeline}' --dump-pass-pipeline -o /dev/null 2>%t.dumped
// RUN: FileCheck %s --check-prefix=DUMP <%t.dumped
// DUMP:      builtin.module(
// DUMP-NEXT:   xpu-assign-ordering{default=target},
// DUMP-NEXT:   func.func(
// DUMP-NEXT:     xpu-assign-scope,
// DUMP-NEXT:     xpu-legalize-atomics{ordering-policy=native strict=true}
// DUMP-NEXT:   ),
// DUMP-NEXT:   xpu-assign-ordering{default=acq_rel}
// DUMP-NEXT: )

// A pipeline's options reach its passes.
// RUN: xpu-opt %s --xpu-to-cpu='default-ordering=relaxed strict' --dump-pass-pipeline -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: xpu-assign-ordering{default=relaxed}
// PIPELINE: xpu-legalize-atomics{ordering-policy=native strict=true}

// A crash reproducer runs what failed, in the same way.
// RUN: not xpu-opt %s --xpu-assign-ordering=default=seq_cst --xpu-legalize-atomics=strict \
// RUN:   --mlir-pass-pipeline-crash-reproducer=%t.reproducer 2>/dev/null
// RUN: FileCheck %s --check-prefix=REPRODUCER <%t.reproducer
// REPRODUCER: pipeline: "builtin.module(xpu-assign-ordering{default=seq_cst},{{ ?}}xpu-legalize-atomics{ordering-policy=native strict=true})"
// RUN: not xpu-opt --run-reproducer %t.reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: 'xpu.atomic_load' op has no scope; run 'xpu-assign-scope' first

// Each pass runs on any operation.
// RUN: xpu-opt %s --pass-pipeline='builtin.module(any(convert-memref-atomics-to-xpu,xpu-resolve-signedness,xpu-assign-scope,xpu-assign-ordering,xpu-legalize-atomics))' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @f
func.func @f(%m: memref<?xi32>, %i: index) -> i32 {
  // CHECK: xpu.atomic_load {{.*}} ordering(acquire) scope(device)
  %0 = xpu.atomic_load %m[%i] : memref<?xi32>
  return %0 : i32
}
