// What --emit gives for an NVIDIA chip.

// RUN: xpu-compile %s --target nvptx:sm_80 --emit mlir | FileCheck %s --check-prefix=MLIR
// RUN: xpu-compile %s --target nvptx:sm_80 --emit llvm | FileCheck %s --check-prefix=LLVM
// RUN: xpu-compile %s --target nvptx:sm_80 --emit asm | FileCheck %s --check-prefix=ASM

// MLIR:       gpu.module @xpu_kernels [#nvvm.target<{{.*}}chip = "sm_80"
// MLIR:       llvm.inline_asm {{.*}}"atom.acq_rel.sys.global.add.u32
// MLIR-NOT:   loc(
// LLVM:       define ptx_kernel void @count(
// LLVM:       asm {{.*}}"atom.acq_rel.sys.global.add.u32
// LLVM-NOT:   !DILocation
// ASM:        .target sm_80
// ASM:        .entry count(
// ASM-NOT:    .loc
// ASM:        atom.acq_rel.sys.global.add.u32

// Without ptxas, or with one that does not know the chip, a binary is PTX.
// RUN: env XPU_PTXAS= xpu-compile %s --target nvptx:sm_80 --emit bin -o %t.bin 2>%t.note
// RUN: FileCheck %s --check-prefix=NOTE <%t.note
// RUN: FileCheck %s --check-prefix=ASM <%t.bin
// RUN: FileCheck %s --check-prefix=PTX <%t.json
// NOTE: note: there is no ptxas, so this is PTX, which the driver assembles
// PTX: "target": "nvptx:sm_80"
// PTX: "format": "ptx"

// PTX that ptxas refuses is an error, which shows what it says.
// RUN: not env XPU_PTXAS=false xpu-compile %s --target nvptx:sm_80 --emit bin -o %t.bin 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: false refuses the PTX, which is a mistake of this compiler

// What the module says of the chip counts for more than the command line.
// RUN: xpu-opt %s --convert-xpu-to-gpu --nvvm-attach-target=chip=sm_90 \
// RUN:   | xpu-compile - --target nvptx:sm_80 --emit asm | FileCheck %s --check-prefix=ATTACHED
// ATTACHED: .target sm_90

// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm | FileCheck %s --check-prefix=OLDEST
// OLDEST: .target sm_70

xpu.kernel @count(%m: memref<?xi32>) workgroup_size(1, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %old = xpu.atomic_rmw add %one, %m[%i] scope(system) : memref<?xi32>
  memref.store %old, %m[%i] : memref<?xi32>
  xpu.return
}
