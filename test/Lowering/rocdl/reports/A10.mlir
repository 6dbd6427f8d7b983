// A sum of floats in memory of which nothing is known is a loop that this compiler writes; in memory of the device it is the
// instruction, on gfx90a only where it may flush subnormals.

// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s --check-prefix=GFX11
// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s --check-prefix=GFX90A
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit llvm -o - | FileCheck %s --check-prefix=LLVM
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx1100 | FileCheck %s --check-prefix=MLIR

// MLIR-LABEL: llvm.func @unknown
// MLIR-NOT:   rocdl.no_
// MLIR:       llvm.cmpxchg
// MLIR-LABEL: llvm.func @device
// MLIR:       llvm.atomicrmw fadd {{.*}}rocdl.no_fine_grained_memory, rocdl.no_remote_memory

// LLVM-LABEL: @unknown(
// LLVM-NOT:   atomicrmw fadd
// LLVM-LABEL: @device(
// LLVM:       atomicrmw fadd {{.*}}!amdgpu.no.fine.grained.memory

// GFX11-LABEL: {{^}}unknown:
// GFX11-NOT:   add_f32 v{{.*}} off
// GFX11:       global_atomic_cmpswap_b32
// GFX11-LABEL: {{^}}device:
// GFX11-NOT:   cmpswap
// GFX11:       global_atomic_add_f32
// GFX11-NOT:   cmpswap
// GFX11-LABEL: {{^}}flushing:
// GFX11:       global_atomic_add_f32

// GFX90A-LABEL: {{^}}unknown:
// GFX90A-NOT:   global_atomic_add
// GFX90A:       global_atomic_cmpswap
// GFX90A-LABEL: {{^}}device:
// GFX90A-NOT:   global_atomic_add
// GFX90A:       global_atomic_cmpswap
// GFX90A-LABEL: {{^}}flushing:
// GFX90A-NOT:   cmpswap
// GFX90A:       global_atomic_add_f32
xpu.kernel @unknown(%p: memref<?xf32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %0 = xpu.atomic_rmw fadd %one, %p[%c0] ordering(relaxed) scope(system) : memref<?xf32>
  xpu.return
}
xpu.kernel @device(%p: memref<?xf32> {xpu.memory = #xpu.memory<device_local>}) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %0 = xpu.atomic_rmw fadd %one, %p[%c0] ordering(relaxed) scope(device) : memref<?xf32>
  xpu.return
}
xpu.kernel @flushing(%p: memref<?xf32>) workgroup_size(64, 1, 1) attributes {xpu.denormals = #xpu.denormals<flush>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %0 = xpu.atomic_rmw fadd %one, %p[%c0] ordering(relaxed) scope(device) : memref<?xf32>
  xpu.return
}
