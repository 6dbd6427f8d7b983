// What upstream's conversions to SPIR-V lack or get wrong, of what they have.
//
// RUN: xpu-opt %s --convert-xpu-to-spirv -split-input-file | FileCheck %s

// The remainder has the dividend's sign; upstream's takes that of the least integer's absolute value, which is itself.

// CHECK-LABEL: gpu.module @remainder
// CHECK:         %[[Q:.*]] = arith.divsi %[[X:.*]], %[[Y:.*]] : i32
// CHECK-NEXT:    %[[P:.*]] = arith.muli %[[Q]], %[[Y]] : i32
// CHECK-NEXT:    %[[R:.*]] = arith.subi %[[X]], %[[P]] : i32
gpu.module @remainder [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %x: i32, %y: i32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %r = arith.remsi %x, %y : i32
    memref.store %r, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// -----

// -0 is below +0, and a NaN is found by its bits: GLSL's FMin may give either zero, and a device need not keep NaN apart.

// CHECK-LABEL: gpu.module @extremes
// CHECK-NOT:     arith.minimumf
// CHECK:         %[[SIGNS:.*]] = arith.shrsi %[[BITS:.*]], %c31
// CHECK:         %[[FLIP:.*]] = arith.shrui %[[SIGNS]], %c1
// CHECK-NEXT:    %[[RANK:.*]] = arith.xori %[[BITS]], %[[FLIP]] : i32
// CHECK:         %[[LESS:.*]] = arith.cmpi slt, %[[RANK]], %{{.*}} : i32
// CHECK-NEXT:    arith.select %[[LESS]], %{{.*}}, %{{.*}} : f32
// CHECK:         arith.cmpi ugt
// CHECK:         arith.cmpi ugt
// CHECK-NOT:     math.isnan
gpu.module @extremes [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xf32>, %x: f32, %y: f32, %n: memref<4xi32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %l = arith.minimumf %x, %y : f32
    memref.store %l, %m[%i] : memref<?xf32>
    %b = math.isnan %y : f32
    %w = arith.extui %b : i1 to i32
    memref.store %w, %n[%i] : memref<4xi32>
    gpu.return
  }
}

// -----

// SPIR-V's booleans have no arithmetic. As a signed number true is -1, so that it is less than false.

// CHECK-LABEL: gpu.module @booleans
// CHECK:         %[[SUM:.*]] = arith.xori %[[X:.*]], %[[Y:.*]] : i1
// CHECK-NEXT:    %[[PRODUCT:.*]] = arith.andi %[[SUM]], %[[Y]] : i1
// CHECK-NEXT:    arith.cmpi ult, %[[Y]], %[[PRODUCT]] : i1
gpu.module @booleans [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<4xi1>, %x: i1, %y: i1) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %s = arith.addi %x, %y : i1
    %p = arith.muli %s, %y : i1
    %l = arith.cmpi slt, %p, %y : i1
    memref.store %l, %m[%i] : memref<4xi1>
    gpu.return
  }
}

// -----

// Of an index, everything is of a word.

// CHECK-LABEL: gpu.module @index
// CHECK-NOT:     index.
// CHECK:         %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK:         %[[LESS:.*]] = arith.cmpi ult, %[[SUM]], %{{.*}} : i32
// CHECK-NEXT:    arith.select %[[LESS]]
gpu.module @index [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<4xindex>, %x: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %four = index.constant 4
    %s = index.add %x, %four
    %l = index.cmp ult(%s, %x)
    %c = arith.select %l, %s, %x : index
    memref.store %c, %m[%i] : memref<4xindex>
    gpu.return
  }
}
