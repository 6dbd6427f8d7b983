// Report A05: an atomic on memory of one work-item must be a plain access; an atomic instruction on it faults, or mixes up the work-items.
//
// RUN: xpu-run %s --kernel i32 --target cpu --groups 1 --arg zeros:64xi32 --arg zeros:64xi32 --arg zeros:64xi32 \
// RUN:   --expect 0=fill(3):64xi32 --expect 1=fill(123):64xi32 --expect 2=fill(124):64xi32
// RUN: xpu-run %s --kernel i16 --target cpu --groups 1 --arg zeros:64xi16 --arg zeros:64xi16 --arg zeros:64xi16 \
// RUN:   --expect 0=fill(3):64xi16 --expect 1=fill(123):64xi16 --expect 2=fill(124):64xi16
// RUN: xpu-run %s --kernel f64 --target cpu --groups 1 --arg zeros:64xf64 --arg zeros:64xf64 --arg zeros:64xf64 \
// RUN:   --expect 0=fill(3):64xf64 --expect 1=fill(123):64xf64 --expect 2=fill(123.5):64xf64
// RUN: xpu-run %s --kernel views --target cpu --groups 1 --arg zeros:64xi32 --expect 0=iota:64xi32
// RUN: xpu-run %s --kernel attributed --target cpu --groups 2 --arg zeros:128xi32 --expect 0=iota:128xi32
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s --implicit-check-not=atom. --implicit-check-not=red. \
// RUN:   --implicit-check-not=fence. --implicit-check-not=.relaxed --implicit-check-not=.acquire

// CHECK-LABEL: .entry i32(
// CHECK: ret;
xpu.kernel @i32(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %v = arith.constant 123 : i32
  %i = xpu.global_id x
  %x = memref.alloca() : memref<1xi32>
  memref.store %three, %x[%c0] : memref<1xi32>
  %first = xpu.atomic_rmw xchg %v, %x[%c0] ordering(relaxed) scope(subgroup) : memref<1xi32>
  memref.store %first, %a[%i] : memref<?xi32>
  %second = xpu.atomic_rmw add %one, %x[%c0] ordering(relaxed) scope(subgroup) : memref<1xi32>
  memref.store %second, %b[%i] : memref<?xi32>
  %last = memref.load %x[%c0] : memref<1xi32>
  memref.store %last, %c[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @i16(%a: memref<?xi16>, %b: memref<?xi16>, %c: memref<?xi16>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i16
  %three = arith.constant 3 : i16
  %v = arith.constant 123 : i16
  %i = xpu.global_id x
  // Not at the start of a word.
  %x = memref.alloca() : memref<3xi16>
  memref.store %three, %x[%c1] : memref<3xi16>
  %first = xpu.atomic_rmw xchg %v, %x[%c1] ordering(seq_cst) scope(system) : memref<3xi16>
  memref.store %first, %a[%i] : memref<?xi16>
  %second = xpu.atomic_rmw add %one, %x[%c1] : memref<3xi16>
  memref.store %second, %b[%i] : memref<?xi16>
  %last = xpu.atomic_load %x[%c1] : memref<3xi16>
  memref.store %last, %c[%i] : memref<?xi16>
  xpu.return
}

xpu.kernel @f64(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>) workgroup_size(64, 1, 1) {
  %half = arith.constant 0.5 : f64
  %three = arith.constant 3.0 : f64
  %v = arith.constant 123.0 : f64
  %i = xpu.global_id x
  %x = memref.alloca() : memref<f64>
  xpu.atomic_store %three, %x[] : memref<f64>
  %first = xpu.cas %three, %v, %x[] : memref<f64>
  memref.store %first, %a[%i] : memref<?xf64>
  %second = xpu.atomic_rmw fadd %half, %x[] : memref<f64>
  memref.store %second, %b[%i] : memref<?xf64>
  %last = memref.load %x[] : memref<f64>
  memref.store %last, %c[%i] : memref<?xf64>
  xpu.return
}

// CHECK-LABEL: .entry views(
// CHECK: ret;
// Each work-item adds its number to an element of its own, once through a view and once in a callee,
// which cannot know that the memory is private.
xpu.kernel @views(%out: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %i = xpu.global_id x
  %v = arith.index_cast %i : index to i32
  %x = memref.alloca() : memref<4xi32>
  memref.store %zero, %x[%c1] : memref<4xi32>
  %view = memref.subview %x[1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>
  %first = xpu.atomic_rmw add %v, %view[%c0] : memref<2xi32, strided<[1], offset: 1>>
  func.call @subtract_old(%x, %first) : (memref<4xi32>, i32) -> ()
  %last = memref.load %x[%c1] : memref<4xi32>
  memref.store %last, %out[%i] : memref<?xi32>
  xpu.return
}

func.func @subtract_old(%x: memref<4xi32>, %v: i32) {
  %c1 = arith.constant 1 : index
  %old = xpu.atomic_rmw sub %v, %x[%c1] : memref<4xi32>
  return
}

// Private memory of an upstream kernel, by attribution.
gpu.module @m {
  gpu.func @attributed(%out: memref<?xi32>) private(%x: memref<1xi32, #gpu.address_space<private>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %i = gpu.global_id x
    %v = arith.index_cast %i : index to i32
    memref.store %zero, %x[%c0] : memref<1xi32, #gpu.address_space<private>>
    %old = xpu.atomic_rmw add %v, %x[%c0] : memref<1xi32, #gpu.address_space<private>>
    %last = memref.load %x[%c0] : memref<1xi32, #gpu.address_space<private>>
    memref.store %last, %out[%i] : memref<?xi32>
    gpu.return
  }
}
