// RUN: xpu-opt %s --xpu-expand-atomics | FileCheck %s

// Plain load, operation, store, where no other work-item takes part: in private memory (report
// A05), and with scope(workitem) anywhere. Every kind, as it is computed.

// CHECK-LABEL: func.func @integers
// CHECK-SAME: (%[[M:.*]]: memref<4xi16, #gpu.address_space<private>>, %[[I:.*]]: index, %[[V:.*]]: i16)
func.func @integers(%m: memref<4xi16, #gpu.address_space<private>>, %i: index, %v: i16) {
  // CHECK-NEXT: %[[OLD:.*]] = memref.load %[[M]][%[[I]]]
  // CHECK-NEXT: %[[NEW:.*]] = arith.addi %[[OLD]], %[[V]] : i16
  // CHECK-NEXT: memref.store %[[NEW]], %[[M]][%[[I]]]
  %add = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: arith.subi %{{.*}}, %[[V]]
  %sub = xpu.atomic_rmw sub %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: arith.andi
  %and = xpu.atomic_rmw and %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: arith.ori
  %or = xpu.atomic_rmw or %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: arith.xori
  %xor = xpu.atomic_rmw xor %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: memref.load
  // CHECK-NEXT: memref.store %[[V]]
  %xchg = xpu.atomic_rmw xchg %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // Report A28.
  // CHECK: arith.minsi
  %smin = xpu.atomic_rmw smin %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: arith.maxsi
  %smax = xpu.atomic_rmw smax %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: arith.minui
  %umin = xpu.atomic_rmw umin %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: arith.maxui
  %umax = xpu.atomic_rmw umax %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: %[[OLD:.*]] = memref.load
  // CHECK: %[[WRAPS:.*]] = arith.cmpi uge, %[[OLD]], %[[V]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[OLD]]
  // CHECK: arith.select %[[WRAPS]], %{{.*}}, %[[NEXT]]
  %up = xpu.atomic_rmw uinc_wrap %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK: %[[OLD:.*]] = memref.load
  // CHECK: %[[ENDS:.*]] = arith.cmpi eq, %[[OLD]]
  // CHECK: %[[ABOVE:.*]] = arith.cmpi ugt, %[[OLD]], %[[V]]
  // CHECK: %[[WRAPS:.*]] = arith.ori %[[ENDS]], %[[ABOVE]]
  // CHECK: %[[NEXT:.*]] = arith.subi %[[OLD]]
  // CHECK: arith.select %[[WRAPS]], %[[V]], %[[NEXT]]
  %down = xpu.atomic_rmw udec_wrap %v, %m[%i] ordering(acq_rel) scope(device) : memref<4xi16, #gpu.address_space<private>>
  // CHECK-NOT: xpu.
  return
}

