// One structured function of a kernel and all that it calls.
//
// RUN: xpu-opt %s --convert-xpu-to-spirv -split-input-file | FileCheck %s

// Calls are put in place, also of a function that chooses by branches what it gives.

// CHECK-LABEL: gpu.module @calls
// CHECK-NOT:     func.func
// CHECK:       gpu.func @k() kernel
// CHECK-NOT:     func.call
// CHECK-NOT:     cf.
// CHECK:         scf.if
// CHECK:         spirv.AtomicIAdd
// CHECK:         gpu.return
gpu.module @calls [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  func.func @choose(%x: i32, %y: i32) -> i32 {
    %less = arith.cmpi slt, %x, %y : i32
    cf.cond_br %less, ^small, ^large
  ^small:
    return %x : i32
  ^large:
    %sum = arith.addi %x, %y : i32
    return %sum : i32
  }
  func.func @count(%m: memref<?xi32>, %i: index, %x: i32) {
    %v = func.call @choose(%x, %x) : (i32, i32) -> i32
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    return
  }
  gpu.func @k(%m: memref<?xi32>, %x: i32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    func.call @count(%m, %i, %x) : (memref<?xi32>, index, i32) -> ()
    gpu.return
  }
}

// -----

// A return out of the middle, and a loop of branches.

// CHECK-LABEL: gpu.module @branches
// CHECK-NOT:     cf.
// CHECK:         scf.if
// CHECK:           scf.while
// CHECK:         gpu.return
// CHECK-NOT:     gpu.return
gpu.module @branches [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %n: i32, %c: i1) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    cf.cond_br %c, ^out, ^loop(%zero : i32)
  ^out:
    gpu.return
  ^loop(%at: i32):
    memref.store %at, %m[%i] : memref<?xi32>
    %next = arith.addi %at, %one : i32
    %more = arith.cmpi slt, %next, %n : i32
    cf.cond_br %more, ^loop(%next : i32), ^end
  ^end:
    gpu.return
  }
}

// -----

// A choice of several is one of two, again and again; a region that is run is what it holds.

// CHECK-LABEL: gpu.module @regions
// CHECK-NOT:     scf.index_switch
// CHECK-NOT:     scf.execute_region
// CHECK-NOT:     memref.alloca_scope
// CHECK:         %[[IS_TWO:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
// CHECK-NEXT:    scf.if %[[IS_TWO]]
// CHECK:         } else {
// CHECK:           %[[IS_FIVE:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
// CHECK-NEXT:      scf.if %[[IS_FIVE]]
gpu.module @regions [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %x: i32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %v = scf.index_switch %i -> i32
    case 2 {
      %two = arith.constant 20 : i32
      scf.yield %two : i32
    }
    case 5 {
      %w = scf.execute_region -> i32 {
        scf.yield %x : i32
      }
      scf.yield %w : i32
    }
    default {
      %zero = arith.constant 0 : i32
      scf.yield %zero : i32
    }
    memref.alloca_scope {
      memref.store %v, %m[%i] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

// Upstream compares as signed, and small numbers not at all: such a loop asks each time.

// CHECK-LABEL: gpu.module @loops
// CHECK-NOT:     scf.for
// CHECK:         scf.while (%[[I:.*]] = %{{.*}}) : (i32) -> i32 {
// CHECK-NEXT:      %[[MORE:.*]] = arith.cmpi ult, %[[I]], %{{.*}} : i32
// CHECK-NEXT:      scf.condition(%[[MORE]]) %[[I]]
// CHECK:         } do {
// CHECK:           %[[NEXT:.*]] = arith.addi
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         scf.while
// CHECK:           arith.cmpi slt
gpu.module @loops [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %n: i32, %b: i8) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for unsigned %i = %zero to %n step %one : i32 {
      memref.store %i, %m[%t] : memref<?xi32>
    }
    %zero8 = arith.constant -7 : i8
    %one8 = arith.constant 1 : i8
    scf.for %i = %zero8 to %b step %one8 : i8 {
      memref.store %n, %m[%t] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

// What another loop asks is the header of a loop, in which MLIR cannot place a loop: it stands in a choice that is always made.

// CHECK-LABEL: gpu.module @nested
// CHECK:         scf.while
// CHECK-NEXT:      %[[ALWAYS:.*]] = arith.constant true
// CHECK-NEXT:      %[[ASKED:.*]]:2 = scf.if %[[ALWAYS]] -> (i1, i32) {
// CHECK:             scf.while
// CHECK:           } else {
// CHECK:           scf.condition(%[[ASKED]]#0) %[[ASKED]]#1
gpu.module @nested [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %n: i32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %r = scf.while (%x = %n) : (i32) -> i32 {
      %y = scf.while (%z = %x) : (i32) -> i32 {
        %half = arith.shrui %z, %one : i32
        %odd = arith.trunci %half : i32 to i1
        scf.condition(%odd) %half : i32
      } do {
      ^bb0(%z: i32):
        scf.yield %z : i32
      }
      %more = arith.cmpi sgt, %y, %one : i32
      scf.condition(%more) %y : i32
    } do {
    ^bb0(%x: i32):
      %less = arith.subi %x, %one : i32
      scf.yield %less : i32
    }
    memref.store %r, %m[%t] : memref<?xi32>
    gpu.return
  }
}
