// The scalars of a launch are words in slot order: one for what has at most 32 bits, two for the rest, the low one first.
//
// RUN: xpu-opt %s --convert-xpu-to-spirv | FileCheck %s

// CHECK-LABEL: gpu.module @scalars
// CHECK:         spirv.GlobalVariable @k.words : !spirv.ptr<!spirv.struct<(!spirv.array<12 x i32, stride=4> [0])>, PushConstant>
// CHECK:       gpu.func @k() kernel

// After an extent: a bit, a byte and a half float by its bits, each with zeros above.
// CHECK:         %[[A:.*]] = spirv.Load "PushConstant" %{{.*}} : i32
// CHECK:         %[[B:.*]] = spirv.Load "PushConstant" %{{.*}} : i32
// CHECK-NEXT:    arith.trunci %[[B]] : i32 to i1
// CHECK:         %[[C:.*]] = spirv.Load "PushConstant" %{{.*}} : i32
// CHECK:         arith.andi %[[C]], %c255{{.*}} : i32
// CHECK:         %[[D:.*]] = spirv.Load "PushConstant" %{{.*}} : i32
// CHECK:         arith.andi %[[D]], %c65535{{.*}} : i32

// A float is its word's bits; a double that of two words, which needs no integer of 64 bits.
// CHECK:         %[[F:.*]] = spirv.Load "PushConstant" %{{.*}} : i32
// CHECK-NEXT:    arith.bitcast %[[F]] : i32 to f32
// CHECK:         %[[LOW_AT:.*]] = spirv.AccessChain %{{.*}}[%{{.*}}, %[[FIVE:.*]]] :
// CHECK-NEXT:    %[[LOW:.*]] = spirv.Load "PushConstant" %[[LOW_AT]] : i32
// CHECK:         %[[HIGH:.*]] = spirv.Load "PushConstant" %{{.*}} : i32
// CHECK-NEXT:    %[[PAIR:.*]] = spirv.CompositeConstruct %[[LOW]], %[[HIGH]] : (i32, i32) -> vector<2xi32>
// CHECK-NEXT:    spirv.Bitcast %[[PAIR]] : vector<2xi32> to f64
gpu.module @scalars [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["+shader_float64"]} {
  gpu.func @k(%m: memref<?xf64>, %b: i1, %c: i8, %d: f16, %f: f32, %g: f64, %n: memref<4xi8>, %h: memref<2xf16>, %o: memref<2x?x?xf32, strided<[?, ?, 1]>>,
              %unused: i16) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    memref.store %g, %m[%i] : memref<?xf64>
    memref.store %f, %o[%i, %i, %i] : memref<2x?x?xf32, strided<[?, ?, 1]>>
    memref.store %d, %h[%i] : memref<2xf16>
    scf.if %b {
      memref.store %c, %n[%i] : memref<4xi8>
    }
    gpu.return
  }
}
