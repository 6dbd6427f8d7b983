// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s

// A float maximum by integers goes by the sign bit, so that -0.0 is no small number: signed maximum for
// an operand without the bit, unsigned minimum for one with it. The value before comes back (A29).

// CHECK-DAG: atom.acq_rel.gpu.global.max.s32
// CHECK-DAG: atom.acq_rel.gpu.global.min.u32
// CHECK:     st.global
xpu.kernel @k(%p: memref<?xf32>, %v: memref<?xf32>, %o: memref<?xf32>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %v[%l] : memref<?xf32>
  %0 = xpu.atomic_rmw fmax %x, %p[%l] ordering(acq_rel) scope(device) : memref<?xf32>
  memref.store %0, %o[%l] : memref<?xf32>
  xpu.return
}
