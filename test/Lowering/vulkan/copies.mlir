// A copy is a loop over elements; those of 16 bits are parts of words, of two kernels in one module.
//
// RUN: xpu-compile %s --target vulkan:1.3 --emit asm -o - | FileCheck %s --implicit-check-not='OpTypeInt 16'

// CHECK:      OpEntryPoint GLCompute %copy "copy"
// CHECK:      OpEntryPoint GLCompute %fill "fill"
// CHECK:      %copy = OpFunction
// CHECK:      OpLoopMerge
// CHECK:      OpAtomicLoad %uint %{{.*}} %uint_1 %uint_0
// CHECK:      OpAtomicAnd %uint
// CHECK-NEXT: OpAtomicOr %uint
// CHECK:      OpFunctionEnd
// CHECK:      %fill = OpFunction
// CHECK:      OpAtomicAnd %uint
// CHECK-NEXT: OpAtomicOr %uint
// CHECK:      OpFunctionEnd
xpu.kernel @copy(%m: memref<?x4xi16>, %n: memref<?x4xi16, strided<[1, ?]>>) workgroup_size(1, 1, 1) {
  memref.copy %m, %n : memref<?x4xi16> to memref<?x4xi16, strided<[1, ?]>>
  xpu.return
}

xpu.kernel @fill(%m: memref<?xf16>, %v: f16) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  memref.store %v, %m[%i] : memref<?xf16>
  xpu.return
}
