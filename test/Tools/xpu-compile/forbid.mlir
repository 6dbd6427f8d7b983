// RUN: split-file %s %t

// Each loop is an error at its operation, with what would work.
// RUN: not xpu-compile %t/cpu.mlir --target cpu --emit asm -o /dev/null --forbid cas-loop 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CPU --implicit-check-not=error:
// CPU: cpu.mlir:4:3: error: 'xpu.atomic_rmw' op 'fadd' on 'f32' in global memory becomes a CAS loop on the integer of the same width on target 'cpu', and CAS loops are forbidden
// CPU: cpu.mlir:5:8: error: 'xpu.atomic_rmw' op 'smin' on 'i32' in global memory becomes a CAS loop in LLVM's back end on target 'cpu', and CAS loops are forbidden
// CPU: cpu.mlir:6:8: error: 'xpu.atomic_rmw' op 'or' {{.*}}; it is one instruction where its result is not used

// RUN: not xpu-compile %t/nvptx.mlir --target nvptx:sm_90 --emit asm -o /dev/null --forbid cas-loop 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NVPTX --implicit-check-not=error:
// NVPTX: nvptx.mlir:3:3: error: 'xpu.atomic_rmw' op 'fadd' on 'f32' in global memory becomes a CAS loop on the integer of the same width for some operands on target 'nvptx:sm_90', and CAS loops are forbidden; it is one instruction with 'denormals(flush)'
// NVPTX: nvptx.mlir:4:3: error: 'xpu.atomic_rmw' op 'sub' on 'i8' in global memory becomes a CAS loop on the 32-bit word {{.*}}; on 'i32' there is no loop

// Upstream's region is a loop everywhere.
// RUN: not xpu-compile %t/region.mlir --target nvptx:sm_90 --emit asm -o /dev/null --forbid cas-loop 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REGION --implicit-check-not=error:
// REGION: region.mlir:3:8: error: 'memref.generic_atomic_rmw' op becomes a CAS loop on every target, and CAS loops are forbidden

// What is no loop is not refused.
// RUN: xpu-compile %t/none.mlir --target nvptx:sm_90 --emit asm -o /dev/null --forbid cas-loop --strict
// RUN: xpu-compile %t/none-cpu.mlir --target cpu --emit asm -o /dev/null --forbid cas-loop --strict

// Without --forbid, nothing is.
// RUN: xpu-compile %t/cpu.mlir --target cpu --emit asm -o /dev/null
// RUN: xpu-compile %t/nvptx.mlir --target nvptx:sm_90 --emit asm -o /dev/null
// RUN: xpu-compile %t/region.mlir --target nvptx:sm_90 --emit asm -o /dev/null

//--- cpu.mlir
xpu.kernel @k(%m: memref<?xi32>, %f: memref<?xf32>, %v: i32, %x: f32) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  xpu.atomic_rmw xor %v, %m[%i] : memref<?xi32>
  xpu.atomic_rmw fadd %x, %f[%i] : memref<?xf32>
  %0 = xpu.atomic_rmw smin %v, %m[%i] : memref<?xi32>
  %1 = xpu.atomic_rmw or %0, %m[%i] : memref<?xi32>
  xpu.atomic_store %1, %m[%i] : memref<?xi32>
  xpu.return
}

//--- nvptx.mlir
xpu.kernel @k(%b: memref<?xi8>, %f: memref<?xf32>, %c: i8, %x: f32) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  xpu.atomic_rmw fadd %x, %f[%i] : memref<?xf32>
  xpu.atomic_rmw sub %c, %b[%i] : memref<?xi8>
  xpu.return
}

//--- region.mlir
xpu.kernel @k(%m: memref<?xi32>, %v: i32) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%current: i32):
    %next = arith.muli %current, %v : i32
    memref.atomic_yield %next : i32
  }
  xpu.return
}

//--- none.mlir
xpu.kernel @k(%m: memref<?xi32>, %f: memref<?xf32>, %v: i32, %x: f32) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %0 = xpu.atomic_rmw sub %v, %m[%i] : memref<?xi32>
  %1 = xpu.cas %0, %v, %m[%i] : memref<?xi32>
  %2 = xpu.atomic_rmw fmin %x, %f[%i] : memref<?xf32>
  %3 = xpu.atomic_rmw fadd %2, %f[%i] denormals(flush) : memref<?xf32>
  %4 = xpu.atomic_rmw fadd %3, %f[%i] scope(workitem) : memref<?xf32>
  xpu.return
}

//--- none-cpu.mlir
xpu.kernel @k(%m: memref<?xi32>, %f: memref<?xf32>, %v: i32, %x: f32) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %0 = xpu.atomic_rmw sub %v, %m[%i] : memref<?xi32>
  %1 = xpu.cas %0, %v, %m[%i] : memref<?xi32>
  %2 = xpu.atomic_rmw xchg %x, %f[%i] : memref<?xf32>
  xpu.atomic_rmw and %v, %m[%i] : memref<?xi32>
  xpu.return
}
