// A kernel compiled in one process and launched in another, on a Vulkan device, and by xpu-run at
// once. Words: the extents of two buffers and a scalar.

// REQUIRES: vulkan

// RUN: rm -rf %t && mkdir -p %t
// RUN: xpu-compile %s --target vulkan:1.1,-vulkan_memory_model,-vulkan_memory_model_device_scope \
// RUN:   -o %t/k.spv
// RUN: env XPU_VULKAN_CACHE=%t/cache xpu-launch %t/k.json --kernel scale --target vulkan \
// RUN:   --threads 5 --arg zeros:5xi32 --arg [1,2,3,4,5]:i32 --arg 7:i32 --print 0 | FileCheck %s
// RUN: env XPU_VULKAN_CACHE=%t/cache xpu-launch %t/k.json --kernel scale --target vulkan \
// RUN:   --threads 5 --arg zeros:5xi32 --arg [1,2,3,4,5]:i32 --arg 7:i32 --print 0 | FileCheck %s
// RUN: env XPU_VULKAN_CACHE=off xpu-run %s --kernel scale --target vulkan --threads 5 \
// RUN:   --arg zeros:5xi32 --arg [1,2,3,4,5]:i32 --arg 7:i32 --print 0 | FileCheck %s
// CHECK: 0: [7, 14, 21, 28, 35]

// RUN: not xpu-launch %t/k.json --kernel scale --target cpu --threads 5 --arg zeros:5xi32 \
// RUN:   --arg zeros:5xi32 --arg 7:i32 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: the image was compiled for vulkan:1.1{{.*}}, which --target vulkan runs, not cpu

// RUN: not xpu-run %s --kernel scale --target vulkan --groups 4294967296 --arg zeros:5xi32 \
// RUN:   --arg zeros:5xi32 --arg 7:i32 2>&1 | FileCheck %s --check-prefix=GROUPS
// GROUPS: error: kernel "scale" cannot be launched with 4294967296 work-groups in x: vulkan device {{.*}} takes at most {{[0-9]+}} there

// RUN: env XPU_VULKAN_DEVICE=nothing not xpu-run %s --kernel scale --target vulkan --threads 5 \
// RUN:   2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: XPU_VULKAN_DEVICE is "nothing", which is in the name of no vulkan device: there is {{.+}}, Vulkan 1.

xpu.kernel @scale(%out: memref<?xi32>, %in: memref<?xi32>, %factor: i32) workgroup_size(4, 1, 1) {
  %i = xpu.global_id x
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xi32>
  %inside = arith.cmpi ult, %i, %n : index
  scf.if %inside {
    %value = memref.load %in[%i] : memref<?xi32>
    %scaled = arith.muli %value, %factor : i32
    memref.store %scaled, %out[%i] : memref<?xi32>
  }
  xpu.return
}
