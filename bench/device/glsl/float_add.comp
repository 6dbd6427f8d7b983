#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_atomic_float : require

layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer Memory { float m[]; };
layout(set = 0, binding = 1) buffer Place { uint place[]; };
layout(set = 0, binding = 2) buffer Values { float values[]; };
layout(push_constant) uniform Words { uint m_size, place_size, values_size, n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n)
    atomicAdd(m[place[i]], values[i], gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}
