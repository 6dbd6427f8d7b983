// RUN: xpu-opt %s --xpu-attach-cpu-target | FileCheck %s

// CHECK: gpu.module @mine attributes {xpu.cpu_target}
gpu.module @mine {}

// CHECK: gpu.module @other [#nvvm.target] {
gpu.module @other [#nvvm.target] {}
