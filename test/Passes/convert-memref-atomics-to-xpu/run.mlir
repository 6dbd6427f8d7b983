// What a region and a kind without an operation become, run.
// DEFINE: %{run} = xpu-run %s --target cpu --groups 1 --kernel

// Five work-items update one element of six; each sees another old value.
// RUN: %{run} region --arg '[9,9,9,9,0,9]:f32' --arg zeros:5xf32 --expect '0=[9,9,9,9,31,9]:f32' --print 1 \
// RUN:   | FileCheck %s
// CHECK-DAG: 0.0
// CHECK-DAG: 1.0
// CHECK-DAG: 3.0
// CHECK-DAG: 7.0
// CHECK-DAG: 15.0

// A NaN in memory, and one that comes of the update, end the loop.
// RUN: %{run} nan --arg '[nan,1]:f64' --expect '0=[nan,nan]:f64'

// The result is the value before the update.
// RUN: %{run} old --arg '[5,1,9,-2]:f32' --arg '[3,4,-7,-2]:f32' --arg zeros:4xf32 \
// RUN:   --expect '0=[9,4,49,4]:f32' --expect '2=[5,1,9,-2]:f32'

xpu.kernel @region(%m: memref<2x3xf32>, %o: memref<?xf32>) workgroup_size(5, 1, 1) {
  %i = xpu.local_id x
  %c1 = arith.constant 1 : index
  %old = memref.generic_atomic_rmw %m[%c1, %c1] : memref<2x3xf32> {
  ^bb0(%x: f32):
    %two = arith.constant 2.0 : f32
    %one = arith.constant 1.0 : f32
    %y = arith.mulf %x, %two : f32
    %z = arith.addf %y, %one : f32
    memref.atomic_yield %z : f32
  }
  memref.store %old, %o[%i] : memref<?xf32>
  xpu.return
}
xpu.kernel @nan(%p: memref<2xf64>) workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.cmpi eq, %i, %c0 : index
  %nan = arith.constant 0x7FF8000000000000 : f64
  %two = arith.constant 2.0 : f64
  %f = arith.select %first, %nan, %two : f64
  %0 = memref.generic_atomic_rmw %p[%c0] : memref<2xf64> {
  ^bb0(%x: f64):
    %y = arith.mulf %x, %two : f64
    memref.atomic_yield %y : f64
  }
  %1 = memref.generic_atomic_rmw %p[%c1] : memref<2xf64> {
  ^bb0(%x: f64):
    %y = arith.mulf %x, %f : f64
    memref.atomic_yield %y : f64
  }
  xpu.return
}
xpu.kernel @old(%a: memref<4xf32>, %v: memref<4xf32>, %q: memref<4xf32>) workgroup_size(4, 1, 1) {
  %i = xpu.local_id x
  %x = memref.load %v[%i] : memref<4xf32>
  %0 = memref.atomic_rmw minnumf %x, %a[%i] : (f32, memref<4xf32>) -> f32
  %1 = memref.atomic_rmw mulf %x, %a[%i] : (f32, memref<4xf32>) -> f32
  memref.store %0, %q[%i] : memref<4xf32>
  xpu.return
}
