// RUN: xpu-opt %s --xpu-resolve-signedness | FileCheck %s

// Dense elements keep their bits.

// CHECK: memref.global "private" constant @table : memref<2xi32> = dense<[1, -1]>
memref.global "private" constant @table : memref<2xui32> = dense<[1, 4294967295]>
// CHECK: memref.global "private" @splat : memref<4xi8> = dense<-3>
memref.global "private" @splat : memref<4xsi8> = dense<-3>
// CHECK: memref.global "private" @empty : memref<0xi64> = dense<>
memref.global "private" @empty : memref<0xui64> = dense<>
// CHECK: memref.global "private" @signless : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
memref.global "private" @signless : memref<2xf32> = dense<[1.0, 2.0]>
// CHECK: memref.global "private" @uninitialized : memref<2xi16> = uninitialized
memref.global "private" @uninitialized : memref<2xui16> = uninitialized

// CHECK-LABEL: func.func @use
func.func @use(%i: index) -> (i32, tensor<2xi8>) attributes {note = [dense<255> : vector<2xui8>]} {
  // CHECK: arith.constant dense<[1, -56]> : tensor<2xi8>
  %0 = arith.constant dense<[1, 200]> : tensor<2xui8>
  // CHECK: memref.get_global @table : memref<2xi32>
  %1 = memref.get_global @table : memref<2xui32>
  %2 = memref.load %1[%i] : memref<2xui32>
  %3 = xpu.sign_cast %2 : ui32 to i32
  %4 = builtin.unrealized_conversion_cast %0 : tensor<2xui8> to tensor<2xi8>
  return %3, %4 : i32, tensor<2xi8>
}
