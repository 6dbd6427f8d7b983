// Minimum and maximum of floats at the scope of the device: one instruction where the chip has it, an integer one by the sign of
// the operand where it has not, and never a loop around the whole.

// RUN: xpu-compile %s --target amdgpu:gfx1030 --emit asm -o - | FileCheck %s --check-prefixes=GFX10 --implicit-check-not=atomic --implicit-check-not=s_cbranch
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s --check-prefixes=GFX11 --implicit-check-not=atomic --implicit-check-not=s_cbranch
// RUN: xpu-compile %s --target amdgpu:gfx1151 --emit asm -o - | FileCheck %s --check-prefixes=GFX11 --implicit-check-not=atomic --implicit-check-not=s_cbranch
// RUN: xpu-compile %s --target amdgpu:gfx1200 --emit asm -o - | FileCheck %s --check-prefixes=GFX12 --implicit-check-not=atomic --implicit-check-not=s_cbranch
// RUN: xpu-compile %s --target amdgpu:gfx1201 --emit asm -o - | FileCheck %s --check-prefixes=GFX12 --implicit-check-not=atomic --implicit-check-not=s_cbranch
// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s --check-prefixes=CDNA
// RUN: xpu-compile %s --target amdgpu:gfx942 --emit asm -o - | FileCheck %s --check-prefixes=CDNA

// No loop around it on any chip: a loop is what LLVM's own expansion would be.
// RUN: xpu-compile %s --target amdgpu:gfx906 --forbid cas-loop --emit asm -o %t
// RUN: xpu-compile %s --target amdgpu:gfx90a --forbid cas-loop --emit asm -o %t
// RUN: xpu-compile %s --target amdgpu:gfx942 --forbid cas-loop --emit asm -o %t

// GFX10-LABEL: {{^}}minimum:
// GFX10: global_atomic_fmin v
// GFX10-LABEL: {{^}}maximum:
// GFX10: global_atomic_fmax v{{.*}} glc

// GFX11-LABEL: {{^}}minimum:
// GFX11: global_atomic_min_f32 v
// GFX11-LABEL: {{^}}maximum:
// GFX11: global_atomic_max_f32 v{{.*}} glc

// GFX12-LABEL: {{^}}minimum:
// GFX12: global_atomic_min_num_f32 v{{.*}} scope:SCOPE_DEV
// GFX12-LABEL: {{^}}maximum:
// GFX12: global_atomic_max_num_f32 v{{.*}} th:TH_ATOMIC_RETURN scope:SCOPE_DEV

// CDNA-LABEL: {{^}}minimum:
// CDNA-DAG: global_atomic_smin v
// CDNA-DAG: global_atomic_umax v
// CDNA-LABEL: {{^}}maximum:
// CDNA-DAG: global_atomic_smax v
// CDNA-DAG: global_atomic_umin v
xpu.kernel @minimum(%m: memref<?xf32>, %v: f32) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  %0 = xpu.atomic_rmw fmin %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  xpu.return
}
xpu.kernel @maximum(%m: memref<?xf32>, %v: f32, %out: memref<?xf32>) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  %0 = xpu.atomic_rmw fmax %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
  memref.store %0, %out[%i] : memref<?xf32>
  xpu.return
}
