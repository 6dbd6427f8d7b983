// --check-bounds: an index outside of a memref ends the launch at the access, before it; what is inside is not affected.
//
// Exit status 1, and the place.
// DEFINE: %{arguments} =
// DEFINE: %{run} = sh -c 'xpu-run %s --target cpu --check-bounds %{arguments}; echo status $?' 2>&1 | FileCheck %s --check-prefix
//
// Every element of every buffer, at its two ends.
// RUN: xpu-run %s --kernel all --target cpu --check-bounds --groups 4 --arg zeros:256xi32 --arg zeros:4x64xi16 --expect 0=iota:256xi32 \
// RUN:   --expect 1=fill(1):4x64xi16
// RUN: xpu-run %s --kernel last --target cpu --check-bounds --groups 1 --arg zeros:5x7xf32 --arg 4:index --arg 6:index
// RUN: xpu-run %s --kernel none --target cpu --check-bounds --threads 0 --arg zeros:0xi32

// REDEFINE: %{arguments} = --kernel all --groups 5 --arg zeros:256xi32 --arg zeros:4x64xi16
// RUN: %{run}=ALL
// ALL: error: kernel "all": out of bounds: index 256 in dimension 0 of size 256, at {{.*}}bounds.mlir:[[#@LINE+9]]:3, in memref.store,
// ALL-SAME: work-item (0, 0, 0) of group (4, 0, 0)
// ALL: status 1
xpu.kernel @all(%m: memref<?xi32>, %n: memref<?x64xi16>) workgroup_size(64, 1, 1) {
  %one = arith.constant 1 : i16
  %i = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %v = arith.index_cast %i : index to i32
  memref.store %v, %m[%i] : memref<?xi32>
  %old = xpu.atomic_rmw add %one, %n[%g, %l] : memref<?x64xi16>
  xpu.return
}

// REDEFINE: %{arguments} = --kernel last --groups 1 --arg zeros:5x7xf32 --arg 5:index --arg 6:index
// RUN: %{run}=ROW
// ROW: error: kernel "last": out of bounds: index 5 in dimension 0 of size 5, at {{.*}}bounds.mlir:[[#@LINE+8]]:8, in memref.load
// ROW: status 1
// REDEFINE: %{arguments} = --kernel last --groups 1 --arg zeros:5x7xf32 --arg 4:index --arg 7:index
// RUN: %{run}=COLUMN
// In memory there is such an element: that of the next row.
// COLUMN: error: kernel "last": out of bounds: index 7 in dimension 1 of size 7, at {{.*}}bounds.mlir:[[#@LINE+3]]:8, in memref.load
// COLUMN: status 1
xpu.kernel @last(%m: memref<?x?xf32>, %i: index, %j: index) workgroup_size(1, 1, 1) {
  %v = memref.load %m[%i, %j] : memref<?x?xf32>
  memref.store %v, %m[%i, %j] : memref<?x?xf32>
  xpu.return
}

// REDEFINE: %{arguments} = --kernel negative --groups 1 --arg zeros:4xi64 --arg -1:index
// RUN: %{run}=NEGATIVE
// NEGATIVE: error: kernel "negative": out of bounds: index -1 in dimension 0 of size 4, at {{.*}}bounds.mlir:[[#@LINE+4]]:10, in xpu.atomic_rmw
// NEGATIVE: status 1
xpu.kernel @negative(%m: memref<?xi64>, %i: index) workgroup_size(1, 1, 1) {
  %one = arith.constant 1 : i64
  %old = xpu.atomic_rmw add %one, %m[%i] : memref<?xi64>
  xpu.return
}

