// RUN: xpu-opt %s --convert-xpu-to-nvvm -split-input-file | FileCheck %s

// LLVM's own atomics where LLVM 22 prints the right instruction: relaxed at the scope of the device, swaps, loads and
// stores. Else text, with ordering, scope and state space.

// CHECK-LABEL: func.func @updates
// CHECK:         %[[AT:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:    llvm.atomicrmw add %[[AT]], %{{.*}} syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
// CHECK:         llvm.inline_asm has_side_effects {{.*}} "atom.relaxed.sys.global.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"
// CHECK:         llvm.inline_asm has_side_effects {{.*}} "atom.acq_rel.cta.global.max.s32 $0, [$1], $2;", "=r,l,r,~{memory}"
// CHECK:         llvm.fence syncscope("device") seq_cst
// CHECK-NEXT:    llvm.inline_asm has_side_effects {{.*}} "atom.acquire.gpu.global.exch.b32 $0, [$1], $2;", "=r,l,r,~{memory}"
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @updates(%m: memref<?xi32>, %i: index, %v: i32) -> (i32, i32, i32, i32) {
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    %1 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(system) : memref<?xi32>
    %2 = xpu.atomic_rmw smax %v, %m[%i] ordering(acq_rel) scope(workgroup) : memref<?xi32>
    %3 = xpu.atomic_rmw xchg %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
    return %0, %1, %2, %3 : i32, i32, i32, i32
  }
}

// -----

// CHECK-LABEL: func.func @unused
// CHECK:         llvm.inline_asm has_side_effects {{.*}} "red.release.gpu.global.add.u32 [$0], $1;", "l,r,~{memory}" %{{.*}} : (!llvm.ptr<1>, i32) -> ()
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @unused(%m: memref<?xi32>, %i: index, %v: i32) {
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
    return
  }
}

// -----

// After an acquiring load, empty text holds LLVM's code generation back: it would move plain accesses up across it.

// CHECK-LABEL: func.func @others
// CHECK:         llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} syncscope("block") acq_rel acquire {alignment = 4 : i64} : !llvm.ptr<1>, i32
// CHECK:         llvm.fence seq_cst
// CHECK:         llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acquire monotonic {alignment = 4 : i64}
// CHECK:         llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NOT:     llvm.inline_asm
// CHECK:         llvm.fence syncscope("device") seq_cst
// CHECK-NEXT:    llvm.load %{{.*}} atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NEXT:    llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK:         llvm.fence seq_cst
// CHECK-NEXT:    llvm.store %{{.*}}, %{{.*}} atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @others(%m: memref<?xi32>, %i: index, %v: i32) -> (i32, i32, i32) {
    %0 = xpu.cas %v, %v, %m[%i] ordering(acq_rel) failure(acquire) scope(subgroup) : memref<?xi32>
    %1 = xpu.cas %v, %v, %m[%i] ordering(seq_cst) failure(relaxed) scope(system) : memref<?xi32>
    %2 = xpu.atomic_load %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    %3 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
    xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>
    return %1, %2, %3 : i32, i32, i32
  }
}

// -----

// The constraint letters of each type; a half is passed by its bits, and swaps, loads and stores take bits.

// CHECK-LABEL: func.func @types
// CHECK:         "atom.acquire.gpu.global.add.u64 $0, [$1], $2;", "=l,l,l,~{memory}"
// CHECK:         %[[H:.*]] = llvm.bitcast %{{.*}} : f16 to i16
// CHECK:         "atom.acquire.gpu.global.add.noftz.f16 $0, [$1], $2;", "=h,l,h,~{memory}" %{{.*}}, %[[H]] : (!llvm.ptr<1>, i16) -> i16
// CHECK:         "atom.acquire.gpu.global.add.noftz.bf16 $0, [$1], $2;", "=h,l,h,~{memory}"
// CHECK:         "atom.acquire.gpu.global.add.f32 $0, [$1], $2;", "=f,l,f,~{memory}" %{{.*}} : (!llvm.ptr<1>, f32) -> f32
// CHECK:         "atom.acquire.gpu.global.add.f64 $0, [$1], $2;", "=d,l,d,~{memory}" %{{.*}} : (!llvm.ptr<1>, f64) -> f64
// CHECK:         %[[X:.*]] = llvm.bitcast %{{.*}} : f32 to i32
// CHECK:         "atom.acquire.gpu.global.exch.b32 $0, [$1], $2;", "=r,l,r,~{memory}" %{{.*}}, %[[X]] : (!llvm.ptr<1>, i32) -> i32
// CHECK:         llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK-NEXT:    llvm.bitcast %{{.*}} : i16 to f16
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @types(%l: memref<?xi64>, %h: memref<?xf16>, %b: memref<?xbf16>, %f: memref<?xf32>, %d: memref<?xf64>, %i: index,
                   %vl: i64, %vh: f16, %vb: bf16, %vf: f32, %vd: f64) -> f16 {
    %0 = xpu.atomic_rmw add %vl, %l[%i] ordering(acquire) scope(device) : memref<?xi64>
    %1 = xpu.atomic_rmw fadd %vh, %h[%i] ordering(acquire) scope(device) : memref<?xf16>
    %2 = xpu.atomic_rmw fadd %vb, %b[%i] ordering(acquire) scope(device) : memref<?xbf16>
    %3 = xpu.atomic_rmw fadd %vf, %f[%i] ordering(acquire) scope(device) denormals(flush) : memref<?xf32>
    %4 = xpu.atomic_rmw fadd %vd, %d[%i] ordering(acquire) scope(device) : memref<?xf64>
    %5 = xpu.atomic_rmw xchg %vf, %f[%i] ordering(acquire) scope(device) : memref<?xf32>
    %6 = xpu.atomic_load %h[%i] ordering(relaxed) scope(device) : memref<?xf16>
    return %6 : f16
  }
}

