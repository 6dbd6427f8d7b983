// A16: with the feature, a float atomic is its instruction, and its extension and capability are
// declared; without it, it is done on the bits, and neither is.

// RUN: xpu-compile %s --target vulkan:1.3,+shader_buffer_float32_atomic_add,+shader_buffer_float32_atomic_min_max --emit asm \
// RUN:   | FileCheck %s --check-prefixes=ADD,MINMAX
// RUN: xpu-compile %s --target vulkan:1.3,+shader_buffer_float32_atomic_add --emit asm \
// RUN:   | FileCheck %s --check-prefixes=ADD,NOMINMAX
// RUN: xpu-compile %s --target vulkan:1.3 --emit asm | FileCheck %s --check-prefixes=NOADD,NOMINMAX

// ADD-DAG:      OpCapability AtomicFloat32AddEXT
// ADD-DAG:      OpExtension "SPV_EXT_shader_atomic_float_add"
// MINMAX-DAG:   OpCapability AtomicFloat32MinMaxEXT
// MINMAX-DAG:   OpExtension "SPV_EXT_shader_atomic_float_min_max"
// NOADD-NOT:    AtomicFloat32AddEXT
// NOADD-NOT:    SPV_EXT_shader_atomic_float_add
// NOMINMAX-NOT: AtomicFloat32MinMaxEXT
// NOMINMAX-NOT: SPV_EXT_shader_atomic_float_min_max

// ADD:          %add = OpFunction
// ADD:          OpAtomicFAddEXT %float %{{[^ ]+}} %uint_1 %uint_0 %float_0_5
// NOADD:        %add = OpFunction
// NOADD:        OpAtomicCompareExchange %uint
// NOADD-NOT:    OpAtomicFAddEXT
xpu.kernel @add(%p: memref<2xf32>) workgroup_size(16, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 0.5 : f32
  %old = xpu.atomic_rmw fadd %v, %p[%c0] ordering(relaxed) scope(device) denormals(flush) : memref<2xf32>
  xpu.return
}

// MINMAX:       %max = OpFunction
// MINMAX:       OpAtomicFMaxEXT %float %{{[^ ]+}} %uint_1 %uint_0
// NOMINMAX:     %max = OpFunction
// NOMINMAX-NOT: OpAtomicFMaxEXT
// NOMINMAX:     OpAtomicCompareExchange %uint
xpu.kernel @max(%p: memref<2xf32>) workgroup_size(16, 1, 1) {
  %c1 = arith.constant 1 : index
  %eight = arith.constant 8 : i32
  %lane = xpu.local_id x
  %lane32 = arith.index_cast %lane : index to i32
  %v32 = arith.subi %lane32, %eight : i32
  %v = arith.sitofp %v32 : i32 to f32
  %old = xpu.atomic_rmw fmax %v, %p[%c1] ordering(relaxed) scope(device) : memref<2xf32>
  xpu.return
}
