// What --emit gives for an AMD chip.

// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit mlir | FileCheck %s --check-prefix=MLIR
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit llvm | FileCheck %s --check-prefix=LLVM
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm | FileCheck %s --check-prefix=ASM
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -g | FileCheck %s --check-prefix=LINES

// MLIR:       gpu.module @xpu_kernels [#rocdl.target<{{.*}}chip = "gfx1100"
// MLIR:       llvm.atomicrmw umax {{.*}} syncscope("agent") acq_rel
// MLIR-NOT:   loc(
// LLVM:       define amdgpu_kernel void @count(
// LLVM:       atomicrmw umax {{.*}} syncscope("agent") acq_rel, align 4, !amdgpu.no.fine.grained.memory
// LLVM-NOT:   !DILocation
// ASM:        .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
// ASM:        count:
// ASM-NOT:    .loc
// ASM:        global_atomic_max_u32
// ASM:        .amdhsa_kernel count
// LINES:      .loc {{.*}} emit-amdgpu.mlir:[[#]]:
// LINES:      global_atomic_max_u32

// A binary is a code object, linked by LLVM's lld; the manifest says on which buffers the code relies to be the device's.
// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit bin -o %t.hsaco
// RUN: llvm-readelf -h -s %t.hsaco | FileCheck %s --check-prefix=ELF
// RUN: FileCheck %s --check-prefix=MANIFEST <%t.json
// ELF:        Type: DYN
// ELF:        Machine: EM_AMDGPU
// ELF:        gfx1100
// ELF-DAG:    FUNC {{.*}} count
// ELF-DAG:    OBJECT {{.*}} count.kd
// MANIFEST:   "target": "amdgpu:gfx1100"
// MANIFEST:   "format": "hsaco"
// MANIFEST:   "relies_on_device_local": true
// MANIFEST:   "relies_on_device_local": false

// Without a linker there is an error that says what would work.
// RUN: not env XPU_LLD=%t.absent xpu-compile %s --target amdgpu:gfx1100 --emit bin -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not env XPU_LLD=/bin/false xpu-compile %s --target amdgpu:gfx1100 --emit bin -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=REFUSED
// ABSENT: error: XPU_LLD names '{{.*}}.absent', which is no file
// REFUSED: error: '/bin/false' refuses the object file
xpu.kernel @count(%m: memref<?xi32>, %out: memref<?xi32>) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  %v = arith.index_cast %i : index to i32
  %0 = xpu.atomic_rmw umax %v, %m[%i] : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  xpu.return
}
