// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s --check-prefix=NATIVE
// RUN: xpu-compile %s --target nvptx:sm_80 --emit asm -o - | FileCheck %s --check-prefix=LOOP

// Only sm_90 adds bf16 by itself; before, a loop on the word spares the other half.

// NATIVE: add.noftz.bf16
// LOOP-NOT: add.noftz.bf16
// LOOP:     ld.relaxed.gpu.global.b32
// LOOP:     atom.relaxed.gpu.global.cas.b32
// LOOP-NOT: add.noftz.bf16
xpu.kernel @k(%p: memref<?xbf16>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : bf16
  %0 = xpu.atomic_rmw fadd %one, %p[%c0] ordering(relaxed) scope(device) : memref<?xbf16>
  xpu.return
}
