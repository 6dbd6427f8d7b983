// Functions that kernels call: nested, with atomics, with results, shared by kernels, and never recursive.
//
// RUN: xpu-run %s --kernel nested --target cpu --groups 2 --arg zeros:4xi32 --expect 0='[128,8128,0,127]:i32'
// RUN: xpu-run %s --kernel other --target cpu --groups 2 --arg zeros:4xi32 --expect 0='[64,0,0,31]:i32'
// RUN: xpu-run %s --kernel results --target cpu --groups 1 --arg iota:8xi32 --arg zeros:8xi32 --expect 1='[0,2,4,6,8,10,12,14]:i32'
// RUN: xpu-run %s --kernel in_loop --target cpu --groups 1 --arg zeros:1xf32 --expect 0='[640]:f32'
// RUN: xpu-run %s --kernel blocks --target cpu --groups 1 --arg zeros:8xi32 --expect 0='[10,11,12,13,-4,-5,-6,-7]:i32'

// Two levels, which both touch memory.
xpu.kernel @nested(%m: memref<4xi32>) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  %v = arith.index_cast %i : index to i32
  func.call @outer(%m, %v) : (memref<4xi32>, i32) -> ()
  xpu.return
}

xpu.kernel @other(%m: memref<4xi32>) workgroup_size(32, 1, 1) {
  %l = xpu.local_id x
  %v = arith.index_cast %l : index to i32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  func.call @count(%m, %c0) : (memref<4xi32>, index) -> ()
  func.call @raise(%m, %v, %c3) : (memref<4xi32>, i32, index) -> ()
  xpu.return
}

func.func private @outer(%m: memref<4xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  func.call @count(%m, %c0) : (memref<4xi32>, index) -> ()
  %old = xpu.atomic_rmw add %v, %m[%c1] ordering(relaxed) : memref<4xi32>
  func.call @raise(%m, %v, %c3) : (memref<4xi32>, i32, index) -> ()
  return
}

func.func @count(%m: memref<4xi32>, %at: index) {
  %one = arith.constant 1 : i32
  %old = memref.atomic_rmw addi %one, %m[%at] : (i32, memref<4xi32>) -> i32
  return
}

func.func @raise(%m: memref<4xi32>, %v: i32, %at: index) {
  %first = xpu.atomic_load %m[%at] ordering(relaxed) : memref<4xi32>
  %last = scf.while (%seen = %first) : (i32) -> i32 {
    %more = arith.maxsi %seen, %v : i32
    %old = xpu.cas %seen, %more, %m[%at] : memref<4xi32>
    %lost = arith.cmpi ne, %old, %seen : i32
    scf.condition(%lost) %old : i32
  } do {
  ^bb0(%seen: i32):
    scf.yield %seen : i32
  }
  return
}

// Several results; a memref among them.
func.func @twice_where(%m: memref<?xi32>, %i: index) -> (i32, memref<?xi32>, index) {
  %v = memref.load %m[%i] : memref<?xi32>
  %twice = arith.addi %v, %v : i32
  return %twice, %m, %i : i32, memref<?xi32>, index
}

xpu.kernel @results(%in: memref<?xi32>, %out: memref<?xi32>) workgroup_size(8, 1, 1) {
  %i = xpu.global_id x
  %v, %m, %at = func.call @twice_where(%in, %i) : (memref<?xi32>, index) -> (i32, memref<?xi32>, index)
  %again, %n, %same = func.call @twice_where(%m, %at) : (memref<?xi32>, index) -> (i32, memref<?xi32>, index)
  memref.store %again, %out[%same] : memref<?xi32>
  xpu.return
}

func.func @add_one(%m: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %old = xpu.atomic_rmw fadd %one, %m[%c0] : memref<1xf32>
  return
}

xpu.kernel @in_loop(%m: memref<1xf32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    func.call @add_one(%m) : (memref<1xf32>) -> ()
    xpu.barrier
  }
  xpu.return
}

// Several blocks, several returns.
func.func @ten_more_or_negated(%v: i32) -> i32 {
  %four = arith.constant 4 : i32
  %ten = arith.constant 10 : i32
  %zero = arith.constant 0 : i32
  %small = arith.cmpi slt, %v, %four : i32
  cf.cond_br %small, ^small, ^large
^small:
  %more = arith.addi %v, %ten : i32
  return %more : i32
^large:
  %negated = arith.subi %zero, %v : i32
  return %negated : i32
}

xpu.kernel @blocks(%out: memref<?xi32>) workgroup_size(8, 1, 1) {
  %i = xpu.global_id x
  %v = arith.index_cast %i : index to i32
  %r = func.call @ten_more_or_negated(%v) : (i32) -> i32
  memref.store %r, %out[%i] : memref<?xi32>
  xpu.return
}
