// Loops run on the CPU, before and after they are raised. 1024 work-items contend for one element.
//
// RUN: xpu-opt %s --xpu-raise-cas-loops > %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: xpu-run %s --kernel maximum --target cpu --threads 1024 --arg '[-5]:i32' --expect 0='[1023]:i32'
// RUN: xpu-run %t.mlir --kernel maximum --target cpu --threads 1024 --arg '[-5]:i32' --expect 0='[1023]:i32'
// RUN: xpu-run %s --kernel sum --target cpu --threads 1024 --arg '[0.5]:f32' --expect 0='[523776.5]:f32'
// RUN: xpu-run %t.mlir --kernel sum --target cpu --threads 1024 --arg '[0.5]:f32' --expect 0='[523776.5]:f32'
// RUN: xpu-run %s --kernel ids --target cpu --threads 1024 --arg '[0]:i32' --arg zeros:1024xi32 --expect 0='[1024]:i32' --expect 1=fill'(1)':1024xi32
// RUN: xpu-run %t.mlir --kernel ids --target cpu --threads 1024 --arg '[0]:i32' --arg zeros:1024xi32 --expect 0='[1024]:i32' --expect 1=fill'(1)':1024xi32

// CHECK-LABEL: xpu.kernel @maximum
// CHECK: xpu.atomic_rmw smax
xpu.kernel @maximum(%m: memref<1xi32>) workgroup_size(64, 1, 1) {
  %zero = arith.constant 0 : index
  %i = xpu.global_id x
  %v = arith.index_cast %i : index to i32
  %first = xpu.atomic_load %m[%zero] ordering(relaxed) : memref<1xi32>
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %more = arith.cmpi sgt, %v, %seen : i32
    %new = arith.select %more, %v, %seen : i32
    %got = xpu.cas %seen, %new, %m[%zero] ordering(relaxed) : memref<1xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  xpu.return
}

// Every sum is exact, so that their order does not matter.
// CHECK-LABEL: xpu.kernel @sum
// CHECK: xpu.atomic_rmw fadd
xpu.kernel @sum(%m: memref<1xf32>) workgroup_size(64, 1, 1) {
  %zero = arith.constant 0 : index
  %i = xpu.global_id x
  %n = arith.index_cast %i : index to i32
  %v = arith.sitofp %n : i32 to f32
  %bits = xpu.reinterpret %m : memref<1xf32> to memref<1xi32>
  %first = xpu.atomic_load %bits[%zero] ordering(relaxed) : memref<1xi32>
  cf.br ^turn(%first : i32)
^turn(%seen: i32):
  %number = arith.bitcast %seen : i32 to f32
  %sum = arith.addf %number, %v : f32
  %new = arith.bitcast %sum : f32 to i32
  %got = xpu.cas %seen, %new, %bits[%zero] ordering(relaxed) : memref<1xi32>
  %stored = arith.cmpi eq, %got, %seen : i32
  cf.cond_br %stored, ^out, ^turn(%got : i32)
^out:
  xpu.return
}

// Each work-item gets a number of its own: from the new value, which is computed again.
// CHECK-LABEL: xpu.kernel @ids
// CHECK: %[[OLD:.*]] = xpu.atomic_rmw add
// CHECK-NEXT: arith.addi %[[OLD]]
xpu.kernel @ids(%m: memref<1xi32>, %taken: memref<?xi32>) workgroup_size(64, 1, 1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %guess = arith.constant 7 : i32
  %id:2 = scf.while (%seen = %guess) : (i32) -> (i32, i32) {
    %new = arith.addi %seen, %one : i32
    %got = xpu.cas %seen, %new, %m[%zero] ordering(relaxed) : memref<1xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got, %new : i32, i32
  } do {
  ^bb0(%again: i32, %unused: i32):
    scf.yield %again : i32
  }
  %number = arith.subi %id#1, %one : i32
  %at = arith.index_cast %number : i32 to index
  memref.store %one, %taken[%at] : memref<?xi32>
  xpu.return
}
