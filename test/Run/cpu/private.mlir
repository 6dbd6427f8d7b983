// Memory of a work-item's own: arrays on its stack, in loops, of a dynamic size, in functions, and more than there is.
//
// RUN: xpu-run %s --kernel sorted --target cpu --groups 2 --arg '[3,1,2,9,-1,4,5,5]:i32' --expect 0='[1,2,3,9,-1,4,5,5]:i32'
// RUN: xpu-run %s --kernel dynamic --target cpu --groups 1 --arg 7:index --arg zeros:4xi64 --expect 1=fill(21):4xi64
// RUN: xpu-run %s --kernel in_loop --target cpu --groups 1 --arg zeros:1xi32 --expect 0='[400000]:i32'
// RUN: xpu-run %s --kernel in_function --target cpu --groups 1 --arg zeros:4xi32 --expect 0='[0,1,2,3]:i32'
// RUN: xpu-run %s --kernel across_barrier --target cpu --groups 2 --arg zeros:128xi32 --expect 0=fill(63):128xi32
// RUN: not xpu-run %s --kernel too_much --target cpu --groups 1 --arg zeros:1xi32 --arg 268435456:index 2>&1 | FileCheck %s
// RUN: env XPU_CPU_STACK=64K not xpu-run %s --kernel too_much_with_barrier --target cpu --groups 1 --arg zeros:1xi32 --arg 65536:index 2>&1 \
// RUN:   | FileCheck %s
// RUN: env XPU_CPU_STACK=1M xpu-run %s --kernel too_much_with_barrier --target cpu --groups 1 --arg zeros:1xi32 --arg 65536:index
// CHECK: error: kernel "too_much{{.*}}more private memory than XPU_CPU_STACK

// Four elements, sorted in an array of the work-item that has them.
xpu.kernel @sorted(%m: memref<?xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %g = xpu.group_id x
  %first = arith.muli %g, %c4 : index
  %own = memref.alloca() : memref<4xi32>
  %mine = memref.subview %m[%first] [4] [1] : memref<?xi32> to memref<4xi32, strided<[1], offset: ?>>
  memref.copy %mine, %own : memref<4xi32, strided<[1], offset: ?>> to memref<4xi32>
  scf.for %round = %c0 to %c3 step %c1 {
    scf.for %i = %c0 to %c3 step %c1 {
      %j = arith.addi %i, %c1 : index
      %a = memref.load %own[%i] : memref<4xi32>
      %b = memref.load %own[%j] : memref<4xi32>
      %low = arith.minsi %a, %b : i32
      %high = arith.maxsi %a, %b : i32
      memref.store %low, %own[%i] : memref<4xi32>
      memref.store %high, %own[%j] : memref<4xi32>
    }
  }
  memref.copy %own, %mine : memref<4xi32> to memref<4xi32, strided<[1], offset: ?>>
  xpu.return
}

xpu.kernel @dynamic(%n: index, %out: memref<4xi64>) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %l = xpu.local_id x
  %own = memref.alloca(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i64
    memref.store %v, %own[%i] : memref<?xi64>
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %zero) -> i64 {
    %v = xpu.atomic_load %own[%i] : memref<?xi64>
    %more = arith.addi %so_far, %v : i64
    scf.yield %more : i64
  }
  memref.store %sum, %out[%l] : memref<4xi64>
  xpu.return
}

// 100,000 rounds, each with an array: it is one.
xpu.kernel @in_loop(%out: memref<1xi32>) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 100000 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %rounds step %c1 {
    memref.alloca_scope {
      %at = arith.constant 63 : index
      %own = memref.alloca() : memref<64xi32>
      memref.store %one, %own[%at] : memref<64xi32>
      %v = memref.load %own[%at] : memref<64xi32>
      %old = xpu.atomic_rmw add %v, %out[%c0] ordering(relaxed) : memref<1xi32>
    }
  }
  xpu.return
}

func.func @through_memory(%v: i32) -> i32 {
  %own = memref.alloca() : memref<i32>
  memref.store %v, %own[] : memref<i32>
  %r = memref.load %own[] : memref<i32>
  return %r : i32
}

xpu.kernel @in_function(%out: memref<4xi32>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %v = arith.index_cast %l : index to i32
  %r = func.call @through_memory(%v) : (i32) -> i32
  memref.store %r, %out[%l] : memref<4xi32>
  xpu.return
}

// Each has its own, while all are alive: the sum of what each put into its own and its mirror put into its own.
xpu.kernel @across_barrier(%out: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %s = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %own = memref.alloca() : memref<1xi32>
  %l = xpu.local_id x
  %i = xpu.global_id x
  %v = arith.index_cast %l : index to i32
  memref.store %v, %own[%c0] : memref<1xi32>
  xpu.barrier
  %mine = memref.load %own[%c0] : memref<1xi32>
  %mirror = arith.subi %c63, %l : index
  memref.store %mine, %s[%mirror] : memref<64xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  %theirs = memref.load %s[%l] : memref<64xi32, #gpu.address_space<workgroup>>
  %again = memref.load %own[%c0] : memref<1xi32>
  %sum = arith.addi %theirs, %again : i32
  memref.store %sum, %out[%i] : memref<?xi32>
  xpu.return
}

func.func @fill(%own: memref<?xi32>, %n: index, %out: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  // From the end that is next to the rest of the stack.
  scf.for %i = %c0 to %n step %c1 {
    %back = arith.subi %n, %i : index
    %at = arith.subi %back, %c1 : index
    %v = xpu.atomic_rmw add %zero, %out[%c0] : memref<1xi32>
    memref.store %v, %own[%at] : memref<?xi32>
  }
  %v = memref.load %own[%c0] : memref<?xi32>
  %old = xpu.atomic_rmw add %v, %out[%c0] : memref<1xi32>
  return
}

xpu.kernel @too_much(%out: memref<1xi32>, %n: index) workgroup_size(1, 1, 1) {
  %own = memref.alloca(%n) : memref<?xi32>
  func.call @fill(%own, %n, %out) : (memref<?xi32>, index, memref<1xi32>) -> ()
  xpu.return
}

xpu.kernel @too_much_with_barrier(%out: memref<1xi32>, %n: index) workgroup_size(1, 1, 1) {
  %own = memref.alloca(%n) : memref<?xi32>
  func.call @fill(%own, %n, %out) : (memref<?xi32>, index, memref<1xi32>) -> ()
  xpu.barrier
  xpu.return
}
