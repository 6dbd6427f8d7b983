// RUN: xpu-opt %s --convert-xpu-to-nvvm -split-input-file | FileCheck %s

// Private memory that a choice hides is asked for at run time, and accessed plainly.

// CHECK-LABEL: llvm.func @choice
// CHECK:         %[[S:.*]] = arith.select
// CHECK:         %[[D:.*]] = builtin.unrealized_conversion_cast %[[S]]
// CHECK:         %[[P:.*]] = llvm.extractvalue %[[D]][1]
// CHECK:         %[[LOCAL:.*]] = llvm.call_intrinsic "llvm.nvvm.isspacep.local"(%[[P]]) : (!llvm.ptr) -> i1
// CHECK:         %[[OLD:.*]] = scf.if %[[LOCAL]] -> (i32) {
// CHECK:           %[[A:.*]] = memref.load %[[S]]
// CHECK:           arith.addi %[[A]]
// CHECK:           memref.store %{{.*}}, %[[S]]
// CHECK:           scf.yield %[[A]]
// CHECK:         } else {
// CHECK:           "atom.acq_rel.sys.global.add.u32
// CHECK:         memref.store %[[OLD]]
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @choice(%q: memref<4xi32>, %i: index, %b: i1, %v: i32) kernel {
    %m = memref.alloca() : memref<4xi32>
    %s = arith.select %b, %m, %q : memref<4xi32>
    %0 = xpu.atomic_rmw add %v, %s[%i] ordering(acq_rel) scope(system) : memref<4xi32>
    memref.store %0, %q[%i] : memref<4xi32>
    gpu.return
  }
}

// -----

// A call, and a view of what a loop carries on. Results that nobody uses stay so.

// CHECK-LABEL: func.func @bump
// CHECK:         "llvm.nvvm.isspacep.local"
// CHECK:         scf.if %{{[^ ]*}} {
// CHECK:         } else {
// CHECK:           "red.relaxed.gpu.global.add.u32
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @bump(%m: memref<?xi32>, %i: index, %v: i32) {
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    return
  }
  gpu.func @k(%q: memref<4xi32>, %i: index, %v: i32) kernel {
    %m = memref.alloca() : memref<4xi32>
    %r = scf.for %k = %i to %i step %i iter_args(%x = %q) -> memref<4xi32> {
      scf.yield %m : memref<4xi32>
    }
    %c = memref.cast %r : memref<4xi32> to memref<?xi32>
    func.call @bump(%c, %i, %v) : (memref<?xi32>, index, i32) -> ()
    gpu.return
  }
}

// -----

// The memory space that a cast hides is given back.

// CHECK-LABEL: llvm.func @cast
// CHECK:         %[[NAMED:.*]] = memref.memory_space_cast %{{.*}} : memref<2xi32, strided<[1]>> to memref<2xi32, strided<[1]>, 3>
// CHECK:         builtin.unrealized_conversion_cast %[[NAMED]]
// CHECK:         "atom.acquire.cta.shared.add.u32
// CHECK-NOT:     isspacep
// CHECK:         llvm.return
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @cast(%i: index, %v: i32) workgroup(%s: memref<4xi32, #gpu.address_space<workgroup>>) kernel {
    %g = memref.memory_space_cast %s : memref<4xi32, #gpu.address_space<workgroup>> to memref<4xi32>
    %w = memref.subview %g[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
    %0 = xpu.atomic_rmw add %v, %w[%i] ordering(acquire) scope(workgroup) : memref<2xi32, strided<[1]>>
    gpu.return
  }
}

// -----

// Both may be handed to one function.

// CHECK-LABEL: func.func @swap
// CHECK-DAG:     "llvm.nvvm.isspacep.local"
// CHECK-DAG:     "llvm.nvvm.isspacep.shared"
// CHECK-DAG:     llvm.cmpxchg {{.*}} !llvm.ptr<3>, i32
// CHECK-DAG:     llvm.cmpxchg {{.*}} !llvm.ptr<1>, i32
// CHECK:         return
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @swap(%m: memref<4xi32>, %i: index, %v: i32) -> i32 {
    %0 = xpu.cas %v, %v, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<4xi32>
    return %0 : i32
  }
  gpu.func @k(%q: memref<4xi32>, %i: index, %v: i32) workgroup(%s: memref<4xi32, #gpu.address_space<workgroup>>) kernel {
    %m = memref.alloca() : memref<4xi32>
    %g = memref.memory_space_cast %s : memref<4xi32, #gpu.address_space<workgroup>> to memref<4xi32>
    %0 = func.call @swap(%m, %i, %v) : (memref<4xi32>, index, i32) -> i32
    %1 = func.call @swap(%g, %i, %v) : (memref<4xi32>, index, i32) -> i32
    %2 = func.call @swap(%q, %i, %v) : (memref<4xi32>, index, i32) -> i32
    gpu.return
  }
}

// -----

// Nothing is hidden here: the private memory is of another type, and never where the atomic is.

// CHECK-LABEL: llvm.func @apart
// CHECK-NOT:     isspacep
// CHECK:         llvm.return
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @read(%m: memref<8xi32>, %i: index) -> i32 {
    %0 = memref.load %m[%i] : memref<8xi32>
    return %0 : i32
  }
  gpu.func @apart(%p: memref<4xi32>, %q: memref<4xi32>, %i: index, %b: i1) kernel {
    %m = memref.alloca() : memref<8xi32>
    %v = func.call @read(%m, %i) : (memref<8xi32>, index) -> i32
    %s = arith.select %b, %p, %q : memref<4xi32>
    %0 = xpu.atomic_rmw add %v, %s[%i] ordering(relaxed) scope(device) : memref<4xi32>
    gpu.return
  }
}
