// -g keeps line information in every output. The atomic is in line 5.

xpu.kernel @k(%m: memref<?xi32>, %v: i32) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
  xpu.return
}

// RUN: xpu-compile %s --target cpu --emit mlir -g | FileCheck %s --check-prefix=MLIR
// RUN: xpu-compile %s --target nvptx:sm_90 --emit mlir -g | FileCheck %s --check-prefix=MLIR
// MLIR: loc("{{.*}}lines.mlir":5:8)

// RUN: xpu-compile %s --target cpu --emit llvm -g | FileCheck %s --check-prefix=LLVM
// RUN: xpu-compile %s --target nvptx:sm_90 --emit llvm -g | FileCheck %s --check-prefix=LLVM
// LLVM: !DIFile(filename: "lines.mlir"
// LLVM: !DILocation(line: 5, column: 8,

// RUN: xpu-compile %s --target cpu --emit asm -g | FileCheck %s --check-prefix=ASM
// ASM: .file [[#FILE:]] {{.*}}"lines.mlir"
// ASM: .loc [[#FILE]] 5 8

// RUN: xpu-compile %s --target cpu -g -o %t.o
// RUN: llvm-dwarfdump --debug-line %t.o | FileCheck %s --check-prefix=DWARF
// DWARF: name: "lines.mlir"
// DWARF: {{^}}0x{{[0-9a-f]+}} 5 8 1

// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -g | FileCheck %s --check-prefix=PTX
// PTX: .loc [[#FILE:]] 5 8
// PTX: atom.acq_rel.gpu.global.add.u32
// PTX: .file [[#FILE]] "{{.*}}lines.mlir"

// RUN: xpu-compile %s --target vulkan:1.3 --emit mlir -g | FileCheck %s --check-prefix=MLIR
// RUN: xpu-compile %s --target vulkan:1.3 --emit asm -g | FileCheck %s --check-prefix=SPIRV
// SPIRV:      [[FILE:%[^ ]+]] = OpString "{{.*}}lines.mlir"
// SPIRV:      OpAccessChain %_ptr_StorageBuffer_uint
// SPIRV-NEXT: OpLine [[FILE]] 5 8
// SPIRV-NEXT: OpAtomicIAdd

// To explain does not keep it in what is written.
// RUN: xpu-compile %s --target cpu --emit llvm --explain 2>/dev/null | FileCheck %s --check-prefix=NONE
// NONE-NOT: !DILocation
