// What a kernel does wrong while it runs is an error of its launch, never the end of the process by a signal.
//
// DEFINE: %{arguments} =
// DEFINE: %{run} = sh -c 'xpu-run %s --target cpu --groups 3 %{arguments}; echo status $?' 2>&1 | FileCheck %s --check-prefix
//
// REDEFINE: %{arguments} = --kernel divide --arg 1:i32 --arg 0:i32 --arg zeros:1xi32
// RUN: %{run}=DIVIDE
// REDEFINE: %{arguments} = --kernel divide --arg -2147483648:i32 --arg -1:i32 --arg zeros:1xi32
// RUN: %{run}=DIVIDE
// DIVIDE: error: kernel "divide": group ({{[0-2]}}, 0, 0) divided an integer by zero, or the lowest one by -1 (SIGFPE)
// DIVIDE: status 1
// RUN: xpu-run %s --target cpu --groups 3 --kernel divide --arg -7:i32 --arg 2:i32 --arg zeros:1xi32 --expect 2='[-3]:i32'
//
// REDEFINE: %{arguments} = --kernel store --arg zeros:1xi32 --arg 1000000000000:index
// RUN: %{run}=STORE
// STORE: error: kernel "store": group ({{[0-2]}}, 0, 0) used memory that is not its own: an index out of bounds, which --check-bounds finds
// STORE: status 1
//
// The same with a stack for each work-item.
// REDEFINE: %{arguments} = --kernel store_after_barrier --arg zeros:1xi32 --arg 1000000000000:index
// RUN: %{run}=BARRIER
// BARRIER: error: kernel "store_after_barrier": group ({{[0-2]}}, 0, 0) used memory that is not its own
// BARRIER: status 1
//
// REDEFINE: %{arguments} = --kernel asserts --arg 0:i1
// RUN: %{run}=ASSERT
// ASSERT-DAG: it does not hold
// ASSERT-DAG: error: kernel "asserts": group ({{[0-2]}}, 0, 0) aborted (SIGABRT)
// ASSERT: status 1
// RUN: xpu-run %s --target cpu --groups 3 --kernel asserts --arg 1:i1

xpu.kernel @divide(%a: i32, %b: i32, %m: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %q = arith.divsi %a, %b : i32
  xpu.atomic_store %q, %m[%c0] : memref<1xi32>
  xpu.return
}

xpu.kernel @store(%m: memref<?xi32>, %i: index) workgroup_size(4, 1, 1) {
  %one = arith.constant 1 : i32
  memref.store %one, %m[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @store_after_barrier(%m: memref<?xi32>, %i: index) workgroup_size(4, 1, 1) {
  %one = arith.constant 1 : i32
  xpu.barrier
  memref.store %one, %m[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @asserts(%holds: i1) workgroup_size(1, 1, 1) {
  cf.assert %holds, "it does not hold"
  xpu.return
}
