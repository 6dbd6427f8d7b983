// Where code, manifest and explanation go.

// RUN: rm -rf %t && mkdir -p %t/code %t/manifests

// Beside OUT, with its extension replaced.
// RUN: cd %t/code && xpu-compile %s --target cpu --emit bin -o k.o && ls >%t/list
// RUN: FileCheck %s --check-prefix=BESIDE <%t/list
// RUN: FileCheck %s --check-prefix=IMAGE -DFILE=k.o <%t/code/k.json
// BESIDE:     k.json
// BESIDE-NEXT: k.o
// BESIDE-NOT: {{.}}
// IMAGE: "file": "[[FILE]]"

// Elsewhere: the manifest names the image as seen from its own folder.
// RUN: xpu-compile %s --target cpu --emit bin -o %t/code/k.o --manifest %t/manifests/k.json
// RUN: FileCheck %s --check-prefix=IMAGE -DFILE=../code/k.o <%t/manifests/k.json

// What cannot be launched is no image.
// RUN: xpu-compile %s --target cpu --emit asm -o %t/k.s
// RUN: FileCheck %s --check-prefix=NO-IMAGE <%t/k.json
// NO-IMAGE-NOT: "image"
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o %t/k.ptx
// RUN: FileCheck %s --check-prefix=IMAGE -DFILE=k.ptx <%t/k.json

// Standard output has no manifest beside it, and neither has a device.
// RUN: cd %t/manifests && rm k.json && xpu-compile %s --target cpu --emit asm -o - >/dev/null
// RUN: xpu-compile %s --target cpu --emit asm -o /dev/null
// RUN: ls %t/manifests | count 0
// RUN: xpu-compile %s --target cpu --emit asm -o - --manifest %t/manifests/k.json | FileCheck %s --check-prefix=ASM
// RUN: FileCheck %s --check-prefix=NO-IMAGE <%t/manifests/k.json
// RUN: xpu-compile %s --target cpu --emit asm -o %t/k.s --manifest - | FileCheck %s --check-prefix=MANIFEST
// ASM-LABEL: xpu_kernels.k:
// MANIFEST: "abi": 1

// An explanation is on standard output, unless that is taken. Without --emit and -o it is all.
// RUN: xpu-compile %s --target cpu --explain | FileCheck %s --check-prefix=EXPLAIN
// RUN: xpu-compile %s --target cpu --explain -o %t/k.o | FileCheck %s --check-prefix=EXPLAIN
// RUN: xpu-compile %s --target cpu --explain --emit asm 2>%t/explanation | FileCheck %s --check-prefix=ASM
// RUN: FileCheck %s --check-prefix=EXPLAIN <%t/explanation
// EXPLAIN-NOT: xpu_kernels
// EXPLAIN: xpu.barrier (in k)
// EXPLAIN-NOT: xpu_kernels

// Nothing is written where something is wrong.
// RUN: not xpu-compile %s --target cpu --emit bin --forbid cas-loop -o %t/code/wrong.o
// RUN: ls %t/code | FileCheck %s --check-prefix=BESIDE

xpu.kernel @k(%m: memref<?xf32>, %v: f32) workgroup_size(1, 1, 1) {
  %i = xpu.global_id x
  xpu.barrier
  xpu.atomic_rmw fadd %v, %m[%i] : memref<?xf32>
  xpu.return
}
