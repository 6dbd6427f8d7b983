// Elements of 8 and 16 bits, and arithmetic on them in 32.
//
// RUN: xpu-opt %s --convert-xpu-to-spirv -split-input-file | FileCheck %s

// Without small storage an element is a part of a word. A plain store to it clears its bits and sets them by atomics, which
// leave the neighbours alone; so a plain load of another element is atomic too, for it would race with them. Byte i is in word
// i / 4, at bit 8 * (i mod 4).

// CHECK-LABEL: gpu.module @words
// CHECK:         spirv.GlobalVariable @k.arg0 bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
// CHECK:       gpu.func @k
// CHECK:         %[[I:.*]] = spirv.CompositeExtract %{{.*}}[0 : i32]
// CHECK:         %[[WORD:.*]] = arith.shrui %[[I]], %{{.*}} : i32
// CHECK:         %[[AT:.*]] = spirv.AccessChain %{{.*}}[%{{.*}}, %[[WORD]]]
// CHECK:         %[[HELD:.*]] = spirv.FunctionCall @xpu.OpAtomicLoad.0(%[[AT]], %{{.*}}, %{{.*}})
// CHECK-NEXT:    %[[LOWEST:.*]] = arith.shrui %[[HELD]], %[[SHIFT:.*]] : i32
// CHECK:         %[[BYTE:.*]] = arith.andi %[[LOWEST]], %{{.*}} : i32
// CHECK:         %[[SET:.*]] = arith.shli %[[BYTE]], %[[TO:.*]] : i32
// CHECK:         %[[MASK:.*]] = arith.shli %{{.*}}, %[[TO]] : i32
// CHECK:         %[[OTHERS:.*]] = arith.xori %[[MASK]], %{{.*}} : i32
// CHECK:         spirv.AtomicAnd <Device> <None> %[[P:.*]], %[[OTHERS]]
// CHECK-NEXT:    spirv.AtomicOr <Device> <None> %[[P]], %[[SET]]
gpu.module @words [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi8>, %j: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %m[%i] : memref<?xi8>
    memref.store %v, %m[%j] : memref<?xi8>
    gpu.return
  }
}

// -----

// Without the scope of the device, the neighbours are those of the launch, which is in one family of queues.

// CHECK-LABEL: gpu.module @queue_family
// CHECK:         spirv.AtomicAnd <QueueFamily> <None>
// CHECK-NEXT:    spirv.AtomicOr <QueueFamily> <None>
gpu.module @queue_family [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["-vulkan_memory_model_device_scope"]} {
  gpu.func @k(%m: memref<?xi16>, %v: i16) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    memref.store %v, %m[%i] : memref<?xi16>
    gpu.return
  }
}

// -----

// With small storage an element is its own, unless there are atomics on the words around the elements.

// CHECK-LABEL: gpu.module @bytes
// CHECK:         bind(0, 1) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
// CHECK:         bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<ui8, stride=1> [0])>, StorageBuffer>
// CHECK:         %[[BYTE:.*]] = spirv.Load "StorageBuffer" %{{.*}} ["NonPrivatePointer"] : ui8
// CHECK-NEXT:    spirv.UConvert %[[BYTE]] : ui8 to i32
// CHECK:         spirv.AtomicOr <Device> <None> %{{.*}} : !spirv.ptr<i32, StorageBuffer>
// CHECK:         spirv.FunctionCall @xpu.OpAtomicLoad
gpu.module @bytes [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["+storage_buffer_8bit_access"]} {
  gpu.func @k(%m: memref<?xi8>, %n: memref<4xi8>, %v: i8, %w: i32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %0 = memref.load %m[%i] : memref<?xi8>
    memref.store %0, %m[%i] : memref<?xi8>
    %words = xpu.reinterpret %n : memref<4xi8> to memref<1xi32>
    %1 = xpu.atomic_rmw or %w, %words[%i] ordering(relaxed) scope(device) : memref<1xi32>
    %2 = memref.load %n[%i] : memref<4xi8>
    memref.store %2, %n[%i] : memref<4xi8>
    gpu.return
  }
}

// -----

// A small number has zeros above it. What could leave others there is masked, and what asks for the sign brings it up.

// CHECK-LABEL: gpu.module @arithmetic
// CHECK:       gpu.func @k
// CHECK:         %[[X:.*]] = arith.andi %{{.*}}, %c255
// CHECK:         %[[Y:.*]] = arith.andi %{{.*}}, %c255
// CHECK:         %[[SUM:.*]] = arith.addi %[[X]], %[[Y]] : i32
// CHECK:         arith.andi %[[SUM]], %{{.*}} : i32
// CHECK:         arith.divui %{{.*}}, %[[Y]] : i32
// CHECK-NOT:     arith.andi
// CHECK:         arith.shli
// CHECK:         arith.shrsi
// CHECK:         arith.shli
// CHECK:         arith.shrsi
// CHECK:         arith.divsi
// CHECK:         arith.andi
// CHECK:         arith.cmpi slt
gpu.module @arithmetic [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi8>, %x: i8, %y: i8) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %0 = arith.addi %x, %y : i8
    %1 = arith.divui %0, %y : i8
    %2 = arith.divsi %1, %y : i8
    %3 = arith.cmpi slt, %2, %y : i8
    %4 = arith.select %3, %2, %1 : i8
    memref.store %4, %m[%i] : memref<?xi8>
    gpu.return
  }
}
