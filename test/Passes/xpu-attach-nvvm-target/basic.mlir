// RUN: xpu-opt %s --xpu-attach-nvvm-target=chip=sm_80 | FileCheck %s
// RUN: xpu-opt %s --xpu-attach-nvvm-target=chip=sm_70 | FileCheck %s --check-prefix=OLD
// RUN: not xpu-opt %s --xpu-attach-nvvm-target=chip=sm_60 2>&1 | FileCheck %s --check-prefix=TOO-OLD

// LLVM starts sm_70 at a PTX without atomics on f16.

// CHECK: gpu.module @mine [#nvvm.target<O = 3, chip = "sm_80">]
// OLD:   gpu.module @mine [#nvvm.target<O = 3, chip = "sm_70", features = "+ptx63">]
// TOO-OLD: error: {{.*}}sm_60
gpu.module @mine {}

// CHECK: gpu.module @other [#nvvm.target<chip = "sm_90">]
gpu.module @other [#nvvm.target<chip = "sm_90">] {}
