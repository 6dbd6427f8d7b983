// RUN: xpu-opt %s --xpu-finish-spirv -split-input-file | FileCheck %s

// Each kernel is an entry point with its workgroup size. From SPIR-V 1.4 on it names all variables that it uses.

// CHECK-LABEL: spirv.module @m Logical Vulkan requires #spirv.vce<v1.6, [Shader, VulkanMemoryModel, VulkanMemoryModelDeviceScope], []>
// CHECK:         spirv.func @first() "None"
// CHECK:           spirv.Return
// CHECK:         spirv.func @second() "None"
// CHECK:         spirv.EntryPoint "GLCompute" @first, @words, @id
// CHECK-NEXT:    spirv.ExecutionMode @first "LocalSize", 64, 2, 1
// CHECK-NEXT:    spirv.EntryPoint "GLCompute" @second
// CHECK-NEXT:    spirv.ExecutionMode @second "LocalSize", 1, 1, 1
// CHECK-NOT:   gpu.module
gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  spirv.GlobalVariable @words : !spirv.ptr<!spirv.struct<(!spirv.array<1 x i32, stride=4> [0])>, PushConstant>
  spirv.GlobalVariable @id built_in("LocalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  gpu.func @first() kernel attributes {known_block_size = array<i32: 64, 2, 1>} {
    %0 = spirv.mlir.addressof @words : !spirv.ptr<!spirv.struct<(!spirv.array<1 x i32, stride=4> [0])>, PushConstant>
    %1 = spirv.mlir.addressof @id : !spirv.ptr<vector<3xi32>, Input>
    %2 = spirv.Load "Input" %1 : vector<3xi32>
    gpu.return
  }
  gpu.func @second() kernel {
    gpu.return
  }
}

// -----

// Before, built-in values alone. The memory model of the target is the module's.

// CHECK-LABEL: spirv.module @m Logical GLSL450 requires #spirv.vce<v1.3, [Shader], []>
// CHECK:         spirv.EntryPoint "GLCompute" @k, @id{{$}}
gpu.module @m [#spirv.target_env<#spirv.vce<v1.3, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["-vulkan_memory_model"]} {
  spirv.GlobalVariable @words : !spirv.ptr<!spirv.struct<(!spirv.array<1 x i32, stride=4> [0])>, PushConstant>
  spirv.GlobalVariable @id built_in("LocalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  gpu.func @k() kernel {
    %0 = spirv.mlir.addressof @words : !spirv.ptr<!spirv.struct<(!spirv.array<1 x i32, stride=4> [0])>, PushConstant>
    %1 = spirv.mlir.addressof @id : !spirv.ptr<vector<3xi32>, Input>
    gpu.return
  }
}

// -----

// A product and a sum are rounded each, so that a device does not make one operation of them.

// CHECK-LABEL: spirv.module @m
// CHECK:         spirv.FMul %{{.*}}, %{{.*}} {no_contraction} : f32
// CHECK-NEXT:    spirv.FAdd %{{.*}}, %{{.*}} {no_contraction} : f32
gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k() kernel {
    %0 = spirv.Constant 2.0 : f32
    %1 = spirv.FMul %0, %0 : f32
    %2 = spirv.FAdd %1, %0 : f32
    gpu.return
  }
}
