// What --emit gives for Vulkan.

// RUN: xpu-compile %s --target vulkan:1.3 --emit mlir | FileCheck %s --check-prefix=MLIR
// RUN: xpu-compile %s --target vulkan:1.3 --emit asm | FileCheck %s --check-prefixes=ASM,CORE
// RUN: xpu-compile %s --target vulkan:1.1 --emit asm | FileCheck %s --check-prefixes=ASM,EXTENSION

// MLIR:           spirv.module @xpu_kernels Logical Vulkan
// MLIR:           spirv.AtomicIAdd <Device>
// MLIR-NOT:       loc(
// CORE:           ; Version: 1.6
// EXTENSION:      ; Version: 1.3
// ASM:            OpCapability Shader
// ASM-NEXT:       OpCapability VulkanMemoryModel
// ASM-NEXT:       OpCapability VulkanMemoryModelDeviceScope
// EXTENSION-NEXT: OpExtension "SPV_KHR_vulkan_memory_model"
// ASM-NEXT:       OpMemoryModel Logical Vulkan
// ASM-NEXT:       OpEntryPoint GLCompute %count "count"
// ASM-NEXT:       OpExecutionMode %count LocalSize 64 1 1
// ASM-NOT:        OpLine
// ASM:            OpAtomicIAdd %uint %{{[0-9]+}} %uint_1 %uint_24648 %uint_1

// The text is that of what is written as binary, and assembles to it: its header aside, which names
// the tool.
// RUN: xpu-compile %s --target vulkan:1.3 -o %t.spv
// RUN: xpu-compile %s --target vulkan:1.3 --emit asm -o %t.spvasm
// RUN: FileCheck %s --check-prefix=MANIFEST <%t.json
// MANIFEST:      "target": "vulkan:1.3"
// MANIFEST-NEXT: "index_bits": 32,

// RUN: xpu-compile %s --target vulkan:1.3 -o %t.spv
// RUN: FileCheck %s --check-prefix=BINARY <%t.json
// BINARY:      "file": "emit-vulkan.mlir.tmp.spv",
// BINARY-NEXT: "format": "spirv"
// BINARY:      "features": [
// BINARY-NEXT:   "vulkan_memory_model",
// BINARY-NEXT:   "vulkan_memory_model_device_scope"
// BINARY-NEXT: ],
// BINARY:      "vulkan": {
// BINARY-NEXT:   "bindings": [
// BINARY-NEXT:     {
// BINARY-NEXT:       "set": 0,
// BINARY-NEXT:       "binding": 0,
// BINARY-NEXT:       "stride": 4
// BINARY:        "words": {
// BINARY-NEXT:     "place": "push_constants",
// BINARY-NEXT:     "bytes": 16,
// BINARY-NEXT:     "offsets": [
// BINARY-NEXT:       0,
// BINARY-NEXT:       4,
// BINARY-NEXT:       8
// BINARY-NEXT:     ]

// There is no LLVM on the way.
// RUN: not xpu-compile %s --target vulkan:1.3 --emit llvm 2>&1 | FileCheck %s --check-prefix=LLVM
// LLVM: error: there is no LLVM IR on the way to Vulkan: --emit mlir, asm or bin

// What the module says of its target counts for more than the command line.
// RUN: xpu-opt %s --convert-xpu-to-gpu --xpu-attach-spirv-target=target=1.2 \
// RUN:   | xpu-compile - --target vulkan:1.3 --emit asm | FileCheck %s --check-prefix=ATTACHED
// ATTACHED: ; Version: 1.5

// An extent, an i8 in a word of its own, an f64 in two; the last is not used.
xpu.kernel @count(%m: memref<?xi32>, %small: i8, %big: i64) workgroup_size(64, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %old = xpu.atomic_rmw add %one, %m[%i] : memref<?xi32>
  %wide = arith.extui %small : i8 to i32
  %sum = arith.addi %old, %wide : i32
  memref.store %sum, %m[%i] : memref<?xi32>
  xpu.return
}