// -----

// PTX has no fences of one side before sm_90; a fence of one work-item is empty text.

// CHECK-LABEL: func.func @fences
// CHECK-NEXT:    llvm.fence syncscope("block") acq_rel
// CHECK-NEXT:    llvm.fence syncscope("device") acq_rel
// CHECK-NEXT:    llvm.fence acq_rel
// CHECK-NEXT:    llvm.fence syncscope("block") seq_cst
// CHECK-NEXT:    llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @fences() {
    xpu.fence ordering(acquire) scope(subgroup)
    xpu.fence ordering(release) scope(device)
    xpu.fence ordering(acq_rel) scope(system)
    xpu.fence ordering(seq_cst) scope(workgroup)
    xpu.fence ordering(seq_cst) scope(workitem)
    return
  }
}

// -----

// The address is that of a store to the same element.

// CHECK-LABEL: func.func @strided
// CHECK:         %[[D:.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<4x?xi32, strided<[?, 2], offset: 5>, 3>
// CHECK:         %[[BASE:.*]] = llvm.extractvalue %[[D]][1] : {{.*}}ptr<3>
// CHECK:         %[[OFFSET:.*]] = llvm.mlir.constant(5 : i64)
// CHECK:         %[[STRIDE:.*]] = llvm.extractvalue %[[D]][4, 0]
// CHECK:         %[[ROW:.*]] = llvm.mul %{{.*}}, %[[STRIDE]]
// CHECK:         llvm.add %[[OFFSET]], %[[ROW]]
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[BASE]]
// CHECK-NEXT:    "atom.acquire.cta.shared.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}" %[[AT]], %{{.*}} : (!llvm.ptr<3>, i32) -> i32
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @strided(%m: memref<4x?xi32, strided<[?, 2], offset: 5>, #gpu.address_space<workgroup>>, %i: index, %v: i32) {
    %0 = xpu.atomic_rmw add %v, %m[%i, %i] ordering(acquire) scope(workgroup) : memref<4x?xi32, strided<[?, 2], offset: 5>, #gpu.address_space<workgroup>>
    return
  }
}

// -----

// Mathematics that PTX has does not go to libdevice.

// CHECK-LABEL: func.func @mathematics
// CHECK-NEXT:    llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (f32) -> f32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.fma"(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, f32, f32) -> f32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.minnum"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK-NEXT:    %[[FALSE:.*]] = llvm.mlir.constant(false) : i1
// CHECK-NEXT:    llvm.call_intrinsic "llvm.ctlz"(%{{.*}}, %[[FALSE]]) : (i32, i1) -> i32
// CHECK-NEXT:    math.sin
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @mathematics(%v: f32, %n: i32) -> (f32, i32) {
    %0 = math.sqrt %v : f32
    %1 = math.fma %0, %v, %v : f32
    %2 = arith.minnumf %1, %v : f32
    %3 = math.ctlz %n : i32
    %4 = math.sin %2 : f32
    return %4, %3 : f32, i32
  }
}

// -----

// Modules of other targets are left alone.

// CHECK-LABEL: gpu.module @cpu
// CHECK:         xpu.fence
gpu.module @cpu attributes {xpu.cpu_target} {
  func.func @other() {
    xpu.fence ordering(acquire) scope(device)
    return
  }
}

// -----

// A memref of a pointer has its address; a generic one names no state space.

// CHECK-LABEL: func.func @pointers
// CHECK:         llvm.inline_asm has_side_effects {{.*}} "atom.acq_rel.gpu.global.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}" %{{.*}} : (!llvm.ptr<1>, i32) -> i32
// CHECK:         llvm.inline_asm has_side_effects {{.*}} "atom.acq_rel.gpu.shared.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}" %{{.*}} : (!llvm.ptr<3>, i32) -> i32
// CHECK:         llvm.inline_asm has_side_effects {{.*}} "atom.acq_rel.gpu.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}" %{{.*}} : (!llvm.ptr, i32) -> i32
// CHECK:         llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @pointers(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %r: !llvm.ptr, %v: i32) -> (i32, i32, i32, i32) {
    %zero = arith.constant 0 : index
    %a = xpu.reinterpret %p : !llvm.ptr<1> to memref<1xi32>
    %0 = xpu.atomic_rmw add %v, %a[%zero] ordering(acq_rel) scope(device) : memref<1xi32>
    %b = xpu.reinterpret %q : !llvm.ptr<3> to memref<1xi32, 3>
    %1 = xpu.atomic_rmw add %v, %b[%zero] ordering(acq_rel) scope(device) : memref<1xi32, 3>
    %c = xpu.reinterpret %r : !llvm.ptr to memref<1xi32, #ptr.generic_space>
    %2 = xpu.atomic_rmw add %v, %c[%zero] ordering(acq_rel) scope(device) : memref<1xi32, #ptr.generic_space>
    %3 = xpu.atomic_load %c[%zero] ordering(relaxed) scope(device) : memref<1xi32, #ptr.generic_space>
    return %0, %1, %2, %3 : i32, i32, i32, i32
  }
}
