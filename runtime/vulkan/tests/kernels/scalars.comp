#version 450
// i64, i8, f32, f64: words as they are, 7 with the extent of the buffer.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint words[]; };
layout(push_constant) uniform Words { uint given[7]; };
void main() {
  for (uint i = 0; i < 7; ++i) words[i] = given[i];
}
