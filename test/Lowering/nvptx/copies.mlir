// A copy is a loop: the function that upstream calls is on no GPU.
//
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s
// RUN: xpu-opt %s --convert-xpu-to-gpu --xpu-attach-nvvm-target --convert-xpu-to-nvvm | FileCheck %s --check-prefix=LOOP

// LOOP-LABEL: llvm.func @copy
// LOOP:         %[[ROWS:.*]] = memref.dim %[[M:.*]], %{{.*}}
// LOOP:         scf.for %[[I:.*]] = %{{.*}} to %[[ROWS]] step
// LOOP:           scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// LOOP:             %[[V:.*]] = memref.load %[[M]][%[[I]], %[[J]]]
// LOOP:             memref.store %[[V]], %{{.*}}[%[[I]], %[[J]]]

// CHECK-LABEL: .visible .entry copy(
// CHECK: ld.global.b16
// CHECK: st.global.b16
// CHECK: ret;
xpu.kernel @copy(%m: memref<?x4xi16>, %n: memref<?x4xi16, strided<[1, ?]>>) workgroup_size(1, 1, 1) {
  memref.copy %m, %n : memref<?x4xi16> to memref<?x4xi16, strided<[1, ?]>>
  xpu.return
}
