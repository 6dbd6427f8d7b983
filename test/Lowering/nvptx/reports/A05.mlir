// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s --implicit-check-not=atom --implicit-check-not=red.

// Memory of one work-item has no other observer: plain accesses, never an atomic instruction.

// CHECK-LABEL: .entry k(
// CHECK:         st.global
xpu.kernel @k(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>) workgroup_size(64, 1, 1) {
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
