// Loops of blocks, as upstream's conversion and other frontends make them.
//
// RUN: xpu-opt %s --xpu-raise-cas-loops | FileCheck %s
// RUN: xpu-opt %s --xpu-raise-cas-loops --canonicalize | FileCheck %s --check-prefix=FLAT
// CHECK-NOT: xpu.cas

// What convert-scf-to-cf makes: a second block hands the value on.
// CHECK-LABEL: func.func @handed_on(
// CHECK-NEXT: cf.br ^[[TURN:.*]]
// CHECK-NEXT: ^[[TURN]]:
// CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw add %arg2, %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: cf.br ^[[OUT:.*]]
// CHECK-NEXT: ^[[OUT]]:
// CHECK-NEXT: return %[[OLD]]
// FLAT-LABEL: func.func @handed_on(
// FLAT-NEXT: %[[OLD:.*]] = xpu.atomic_rmw add %arg2, %arg0[%arg1] : memref<?xi32>
// FLAT-NEXT: return %[[OLD]]
func.func @handed_on(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %first = xpu.atomic_load %m[%i] : memref<?xi32>
  cf.br ^turn(%first : i32)
^turn(%seen: i32):
  %new = arith.addi %seen, %v : i32
  %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
  %lost = arith.cmpi ne, %got, %seen : i32
  cf.cond_br %lost, ^again(%got : i32), ^out
^again(%next: i32):
  cf.br ^turn(%next : i32)
^out:
  return %got : i32
}

// Values leave by the branch, among them the new one.
// CHECK-LABEL: func.func @hands_out(
// CHECK: %[[OLD:.*]] = xpu.atomic_rmw smin %arg2, %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: %[[NEW:.*]] = arith.minsi %[[OLD]], %arg2 : i32
// CHECK-NEXT: cf.br ^[[OUT:.*]](%[[OLD]], %[[NEW]], %arg2 : i32, i32, i32)
func.func @hands_out(%m: memref<?xi32>, %i: index, %v: i32) -> (i32, i32, i32) {
  %first = memref.load %m[%i] : memref<?xi32>
  cf.br ^turn(%first, %v : i32, i32)
^turn(%seen: i32, %w: i32):
  %new = arith.minsi %seen, %w : i32
  %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
  %stored = arith.cmpi eq, %got, %seen : i32
  cf.cond_br %stored, ^out(%seen, %new, %w : i32, i32, i32), ^turn(%got, %w : i32, i32)
^out(%a: i32, %b: i32, %c: i32):
  return %a, %b, %c : i32, i32, i32
}

// Entered on a condition.
// CHECK-LABEL: func.func @entered_by_choice(
// CHECK: cf.cond_br %arg3, ^[[TURN:.*]], ^[[OUT:.*]](%arg2 : i32)
// CHECK-NEXT: ^[[TURN]]:
// CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw xchg %arg2, %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: cf.br ^[[OUT]](%[[OLD]] : i32)
func.func @entered_by_choice(%m: memref<?xi32>, %i: index, %v: i32, %c: i1) -> i32 {
  %first = memref.load %m[%i] : memref<?xi32>
  cf.cond_br %c, ^turn(%first : i32), ^out(%v : i32)
^turn(%seen: i32):
  %got = xpu.cas %seen, %v, %m[%i] : memref<?xi32>
  %lost = arith.cmpi ne, %got, %seen : i32
  cf.cond_br %lost, ^turn(%got : i32), ^out(%got : i32)
^out(%r: i32):
  return %r : i32
}

// The element is read in each turn; nothing is carried.
// CHECK-LABEL: func.func @reload(
// CHECK: xpu.atomic_rmw or %arg2, %arg0[%arg1] : memref<?xi32>
// CHECK-NEXT: cf.br
func.func @reload(%m: memref<?xi32>, %i: index, %v: i32) {
  cf.br ^turn
^turn:
  %seen = memref.load %m[%i] : memref<?xi32>
  %new = arith.ori %seen, %v : i32
  %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
  %lost = arith.cmpi ne, %got, %seen : i32
  cf.cond_br %lost, ^turn, ^out
^out:
  return
}

// In a region of another operation.
// CHECK-LABEL: func.func @in_region(
// CHECK: scf.execute_region
// CHECK: xpu.atomic_rmw and %arg2, %arg0[%arg1] : memref<?xi32>
func.func @in_region(%m: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %first = memref.load %m[%i] : memref<?xi32>
    cf.br ^turn(%first : i32)
  ^turn(%seen: i32):
    %new = arith.andi %seen, %v : i32
    %got = xpu.cas %seen, %new, %m[%i] : memref<?xi32>
    %lost = arith.cmpi ne, %got, %seen : i32
    cf.cond_br %lost, ^turn(%got : i32), ^out
  ^out:
    scf.yield %got : i32
  }
  return %r : i32
}
