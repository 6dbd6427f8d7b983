// RUN: xpu-opt %s --xpu-finish-spirv -verify-diagnostics -split-input-file

// What upstream's conversions left is to blame, not the casts that they left with it.

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k() kernel {
    %0 = spirv.Constant 2.0 : f32
    %1 = builtin.unrealized_conversion_cast %0 : f32 to f32
    // expected-error @below {{'math.erf' op has no lowering for Vulkan}}
    %2 = math.erf %1 : f32
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  // expected-error @below {{'memref.global' op has no lowering for Vulkan}}
  memref.global constant @table : memref<2xi32> = dense<[1, 2]>
  gpu.func @k() kernel {
    gpu.return
  }
}
