#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require

layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer Memory { uint m[]; };
layout(set = 0, binding = 1) buffer Place { uint place[]; };
layout(set = 0, binding = 2) buffer Out { uint out_[]; };
layout(push_constant) uniform Words { uint m_size, place_size, out_size, n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n)
    out_[i] = atomicAdd(m[place[i]], 1u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}
