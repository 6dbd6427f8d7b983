// Report A28: the kind alone decides whether a min or max is signed, not the operand's form, nor where the memory is.
//
// RUN: xpu-run %s --kernel umin_i64 --target cpu --groups 1 --arg '[0x8000000000000000]:ui64' --expect 0='[100]:ui64'
// RUN: xpu-run %s --kernel smin_i64 --target cpu --groups 1 --arg '[-5]:i64' --expect 0='[-5]:i64'
// RUN: xpu-run %s --kernel smax_i32_shared --target cpu --groups 1 --arg '[-3]:i32' --expect 0='[1]:i32'
// RUN: xpu-run %s --kernel smin_i32 --target cpu --groups 1 --arg '[2]:i32' --expect 0='[-3]:i32'
// RUN: xpu-run %s --kernel umax_i32 --target cpu --groups 1 --arg '[0xffffffff]:ui32' --expect 0='[4294967295]:ui32'
// RUN: xpu-run %s --kernel umin_i32 --target cpu --groups 1 --arg '[0x80000000]:ui32' --expect 0='[1]:ui32'
// RUN: xpu-run %s --kernel smax_i64 --target cpu --groups 1 --arg '[-1]:i64' --expect 0='[0]:i64'
// RUN: xpu-run %s --kernel i8 --target cpu --groups 1 --arg '[0x80,0x80,0x80,0x80]:i8' --expect 0='[-128,1,1,-128]:i8'
// RUN: xpu-run %s --kernel by_type --target cpu --groups 1 --arg '[-1,-1]:si16' --arg '[65535,65535]:ui16' \
// RUN:   --expect 0='[-1,1]:si16' --expect 1='[1,65535]:ui16'
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s

// CHECK-LABEL: .entry umin_i64(
// CHECK: atom.{{.*}}.min.u64
xpu.kernel @umin_i64(%p: memref<1xi64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 100 : i64
  %old = xpu.atomic_rmw umin %v, %p[%c0] : memref<1xi64>
  xpu.return
}

// CHECK-LABEL: .entry smin_i64(
// CHECK: atom.{{.*}}.min.s64
xpu.kernel @smin_i64(%p: memref<1xi64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 100 : i64
  %old = xpu.atomic_rmw smin %v, %p[%c0] : memref<1xi64>
  xpu.return
}

// CHECK-LABEL: .entry smax_i32_shared(
// CHECK: atom.{{.*}}.max.s32
xpu.kernel @smax_i32_shared(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i32
  %s = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  %before = memref.load %p[%c0] : memref<1xi32>
  memref.store %before, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  %old = xpu.atomic_rmw smax %v, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  %after = memref.load %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %after, %p[%c0] : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .entry smin_i32(
// CHECK: atom.{{.*}}.min.s32
xpu.kernel @smin_i32(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant -3 : i32
  %old = xpu.atomic_rmw smin %v, %p[%c0] : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .entry umax_i32(
// CHECK: atom.{{.*}}.max.u32
xpu.kernel @umax_i32(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i32
  %old = xpu.atomic_rmw umax %v, %p[%c0] : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .entry umin_i32(
// CHECK: atom.{{.*}}.min.u32
xpu.kernel @umin_i32(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i32
  %old = xpu.atomic_rmw umin %v, %p[%c0] : memref<1xi32>
  xpu.return
}

// CHECK-LABEL: .entry smax_i64(
// CHECK: atom.{{.*}}.max.s64
xpu.kernel @smax_i64(%p: memref<1xi64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 0 : i64
  %old = xpu.atomic_rmw smax %v, %p[%c0] : memref<1xi64>
  xpu.return
}

// -128, or 128, with 1.
xpu.kernel @i8(%p: memref<4xi8>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = arith.constant 1 : i8
  %0 = xpu.atomic_rmw smin %v, %p[%c0] : memref<4xi8>
  %1 = xpu.atomic_rmw smax %v, %p[%c1] : memref<4xi8>
  %2 = xpu.atomic_rmw umin %v, %p[%c2] : memref<4xi8>
  %3 = xpu.atomic_rmw umax %v, %p[%c3] : memref<4xi8>
  xpu.return
}

// Where the element type says the sign, min and max follow it.
xpu.kernel @by_type(%s: memref<2xsi16>, %u: memref<2xui16>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i16
  %signed = xpu.sign_cast %one : i16 to si16
  %unsigned = xpu.sign_cast %one : i16 to ui16
  %0 = xpu.atomic_rmw min %signed, %s[%c0] : memref<2xsi16>
  %1 = xpu.atomic_rmw max %signed, %s[%c1] : memref<2xsi16>
  %2 = xpu.atomic_rmw min %unsigned, %u[%c0] : memref<2xui16>
  %3 = xpu.atomic_rmw max %unsigned, %u[%c1] : memref<2xui16>
  xpu.return
}
