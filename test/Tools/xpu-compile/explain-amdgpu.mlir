// What became of atomics, fences and barriers on an AMD chip, down to the ISA.

// RUN: cd %S && xpu-compile explain-amdgpu.mlir --target amdgpu:gfx1100 --explain | FileCheck %s

xpu.kernel @k(%m: memref<?xi32>, %f: memref<?xf32>, %h: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>}, %v: i32, %x: f32)
    workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  // CHECK:      explain-amdgpu.mlir:[[#@LINE+11]]:8: xpu.atomic_rmw xor on i32 in global memory (in k)
  // CHECK-NEXT:   scope:        device (from the memory)
  // CHECK-NEXT:   ordering:     acq_rel (default)
  // CHECK-NEXT:   strategy:     native
  // CHECK-NEXT:   cost:         native
  // CHECK-NEXT:   memory:       device_local, promised by the scope
  // CHECK-NEXT:   instructions:
  // CHECK:          global_atomic_xor_b32 {{.*}} glc
  // CHECK-NEXT:     s_waitcnt vmcnt(0)
  // CHECK-NEXT:     buffer_gl1_inv
  // CHECK-NEXT:     buffer_gl0_inv
  %0 = xpu.atomic_rmw xor %v, %m[%i] : memref<?xi32>
  memref.store %0, %m[%i] : memref<?xi32>
  // CHECK:      xpu.atomic_rmw fmin on f32
  // CHECK:        strategy:     native (either zero; signalling NaN ignored or quieted)
  // CHECK:          global_atomic_min_f32
  %1 = xpu.atomic_rmw fmin %x, %f[%i] ordering(relaxed) : memref<?xf32>
  // CHECK:      xpu.atomic_rmw sub on i32
  // CHECK:        strategy:     native (as add of the negated operand)
  // CHECK:        memory:       host_visible, promised by the argument
  // CHECK:          global_atomic_add_u32
  %2 = xpu.atomic_rmw sub %v, %h[%i] ordering(relaxed) scope(system) : memref<?xi32>
  // CHECK:      xpu.atomic_rmw or on i32
  // CHECK:        strategy:     CAS loop (on the integer of the same width)
  // CHECK:          global_atomic_cmpswap_b32
  %3 = xpu.atomic_rmw or %v, %h[%i] ordering(relaxed) scope(device) : memref<?xi32>
  // CHECK:      xpu.fence
  // CHECK:          s_waitcnt_vscnt null, 0x0
  // CHECK-NEXT:     buffer_gl0_inv
  xpu.fence ordering(acquire) scope(workgroup)
  // CHECK:      xpu.barrier
  // CHECK:        strategy:     barrier
  // CHECK:          s_barrier
  // CHECK-NEXT:     buffer_gl0_inv
  xpu.barrier
  // CHECK:      xpu.atomic_load on i32
  // CHECK:          global_load_b32 {{.*}} glc
  // CHECK-NEXT:     s_waitcnt vmcnt(0)
  // CHECK-NEXT:     buffer_gl1_inv
  // CHECK-NEXT:     buffer_gl0_inv
  %4 = xpu.atomic_load %m[%i] ordering(seq_cst) : memref<?xi32>
  memref.store %4, %m[%i] : memref<?xi32>
  xpu.return
}
