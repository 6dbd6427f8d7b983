#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require

// The kernel of ../kernels.mlir, with the same orderings. Bindings and words are those of the kernel
// ABI, so that both take the same launch. The other files here say what they differ in.

layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer Bins { uint bins[]; };
layout(set = 0, binding = 1) buffer Data { uint data[]; };
layout(push_constant) uniform Words { uint bins_size, data_size, n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n)
    atomicAdd(bins[data[i]], 1u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}
