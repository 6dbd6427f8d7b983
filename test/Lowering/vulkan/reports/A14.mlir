// A14: relaxed is 0, and an ordering names the memory that it orders. Under the Vulkan memory model it
// makes it available, visible, or both.

// RUN: xpu-compile %s --target vulkan:1.3 --emit asm | FileCheck %s --check-prefixes=CHECK,VULKAN
// RUN: xpu-compile %s --target vulkan:1.3,-vulkan_memory_model --emit asm | FileCheck %s --check-prefixes=CHECK,GLSL450

// Acquire, Release and AcquireRelease of StorageBuffer and Workgroup memory: 0x142, 0x144, 0x148;
// MakeVisible is 0x4000, and MakeAvailable 0x2000.

// CHECK:        %both = OpFunction
// CHECK:        OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_0 %uint_1
// VULKAN:       OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_16706 %uint_1
// VULKAN:       OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_8516 %uint_1
// VULKAN:       OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_24904 %uint_1
// GLSL450:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_322 %uint_1
// GLSL450:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_324 %uint_1
// GLSL450:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_328 %uint_1
// CHECK:        OpAtomicIAdd %uint %{{[^ ]+}} %uint_2 %uint_0 %uint_1
// VULKAN:       OpAtomicIAdd %uint %{{[^ ]+}} %uint_2 %uint_16706 %uint_1
// VULKAN:       OpAtomicIAdd %uint %{{[^ ]+}} %uint_2 %uint_8516 %uint_1
// VULKAN:       OpAtomicIAdd %uint %{{[^ ]+}} %uint_2 %uint_24904 %uint_1
// GLSL450:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_2 %uint_322 %uint_1
// GLSL450:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_2 %uint_324 %uint_1
// GLSL450:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_2 %uint_328 %uint_1
// CHECK-NOT:    OpAtomic
// CHECK:        OpFunctionEnd
#shared = #gpu.address_space<workgroup>
xpu.kernel @both(%p: memref<1xi32>, %out: memref<1xi32>) workgroup_size(1, 1, 1) {
  %s = xpu.shared : memref<1xi32, #shared>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  memref.store %zero, %s[%c0] : memref<1xi32, #shared>
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  %1 = xpu.atomic_rmw add %one, %p[%c0] ordering(acquire) scope(device) : memref<1xi32>
  %2 = xpu.atomic_rmw add %one, %p[%c0] ordering(release) scope(device) : memref<1xi32>
  %3 = xpu.atomic_rmw add %one, %p[%c0] ordering(acq_rel) scope(device) : memref<1xi32>
  %4 = xpu.atomic_rmw add %one, %s[%c0] ordering(relaxed) scope(workgroup) : memref<1xi32, #shared>
  %5 = xpu.atomic_rmw add %one, %s[%c0] ordering(acquire) scope(workgroup) : memref<1xi32, #shared>
  %6 = xpu.atomic_rmw add %one, %s[%c0] ordering(release) scope(workgroup) : memref<1xi32, #shared>
  %7 = xpu.atomic_rmw add %one, %s[%c0] ordering(acq_rel) scope(workgroup) : memref<1xi32, #shared>
  %v = memref.load %s[%c0] : memref<1xi32, #shared>
  memref.store %v, %out[%c0] : memref<1xi32>
  xpu.return
}

// Each plain access to memory that others see is non-private under the Vulkan memory model, and without
// it the buffers are coherent.
// RUN: xpu-compile %s --target vulkan:1.3 --emit asm | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT:    Coherent
// PLAIN:        OpStore %{{[^ ]+}} %uint_0 NonPrivatePointer
// PLAIN:        OpLoad %uint %{{[^ ]+}} NonPrivatePointer
// PLAIN:        OpStore %{{[^ ]+}} %{{[0-9]+}} NonPrivatePointer
// RUN: xpu-compile %s --target vulkan:1.3,-vulkan_memory_model --emit asm | FileCheck %s --check-prefix=COHERENT
// COHERENT-NOT: VulkanMemoryModel
// COHERENT:     OpMemoryModel Logical GLSL450
// COHERENT-DAG: OpDecorate %both_arg0 Coherent
// COHERENT-DAG: OpDecorate %both_arg1 Coherent
// COHERENT-NOT: NonPrivatePointer
