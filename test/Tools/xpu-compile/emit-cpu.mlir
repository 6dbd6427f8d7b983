// What --emit gives for the CPU.

// RUN: xpu-compile %s --target cpu --emit mlir | FileCheck %s --check-prefix=MLIR
// RUN: xpu-compile %s --target cpu --emit llvm | FileCheck %s --check-prefix=LLVM
// RUN: xpu-compile %s --target cpu --emit asm | FileCheck %s --check-prefix=ASM
// RUN: xpu-compile %s --target cpu --emit bin -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=BIN
// RUN: xpu-compile - --target cpu -o - <%s | llvm-nm - | FileCheck %s --check-prefix=BIN

// Bytecode is read as text is.
// RUN: xpu-opt %s --emit-bytecode -o %t.bc
// RUN: xpu-compile %t.bc --target cpu --emit llvm | FileCheck %s --check-prefix=LLVM

// MLIR:       llvm.atomicrmw add {{.*}} monotonic
// MLIR:       llvm.func @xpu_kernels.count(
// MLIR-NOT:   loc(
// LLVM:       define void @xpu_kernels.count(
// LLVM:       atomicrmw add ptr {{.*}} monotonic
// LLVM-NOT:   !DILocation
// ASM-LABEL:  xpu_kernels.count:
// ASM-NOT:    .loc
// BIN:        T xpu_kernels.count

xpu.kernel @count(%m: memref<?xi32>) workgroup_size(1, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %old = xpu.atomic_rmw add %one, %m[%i] ordering(relaxed) : memref<?xi32>
  xpu.return
}
