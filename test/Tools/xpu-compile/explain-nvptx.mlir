// What became of atomics, fences and barriers on an NVIDIA chip, down to the PTX.

// RUN: cd %S && xpu-compile explain-nvptx.mlir --target nvptx:sm_90 --explain | FileCheck %s

// Functions are told once, whoever calls them.
func.func @helper(%m: memref<?xi64>, %i: index, %v: i64) -> i64 {
  // CHECK:      explain-nvptx.mlir:[[#@LINE+8]]:{{[0-9]+}}: xpu.atomic_rmw umax on i64 in global memory (in helper)
  // CHECK-NEXT:   scope:    system (explicit)
  // CHECK-NEXT:   ordering: acq_rel (default)
  // CHECK-NEXT:   strategy: native
  // CHECK-NEXT:   cost:     native
  // CHECK-NEXT:   memory:   host_visible, promised by the scope
  // CHECK-NEXT:   instructions:
  // CHECK-NEXT:     atom.acq_rel.sys.global.max.u64
  %0 = xpu.atomic_rmw umax %v, %m[%i] scope(system) : memref<?xi64>
  return %0 : i64
}

xpu.kernel @k(%m: memref<?xi32>, %w: memref<?xi64>, %f: memref<?xf32>, %v: i32, %x: f32, %y: i64)
    workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  %big = func.call @helper(%w, %i, %y) : (memref<?xi64>, index, i64) -> i64
  memref.store %big, %w[%i] : memref<?xi64>

  // CHECK:      explain-nvptx.mlir:[[#@LINE+8]]:{{[0-9]+}}: xpu.atomic_load on i32 in global memory (in k)
  // CHECK-NEXT:   scope:    device (from the memory)
  // CHECK-NEXT:   ordering: seq_cst (explicit); done as fence seq_cst, then acquire
  // CHECK-NEXT:   strategy: native
  // CHECK-NEXT:   cost:     native and a fence
  // CHECK-NEXT:   memory:   device_local, promised by the scope
  // CHECK-NEXT:   instructions:
  // CHECK-NEXT:     fence.sc.gpu
  %0 = xpu.atomic_load %m[%i] ordering(seq_cst) : memref<?xi32>
  // CHECK-NEXT:     ld.acquire.gpu.global.b32

  // CHECK-NEXT: explain-nvptx.mlir:[[#@LINE+9]]:{{[0-9]+}}: xpu.atomic_rmw fadd on f32 in global memory (in k)
  // CHECK-NEXT:   scope:    device (from the memory)
  // CHECK-NEXT:   ordering: relaxed (explicit)
  // CHECK-NEXT:   strategy: guarded (a CAS loop where the instruction would not be exact)
  // CHECK-NEXT:   cost:     guarded
  // CHECK:          {{atom|red}}.{{.*}}add.f32
  // CHECK:          ld.relaxed.gpu.global.b32
  // CHECK:          atom.relaxed.gpu.global.cas.b32

  %1 = xpu.atomic_rmw fadd %x, %f[%i] ordering(relaxed) : memref<?xf32>

  // CHECK-NEXT: explain-nvptx.mlir:[[#@LINE+7]]:{{[0-9]+}}: xpu.atomic_store on i32 in global memory (in k)
  // CHECK-NEXT:   scope:    workitem (explicit)
  // CHECK-NEXT:   ordering: release (explicit); done as nothing: no other work-item takes part
  // CHECK-NEXT:   strategy: plain
  // CHECK-NEXT:   cost:     plain
  // CHECK-NEXT:   instructions:
  // CHECK-NEXT:     st.global.b32
  xpu.atomic_store %0, %m[%i] ordering(release) scope(workitem) : memref<?xi32>

  // CHECK-NEXT: explain-nvptx.mlir:[[#@LINE+6]]:{{[0-9]+}}: xpu.fence (in k)
  // CHECK-NEXT:   scope:    workgroup (explicit)
  // CHECK-NEXT:   ordering: acquire (explicit); done as acq_rel
  // CHECK-NEXT:   strategy: fence
  // CHECK-NEXT:   cost:     fence
  // CHECK-NEXT:   instructions:
  xpu.fence ordering(acquire) scope(workgroup)
  // CHECK-NEXT:     fence.acq_rel.cta

  // CHECK:      explain-nvptx.mlir:[[#@LINE+2]]:{{[0-9]+}}: xpu.barrier (in k)
  // CHECK:          bar
  xpu.barrier
  memref.store %1, %f[%i] : memref<?xf32>
  xpu.return
}
// CHECK-NOT: (in
