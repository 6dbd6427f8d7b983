// RUN: xpu-opt %s --xpu-expand-atomics --canonicalize -split-input-file | FileCheck %s

// A pointer becomes a memref of one element, in the memory that it leads to; the rest is as with any memref.

// CHECK-LABEL: func.func @native(
// CHECK-SAME:    %[[GLOBAL:.*]]: !llvm.ptr<1>, %[[SHARED:.*]]: !llvm.ptr<3>, %[[GENERIC:.*]]: !llvm.ptr, %[[V:.*]]: i32)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         %[[A:.*]] = xpu.reinterpret %[[GLOBAL]] : !llvm.ptr<1> to memref<1xi32>
// CHECK-NEXT:    xpu.atomic_rmw add %[[V]], %[[A]][%[[ZERO]]] ordering(relaxed) scope(device) {note} : memref<1xi32>
// CHECK-NEXT:    %[[B:.*]] = xpu.reinterpret %[[SHARED]] : !llvm.ptr<3> to memref<1xi32, 3>
// CHECK-NEXT:    xpu.cas %[[V]], %[[V]], %[[B]][%[[ZERO]]] ordering(acq_rel) failure(acquire) scope(workgroup) : memref<1xi32, 3>
// CHECK-NEXT:    %[[C:.*]] = xpu.reinterpret %[[GENERIC]] : !llvm.ptr to memref<1xi32, #ptr.generic_space>
// CHECK-NEXT:    xpu.atomic_load %[[C]][%[[ZERO]]] ordering(acquire) scope(system) : memref<1xi32, #ptr.generic_space>
// CHECK-NEXT:    %[[D:.*]] = xpu.reinterpret %[[GENERIC]] : !llvm.ptr to memref<1xi32, #ptr.generic_space>
// CHECK-NEXT:    xpu.atomic_store %[[V]], %[[D]][%[[ZERO]]] ordering(release) scope(device) : memref<1xi32, #ptr.generic_space>
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @native(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %r: !llvm.ptr, %v: i32) -> (i32, i32, i32) {
    %0 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(device) {note} : !llvm.ptr<1>, i32
    %1 = xpu.cas %v, %v, %q ordering(acq_rel) failure(acquire) scope(workgroup) : !llvm.ptr<3>, i32
    %2 = xpu.atomic_load %r ordering(acquire) scope(system) : !llvm.ptr, i32
    xpu.atomic_store %v, %r ordering(release) scope(device) : !llvm.ptr, i32
    return %0, %1, %2 : i32, i32, i32
  }
}

// -----

// Global memory flushes, workgroup memory does not: a generic address is taken for global there.

// CHECK-LABEL: func.func @sum(
// CHECK:         scf.if
// CHECK:           xpu.atomic_rmw fadd %{{.*}} denormals(flush) : memref<1xf32, #ptr.generic_space>
// CHECK:         else
// CHECK:           scf.while
// CHECK:             xpu.cas
// CHECK-LABEL: func.func @sum_shared(
// CHECK-NOT:     scf.if
// CHECK:         xpu.atomic_rmw fadd
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @sum(%p: !llvm.ptr, %v: f32) -> f32 {
    %0 = xpu.atomic_rmw fadd %v, %p ordering(relaxed) scope(device) : !llvm.ptr, f32
    return %0 : f32
  }
  func.func @sum_shared(%p: !llvm.ptr<3>, %v: f32) -> f32 {
    %0 = xpu.atomic_rmw fadd %v, %p ordering(relaxed) scope(device) : !llvm.ptr<3>, f32
    return %0 : f32
  }
}

// -----

// gfx908 has an instruction for f32 in workgroup memory only.

// CHECK-LABEL: func.func @sum(
// CHECK:         scf.while
// CHECK:           xpu.cas {{.*}} : memref<1xf32, #ptr.generic_space>
gpu.module @m [#rocdl.target<chip = "gfx908">] {
  func.func @sum(%p: !llvm.ptr, %v: f32) -> f32 {
    %0 = xpu.atomic_rmw fadd %v, %p ordering(relaxed) scope(device) : !llvm.ptr, f32
    return %0 : f32
  }
}

// -----

// The word around a small element begins wherever the address says.

// CHECK-LABEL: func.func @bytes(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr<1>
// CHECK:         %[[ADDRESS:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
// CHECK:         %[[BYTE:.*]] = arith.andi %[[ADDRESS]], %c3_i64 : i64
// CHECK:         %[[BACK:.*]] = arith.subi %c0_i64, %[[BYTE]] : i64
// CHECK:         %[[START:.*]] = llvm.getelementptr %[[P]][%[[BACK]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK:         %[[WORD:.*]] = xpu.reinterpret %[[START]] : !llvm.ptr<1> to memref<1xi32>
// CHECK:         xpu.atomic_load %[[WORD]][%c0] ordering(relaxed) scope(device) : memref<1xi32>
// CHECK:         xpu.cas %{{.*}}, %{{.*}}, %[[WORD]][%c0] ordering(acq_rel) failure(relaxed) scope(device) : memref<1xi32>
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @bytes(%p: !llvm.ptr<1>, %v: i8) -> i8 {
    %0 = xpu.atomic_rmw add %v, %p ordering(acq_rel) scope(device) : !llvm.ptr<1>, i8
    return %0 : i8
  }
}

// -----

// Upstream's own pointers; a pointer to private memory.

// CHECK-LABEL: func.func @others(
// CHECK:         xpu.reinterpret %{{.*}} : !ptr.ptr<#llvm.address_space<1>> to memref<1xf64>
// CHECK:         scf.while
// CHECK:         %[[OWN:.*]] = xpu.reinterpret %{{.*}} : !llvm.ptr to memref<1xi16, 5>
// CHECK:         memref.load %[[OWN]]
// CHECK:         memref.store %{{.*}}, %[[OWN]]
gpu.module @m attributes {xpu.cpu_target} {
  func.func @others(%p: !ptr.ptr<#llvm.address_space<1>>, %n: i32, %v: f64, %w: i16) -> (f64, i16) {
    %0 = xpu.atomic_rmw fmaximum %v, %p ordering(relaxed) scope(device) : !ptr.ptr<#llvm.address_space<1>>, f64
    %own = llvm.alloca %n x i16 : (i32) -> !llvm.ptr
    %1 = xpu.atomic_rmw add %w, %own ordering(relaxed) scope(workitem) : !llvm.ptr, i16
    return %0, %1 : f64, i16
  }
}
