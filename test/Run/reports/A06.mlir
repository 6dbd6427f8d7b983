// Report A06: a bf16 sum is one instruction on sm_90, and a compare-and-swap before, which leaves the other half of the word alone.
//
// RUN: xpu-run %s --kernel add --target cpu --groups 1 --arg '[0.0,7.0]:bf16' --expect 0='[0x4380,0x40e0]:bf16'
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s --check-prefix=SM90
// RUN: xpu-compile %s --target nvptx:sm_80 --emit asm -o - | FileCheck %s --check-prefix=SM80
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s --check-prefix=SM80

// SM90-LABEL: .visible .entry add(
// SM90-NOT:   cas
// SM90:       red.relaxed.gpu.global.add.noftz.bf16
// SM90-NOT:   cas
// SM90:       ret;

// SM80-LABEL: .visible .entry add(
// SM80-NOT:   noftz.bf16
// SM80:       ld.relaxed.gpu.global.b32 [[SEEN:%r[0-9]+]], [[[WORD:%rd[0-9]+]]];
// SM80-NOT:   noftz.bf16
// SM80:       atom.relaxed.gpu.global.cas.b32 {{%r[0-9]+}}, [[[WORD]]],
// SM80-NOT:   noftz.bf16
// SM80:       ret;
xpu.kernel @add(%p: memref<2xbf16>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : bf16
  %0 = xpu.atomic_rmw fadd %one, %p[%c0] ordering(relaxed) scope(device) : memref<2xbf16>
  xpu.return
}
