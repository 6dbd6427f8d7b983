// Signs are bits: an H200 flushes a subnormal number that OpFNegate is given.
// RUN: xpu-opt %s --xpu-to-spirv="target=1.3,+shader_int64,+shader_float64" | FileCheck %s

// CHECK-LABEL: spirv.func @f32
// CHECK-NOT: FNegate
// CHECK-NOT: FAbs
// CHECK: %[[TURN:.*]] = spirv.Constant -2147483648 : i32
// CHECK: spirv.BitwiseXor %{{.*}}, %[[TURN]] : i32
// CHECK: %[[KEEP:.*]] = spirv.Constant 2147483647 : i32
// CHECK: spirv.BitwiseAnd %{{.*}}, %[[KEEP]] : i32
xpu.kernel @f32(%m: memref<?xf32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c0] : memref<?xf32>
  %n = arith.negf %v : f32
  memref.store %n, %m[%c0] : memref<?xf32>
  %w = memref.load %m[%c1] : memref<?xf32>
  %a = math.absf %w : f32
  memref.store %a, %m[%c1] : memref<?xf32>
  xpu.return
}

// CHECK-LABEL: spirv.func @f64
// CHECK-NOT: FNegate
// CHECK: spirv.BitwiseXor {{.*}} : i64
xpu.kernel @f64(%m: memref<?xf64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xf64>
  %n = arith.negf %v : f64
  memref.store %n, %m[%c0] : memref<?xf64>
  xpu.return
}
