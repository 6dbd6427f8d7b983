// RUN: xpu-opt %s --xpu-assign-scope | FileCheck %s

// By address space; one without, by what the pointer comes from.

// CHECK-LABEL: func.func @spaces(
func.func @spaces(%generic: !llvm.ptr, %one: !llvm.ptr<1>, %three: !llvm.ptr<3>, %five: !llvm.ptr<5>,
                  %a: !ptr.ptr<#ptr.generic_space>, %b: !ptr.ptr<#llvm.address_space<3>>,
                  %c: !ptr.ptr<#nvvm.memory_space<shared>>, %v: i32) {
  // CHECK: scope(device) : !llvm.ptr, i32
  xpu.atomic_store %v, %generic : !llvm.ptr, i32
  // CHECK: scope(device) : !llvm.ptr<1>, i32
  xpu.atomic_store %v, %one : !llvm.ptr<1>, i32
  // CHECK: scope(workgroup) : !llvm.ptr<3>, i32
  xpu.atomic_store %v, %three : !llvm.ptr<3>, i32
  // CHECK: scope(workitem) : !llvm.ptr<5>, i32
  xpu.atomic_store %v, %five : !llvm.ptr<5>, i32
  // CHECK: scope(device) : !ptr.ptr<#ptr.generic_space>, i32
  xpu.atomic_store %v, %a : !ptr.ptr<#ptr.generic_space>, i32
  // CHECK: scope(workgroup) : !ptr.ptr<#llvm.address_space<3>>, i32
  xpu.atomic_store %v, %b : !ptr.ptr<#llvm.address_space<3>>, i32
  // CHECK: scope(workgroup) : !ptr.ptr<#nvvm.memory_space<shared>>, i32
  xpu.atomic_store %v, %c : !ptr.ptr<#nvvm.memory_space<shared>>, i32
  // A scope that is there stays.
  // CHECK: scope(system) : !llvm.ptr<3>, i32
  xpu.atomic_store %v, %three scope(system) : !llvm.ptr<3>, i32
  return
}

// CHECK-LABEL: gpu.func @origins(
gpu.module @m {
  gpu.func @origins(%one: !llvm.ptr<1>, %three: !llvm.ptr<3>, %n: i64, %v: i32)
      workgroup(%s: memref<4xi32, #gpu.address_space<workgroup>>) kernel {
    %size = llvm.mlir.constant(4 : i32) : i32
    // CHECK: llvm.alloca
    %own = llvm.alloca %size x i32 : (i32) -> !llvm.ptr
    %element = llvm.getelementptr %own[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    // CHECK: scope(workitem) : !llvm.ptr, i32
    xpu.atomic_store %v, %element : !llvm.ptr, i32
    %five = llvm.alloca %size x i32 : (i32) -> !llvm.ptr<5>
    %cast = llvm.addrspacecast %five : !llvm.ptr<5> to !llvm.ptr
    // CHECK: scope(workitem) : !llvm.ptr, i32
    xpu.atomic_store %v, %cast : !llvm.ptr, i32
    %shared = llvm.addrspacecast %three : !llvm.ptr<3> to !llvm.ptr
    %moved = llvm.getelementptr %shared[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    // CHECK: scope(workgroup) : !llvm.ptr, i32
    xpu.atomic_store %v, %moved : !llvm.ptr, i32
    %global = llvm.addrspacecast %one : !llvm.ptr<1> to !llvm.ptr
    // CHECK: scope(device) : !llvm.ptr, i32
    xpu.atomic_store %v, %global : !llvm.ptr, i32
    // Of memrefs.
    %number = memref.extract_aligned_pointer_as_index %s : memref<4xi32, #gpu.address_space<workgroup>> -> index
    %word = arith.index_cast %number : index to i64
    %pointer = llvm.inttoptr %word : i64 to !llvm.ptr
    // CHECK: scope(workgroup) : !llvm.ptr, i32
    xpu.atomic_store %v, %pointer : !llvm.ptr, i32
    %alloca = memref.alloca() : memref<4xi32>
    %number2 = memref.extract_aligned_pointer_as_index %alloca : memref<4xi32> -> index
    %word2 = arith.index_castui %number2 : index to i64
    %pointer2 = llvm.inttoptr %word2 : i64 to !llvm.ptr
    // CHECK: scope(workitem) : !llvm.ptr, i32
    xpu.atomic_store %v, %pointer2 : !llvm.ptr, i32
    gpu.return
  }
}

// The memory of a function of the host may be shared, by the iterations of a loop.
// CHECK-LABEL: func.func @host(
func.func @host(%v: i32) {
  %size = llvm.mlir.constant(4 : i32) : i32
  %stack = llvm.alloca %size x i32 : (i32) -> !llvm.ptr
  // CHECK: scope(device) : !llvm.ptr, i32
  xpu.atomic_store %v, %stack : !llvm.ptr, i32
  return
}

// CHECK-LABEL: func.func @ptr(
func.func @ptr(%p: !ptr.ptr<#llvm.address_space<3>>, %i: index, %v: i32) {
  %q = ptr.ptr_add %p, %i : !ptr.ptr<#llvm.address_space<3>>, index
  // CHECK: scope(workgroup) : !ptr.ptr<#llvm.address_space<3>>, i32
  xpu.atomic_store %v, %q : !ptr.ptr<#llvm.address_space<3>>, i32
  return
}
