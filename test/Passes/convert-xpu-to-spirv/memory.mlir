// How memory is declared, and which element an access means.
//
// RUN: xpu-opt %s --convert-xpu-to-spirv -split-input-file | FileCheck %s

// A plain access to memory that others see takes part in their order: it is not private to its pointer. Private memory and the
// words of a launch are.

// CHECK-LABEL: gpu.module @plain
// CHECK:         %[[OWN:.*]] = spirv.Variable : !spirv.ptr<!spirv.array<8 x f32>, Function>
// CHECK:         spirv.Load "StorageBuffer" %{{.*}} ["NonPrivatePointer"] : f32
// CHECK:         spirv.Store "Workgroup" %{{.*}}, %{{.*}} ["NonPrivatePointer"] : f32
// CHECK:         %[[AT:.*]] = spirv.AccessChain %[[OWN]]
// CHECK:         spirv.Store "Function" %[[AT]], %{{.*}} : f32
gpu.module @plain [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      private(%p: memref<8xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %m[%i] : memref<?xf32>
    memref.store %v, %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %v, %p[%i] : memref<8xf32, #gpu.address_space<private>>
    gpu.return
  }
}

// -----

// Memory that is declared in a loop is declared once, before everything that the kernel does.

// CHECK-LABEL: gpu.module @in_loop
// CHECK:         spirv.Variable : !spirv.ptr<!spirv.array<4 x i32>, Function>
// CHECK:         scf.for
// CHECK-NOT:       spirv.Variable
gpu.module @in_loop [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = arith.constant 3 : i32
    scf.for %i = %c0 to %n step %c1 {
      %p = memref.alloca() : memref<4xi32>
      memref.store %v, %p[%c1] : memref<4xi32>
      %w = memref.load %p[%c1] : memref<4xi32>
      memref.store %w, %m[%i] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

// Report A20: the same arithmetic as a store's. The strides are 4 rows of 10, the offset is 5: 5 + 10 * i + 2 * j.

// CHECK-LABEL: gpu.module @strided
// CHECK:       gpu.func @k
// CHECK:         %[[I:.*]] = spirv.CompositeExtract %{{.*}}[0 : i32]
// CHECK:         %[[J:.*]] = spirv.CompositeExtract %{{.*}}[1 : i32]
// CHECK:         %[[TEN:.*]] = arith.constant 10 : i32
// CHECK-NEXT:    %[[ROW:.*]] = arith.muli %[[I]], %[[TEN]] : i32
// CHECK:         %[[FIVE:.*]] = arith.constant 5 : i32
// CHECK:         %[[FIRST:.*]] = arith.addi {{.*}} : i32
// CHECK:         %[[TWO:.*]] = arith.constant 2 : i32
// CHECK-NEXT:    %[[COLUMN:.*]] = arith.muli %[[J]], %[[TWO]] : i32
// CHECK-NEXT:    %[[INDEX:.*]] = arith.addi %[[FIRST]], %[[COLUMN]] : i32
// CHECK:         spirv.AccessChain %{{.*}}[%{{.*}}, %[[INDEX]]]
gpu.module @strided [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<4x5xi32, strided<[10, 2], offset: 5>>, %v: i32) kernel attributes {known_block_size = array<i32: 4, 5, 1>} {
    %i = gpu.thread_id x
    %j = gpu.thread_id y
    %0 = xpu.atomic_rmw add %v, %m[%i, %j] ordering(relaxed) scope(device) : memref<4x5xi32, strided<[10, 2], offset: 5>>
    gpu.return
  }
}

// -----

// Two element types on one buffer are two variables at one binding; integer atomics decide for plain floats, whose bits are
// kept.

// CHECK-LABEL: gpu.module @two_types
// CHECK-DAG:     spirv.GlobalVariable @{{.*}} bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
// CHECK-DAG:     spirv.GlobalVariable @{{.*}} bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>
// CHECK:         spirv.AtomicIAdd {{.*}} : !spirv.ptr<i32, StorageBuffer>
// CHECK:         spirv.AtomicIAdd {{.*}} : !spirv.ptr<i64, StorageBuffer>
// CHECK:         %[[BITS:.*]] = spirv.Load "StorageBuffer" %{{.*}} : i32
// CHECK:         arith.bitcast %[[BITS]] : i32 to f32
gpu.module @two_types [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["+shader_int64", "+shader_buffer_int64_atomics"]} {
  gpu.func @k(%m: memref<8xi32>, %v: i32, %w: i64) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %l = xpu.reinterpret %m : memref<8xi32> to memref<4xi64>
    %f = xpu.reinterpret %m : memref<8xi32> to memref<8xf32>
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<8xi32>
    %1 = xpu.atomic_rmw add %w, %l[%i] ordering(relaxed) scope(device) : memref<4xi64>
    %2 = memref.load %f[%i] : memref<8xf32>
    memref.store %2, %f[%i] : memref<8xf32>
    gpu.return
  }
}

// -----

// Extents are words of the launch, also one that is chosen at run time; above 128 bytes the words are a buffer after the others.

// CHECK-LABEL: gpu.module @many
// CHECK:         spirv.GlobalVariable @k.words bind(0, 1) {non_writable} : !spirv.ptr<!spirv.struct<(!spirv.array<35 x i32, stride=4> [0])>, StorageBuffer>
// CHECK:       gpu.func @k
// CHECK:         %[[ROWS_AT:.*]] = spirv.AccessChain %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}}array<35 x i32
// CHECK-NEXT:    %[[ROWS:.*]] = spirv.Load "StorageBuffer" %[[ROWS_AT]]
// CHECK:         %[[COLUMNS_AT:.*]] = spirv.AccessChain %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}}array<35 x i32
// CHECK-NEXT:    %[[COLUMNS:.*]] = spirv.Load "StorageBuffer" %[[COLUMNS_AT]]
// CHECK:         %[[I:.*]] = spirv.CompositeExtract %{{.*}}[0 : i32]
// CHECK:         %[[IS_FIRST:.*]] = arith.cmpi eq, %[[I]], %{{.*}} : i32
// CHECK-NEXT:    %[[FIRST:.*]] = arith.select %[[IS_FIRST]], %[[ROWS]], %{{.*}} : i32
// CHECK:         %[[IS_SECOND:.*]] = arith.cmpi eq, %[[I]], %{{.*}} : i32
// CHECK-NEXT:    %[[N:.*]] = arith.select %[[IS_SECOND]], %[[COLUMNS]], %[[FIRST]] : i32
// CHECK:         spirv.Store "StorageBuffer" %{{.*}}, %[[N]] ["NonPrivatePointer"] : i32
gpu.module @many [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] attributes {xpu.vulkan_features = ["+shader_int64"]} {
  gpu.func @k(%m: memref<?x?xindex>, %0: i64, %1: i64, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: i64, %8: i64, %9: i64,
              %a: i64, %b: i64, %c: i64, %d: i64, %e: i64, %f: i64, %g: i8) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %n = memref.dim %m, %i : memref<?x?xindex>
    memref.store %n, %m[%i, %i] : memref<?x?xindex>
    gpu.return
  }
}
