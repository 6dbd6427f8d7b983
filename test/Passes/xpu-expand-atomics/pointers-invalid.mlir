// RUN: xpu-opt %s --xpu-expand-atomics -verify-diagnostics -split-input-file

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  func.func @f(%p: !llvm.ptr<1>, %v: i32) {
    // expected-error @below {{'xpu.atomic_rmw' op goes through a pointer of type '!llvm.ptr<1>', which target 'vulkan:1.3' cannot do: Logical SPIR-V has no pointers of a program's own; use a memref}}
    %0 = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
    return
  }
}

// -----

func.func @f(%p: !llvm.ptr, %v: i32) {
  // expected-error @below {{'xpu.atomic_rmw' op has no scope; run 'xpu-assign-scope' first}}
  %0 = xpu.atomic_rmw add %v, %p ordering(relaxed) : !llvm.ptr, i32
  return
}
