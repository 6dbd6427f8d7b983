// A28: the operation decides the sign, not the operand.

// RUN: xpu-compile %s --target vulkan:1.3,+shader_int64,+shader_buffer_int64_atomics --emit asm | FileCheck %s

// CHECK: OpAtomicUMin %ulong
// CHECK: OpAtomicSMin %ulong
// CHECK: OpAtomicSMax %uint %{{[^ ]+}} %uint_2 %uint_0 %uint_1{{$}}
// CHECK: OpAtomicSMin %uint
// CHECK: OpAtomicUMax %uint
// CHECK: OpAtomicUMin %uint
// CHECK: OpAtomicSMax %ulong
#shared = #gpu.address_space<workgroup>
xpu.kernel @k(%l: memref<?xi64>, %sl: memref<?xsi64>, %ul: memref<?xui64>, %u: memref<?xui32>, %i: memref<?xi32>)
    workgroup_size(1, 1, 1) {
  %s = xpu.shared : memref<1xi32, #shared>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %hundred = arith.constant 100 : i64
  %minus5 = arith.constant -5 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %minus3 = arith.constant -3 : i32
  memref.store %minus3, %s[%c0] : memref<1xi32, #shared>
  %0 = xpu.atomic_rmw umin %hundred, %l[%c0] ordering(relaxed) : memref<?xi64>
  %1 = xpu.atomic_rmw smin %minus5, %l[%c1] ordering(relaxed) : memref<?xi64>
  %2 = xpu.atomic_rmw smax %one, %s[%c0] ordering(relaxed) : memref<1xi32, #shared>
  %3 = xpu.atomic_rmw smin %minus3, %i[%c0] ordering(relaxed) : memref<?xi32>
  %u1 = xpu.sign_cast %one : i32 to ui32
  %4 = xpu.atomic_rmw max %u1, %u[%c0] ordering(relaxed) : memref<?xui32>
  %5 = xpu.atomic_rmw min %u1, %u[%c1] ordering(relaxed) : memref<?xui32>
  %s0 = xpu.sign_cast %zero : i64 to si64
  %6 = xpu.atomic_rmw max %s0, %sl[%c2] ordering(relaxed) : memref<?xsi64>
  xpu.return
}
