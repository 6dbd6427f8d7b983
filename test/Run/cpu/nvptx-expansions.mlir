// What `xpu-expand-atomics` makes for NVPTX is operations that the CPU has too, so its meaning can be
// run here: the loops on words (report A31), and float minimum and maximum by integers with the NaNs
// that defeat them (reports A19, A23 and A29).
//
// RUN: xpu-opt %s --xpu-expand-atomics | sed 's/ \[#nvvm.target.*\]/ /' > %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: xpu-run %t.mlir --kernel bytes --target cpu --groups 1 --arg '[0xAA,0xBB,0xCC,0xDD,0,0,0,0]:ui8' --arg zeros:3xi8 \
// RUN:   --expect 0='[0xFF,0x0B,0xCF,0xDD,64,64,64,64]:ui8' --expect 1='[0xAA,0xBB,0xCC]:ui8'
// RUN: xpu-run %t.mlir --kernel halves --target cpu --threads 256 --arg zeros:4xbf16 --arg '[1,7,nan,-0.0]:f16' \
// RUN:   --expect 0='[0,256,0,0]:bf16' --expect 1='[1,7,-3,-3]:f16'
// RUN: xpu-run %t.mlir --kernel numbers --target cpu --groups 1 \
// RUN:   --arg '[nan,0xFFC00000,0x7F800001,1,-0.0,0,-1,5]:f32' --arg '[2,2,-2,nan,0.0,-0.0,-2,3]:f32' \
// RUN:   --arg zeros:8xf32 --arg '[nan,0xFFC00000,0x7F800001,1,-0.0,0,-1,5]:f32' --arg zeros:8xf32 \
// RUN:   --expect 0='[2,2,-2,1,-0.0,-0.0,-2,3]:f32' --expect 2='[nan,nan,nan,1,-0.0,0,-1,5]:f32' \
// RUN:   --expect 3='[2,2,-2,1,0,0,-1,5]:f32' --expect 4='[nan,nan,nan,1,-0.0,0,-1,5]:f32'
// RUN: xpu-run %t.mlir --kernel contended --target cpu --threads 512 --repeat 20 --arg '[0xFFC00000,nan]:f32' \
// RUN:   --expect 0='[-511,511]:f32'

gpu.module @g [#nvvm.target<chip = "sm_70">] {

// CHECK-LABEL: gpu.func @bytes
// CHECK-NOT: xpu.cas {{.*}} : memref<?xi8>
// CHECK-NOT: xpu.atomic_rmw add
// CHECK: xpu.atomic_rmw and {{.*}} : memref<?xi32>
gpu.func @bytes(%m: memref<?xi8>, %old: memref<?xi8>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i8
  %i = gpu.thread_id x
  %first = arith.cmpi eq, %i, %c0 : index
  scf.if %first {
    %aa = arith.constant 0xAA : i8
    %ff = arith.constant 0xFF : i8
    %nothing = arith.constant 0 : i8
    %a = xpu.cas %aa, %ff, %m[%c0] ordering(acq_rel) failure(relaxed) scope(device) : memref<?xi8>
    memref.store %a, %old[%c0] : memref<?xi8>
    %b = xpu.cas %nothing, %one, %m[%c1] ordering(acq_rel) failure(acquire) scope(device) : memref<?xi8>
    memref.store %b, %old[%c1] : memref<?xi8>
    %low = arith.constant 0x0F : i8
    %c = xpu.atomic_rmw and %low, %m[%c1] ordering(relaxed) scope(device) : memref<?xi8>
    %bits = arith.constant 0x03 : i8
    %d = xpu.atomic_rmw or %bits, %m[%c2] ordering(relaxed) scope(device) : memref<?xi8>
    memref.store %d, %old[%c2] : memref<?xi8>
  }
  // Four work-items on the bytes of one word.
  %at = arith.addi %i, %c4 : index
  scf.for %round = %c0 to %c64 step %c1 {
    %e = xpu.atomic_rmw add %one, %m[%at] ordering(relaxed) scope(device) : memref<?xi8>
  }
  gpu.return
}

// CHECK-LABEL: gpu.func @halves
// CHECK: xpu.cas {{.*}} : memref<2xi32>
gpu.func @halves(%sum: memref<4xbf16>, %m: memref<4xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : bf16
  %v = arith.constant -3.0 : f16
  %0 = xpu.atomic_rmw fadd %one, %sum[%c1] ordering(relaxed) scope(device) : memref<4xbf16>
  %1 = xpu.atomic_rmw fmin %v, %m[%c2] ordering(relaxed) scope(device) : memref<4xf16>
  %2 = xpu.atomic_rmw fminimum %v, %m[%c3] ordering(relaxed) scope(device) : memref<4xf16>
  gpu.return
}

// CHECK-LABEL: gpu.func @numbers
// CHECK: xpu.atomic_rmw umax
// CHECK: xpu.atomic_rmw umin
gpu.func @numbers(%low: memref<?xf32>, %v: memref<?xf32>, %low_old: memref<?xf32>, %high: memref<?xf32>, %high_old: memref<?xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
  %i = gpu.thread_id x
  %operand = memref.load %v[%i] : memref<?xf32>
  %0 = xpu.atomic_rmw fmin %operand, %low[%i] ordering(relaxed) scope(device) : memref<?xf32>
  memref.store %0, %low_old[%i] : memref<?xf32>
  %1 = xpu.atomic_rmw fmax %operand, %high[%i] ordering(relaxed) scope(device) : memref<?xf32>
  memref.store %1, %high_old[%i] : memref<?xf32>
  gpu.return
}

// Every work-item on one element that holds the NaN which defeats its step: no update is lost.
// CHECK-LABEL: gpu.func @contended
gpu.func @contended(%m: memref<2xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %thread = gpu.thread_id x
  %block = gpu.block_id x
  %start = arith.muli %block, %c8 : index
  %i = arith.addi %start, %thread : index
  %number = arith.index_cast %i : index to i32
  %up = arith.sitofp %number : i32 to f32
  %down = arith.negf %up : f32
  %0 = xpu.atomic_rmw fmin %down, %m[%c0] ordering(relaxed) scope(device) : memref<2xf32>
  %1 = xpu.atomic_rmw fmax %up, %m[%c1] ordering(relaxed) scope(device) : memref<2xf32>
  gpu.return
}
}
