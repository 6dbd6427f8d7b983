// RUN: xpu-opt %s --convert-xpu-to-llvm -split-input-file | FileCheck %s

// Each ordering and kind is LLVM's own. Scopes do not show: the CPU's caches are coherent.

// CHECK-LABEL: func.func @orderings
// CHECK:         llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic {alignment = 4 : i64}
// CHECK:         llvm.atomicrmw sub %{{.*}}, %{{.*}} acquire
// CHECK:         llvm.atomicrmw _and %{{.*}}, %{{.*}} release
// CHECK:         llvm.atomicrmw _or %{{.*}}, %{{.*}} acq_rel
// CHECK:         llvm.atomicrmw _xor %{{.*}}, %{{.*}} seq_cst
// CHECK:         llvm.atomicrmw min
// CHECK:         llvm.atomicrmw max
// CHECK:         llvm.atomicrmw umin
// CHECK:         llvm.atomicrmw umax
// CHECK:         llvm.atomicrmw uinc_wrap
// CHECK:         llvm.atomicrmw udec_wrap
// CHECK-NOT:     syncscope
// CHECK:         return
func.func @orderings(%m: memref<?xi32>, %i: index, %v: i32) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(subgroup) : memref<?xi32>
  %1 = xpu.atomic_rmw sub %v, %m[%i] ordering(acquire) scope(workgroup) : memref<?xi32>
  %2 = xpu.atomic_rmw and %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  %3 = xpu.atomic_rmw or %v, %m[%i] ordering(acq_rel) scope(system) : memref<?xi32>
  %4 = xpu.atomic_rmw xor %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>
  %5 = xpu.atomic_rmw smin %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %6 = xpu.atomic_rmw smax %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %7 = xpu.atomic_rmw umin %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %8 = xpu.atomic_rmw umax %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %9 = xpu.atomic_rmw uinc_wrap %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %10 = xpu.atomic_rmw udec_wrap %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return
}

// -----

// Floats are exchanged, compared, loaded and stored as the bits they are.

// CHECK-LABEL: func.func @bits
// CHECK:         llvm.bitcast %{{.*}} : f16 to i16
// CHECK:         llvm.atomicrmw xchg %{{.*}}, %{{.*}} acquire {alignment = 2 : i64} : !llvm.ptr, i16
// CHECK:         llvm.bitcast %{{.*}} : i16 to f16
// CHECK:         llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acq_rel acquire {alignment = 2 : i64} : !llvm.ptr, i16
// CHECK:         llvm.load %{{.*}} atomic seq_cst {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK:         llvm.store %{{.*}}, %{{.*}} atomic release {alignment = 2 : i64} : i16, !llvm.ptr
func.func @bits(%m: memref<?xf16>, %i: index, %v: f16) -> f16 {
  %0 = xpu.atomic_rmw xchg %v, %m[%i] ordering(acquire) scope(device) : memref<?xf16>
  %1 = xpu.cas %v, %0, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<?xf16>
  %2 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(device) : memref<?xf16>
  xpu.atomic_store %2, %m[%i] ordering(release) scope(device) : memref<?xf16>
  return %1 : f16
}

// -----

// A fence of a work-item binds the compiler alone.

// CHECK-LABEL: func.func @fences
// CHECK:         llvm.fence acquire
// CHECK:         llvm.fence seq_cst
// CHECK:         llvm.fence syncscope("singlethread") seq_cst
func.func @fences() {
  xpu.fence ordering(acquire) scope(device)
  xpu.fence ordering(seq_cst) scope(system)
  xpu.fence ordering(acq_rel) scope(workitem)
  return
}

// -----

// The address is that of a store to the same element: offset and strides, static and dynamic.

// CHECK-LABEL: func.func @strided
// CHECK:         %[[D:.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<4x?xi32, strided<[?, 2], offset: 5>>
// CHECK:         %[[BASE:.*]] = llvm.extractvalue %[[D]][1]
// CHECK:         %[[OFFSET:.*]] = llvm.mlir.constant(5 : i64)
// CHECK:         %[[STRIDE:.*]] = llvm.extractvalue %[[D]][4, 0]
// CHECK:         %[[ROW:.*]] = llvm.mul %{{.*}}, %[[STRIDE]]
// CHECK:         %[[A:.*]] = llvm.add %[[OFFSET]], %[[ROW]]
// CHECK:         %[[COLUMN:.*]] = llvm.mul
// CHECK:         %[[B:.*]] = llvm.add %[[A]], %[[COLUMN]]
// CHECK:         llvm.getelementptr %[[BASE]][%[[B]]]
func.func @strided(%m: memref<4x?xi32, strided<[?, 2], offset: 5>>, %i: index, %v: i32) {
  %0 = xpu.atomic_rmw add %v, %m[%i, %i] ordering(relaxed) scope(device) : memref<4x?xi32, strided<[?, 2], offset: 5>>
  return
}

// -----

// The same storage in words; a count that does not divide is rounded up.

// CHECK-LABEL: func.func @words
// CHECK:         %[[COUNT:.*]] = llvm.extractvalue %{{.*}}[3, 0]
// CHECK:         llvm.add
// CHECK:         llvm.udiv
func.func @words(%m: memref<?xi8>) -> memref<?xi32> {
  %w = xpu.reinterpret %m : memref<?xi8> to memref<?xi32>
  return %w : memref<?xi32>
}
