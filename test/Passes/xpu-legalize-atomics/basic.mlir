// RUN: xpu-opt %s -o %t.before
// RUN: xpu-opt %s --xpu-legalize-atomics=strict -o %t.after 2>%t.said
// RUN: diff %t.before %t.after
// RUN: count 0 <%t.said

// CPU and NVPTX have every scope and every ordering: nothing changes, and there is nothing to say,
// also under strict.

func.func @cpu(%m: memref<?xi32>, %s: memref<?xi32, 3>, %p: memref<?xi32, 5>, %v: i32, %i: index) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(system) : memref<?xi32>
  %1 = xpu.atomic_rmw add %v, %s[%i] ordering(seq_cst) scope(subgroup) : memref<?xi32, 3>
  %2 = xpu.atomic_rmw add %v, %p[%i] ordering(acq_rel) scope(workitem) : memref<?xi32, 5>
  %3 = xpu.cas %v, %v, %m[%i] ordering(release) failure(relaxed) scope(device) : memref<?xi32>
  %4 = xpu.atomic_load %m[%i] ordering(acquire) scope(workgroup) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  xpu.fence ordering(seq_cst) scope(system)
  return
}

gpu.module @module [#nvvm.target<chip = "sm_70">] {
  gpu.func @nvptx(%m: memref<?xf32>, %s: memref<?xf32, 3>, %v: f32, %i: index) kernel {
    %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xf32>
    %1 = xpu.atomic_rmw fmin %v, %s[%i] ordering(relaxed) scope(subgroup) : memref<?xf32, 3>
    %2 = xpu.cas %v, %v, %m[%i] ordering(seq_cst) failure(seq_cst) scope(workitem) : memref<?xf32>
    %3 = xpu.cas %v, %v, %m[%i] ordering(acq_rel) failure(relaxed) scope(workgroup) : memref<?xf32>
    %4 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(device) : memref<?xf32>
    xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xf32>
    xpu.fence ordering(acquire) scope(workgroup)
    xpu.barrier
    gpu.return
  }
}

// A module without atomics needs no target.
gpu.module @idle {
  gpu.func @k() kernel {
    gpu.return
  }
}