// CHECK-LABEL: func.func @floats
// CHECK-SAME: (%[[M:.*]]: memref<?xbf16>, %[[I:.*]]: index, %[[V:.*]]: bf16)
func.func @floats(%m: memref<?xbf16>, %i: index, %v: bf16) {
  // CHECK-NEXT: %[[OLD:.*]] = memref.load
  // CHECK-NEXT: %[[LEFT:.*]] = arith.extf %[[OLD]] : bf16 to f32
  // CHECK-NEXT: %[[RIGHT:.*]] = arith.extf %[[V]] : bf16 to f32
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[LEFT]], %[[RIGHT]] : f32
  // CHECK-NEXT: %[[NEW:.*]] = arith.truncf %[[SUM]] : f32 to bf16
  // CHECK-NEXT: memref.store %[[NEW]]
  %fadd = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xbf16>
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: arith.negf %[[V]] : bf16
  // CHECK: arith.addf
  %fsub = xpu.atomic_rmw fsub %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xbf16>
  // By bits, in which -0 < +0 and NaNs are above infinity.
  // CHECK: %[[OLD:.*]] = memref.load
  // CHECK: %[[LESS:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i16
  // CHECK: %[[NUMBER:.*]] = arith.select %[[LESS]], %[[OLD]], %[[V]] : bf16
  // CHECK: %[[OLD_NAN:.*]] = arith.cmpi ugt
  // CHECK: %[[SOME:.*]] = arith.select %[[OLD_NAN]], %[[V]], %[[NUMBER]] : bf16
  // CHECK: %[[NAN:.*]] = arith.cmpi ugt
  // CHECK: %[[NEW:.*]] = arith.select %[[NAN]], %[[OLD]], %[[SOME]] : bf16
  // CHECK-NEXT: memref.store %[[NEW]]
  %fmin = xpu.atomic_rmw fmin %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xbf16>
  // CHECK: arith.cmpi sgt
  %fmax = xpu.atomic_rmw fmax %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xbf16>
  // CHECK: %[[OLD:.*]] = memref.load
  // CHECK: %[[LESS:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i16
  // CHECK: %[[NUMBER:.*]] = arith.select %[[LESS]], %[[OLD]], %[[V]] : bf16
  // CHECK: %[[NAN:.*]] = arith.cmpi ugt
  // CHECK: %[[SOME:.*]] = arith.select %[[NAN]], %[[V]], %[[NUMBER]] : bf16
  // CHECK: %[[OLD_NAN:.*]] = arith.cmpi ugt
  // CHECK: %[[NEW:.*]] = arith.select %[[OLD_NAN]], %[[OLD]], %[[SOME]] : bf16
  // CHECK-NEXT: memref.store %[[NEW]]
  %fminimum = xpu.atomic_rmw fminimum %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xbf16>
  // CHECK: arith.cmpi sgt
  %fmaximum = xpu.atomic_rmw fmaximum %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xbf16>
  // CHECK-NOT: xpu.
  return
}

// A failed comparison stores nothing.
// CHECK-LABEL: func.func @others
// CHECK-SAME: (%[[M:.*]]: memref<f64>, %[[V:.*]]: f64, %[[W:.*]]: f64)
func.func @others(%m: memref<f64>, %v: f64, %w: f64) -> (f64, f64) {
  // CHECK-NEXT: %[[OLD:.*]] = memref.load %[[M]][]
  // CHECK-NEXT: %[[OLD_BITS:.*]] = arith.bitcast %[[OLD]] : f64 to i64
  // CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[V]] : f64 to i64
  // CHECK-NEXT: %[[SAME:.*]] = arith.cmpi eq, %[[OLD_BITS]], %[[BITS]] : i64
  // CHECK-NEXT: scf.if %[[SAME]] {
  // CHECK-NEXT:   memref.store %[[W]], %[[M]][]
  // CHECK-NEXT: }
  %old = xpu.cas %v, %w, %m[] ordering(seq_cst) failure(seq_cst) scope(workitem) : memref<f64>
  // CHECK-NEXT: memref.store %[[V]], %[[M]][]
  xpu.atomic_store %v, %m[] ordering(seq_cst) scope(workitem) : memref<f64>
  // CHECK-NEXT: %[[LOADED:.*]] = memref.load %[[M]][]
  %loaded = xpu.atomic_load %m[] ordering(seq_cst) scope(workitem) : memref<f64>
  // CHECK-NEXT: return %[[OLD]], %[[LOADED]]
  return %old, %loaded : f64, f64
}

// An alloca of a kernel is private, through views too.
// CHECK-LABEL: xpu.kernel @traced
// CHECK-NOT: xpu.atomic
xpu.kernel @traced(%v: i32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %own = memref.alloca() : memref<4x4xi32>
  %row = memref.subview %own[1, 0] [1, 4] [1, 1] : memref<4x4xi32> to memref<4xi32, strided<[1], offset: 4>>
  // CHECK: memref.load
  // CHECK: memref.store
  %0 = xpu.atomic_rmw xchg %v, %row[%c0] ordering(relaxed) scope(subgroup) : memref<4xi32, strided<[1], offset: 4>>
  xpu.return
}