// Each kind of access.
// REDEFINE: %{arguments} = --kernel accesses --groups 1 --arg zeros:4xi32 --arg 0:i32 --arg 4:index
// RUN: %{run}=CAS
// CAS: out of bounds: index 4 in dimension 0 of size 4, at {{.*}}, in xpu.cas, work-item (0, 0, 0) of group (0, 0, 0)
// CAS: status 1
// REDEFINE: %{arguments} = --kernel accesses --groups 1 --arg zeros:4xi32 --arg 1:i32 --arg 4:index
// RUN: %{run}=LOAD
// LOAD: out of bounds: index 4 in dimension 0 of size 4, at {{.*}}, in xpu.atomic_load,
// LOAD: status 1
// REDEFINE: %{arguments} = --kernel accesses --groups 1 --arg zeros:4xi32 --arg 2:i32 --arg 4:index
// RUN: %{run}=STORE
// STORE: out of bounds: index 4 in dimension 0 of size 4, at {{.*}}, in xpu.atomic_store,
// STORE: status 1
// REDEFINE: %{arguments} = --kernel accesses --groups 1 --arg zeros:4xi32 --arg 3:i32 --arg 4:index
// RUN: %{run}=MEMREF
// MEMREF: out of bounds: index 4 in dimension 0 of size 4, at {{.*}}, in xpu.atomic_rmw,
// MEMREF: status 1
// REDEFINE: %{arguments} = --kernel accesses --groups 1 --arg zeros:4xi32 --arg 4:i32 --arg 4:index
// RUN: %{run}=GENERIC
// GENERIC: out of bounds: index 4 in dimension 0 of size 4, at {{.*}}, in xpu.atomic_load,
// GENERIC: status 1
// REDEFINE: %{arguments} = --kernel accesses --groups 1 --arg zeros:4xi32 --arg 5:i32 --arg 4:index
// RUN: %{run}=AFFINE
// AFFINE: out of bounds: index 4 in dimension 0 of size 4, at {{.*}}, in memref.load,
// AFFINE: status 1
xpu.kernel @accesses(%m: memref<?xi32>, %which: i32, %i: index) workgroup_size(1, 1, 1) {
  %one = arith.constant 1 : i32
  %w = arith.index_cast %which : i32 to index
  scf.index_switch %w
  case 0 {
    %0 = xpu.cas %one, %one, %m[%i] : memref<?xi32>
    scf.yield
  }
  case 1 {
    %0 = xpu.atomic_load %m[%i] : memref<?xi32>
    scf.yield
  }
  case 2 {
    xpu.atomic_store %one, %m[%i] : memref<?xi32>
    scf.yield
  }
  case 3 {
    %0 = memref.atomic_rmw addi %one, %m[%i] : (i32, memref<?xi32>) -> i32
    scf.yield
  }
  case 4 {
    %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
    ^bb0(%x: i32):
      %y = arith.muli %x, %x : i32
      memref.atomic_yield %y : i32
    }
    scf.yield
  }
  default {
    affine.for %k = 3 to 6 {
      %0 = affine.load %m[%k] : memref<?xi32>
      %1 = arith.addi %0, %one : i32
    }
  }
  xpu.return
}

// In a function, of its own buffer: the extent is that of the view.
// REDEFINE: %{arguments} = --kernel calls --groups 2 --arg zeros:8xi32 --arg 2:index
// RUN: %{run}=CALL
// CALL: error: kernel "calls": out of bounds: index 2 in dimension 0 of size 2, at {{.*}}bounds.mlir:[[#@LINE+7]]:10, in xpu.atomic_rmw,
// CALL-SAME: work-item (0, 0, 0) of group ({{[01]}}, 0, 0)
// CALL: status 1
// RUN: xpu-run %s --kernel calls --target cpu --check-bounds --groups 2 --arg zeros:8xi32 --arg 1:index \
// RUN:   --expect 0='[0,0,0,0,2,0,0,0]:i32'
func.func @add(%m: memref<?xi32, strided<[1], offset: ?>>, %i: index) {
  %one = arith.constant 1 : i32
  %old = xpu.atomic_rmw add %one, %m[%i] : memref<?xi32, strided<[1], offset: ?>>
  return
}
xpu.kernel @calls(%m: memref<?xi32>, %i: index) workgroup_size(1, 1, 1) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %some = memref.subview %m[%c3] [%c2] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: ?>>
  func.call @add(%some, %i) : (memref<?xi32, strided<[1], offset: ?>>, index) -> ()
  xpu.return
}

// In workgroup and in private memory, and after a barrier, in the middle of a group.
// REDEFINE: %{arguments} = --kernel inside --groups 1 --arg zeros:64xi32 --arg 40:index
// RUN: %{run}=SHARED
// SHARED: error: kernel "inside": out of bounds: index 41 in dimension 0 of size 41, at {{.*}}bounds.mlir:[[#@LINE+16]]:5,
// SHARED-SAME: in memref.store, work-item (41, 0, 0) of group (0, 0, 0)
// SHARED: status 1
// REDEFINE: %{arguments} = --kernel inside --groups 1 --arg zeros:64xi32 --arg 3:index
// RUN: %{run}=PRIVATE
// PRIVATE: error: kernel "inside": out of bounds: index 3 in dimension 0 of size 3, at {{.*}}bounds.mlir:[[#@LINE+13]]:10, in memref.load
// PRIVATE: status 1
xpu.kernel @inside(%m: memref<?xi32>, %i: index) workgroup_size(64, 1, 1) {
  %c40 = arith.constant 40 : index
  %s = xpu.shared : memref<41xi32, #gpu.address_space<workgroup>>
  %own = memref.alloca() : memref<3xi32>
  %l = xpu.local_id x
  %v = arith.index_cast %l : index to i32
  %all = arith.cmpi eq, %i, %c40 : index
  xpu.barrier
  scf.if %all {
    memref.store %v, %s[%l] : memref<41xi32, #gpu.address_space<workgroup>>
  } else {
    %x = memref.load %own[%i] : memref<3xi32>
    memref.store %x, %m[%l] : memref<?xi32>
  }
  xpu.return
}

xpu.kernel @none(%m: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xi32>
  memref.store %v, %m[%c0] : memref<?xi32>
  xpu.return
}
