// RUN: xpu-opt %s --xpu-attach-rocdl-target=chip=gfx942 | FileCheck %s
// RUN: not xpu-opt %s --xpu-attach-rocdl-target=chip=gfx1010 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK: gpu.module @mine [#rocdl.target<O = 3, chip = "gfx942">]
// UNKNOWN: error: {{.*}}unknown chip 'gfx1010' of target 'amdgpu'; known chips are gfx906, gfx908, gfx90a, gfx942, gfx950, gfx1030, gfx1100, gfx1151, gfx1200, gfx1201
gpu.module @mine {}

// CHECK: gpu.module @other [#rocdl.target<chip = "gfx1100">]
gpu.module @other [#rocdl.target<chip = "gfx1100">] {}
