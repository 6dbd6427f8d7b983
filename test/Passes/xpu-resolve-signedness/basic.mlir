// RUN: xpu-opt %s --xpu-resolve-signedness | FileCheck %s
// RUN: xpu-opt %s --xpu-resolve-signedness | FileCheck %s --check-prefix=NONE
// NONE-NOT: {{[^"][us]i(8|16|32|64)}}
// NONE-NOT: sign_cast

// Running it again changes nothing.
// RUN: xpu-opt %s --xpu-resolve-signedness -o %t.once
// RUN: xpu-opt %t.once --xpu-resolve-signedness -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK-LABEL: xpu.kernel @min_max(
// CHECK-SAME:    %[[S:.*]]: memref<?xi32>, %[[U:.*]]: memref<?xi32>, %[[N:.*]]: memref<?xi32>, %[[V:.*]]: i32)
xpu.kernel @min_max(%signed: memref<?xsi32>, %unsigned: memref<?xui32>, %signless: memref<?xi32>, %v: i32)
    workgroup_size(64, 1, 1) {
  // CHECK-NEXT: %[[I:.*]] = xpu.global_id x
  %i = xpu.global_id x
  %s = xpu.sign_cast %v : i32 to si32
  %u = xpu.sign_cast %v : i32 to ui32
  // CHECK-NEXT: xpu.atomic_rmw smin %[[V]], %[[S]][%[[I]]] ordering(relaxed) scope(system) : memref<?xi32>
  %0 = xpu.atomic_rmw min %s, %signed[%i] ordering(relaxed) scope(system) : memref<?xsi32>
  // CHECK-NEXT: xpu.atomic_rmw smax %[[V]], %[[S]][%[[I]]] : memref<?xi32>
  %1 = xpu.atomic_rmw max %s, %signed[%i] : memref<?xsi32>
  // CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw umin %[[V]], %[[U]][%[[I]]] : memref<?xi32>
  %2 = xpu.atomic_rmw min %u, %unsigned[%i] : memref<?xui32>
  // CHECK-NEXT: xpu.atomic_rmw umax %[[V]], %[[U]][%[[I]]] : memref<?xi32>
  %3 = xpu.atomic_rmw max %u, %unsigned[%i] : memref<?xui32>
  // What says its sign itself keeps it, whatever the memory says.
  // CHECK-NEXT: xpu.atomic_rmw smax %[[V]], %[[U]][%[[I]]] : memref<?xi32>
  %4 = xpu.atomic_rmw smax %u, %unsigned[%i] : memref<?xui32>
  // CHECK-NEXT: xpu.atomic_rmw umin %[[V]], %[[N]][%[[I]]] : memref<?xi32>
  %5 = xpu.atomic_rmw umin %v, %signless[%i] : memref<?xi32>
  // CHECK-NEXT: memref.store %[[OLD]], %[[N]][%[[I]]] : memref<?xi32>
  %6 = xpu.sign_cast %2 : ui32 to i32
  memref.store %6, %signless[%i] : memref<?xi32>
  xpu.return
}

// Every width, and every access.
// CHECK-LABEL: func.func @accesses(
func.func @accesses(%b: memref<?xui8>, %h: memref<?xsi16>, %l: memref<?xui64>, %i: index,
                    %v8: ui8, %v16: si16, %v64: ui64) -> (ui8, si16, ui64) {
  // CHECK: xpu.atomic_rmw umax {{.*}} : memref<?xi8>
  %0 = xpu.atomic_rmw max %v8, %b[%i] : memref<?xui8>
  // CHECK: xpu.atomic_load {{.*}} : memref<?xi16>
  %1 = xpu.atomic_load %h[%i] : memref<?xsi16>
  // CHECK: xpu.atomic_store {{.*}} : memref<?xi16>
  xpu.atomic_store %v16, %h[%i] : memref<?xsi16>
  // CHECK: xpu.cas {{.*}} : memref<?xi64>
  %2 = xpu.cas %v64, %v64, %l[%i] : memref<?xui64>
  // CHECK: return %{{.*}} : i8, i16, i64
  return %0, %1, %2 : ui8, si16, ui64
}

// Regions, blocks, calls, views, signatures of declarations, types inside of types.
// CHECK-LABEL: func.func private @callee(memref<?xi32>, tuple<i8, tensor<2xi8>>) -> i32
func.func private @callee(memref<?xsi32>, tuple<ui8, tensor<2xsi8>>) -> ui32
// CHECK-LABEL: func.func @flow(
// CHECK-SAME:    memref<?xi32, strided<[?], offset: ?>>, %{{.*}}: tuple<i8, tensor<2xi8>>
func.func @flow(%m: memref<?xui32, strided<[?], offset: ?>>, %t: tuple<ui8, tensor<2xsi8>>, %c: i1,
                %s: memref<?xsi32>) -> ui32 {
  // CHECK: call @callee(%{{.*}}) : (memref<?xi32>, tuple<i8, tensor<2xi8>>) -> i32
  %x = func.call @callee(%s, %t) : (memref<?xsi32>, tuple<ui8, tensor<2xsi8>>) -> ui32
  // CHECK: xpu.reinterpret %{{.*}} : memref<?xi32> to memref<?xi8>
  %r = xpu.reinterpret %s : memref<?xsi32> to memref<?xui8>
  // CHECK: scf.if %{{.*}} -> (i32)
  %y = scf.if %c -> ui32 {
    %z = memref.alloca() : memref<1xui32>
    %zero = arith.constant 0 : index
    // CHECK: memref.load %{{.*}} : memref<1xi32>
    %0 = memref.load %z[%zero] : memref<1xui32>
    scf.yield %0 : ui32
  } else {
    scf.yield %x : ui32
  }
  cf.br ^end(%y : ui32)
// CHECK: ^bb1(%{{.*}}: i32)
^end(%z: ui32):
  return %z : ui32
}

// Numbers in attributes stay what they are; those that a signless type would print as negative have
// the same bits.
// CHECK-LABEL: func.func private @attributes()
// CHECK-SAME: t.a = 5 : i32
// CHECK-SAME: t.b = [-1, i16, -3 : i8]
// CHECK-SAME: t.c = {deep = {x = 200 : i16, y = -56 : i8}}
// CHECK-SAME: t.d = memref<4xi8>
// CHECK-SAME: t.e = "ui32"
// CHECK-SAME: t.f = array<i32: 1, 2>
func.func private @attributes() attributes {
  t.a = 5 : ui32,
  t.b = [18446744073709551615 : ui64, si16, -3 : si8],
  t.c = {deep = {x = 200 : si16, y = 200 : ui8}},
  t.d = memref<4xsi8>,
  t.e = "ui32",
  t.f = array<i32: 1, 2>
}

// In a block that nothing reaches, an operation may use itself.
// CHECK-LABEL: func.func @unreachable
func.func @unreachable() {
  return
^bb1:
  // CHECK: %[[SELF:.*]] = xpu.cas %[[SELF]], %[[SELF]]
  %0 = xpu.cas %1, %1, %m[%i] : memref<?xi32>
  %1 = xpu.sign_cast %2 : ui32 to i32
  %2 = xpu.sign_cast %0 : i32 to ui32
  %m = memref.alloc(%i) : memref<?xi32>
  %i = arith.constant 0 : index
  cf.br ^bb1
}
