#version 450
// 40 scalars, in a buffer after the extent of the first buffer.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint words[]; };
layout(std430, set = 0, binding = 1) readonly buffer Words { uint given[41]; };
void main() {
  for (uint i = 0; i < given[0]; ++i) words[i] = given[i + 1];
}
