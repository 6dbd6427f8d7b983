#version 450
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) buffer Bins { uint bins[]; };
layout(std430, set = 0, binding = 1) readonly buffer Data { uint data[]; };
layout(push_constant) uniform Words { uint bin_count; uint data_count; uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) atomicAdd(bins[data[i]], 1);
}
