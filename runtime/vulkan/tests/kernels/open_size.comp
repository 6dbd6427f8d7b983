#version 450
// The launch decides the size of the work-groups; work-item 0 tells it.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Out { uint words[]; };
void main() {
  if (gl_GlobalInvocationID == uvec3(0)) {
    words[0] = gl_WorkGroupSize.x;
    words[1] = gl_WorkGroupSize.y;
    words[2] = gl_WorkGroupSize.z;
  }
  atomicAdd(words[3], 1);
}
