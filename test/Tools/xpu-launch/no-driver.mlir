// Without a driver the error says what is missing, and which targets are there.

// RUN: rm -rf %t && mkdir -p %t
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o %t/k.ptx
// RUN: env XPU_CUDA_LIBRARY=%t/libcuda.so XPU_VULKAN_LIBRARY=%t/libvulkan.so not xpu-launch \
// RUN:   %t/k.json --kernel k --target cuda --threads 1 2>&1 | FileCheck %s
// RUN: env XPU_CUDA_LIBRARY=%t/libcuda.so XPU_VULKAN_LIBRARY=%t/libvulkan.so not xpu-run %s \
// RUN:   --kernel k --target cuda --threads 1 2>&1 | FileCheck %s
// CHECK: error: there is no NVIDIA driver: {{.*}}libcuda.so: cannot open shared object file: No such file or directory; the targets here: cpu{{$}}

xpu.kernel @k() workgroup_size(1, 1, 1) {
  xpu.return
}
