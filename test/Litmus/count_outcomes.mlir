// RUN: xpu-opt %s --xpu-to-nvvm=chip=sm_90 | FileCheck %s

// Counts the outcomes of litmus tests: bit k of an outcome is register k.
//
// Written by test/support/src/litmus.rs.

// CHECK: llvm.func @count_outcomes
xpu.kernel @count_outcomes(%res: memref<?xi32>, %counts: memref<?xi64>, %n: index, %registers: index) workgroup_size(256, 1, 1) {
  %bins = xpu.shared : memref<16xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %l = xpu.local_id x
  %i = xpu.global_id x
  %counts_bin = arith.cmpi ult, %l, %c16 : index
  scf.if %counts_bin {
    memref.store %zero, %bins[%l] : memref<16xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %in = arith.cmpi ult, %i, %n : index
  scf.if %in {
    %outcome = scf.for %k = %c0 to %registers step %c1 iter_args(%so_far = %zero) -> i32 {
      %row = arith.muli %k, %n : index
      %at = arith.addi %row, %i : index
      %bit = memref.load %res[%at] : memref<?xi32>
      %k32 = arith.index_cast %k : index to i32
      %placed = arith.shli %bit, %k32 : i32
      %next = arith.ori %so_far, %placed : i32
      scf.yield %next : i32
    }
    %bin = arith.index_castui %outcome : i32 to index
    %old = xpu.atomic_rmw add %one, %bins[%bin] ordering(relaxed) scope(workgroup) : memref<16xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  scf.if %counts_bin {
    %count = memref.load %bins[%l] : memref<16xi32, #gpu.address_space<workgroup>>
    %count64 = arith.extui %count : i32 to i64
    %old = xpu.atomic_rmw add %count64, %counts[%l] ordering(relaxed) scope(device) : memref<?xi64>
  }
  xpu.return
}
