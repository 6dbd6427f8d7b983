// What became of atomics, fences and barriers on the CPU. Instructions depend on the machine: the
// form is what counts here, and the unit tests of xpu-emit read those of x86-64.

// RUN: cd %S && xpu-compile explain-cpu.mlir --target cpu --explain | FileCheck %s
// RUN: cd %S && xpu-compile explain-cpu.mlir --target cpu --explain=json | FileCheck %s --check-prefix=JSON

// JSON:      {
// JSON-NEXT:   "explain": 1,
// JSON-NEXT:   "target": "cpu",
// JSON-NEXT:   "operations": [
// JSON:          "file": "explain-cpu.mlir",
// JSON:          "op": "xpu.atomic_rmw",
// JSON-NEXT:     "kind": "add",
// JSON-NEXT:     "type": "i32",
// JSON-NEXT:     "storage": "global",
// JSON:          "unattributed": []

xpu.kernel @k(%m: memref<?xi32>, %f: memref<?xf32> {xpu.memory = #xpu.memory<host_visible>}, %v: i32, %x: f32)
    workgroup_size(4, 1, 1) {
  %shared = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>
  %i = xpu.local_id x

  // CHECK:      explain-cpu.mlir:[[#@LINE+7]]:{{[0-9]+}}: xpu.atomic_rmw add on i32 in global memory (in k)
  // CHECK-NEXT:   scope:    device (explicit); the target gives system at no cost
  // CHECK-NEXT:   ordering: relaxed (explicit)
  // CHECK-NEXT:   strategy: native
  // CHECK-NEXT:   cost:     native
  // CHECK-NEXT:   memory:   device_local, promised by the scope
  // CHECK-NEXT:   instructions:
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>

  // CHECK:      explain-cpu.mlir:[[#@LINE+6]]:{{[0-9]+}}: xpu.atomic_load on i32 in shared memory (in k)
  // CHECK-NEXT:   scope:    workgroup (from the memory)
  // CHECK-NEXT:   ordering: acquire, asked acq_rel (default); a load has only the acquiring half
  // CHECK-NEXT:   strategy: native
  // CHECK-NEXT:   cost:     native
  // CHECK-NEXT:   instructions:
  %1 = xpu.atomic_load %shared[%i] : memref<4xi32, #gpu.address_space<workgroup>>

  // CHECK:      explain-cpu.mlir:[[#@LINE+6]]:{{[0-9]+}}: xpu.atomic_rmw fadd on f32 in global memory (in k)
  // CHECK-NEXT:   scope:    device (from the memory)
  // CHECK-NEXT:   ordering: acq_rel (default)
  // CHECK-NEXT:   strategy: CAS loop (on the integer of the same width)
  // CHECK-NEXT:   cost:     loop
  // CHECK-NEXT:   memory:   host_visible, promised by the argument
  %2 = xpu.atomic_rmw fadd %x, %f[%i] : memref<?xf32>

  // CHECK:      explain-cpu.mlir:[[#@LINE+8]]:{{[0-9]+}}: xpu.cas on i32 in global memory (in k)
  // CHECK-NEXT:   scope:    system (explicit)
  // CHECK-NEXT:   ordering: seq_cst (explicit)
  // CHECK-NEXT:   failure:  seq_cst (from the ordering)
  // CHECK-NEXT:   strategy: native
  // CHECK-NEXT:   cost:     native
  // CHECK-NEXT:   memory:   host_visible, promised by the scope
  // CHECK-NEXT:   instructions:
  %3 = xpu.cas %0, %1, %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>

  // CHECK:      explain-cpu.mlir:[[#@LINE+4]]:{{[0-9]+}}: xpu.fence (in k)
  // CHECK-NEXT:   scope:    device (default)
  // CHECK-NEXT:   ordering: seq_cst (explicit)
  // CHECK-NEXT:   strategy: fence
  xpu.fence ordering(seq_cst)

  // CHECK:      explain-cpu.mlir:[[#@LINE+6]]:{{[0-9]+}}: xpu.barrier (in k)
  // CHECK-NEXT:   scope:    workgroup (what the operation means)
  // CHECK-NEXT:   ordering: acq_rel (what the operation means)
  // CHECK-NEXT:   strategy: barrier
  // CHECK-NEXT:   cost:     barrier
  // CHECK-NEXT:   instructions:
  xpu.barrier
  // CHECK-NEXT: xpu_cpu_barrier
  xpu.return
}
// CHECK-NOT: (in
