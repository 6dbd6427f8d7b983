// RUN: xpu-compile %s --target amdgpu:gfx906 --emit asm -o - | FileCheck %s --check-prefix=OLD
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s

// The kind alone says the sign, also with a literal operand and in 64 bits.

// OLD: global_atomic_umin_x2
// OLD: global_atomic_smin_x2
// OLD: global_atomic_smax_x2
// OLD: global_atomic_smax v
// OLD: global_atomic_smin v
// OLD: global_atomic_umax v
// OLD: global_atomic_umin v
// CHECK: global_atomic_min_u64
// CHECK: global_atomic_min_i64
// CHECK: global_atomic_max_i64
// CHECK: global_atomic_max_i32
// CHECK: global_atomic_min_i32
// CHECK: global_atomic_max_u32
// CHECK: global_atomic_min_u32
xpu.kernel @k(%p: memref<?xi64>, %q: memref<?xi32>, %r: memref<?xui32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %hundred = arith.constant 100 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %minus = arith.constant -3 : i32
  %u = xpu.sign_cast %one : i32 to ui32
  %0 = xpu.atomic_rmw umin %hundred, %p[%c0] ordering(acq_rel) scope(device) : memref<?xi64>
  %1 = xpu.atomic_rmw smin %hundred, %p[%c0] ordering(acq_rel) scope(device) : memref<?xi64>
  %2 = xpu.atomic_rmw smax %zero, %p[%c0] ordering(acq_rel) scope(device) : memref<?xi64>
  %3 = xpu.atomic_rmw smax %one, %q[%c0] ordering(acq_rel) scope(device) : memref<?xi32>
  %4 = xpu.atomic_rmw smin %minus, %q[%c0] ordering(acq_rel) scope(device) : memref<?xi32>
  %5 = xpu.atomic_rmw max %u, %r[%c0] ordering(acq_rel) scope(device) : memref<?xui32>
  %6 = xpu.atomic_rmw min %u, %r[%c0] ordering(acq_rel) scope(device) : memref<?xui32>
  xpu.return
}
