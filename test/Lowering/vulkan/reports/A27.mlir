// A27: min and max of the work-items that are there: nothing is combined over a subgroup, so that no
// value of its own takes part.

// RUN: xpu-compile %s --target vulkan:1.3,+shader_buffer_float32_atomic_min_max --emit asm \
// RUN:   | FileCheck %s --check-prefixes=CHECK,NATIVE --implicit-check-not=GroupNonUniform
// RUN: xpu-compile %s --target vulkan:1.3 --emit asm \
// RUN:   | FileCheck %s --check-prefixes=CHECK,BITS --implicit-check-not=GroupNonUniform

// CHECK:   %floats = OpFunction
// NATIVE:  OpAtomicFMinEXT %float %{{[^ ]+}} %uint_1 %uint_0 %
// NATIVE:  OpAtomicFMaxEXT %float %{{[^ ]+}} %uint_1 %uint_0 %
// By integers: the signed minimum for operands of one sign, the unsigned maximum for the other.
// BITS-DAG: OpAtomicSMin %uint
// BITS-DAG: OpAtomicUMax %uint
// BITS-DAG: OpAtomicSMax %uint
// BITS-DAG: OpAtomicUMin %uint
xpu.kernel @floats(%p: memref<2xf32>) workgroup_size(16, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %lane = xpu.local_id x
  %lane32 = arith.index_cast %lane : index to i32
  %f = arith.sitofp %lane32 : i32 to f32
  %v = arith.addf %one, %f : f32
  %w = arith.negf %v : f32
  %0 = xpu.atomic_rmw fmin %v, %p[%c0] ordering(relaxed) scope(device) : memref<2xf32>
  %1 = xpu.atomic_rmw fmax %w, %p[%c1] ordering(relaxed) scope(device) : memref<2xf32>
  xpu.return
}

// CHECK:   %integers = OpFunction
// CHECK:   OpAtomicSMin %uint %{{[^ ]+}} %uint_1 %uint_0 %
// CHECK:   OpAtomicSMax %uint %{{[^ ]+}} %uint_1 %uint_0 %
xpu.kernel @integers(%p: memref<2xi32>) workgroup_size(16, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %lane = xpu.local_id x
  %lane32 = arith.index_cast %lane : index to i32
  %v = arith.addi %one, %lane32 : i32
  %w = arith.subi %zero, %v : i32
  %0 = xpu.atomic_rmw smin %v, %p[%c0] ordering(relaxed) scope(device) : memref<2xi32>
  %1 = xpu.atomic_rmw smax %w, %p[%c1] ordering(relaxed) scope(device) : memref<2xi32>
  xpu.return
}
