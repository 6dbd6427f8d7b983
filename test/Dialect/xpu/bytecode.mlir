// Bytecode holds all that the text holds.
// RUN: xpu-opt %S/Inputs/v1.mlir --mlir-print-debuginfo -o %t.text
// RUN: xpu-opt %S/Inputs/v1.mlir --emit-bytecode -o %t.mlirbc
// RUN: xpu-opt %t.mlirbc --mlir-print-debuginfo -o %t.again
// RUN: diff %t.text %t.again

// Bytecode that the first version of the dialect wrote still reads, and means the same.
// RUN: xpu-opt %S/Inputs/v1.mlir -o %t.now
// RUN: xpu-opt %S/Inputs/v1.mlirbc -o %t.then
// RUN: diff %t.now %t.then
// RUN: xpu-opt %S/Inputs/v1.mlirbc --mlir-print-op-generic | FileCheck %s

// CHECK: "xpu.atomic_rmw"(%{{.*}}) <{kind = 0 : i32}>
// CHECK: "xpu.atomic_rmw"(%{{.*}}) <{denormals = 10 : i32, fastmath = #arith.fastmath<reassoc>, kind = 140 : i32}>
// CHECK: "xpu.atomic_rmw"(%{{.*}}) <{kind = 190 : i32}>
// CHECK: "xpu.cas"(%{{.*}}) <{failure = 10 : i32, ordering = 30 : i32, scope = 30 : i32}>
// CHECK: "xpu.fence"() <{ordering = 40 : i32, scope = 40 : i32}>

// Bytecode of a later version is refused. (Inputs/newer.mlirbc says version 2 and is otherwise
// today's.)
// RUN: not xpu-opt %S/Inputs/newer.mlirbc 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: error: xpu bytecode version 2 is newer than this reader, which knows up to 1
