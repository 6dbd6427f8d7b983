// A sum of floats keeps subnormals, of memory, of the operand and of the result, whatever the chip's instruction does with them:
// bit for bit, in global memory and in the group's, through memrefs and through pointers, with the result used and not.
//
// REQUIRES: amdgpu
//
// The last three operands are large enough for the instruction on every chip, the one before them is just too small.
// DEFINE: %{memory} = '[0x00000001,0x00800000,0x00800001,0x807fffff,0x00000001,0x00000000,0x80000003,0x0d000000,0x00000001,0x7f800000]:f32'
// DEFINE: %{values} = '[0x00000002,0x80000001,0x80800000,0x80000001,0x80000001,0x00400000,0x0cffffff,0x8d000000,0x0d000000,0x3f800000]:f32'
// DEFINE: %{sums} = '[0x00000003,0x007fffff,0x00000001,0x80800000,0x00000000,0x00400000,0x0cffffff,0x00000000,0x0d000000,0x7f800000]:f32'
// DEFINE: %{less} = '[0x80000001,0x00800001,0x01000000,0x807ffffe,0x00000002,0x80400000,0x8cffffff,0x0d800000,0x8d000000,0x7f800000]:f32'
// DEFINE: %{kernel} = memref
// DEFINE: %{chip} = gfx1100
// DEFINE: %{run} = xpu-run %s --target amdgpu:%{chip} --kernel %{kernel} --groups 1 --arg %{memory} --arg %{values} --arg zeros:10xf32 --arg zeros:10xf32

// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}
// REDEFINE: %{chip} = gfx1151
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}
// REDEFINE: %{chip} = gfx942
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}
// REDEFINE: %{chip} = gfx950
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}
// REDEFINE: %{chip} = gfx1200
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}

// REDEFINE: %{kernel} = pointer
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}
// REDEFINE: %{chip} = gfx950
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}
// REDEFINE: %{chip} = gfx942
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}
// REDEFINE: %{chip} = gfx1151
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}
// REDEFINE: %{chip} = gfx1100
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory} --expect 3=%{sums}

// REDEFINE: %{kernel} = differences
// RUN: %{run} --expect 0=%{less} --expect 2=%{memory} --expect 3=%{less}
// REDEFINE: %{chip} = gfx942
// RUN: %{run} --expect 0=%{less} --expect 2=%{memory} --expect 3=%{less}

// Where a program allows it, the instructions of gfx11 and CDNA3 flush, and that of gfx12 does not.
// DEFINE: %{flushed} = '[0x00000000,0x00800000,0x00000001,0x80000000,0x00000000,0x00000000,0x0cffffff,0x00000000,0x0d000000,0x7f800000]:f32'
// REDEFINE: %{kernel} = flushing
// RUN: %{run} --expect 0=%{flushed} --expect 2=%{memory}
// REDEFINE: %{chip} = gfx1100
// RUN: %{run} --expect 0=%{flushed} --expect 2=%{memory}
// REDEFINE: %{chip} = gfx1200
// RUN: %{run} --expect 0=%{sums} --expect 2=%{memory}

#workgroup = #gpu.address_space<workgroup>

// The old values come back from global memory, the sums from the group's.
xpu.kernel @memref(%m: memref<10xf32>, %v: memref<10xf32>, %old: memref<10xf32>, %group: memref<10xf32>) workgroup_size(10, 1, 1) {
  %s = xpu.shared : memref<10xf32, #workgroup>
  %i = xpu.local_id x
  %x = memref.load %v[%i] : memref<10xf32>
  %a = memref.load %m[%i] : memref<10xf32>
  memref.store %a, %s[%i] : memref<10xf32, #workgroup>
  %0 = xpu.atomic_rmw fadd %x, %m[%i] ordering(relaxed) scope(device) : memref<10xf32>
  memref.store %0, %old[%i] : memref<10xf32>
  %1 = xpu.atomic_rmw fadd %x, %s[%i] ordering(relaxed) scope(workgroup) : memref<10xf32, #workgroup>
  %b = memref.load %s[%i] : memref<10xf32, #workgroup>
  memref.store %b, %group[%i] : memref<10xf32>
  xpu.return
}

// The second one's address is generic, and so is that of the third, which is in the group's memory.
xpu.kernel @pointer(%m: !llvm.ptr<1>, %v: memref<10xf32>, %old: memref<10xf32>, %group: !llvm.ptr) workgroup_size(10, 1, 1) {
  %s = xpu.shared : memref<10xf32, #workgroup>
  %i = xpu.local_id x
  %n = arith.index_cast %i : index to i64
  %x = memref.load %v[%i] : memref<10xf32>
  %p = llvm.getelementptr %m[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %q = llvm.getelementptr %group[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %a = llvm.load %p : !llvm.ptr<1> -> f32
  llvm.store %a, %q : f32, !llvm.ptr
  %0 = xpu.atomic_rmw fadd %x, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, f32
  %1 = xpu.atomic_rmw fadd %x, %q ordering(relaxed) scope(device) : !llvm.ptr, f32
  memref.store %a, %s[%i] : memref<10xf32, #workgroup>
  %at = memref.extract_aligned_pointer_as_index %s : memref<10xf32, #workgroup> -> index
  %number = arith.index_castui %at : index to i64
  %base = llvm.inttoptr %number : i64 to !llvm.ptr<3>
  %r = llvm.getelementptr %base[%n] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
  %2 = xpu.atomic_rmw fadd %x, %r ordering(relaxed) scope(workgroup) : !llvm.ptr<3>, f32
  %any = llvm.addrspacecast %r : !llvm.ptr<3> to !llvm.ptr
  %zero = arith.constant -0.0 : f32
  %3 = xpu.atomic_rmw fadd %zero, %any ordering(relaxed) scope(workgroup) : !llvm.ptr, f32
  // What the group's memory had before the last sum is what it had after the first.
  %b = arith.bitcast %3 : f32 to i32
  %c = llvm.load %q : !llvm.ptr -> i32
  %same = arith.cmpi eq, %b, %c : i32
  %mark = arith.constant 42.0 : f32
  %shown = arith.select %same, %0, %mark : f32
  memref.store %shown, %old[%i] : memref<10xf32>
  xpu.return
}

// No result is used but that of the last.
xpu.kernel @differences(%m: memref<10xf32>, %v: memref<10xf32>, %old: memref<10xf32>, %again: memref<10xf32>) workgroup_size(10, 1, 1) {
  %i = xpu.local_id x
  %x = memref.load %v[%i] : memref<10xf32>
  %a = memref.load %m[%i] : memref<10xf32>
  memref.store %a, %again[%i] : memref<10xf32>
  %0 = xpu.atomic_rmw fsub %x, %again[%i] ordering(acq_rel) scope(device) : memref<10xf32>
  %1 = xpu.atomic_rmw fsub %x, %m[%i] ordering(seq_cst) scope(device) : memref<10xf32>
  memref.store %1, %old[%i] : memref<10xf32>
  xpu.return
}

xpu.kernel @flushing(%m: memref<10xf32>, %v: memref<10xf32>, %old: memref<10xf32>, %unused: memref<10xf32>) workgroup_size(10, 1, 1) {
  %i = xpu.local_id x
  %x = memref.load %v[%i] : memref<10xf32>
  %0 = xpu.atomic_rmw fadd %x, %m[%i] ordering(relaxed) scope(device) denormals(flush) : memref<10xf32>
  memref.store %0, %old[%i] : memref<10xf32>
  xpu.return
}
