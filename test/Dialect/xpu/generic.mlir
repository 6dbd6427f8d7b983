// RUN: xpu-opt %s | FileCheck %s
// RUN: xpu-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// The numbers of the enums are frozen: IR that was written with them must mean the same for ever.

func.func @kinds(%v: i32, %m: memref<i32>, %x: f32, %f: memref<f32>, %s: si32, %ms: memref<si32>) {
  // CHECK: xpu.atomic_rmw add
  %0 = "xpu.atomic_rmw"(%v, %m) <{kind = 0 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw sub
  %1 = "xpu.atomic_rmw"(%v, %m) <{kind = 10 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw and
  %2 = "xpu.atomic_rmw"(%v, %m) <{kind = 20 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw or
  %3 = "xpu.atomic_rmw"(%v, %m) <{kind = 30 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw xor
  %4 = "xpu.atomic_rmw"(%v, %m) <{kind = 40 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw xchg
  %5 = "xpu.atomic_rmw"(%v, %m) <{kind = 50 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw smin
  %6 = "xpu.atomic_rmw"(%v, %m) <{kind = 60 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw smax
  %7 = "xpu.atomic_rmw"(%v, %m) <{kind = 70 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw umin
  %8 = "xpu.atomic_rmw"(%v, %m) <{kind = 80 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw umax
  %9 = "xpu.atomic_rmw"(%v, %m) <{kind = 90 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw uinc_wrap
  %10 = "xpu.atomic_rmw"(%v, %m) <{kind = 100 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw udec_wrap
  %11 = "xpu.atomic_rmw"(%v, %m) <{kind = 110 : i32}> : (i32, memref<i32>) -> i32
  // CHECK: xpu.atomic_rmw min
  %12 = "xpu.atomic_rmw"(%s, %ms) <{kind = 120 : i32}> : (si32, memref<si32>) -> si32
  // CHECK: xpu.atomic_rmw max
  %13 = "xpu.atomic_rmw"(%s, %ms) <{kind = 130 : i32}> : (si32, memref<si32>) -> si32
  // CHECK: xpu.atomic_rmw fadd
  %14 = "xpu.atomic_rmw"(%x, %f) <{kind = 140 : i32}> : (f32, memref<f32>) -> f32
  // CHECK: xpu.atomic_rmw fsub
  %15 = "xpu.atomic_rmw"(%x, %f) <{kind = 150 : i32}> : (f32, memref<f32>) -> f32
  // CHECK: xpu.atomic_rmw fmin
  %16 = "xpu.atomic_rmw"(%x, %f) <{kind = 160 : i32}> : (f32, memref<f32>) -> f32
  // CHECK: xpu.atomic_rmw fmax
  %17 = "xpu.atomic_rmw"(%x, %f) <{kind = 170 : i32}> : (f32, memref<f32>) -> f32
  // CHECK: xpu.atomic_rmw fminimum
  %18 = "xpu.atomic_rmw"(%x, %f) <{kind = 180 : i32}> : (f32, memref<f32>) -> f32
  // CHECK: xpu.atomic_rmw fmaximum
  %19 = "xpu.atomic_rmw"(%x, %f) <{kind = 190 : i32}> : (f32, memref<f32>) -> f32
  return
}

func.func @clauses(%x: f32, %f: memref<f32>) {
  // CHECK: xpu.atomic_rmw fadd {{.*}} ordering(relaxed) scope(workitem) denormals(keep)
  %0 = "xpu.atomic_rmw"(%x, %f) <{denormals = 0 : i32, kind = 140 : i32, ordering = 0 : i32, scope = 0 : i32}> : (f32, memref<f32>) -> f32
  // CHECK: xpu.atomic_rmw fadd {{.*}} ordering(acquire) scope(subgroup) denormals(flush) fastmath<reassoc>
  %1 = "xpu.atomic_rmw"(%x, %f) <{denormals = 10 : i32, fastmath = #arith.fastmath<reassoc>, kind = 140 : i32, ordering = 10 : i32, scope = 10 : i32}> : (f32, memref<f32>) -> f32
  // CHECK: xpu.cas {{.*}} ordering(release) failure(relaxed) scope(workgroup)
  %2 = "xpu.cas"(%x, %x, %f) <{failure = 0 : i32, ordering = 20 : i32, scope = 20 : i32}> : (f32, f32, memref<f32>) -> f32
  // CHECK: xpu.cas {{.*}} ordering(acq_rel) failure(acquire) scope(device)
  %3 = "xpu.cas"(%x, %x, %f) <{failure = 10 : i32, ordering = 30 : i32, scope = 30 : i32}> : (f32, f32, memref<f32>) -> f32
  // CHECK: xpu.atomic_load {{.*}} ordering(seq_cst) scope(system)
  %4 = "xpu.atomic_load"(%f) <{ordering = 40 : i32, scope = 40 : i32}> : (memref<f32>) -> f32
  // CHECK: xpu.atomic_store {{.*}} ordering(release)
  "xpu.atomic_store"(%x, %f) <{ordering = 20 : i32}> : (f32, memref<f32>) -> ()
  // CHECK: xpu.fence ordering(acq_rel) scope(workgroup)
  "xpu.fence"() <{ordering = 30 : i32, scope = 20 : i32}> : () -> ()
  return
}

// CHECK: xpu.kernel private @kernel(%{{.*}}: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>}) workgroup_size(64, 2, 1)
"xpu.kernel"() <{
  arg_attrs = [{xpu.memory = #xpu.memory<host_visible>}], function_type = (memref<?xi32>) -> (), sym_name = "kernel",
  sym_visibility = "private", workgroup_size = array<i32: 64, 2, 1>
}> ({
^bb0(%m: memref<?xi32>):
  // CHECK: xpu.global_id x
  %0 = "xpu.global_id"() <{dimension = 0 : i32}> : () -> index
  // CHECK: xpu.local_id y
  %1 = "xpu.local_id"() <{dimension = 10 : i32}> : () -> index
  // CHECK: xpu.group_id z
  %2 = "xpu.group_id"() <{dimension = 20 : i32}> : () -> index
  // CHECK: xpu.shared : memref<4xi32, 3>
  %3 = "xpu.shared"() : () -> memref<4xi32, 3>
  "xpu.return"() : () -> ()
}) : () -> ()

// What is printed is what is read.
// GENERIC: "xpu.atomic_rmw"(%{{.*}}, %{{.*}}) <{kind = 0 : i32}>
// GENERIC: "xpu.atomic_rmw"(%{{.*}}, %{{.*}}) <{kind = 190 : i32}>
// GENERIC: <{denormals = 10 : i32, fastmath = #arith.fastmath<reassoc>, kind = 140 : i32, ordering = 10 : i32, scope = 10 : i32}>
// GENERIC: "xpu.cas"(%{{.*}}, %{{.*}}, %{{.*}}) <{failure = 10 : i32, ordering = 30 : i32, scope = 30 : i32}>
// GENERIC: "xpu.fence"() <{ordering = 30 : i32, scope = 20 : i32}>
// GENERIC: workgroup_size = array<i32: 64, 2, 1>
// GENERIC: "xpu.local_id"() <{dimension = 10 : i32}>
