// Bitwise operations and subtraction at the scope of the device are one instruction, where LLVM alone makes a loop for want of a
// promise about the memory. Without a use of the result, it is one that gives none.

// RUN: xpu-compile %s --target amdgpu:gfx906 --emit asm -o - | FileCheck %s --check-prefix=OLD --implicit-check-not=cmpswap
// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s --check-prefix=OLD --implicit-check-not=cmpswap
// RUN: xpu-compile %s --target amdgpu:gfx1030 --emit asm -o - | FileCheck %s --check-prefix=OLD --implicit-check-not=cmpswap
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s --implicit-check-not=cmpswap

// OLD: global_atomic_xor v{{.*}} off{{$}}
// OLD: global_atomic_and v{{.*}} off{{$}}
// OLD: global_atomic_or v{{.*}} off{{$}}
// OLD: global_atomic_sub v{{.*}} glc
// CHECK: global_atomic_xor_b32 v
// CHECK-NOT: glc
// CHECK: global_atomic_and_b32 v
// CHECK-NOT: glc
// CHECK: global_atomic_or_b32 v
// CHECK-NOT: glc
// CHECK: global_atomic_sub_u32 v{{.*}} glc
xpu.kernel @k(%m: memref<?xi32>, %v: i32, %out: memref<?xi32>) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  %0 = xpu.atomic_rmw xor %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %1 = xpu.atomic_rmw and %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %2 = xpu.atomic_rmw or %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %3 = xpu.atomic_rmw sub %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}
