// Loops on words through pointers, which begin anywhere in a word: made for NVPTX, run here (as in nvptx-expansions.mlir). The
// bytes beside them stay.
//
// RUN: xpu-opt %s --xpu-expand-atomics | sed 's/ \[#nvvm.target.*\]/ /' > %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: xpu-run %t.mlir --kernel bytes --target cpu --groups 8 --repeat 10 --arg '[7,0,0,0,0,0,9,9]:i8' --expect 0='[7,0,64,-128,-64,0,9,9]:i8'
// RUN: xpu-run %t.mlir --kernel once --target cpu --groups 1 --arg '[0x11,0xAA,0xBB,0xCC,0xDD,0xEE,0x77,0x88]:ui8' --arg zeros:5xi8 \
// RUN:   --expect 0='[0x11,0x01,0xB3,0xFC,0x2D,0x80,0x77,0x88]:ui8' --expect 1='[0xAA,0xBB,0xCC,0xDD,0xEE]:ui8'
// RUN: xpu-run %t.mlir --kernel halves --target cpu --groups 8 --repeat 10 --arg '[5,0,0,0,6,6]:f16' --expect 0='[5,512,-512,512,6,6]:f16'
// RUN: xpu-run %t.mlir --kernel group --target cpu --groups 3 --arg zeros:3xi16 --expect 0='[64,64,64]:i16'

gpu.module @g [#nvvm.target<chip = "sm_70">] {

// Five bytes of two words, by all work-items.
// CHECK-LABEL: gpu.func @bytes
// CHECK-NOT: memref<1xi8>[
// CHECK: llvm.ptrtoint
// CHECK: xpu.cas {{.*}} : memref<1xi32, #ptr.generic_space>
gpu.func @bytes(%p: !llvm.ptr) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %five = arith.constant 5 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
  scf.for %k = %c0 to %five step %c1 {
    %v = arith.index_cast %k : index to i8
    %n = arith.index_cast %k : index to i64
    %e = llvm.getelementptr %first[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    // 512 k - 3 * 64 k = 320 k, which is 64 k modulo 256.
    %a = xpu.atomic_rmw add %v, %e ordering(acq_rel) scope(device) : !llvm.ptr, i8
    %c7 = arith.constant 7 : index
    %low = arith.andi %i, %c7 : index
    %eighth = arith.cmpi eq, %low, %c0 : index
    scf.if %eighth {
      %b = xpu.atomic_rmw sub %v, %e ordering(relaxed) scope(device) : !llvm.ptr, i8
      %c = xpu.atomic_rmw sub %v, %e ordering(relaxed) scope(device) : !llvm.ptr, i8
      %d = xpu.atomic_rmw sub %v, %e ordering(relaxed) scope(device) : !llvm.ptr, i8
    }
  }
  gpu.return
}

gpu.func @once(%p: !llvm.ptr<1>, %old: memref<5xi8>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %p0 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %p1 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %p2 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %p3 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %p4 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %aa = arith.constant 0xAA : i8
  %one = arith.constant 1 : i8
  %f0 = arith.constant 0xF0 : i8
  %b3 = arith.constant 0xB3 : i8
  %x80 = arith.constant 0x80 : i8
  %0 = xpu.cas %aa, %one, %p0 ordering(acq_rel) failure(relaxed) scope(device) : !llvm.ptr<1>, i8
  memref.store %0, %old[%c0] : memref<5xi8>
  %1 = xpu.atomic_rmw and %b3, %p1 ordering(relaxed) scope(device) : !llvm.ptr<1>, i8
  memref.store %1, %old[%c1] : memref<5xi8>
  %2 = xpu.atomic_rmw or %f0, %p2 ordering(relaxed) scope(device) : !llvm.ptr<1>, i8
  memref.store %2, %old[%c2] : memref<5xi8>
  %3 = xpu.atomic_rmw xor %f0, %p3 ordering(relaxed) scope(device) : !llvm.ptr<1>, i8
  memref.store %3, %old[%c3] : memref<5xi8>
  %4 = xpu.atomic_rmw smin %x80, %p4 ordering(seq_cst) scope(system) : !llvm.ptr<1>, i8
  memref.store %4, %old[%c4] : memref<5xi8>
  // Neither of these changes a thing.
  %5 = xpu.cas %aa, %f0, %p0 ordering(acq_rel) failure(acquire) scope(device) : !llvm.ptr<1>, i8
  %6 = xpu.atomic_load %p0 ordering(acquire) scope(device) : !llvm.ptr<1>, i8
  xpu.atomic_store %6, %p0 ordering(release) scope(device) : !llvm.ptr<1>, i8
  gpu.return
}

gpu.func @halves(%p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %one = arith.constant 1.0 : f16
  %p0 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
  %p1 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
  %p2 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
  %0 = xpu.atomic_rmw fadd %one, %p0 ordering(relaxed) scope(device) : !llvm.ptr<1>, f16
  %1 = xpu.atomic_rmw fsub %one, %p1 ordering(relaxed) scope(device) : !llvm.ptr<1>, f16
  %count = arith.constant 512.0 : f16
  %2 = xpu.atomic_rmw fmax %count, %p2 ordering(relaxed) scope(device) : !llvm.ptr<1>, f16
  gpu.return
}

// In workgroup memory.
// CHECK-LABEL: gpu.func @group
// CHECK: xpu.cas {{.*}} : memref<1xi32, 3>
gpu.func @group(%out: memref<3xi16>) workgroup(%s: memref<4xi16, #gpu.address_space<workgroup>>) kernel
    attributes {known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %g = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %leads = arith.cmpi eq, %i, %c0 : index
  scf.if %leads {
    memref.store %zero, %s[%c3] : memref<4xi16, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %number = memref.extract_aligned_pointer_as_index %s : memref<4xi16, #gpu.address_space<workgroup>> -> index
  %word = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %word : i64 to !llvm.ptr<3>
  %e = llvm.getelementptr %p[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i16
  %0 = xpu.atomic_rmw add %one, %e ordering(relaxed) scope(workgroup) : !llvm.ptr<3>, i16
  gpu.barrier
  scf.if %leads {
    %sum = memref.load %s[%c3] : memref<4xi16, #gpu.address_space<workgroup>>
    memref.store %sum, %out[%g] : memref<3xi16>
  }
  gpu.return
}

}
