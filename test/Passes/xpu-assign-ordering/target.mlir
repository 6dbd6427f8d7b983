// RUN: xpu-opt %s --xpu-assign-ordering=default=target | FileCheck %s
// RUN: xpu-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(xpu-assign-ordering{default=target})))' \
// RUN:   | FileCheck %s --check-prefix=NESTED

// acq_rel on Vulkan, relaxed elsewhere.

// CHECK-LABEL: gpu.module @vulkan
// NESTED-LABEL: gpu.module @vulkan
gpu.module @vulkan [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
    // CHECK: xpu.atomic_rmw add {{.*}} ordering(acq_rel) :
    // NESTED: xpu.atomic_rmw add {{.*}} ordering(acq_rel) :
    %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
    // CHECK: xpu.atomic_load {{.*}} ordering(acquire) :
    %1 = xpu.atomic_load %m[%i] : memref<?xi32>
    // CHECK: xpu.cas {{.*}} ordering(acq_rel) failure(acquire) :
    %2 = xpu.cas %v, %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @nvidia
// NESTED-LABEL: gpu.module @nvidia
gpu.module @nvidia [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
    // CHECK: xpu.atomic_rmw add {{.*}} ordering(relaxed) :
    // NESTED: xpu.atomic_rmw add {{.*}} ordering(relaxed) :
    %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
    // CHECK: xpu.cas {{.*}} ordering(relaxed) failure(relaxed) :
    %1 = xpu.cas %v, %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @amd
gpu.module @amd [#rocdl.target<chip = "gfx1100">] {
  gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
    // CHECK: xpu.atomic_rmw add {{.*}} ordering(relaxed) :
    %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @cpu
gpu.module @cpu attributes {xpu.cpu_target} {
  gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
    // CHECK: xpu.atomic_store {{.*}} ordering(relaxed) :
    xpu.atomic_store %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// Code in no gpu.module is for the CPU.
// CHECK-LABEL: func.func @host
func.func @host(%m: memref<?xi32>, %v: i32, %i: index) {
  // CHECK: xpu.atomic_rmw add {{.*}} ordering(relaxed) :
  %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
  return
}

// Nobody asks for a target where every ordering is there.
// CHECK-LABEL: gpu.module @unasked
gpu.module @unasked {
  gpu.func @k(%m: memref<?xi32>, %v: i32, %i: index) kernel {
    // CHECK: xpu.atomic_rmw add {{.*}} ordering(seq_cst) :
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) : memref<?xi32>
    xpu.fence ordering(release)
    gpu.return
  }
}
