#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require

// The minimum of floats by a compare-and-swap loop, as it is usually written by hand.

layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer Memory { uint m[]; };
layout(set = 0, binding = 1) buffer Place { uint place[]; };
layout(set = 0, binding = 2) buffer Values { float values[]; };
layout(push_constant) uniform Words { uint m_size, place_size, values_size, n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n)
    return;
  uint p = place[i];
  float value = values[i];
  uint old = atomicLoad(m[p], gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
  uint assumed;
  do {
    assumed = old;
    uint least = floatBitsToUint(min(value, uintBitsToFloat(assumed)));
    old = atomicCompSwap(m[p], assumed, least, gl_ScopeDevice, gl_StorageSemanticsNone,
                         gl_SemanticsRelaxed, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
  } while (assumed != old);
}
