// Atomics through pointers: the type of the element stands after that of the pointer.
//
// RUN: xpu-opt %s | FileCheck %s
// RUN: xpu-opt %s | xpu-opt | FileCheck %s
// RUN: xpu-opt %s --mlir-print-op-generic | xpu-opt | FileCheck %s
// RUN: xpu-opt %s --emit-bytecode | xpu-opt | FileCheck %s
// RUN: xpu-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @llvm(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr<1>, %[[Q:.*]]: !llvm.ptr, %[[V:.*]]: i32, %[[X:.*]]: f16
func.func @llvm(%p: !llvm.ptr<1>, %q: !llvm.ptr, %v: i32, %x: f16) -> (i32, i32, i64, f16) {
  // CHECK-NEXT: xpu.atomic_rmw add %[[V]], %[[P]] ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
  // GENERIC: "xpu.atomic_rmw"(%{{.*}}, %{{.*}}) <{kind = 0 : i32, ordering = 0 : i32, scope = 30 : i32}> : (i32, !llvm.ptr<1>) -> i32
  %0 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
  // CHECK-NEXT: xpu.cas %[[V]], %[[V]], %[[P]] ordering(acq_rel) failure(acquire) {note} : !llvm.ptr<1>, i32
  // GENERIC: "xpu.cas"(%{{.*}}, %{{.*}}, %{{.*}}) <{failure = 10 : i32, ordering = 30 : i32}> {note} : (i32, i32, !llvm.ptr<1>) -> i32
  %1 = xpu.cas %v, %v, %p ordering(acq_rel) failure(acquire) {note} : !llvm.ptr<1>, i32
  // CHECK-NEXT: xpu.atomic_load %[[Q]] : !llvm.ptr, i64
  // GENERIC: "xpu.atomic_load"(%{{.*}}) : (!llvm.ptr) -> i64
  %2 = xpu.atomic_load %q : !llvm.ptr, i64
  // CHECK-NEXT: xpu.atomic_store %[[X]], %[[Q]] scope(system) : !llvm.ptr, f16
  // GENERIC: "xpu.atomic_store"(%{{.*}}, %{{.*}}) <{scope = 40 : i32}> : (f16, !llvm.ptr) -> ()
  xpu.atomic_store %x, %q scope(system) : !llvm.ptr, f16
  // CHECK-NEXT: xpu.atomic_rmw fadd %[[X]], %[[Q]] denormals(flush) fastmath<reassoc> : !llvm.ptr, f16
  %3 = xpu.atomic_rmw fadd %x, %q denormals(flush) fastmath<reassoc> : !llvm.ptr, f16
  return %0, %1, %2, %3 : i32, i32, i64, f16
}

// Brackets with nothing between them are read, and not written.
// CHECK-LABEL: func.func @brackets(
func.func @brackets(%p: !llvm.ptr<3>, %m: memref<f32>, %v: f32) {
  // CHECK-NEXT: xpu.atomic_store %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : !llvm.ptr<3>, f32
  xpu.atomic_store %v, %p[] : !llvm.ptr<3>, f32
  // CHECK-NEXT: xpu.atomic_store %{{[a-z0-9]+}}, %{{[a-z0-9]+}}[] : memref<f32>
  xpu.atomic_store %v, %m[] : memref<f32>
  // What a memref says already may be said again.
  // CHECK-NEXT: xpu.atomic_store %{{[a-z0-9]+}}, %{{[a-z0-9]+}}[] : memref<f32>
  xpu.atomic_store %v, %m[] : memref<f32>, f32
  return
}

// CHECK-LABEL: func.func @ptr(
func.func @ptr(%a: !ptr.ptr<#ptr.generic_space>, %b: !ptr.ptr<#llvm.address_space<1>>,
               %c: !ptr.ptr<#nvvm.memory_space<shared>>, %v: i8) -> (i8, i8) {
  // CHECK-NEXT: xpu.atomic_rmw smin %{{.*}}, %{{[a-z0-9]+}} : !ptr.ptr<#ptr.generic_space>, i8
  %0 = xpu.atomic_rmw smin %v, %a : !ptr.ptr<#ptr.generic_space>, i8
  // CHECK-NEXT: xpu.atomic_load %{{[a-z0-9]+}} : !ptr.ptr<#llvm.address_space<1>>, i8
  %1 = xpu.atomic_load %b : !ptr.ptr<#llvm.address_space<1>>, i8
  // CHECK-NEXT: xpu.atomic_store %{{.*}}, %{{[a-z0-9]+}} : !ptr.ptr<#nvvm.memory_space<shared>>, i8
  xpu.atomic_store %v, %c : !ptr.ptr<#nvvm.memory_space<shared>>, i8
  return %0, %1 : i8, i8
}

// CHECK-LABEL: func.func @reinterpret(
func.func @reinterpret(%p: !llvm.ptr<1>, %q: !llvm.ptr) -> (memref<1xi32, 1>, memref<4xi8, 3>) {
  // CHECK-NEXT: xpu.reinterpret %{{.*}} : !llvm.ptr<1> to memref<1xi32, 1>
  %0 = xpu.reinterpret %p : !llvm.ptr<1> to memref<1xi32, 1>
  // CHECK-NEXT: xpu.reinterpret %{{.*}} : !llvm.ptr to memref<4xi8, 3>
  %1 = xpu.reinterpret %q : !llvm.ptr to memref<4xi8, 3>
  return %0, %1 : memref<1xi32, 1>, memref<4xi8, 3>
}

// CHECK-LABEL: xpu.kernel @kernel(
// CHECK-SAME:    !llvm.ptr<1> {xpu.memory = #xpu.memory<host_visible>}, %{{.*}}: !llvm.ptr, %{{.*}}: !ptr.ptr<#ptr.generic_space>)
xpu.kernel @kernel(%p: !llvm.ptr<1> {xpu.memory = #xpu.memory<host_visible>}, %q: !llvm.ptr,
                   %r: !ptr.ptr<#ptr.generic_space>) workgroup_size(1, 1, 1) {
  xpu.return
}
