// What xpu-compile writes for a GPU is launched there, from any folder.

// REQUIRES: cuda

// RUN: rm -rf %t && mkdir -p %t/out
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o %t/out/k.ptx
// RUN: mv %t/out %t/moved
// RUN: xpu-launch %t/moved/k.json --kernel count --target cuda --threads 1000 \
// RUN:   --arg zeros:4xi32 --arg 1000:i32 --print 0 --expect 0=fill(250):4xi32 | FileCheck %s
// RUN: xpu-run %s --kernel count --target cuda --threads 1000 \
// RUN:   --arg zeros:4xi32 --arg 1000:i32 --print 0 | FileCheck %s
// CHECK: 0: [250, 250, 250, 250]

xpu.kernel @count(%counts: memref<?xi32>, %n: i32) workgroup_size(64, 1, 1) {
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : index
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %slot = arith.remui %i, %four : index
    %old = xpu.atomic_rmw add %one, %counts[%slot] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.return
}
