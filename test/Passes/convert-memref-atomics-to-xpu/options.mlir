// RUN: xpu-opt %s --convert-memref-atomics-to-xpu | FileCheck %s --check-prefix=NONE
// RUN: xpu-opt %s --convert-memref-atomics-to-xpu="scope=system ordering=relaxed" | FileCheck %s --check-prefix=BOTH
// RUN: xpu-opt %s --convert-memref-atomics-to-xpu="ordering=seq_cst" | FileCheck %s --check-prefix=ORDERING
// RUN: xpu-opt %s --pass-pipeline='builtin.module(convert-memref-atomics-to-xpu{scope=workgroup})' --dump-pass-pipeline 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=DUMP
// RUN: not xpu-opt %s --convert-memref-atomics-to-xpu="scope=galaxy" 2>&1 | FileCheck %s --check-prefix=WRONG

// Upstream's atomics say neither ordering nor scope. Without options the assign passes decide.
// DUMP: convert-memref-atomics-to-xpu{{.*}}scope=workgroup
// WRONG: galaxy

func.func @f(%m: memref<?xi32>, %v: i32, %i: index) {
  // NONE:      xpu.atomic_rmw add %{{.*}}[%{{.*}}] : memref<?xi32>
  // BOTH:      xpu.atomic_rmw add %{{.*}}[%{{.*}}] ordering(relaxed) scope(system) : memref<?xi32>
  // ORDERING:  xpu.atomic_rmw add %{{.*}}[%{{.*}}] ordering(seq_cst) : memref<?xi32>
  %0 = memref.atomic_rmw addi %v, %m[%i] : (i32, memref<?xi32>) -> i32
  // NONE:      xpu.atomic_rmw sub %{{.*}}[%{{.*}}] : memref<?xi32>
  // BOTH:      xpu.atomic_rmw sub %{{.*}}[%{{.*}}] ordering(relaxed) scope(system) : memref<?xi32>
  // ORDERING:  xpu.atomic_rmw sub %{{.*}}[%{{.*}}] ordering(seq_cst) : memref<?xi32>
  %1 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %y = arith.subi %x, %v : i32
    memref.atomic_yield %y : i32
  }
  // NONE:      xpu.atomic_load %{{.*}}[%{{.*}}] ordering(relaxed) : memref<?xi32>
  // NONE:      xpu.cas %{{.*}}[%{{.*}}] failure(relaxed) : memref<?xi32>
  // BOTH:      xpu.atomic_load %{{.*}}[%{{.*}}] ordering(relaxed) scope(system) : memref<?xi32>
  // BOTH:      xpu.cas %{{.*}}[%{{.*}}] ordering(relaxed) failure(relaxed) scope(system) : memref<?xi32>
  // ORDERING:  xpu.atomic_load %{{.*}}[%{{.*}}] ordering(relaxed) : memref<?xi32>
  // ORDERING:  xpu.cas %{{.*}}[%{{.*}}] ordering(seq_cst) failure(relaxed) : memref<?xi32>
  %2 = memref.atomic_rmw muli %v, %m[%i] : (i32, memref<?xi32>) -> i32
  return
}
