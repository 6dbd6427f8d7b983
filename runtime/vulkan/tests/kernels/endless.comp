#version 450
// Waits for a number that nothing writes.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Flag { uint flag[]; };
void main() {
  while (atomicAdd(flag[0], 0) == 0) {}
}
