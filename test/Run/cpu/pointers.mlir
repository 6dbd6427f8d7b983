// Kernels that take pointers: any buffer can be given for one.
//
// RUN: xpu-run %s --target cpu --kernel count --threads 1000 --arg zeros:8xi32 --arg 1:i32 --expect '0=[125,125,125,125,125,125,125,125]:i32'
// RUN: xpu-run %s --target cpu --kernel bytes --threads 1000 --arg '[9,0,0,0,0,9]:i8' --print 0 | FileCheck %s --check-prefix=BYTES
// RUN: xpu-run %s --target cpu --kernel halves --threads 1000 --arg '[1.5,0,0,2.5]:f16' --print 0 | FileCheck %s --check-prefix=HALVES
// RUN: xpu-run %s --target cpu --kernel upstream --threads 100 --arg zeros:2xi64 --expect '0=[0,4950]:i64'
// RUN: xpu-run %s --target cpu --kernel groups --threads 128 --arg zeros:2xi32 --expect '0=[64,64]:i32'
// RUN: not xpu-run %s --target cpu --kernel count --threads 8 --arg 7:i32 --arg 1:i32 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: xpu-compile %s --target cpu --emit asm -o /dev/null --manifest %t.json
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file %t.json
// RUN: not xpu-compile %s --target vulkan:1.3 --emit asm -o - 2>&1 | FileCheck %s --check-prefix=VULKAN

// SCALAR: argument 0 of kernel "count": a buffer is wanted for the pointer, not the scalar 7:i32: a buffer is [7]:i32 or zeros:256xi32

// MANIFEST: "pointer": {
// MANIFEST-NEXT: "address_space": 1,
// MANIFEST-NEXT: "memory": "unspecified",
// MANIFEST-NEXT: "relies_on_device_local": false

// VULKAN: pointers.mlir:[[#]]:{{[0-9]+}}: error: 'xpu.atomic_rmw' op goes through a pointer of type '!llvm.ptr<1>', which target 'vulkan:1.3' cannot do: Logical SPIR-V has no pointers of a program's own; use a memref

func.func @add(%p: !llvm.ptr<1>, %n: i64, %v: i32) -> i32 {
  %e = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %old = xpu.atomic_rmw add %v, %e ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
  return %old : i32
}

xpu.kernel @count(%p: !llvm.ptr<1>, %v: i32) workgroup_size(100, 1, 1) {
  %i = xpu.global_id x
  %eight = arith.constant 8 : index
  %at = arith.remui %i, %eight : index
  %n = arith.index_cast %at : index to i64
  %old = func.call @add(%p, %n, %v) : (!llvm.ptr<1>, i64, i32) -> i32
  xpu.return
}

// 250 times each, of bytes that begin nowhere in particular: neighbours stay.
// BYTES: 0: [9, -6, -6, -6, -6, 9]
xpu.kernel @bytes(%p: !llvm.ptr) workgroup_size(100, 1, 1) {
  %i = xpu.global_id x
  %four = arith.constant 4 : index
  %one = arith.constant 1 : i8
  %at = arith.remui %i, %four : index
  %n = arith.index_cast %at : index to i64
  %first = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %e = llvm.getelementptr %first[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %old = xpu.atomic_rmw add %one, %e ordering(acq_rel) scope(device) : !llvm.ptr, i8
  xpu.return
}

// HALVES: 0: [1.5, 500.0, -500.0, 2.5]
xpu.kernel @halves(%p: !llvm.ptr<1>) workgroup_size(100, 1, 1) {
  %i = xpu.global_id x
  %two = arith.constant 2 : index
  %one = arith.constant 1.0 : f16
  %at = arith.remui %i, %two : index
  %n = arith.index_cast %at : index to i64
  %first = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
  %minus = arith.negf %one : f16
  %zero = arith.constant 0 : index
  %even = arith.cmpi eq, %at, %zero : index
  %v = arith.select %even, %one, %minus : f16
  %e = llvm.getelementptr %first[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  %old = xpu.atomic_rmw fadd %v, %e : !llvm.ptr<1>, f16
  xpu.return
}

xpu.kernel @upstream(%p: !ptr.ptr<#ptr.generic_space>) workgroup_size(10, 1, 1) {
  %i = xpu.global_id x
  %n = arith.index_cast %i : index to i64
  %eight = arith.constant 8 : index
  %e = ptr.ptr_add %p, %eight : !ptr.ptr<#ptr.generic_space>, index
  %old = xpu.atomic_rmw add %n, %e ordering(relaxed) : !ptr.ptr<#ptr.generic_space>, i64
  xpu.return
}

// A pointer to workgroup memory, and a private one.
xpu.kernel @groups(%p: !llvm.ptr<1>) workgroup_size(64, 1, 1) {
  %l = xpu.local_id x
  %g = xpu.group_id x
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  %leads = arith.cmpi eq, %l, %c0 : index
  scf.if %leads {
    memref.store %zero, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %own = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  xpu.atomic_store %one, %own : !llvm.ptr, i32
  %number = memref.extract_aligned_pointer_as_index %s : memref<1xi32, #gpu.address_space<workgroup>> -> index
  %word = arith.index_cast %number : index to i64
  %q = llvm.inttoptr %word : i64 to !llvm.ptr<3>
  %v = xpu.atomic_load %own : !llvm.ptr, i32
  %old = xpu.atomic_rmw add %v, %q : !llvm.ptr<3>, i32
  xpu.barrier
  scf.if %leads {
    %sum = memref.load %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %n = arith.index_cast %g : index to i64
    %e = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    xpu.atomic_store %sum, %e : !llvm.ptr<1>, i32
  }
  xpu.return
}
