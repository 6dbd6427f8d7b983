// Report A18: a region-style update of a float needs a compare-and-swap on its bits; with float operands the IR is invalid.
//
// RUN: xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[9,9,9,9,0,9]:2x3xf32' --arg zeros:5xi32 \
// RUN:   --expect 0='[9,9,9,9,31,9]:2x3xf32' --expect 1=fill(1):5xi32
// RUN: xpu-run %s --kernel f64 --target cpu --groups 1 --arg '[9,9,9,9,0,9]:2x3xf64' --arg zeros:5xi32 \
// RUN:   --expect 0='[9,9,9,9,31,9]:2x3xf64' --expect 1=fill(1):5xi32
// RUN: xpu-run %s --kernel f16 --target cpu --groups 1 --arg '[9,9,9,9,0,9]:2x3xf16' --arg zeros:5xi32 \
// RUN:   --expect 0='[9,9,9,9,31,9]:2x3xf16' --expect 1=fill(1):5xi32
// RUN: xpu-run %s --kernel bf16 --target cpu --groups 1 --arg '[9,9,9,9,0,9]:2x3xbf16' --arg zeros:5xi32 \
// RUN:   --expect 0='[9,9,9,9,31,9]:2x3xbf16' --expect 1=fill(1):5xi32
// RUN: xpu-run %s --kernel i8 --target cpu --groups 1 --arg '[9,9,9,9,0,9]:2x3xi8' --arg zeros:5xi32 \
// RUN:   --expect 0='[9,9,9,9,31,9]:2x3xi8' --expect 1=fill(1):5xi32

// Five times x -> 2x + 1. The old values are 2^k - 1 for k below 5, in any order: each k is counted once.

xpu.kernel @f32(%m: memref<2x3xf32>, %seen: memref<5xi32>) workgroup_size(5, 1, 1) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %old = memref.generic_atomic_rmw %m[%c1, %c1] : memref<2x3xf32> {
  ^bb0(%x: f32):
    %double = arith.mulf %x, %two : f32
    %next = arith.addf %double, %one : f32
    memref.atomic_yield %next : f32
  }
  %bits = arith.fptoui %old : f32 to i32
  func.call @count(%bits, %seen) : (i32, memref<5xi32>) -> ()
  xpu.return
}

xpu.kernel @f64(%m: memref<2x3xf64>, %seen: memref<5xi32>) workgroup_size(5, 1, 1) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %old = memref.generic_atomic_rmw %m[%c1, %c1] : memref<2x3xf64> {
  ^bb0(%x: f64):
    %double = arith.mulf %x, %two : f64
    %next = arith.addf %double, %one : f64
    memref.atomic_yield %next : f64
  }
  %bits = arith.fptoui %old : f64 to i32
  func.call @count(%bits, %seen) : (i32, memref<5xi32>) -> ()
  xpu.return
}

xpu.kernel @f16(%m: memref<2x3xf16>, %seen: memref<5xi32>) workgroup_size(5, 1, 1) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f16
  %two = arith.constant 2.0 : f16
  %old = memref.generic_atomic_rmw %m[%c1, %c1] : memref<2x3xf16> {
  ^bb0(%x: f16):
    %double = arith.mulf %x, %two : f16
    %next = arith.addf %double, %one : f16
    memref.atomic_yield %next : f16
  }
  %bits = arith.fptoui %old : f16 to i32
  func.call @count(%bits, %seen) : (i32, memref<5xi32>) -> ()
  xpu.return
}

xpu.kernel @bf16(%m: memref<2x3xbf16>, %seen: memref<5xi32>) workgroup_size(5, 1, 1) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : bf16
  %two = arith.constant 2.0 : bf16
  %old = memref.generic_atomic_rmw %m[%c1, %c1] : memref<2x3xbf16> {
  ^bb0(%x: bf16):
    %double = arith.mulf %x, %two : bf16
    %next = arith.addf %double, %one : bf16
    memref.atomic_yield %next : bf16
  }
  %bits = arith.fptoui %old : bf16 to i32
  func.call @count(%bits, %seen) : (i32, memref<5xi32>) -> ()
  xpu.return
}

xpu.kernel @i8(%m: memref<2x3xi8>, %seen: memref<5xi32>) workgroup_size(5, 1, 1) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i8
  %old = memref.generic_atomic_rmw %m[%c1, %c1] : memref<2x3xi8> {
  ^bb0(%x: i8):
    %double = arith.shli %x, %one : i8
    %next = arith.addi %double, %one : i8
    memref.atomic_yield %next : i8
  }
  %bits = arith.extui %old : i8 to i32
  func.call @count(%bits, %seen) : (i32, memref<5xi32>) -> ()
  xpu.return
}

func.func @count(%bits: i32, %seen: memref<5xi32>) {
  %one = arith.constant 1 : i32
  %k = math.ctpop %bits : i32
  %at = arith.index_castui %k : i32 to index
  %old = memref.atomic_rmw addi %one, %seen[%at] : (i32, memref<5xi32>) -> i32
  return
}
