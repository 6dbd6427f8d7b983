// RUN: xpu-opt %s --convert-memref-atomics-to-xpu --xpu-attach-spirv-target --xpu-assign-scope --xpu-assign-ordering --xpu-expand-atomics | FileCheck %s --check-prefixes=CHECK,FENCES
// RUN: xpu-opt %s --convert-memref-atomics-to-xpu --xpu-attach-nvvm-target --xpu-assign-scope --xpu-assign-ordering --xpu-expand-atomics | FileCheck %s --check-prefixes=CHECK,SWAP

// On Vulkan a loop of the source around a swap is ordered by fences, as loops of expansions are; elsewhere by the swap.
gpu.module @m {
  // CHECK-LABEL: gpu.func @product
  // FENCES:      xpu.fence ordering(release) scope(device)
  // SWAP-NOT:    xpu.fence
  // CHECK:       scf.while
  // FENCES:        xpu.cas %{{.*}} ordering(relaxed) failure(relaxed) scope(device)
  // SWAP:          xpu.cas %{{.*}} ordering(acq_rel) failure(relaxed) scope(device)
  // FENCES:      xpu.fence ordering(acquire) scope(device)
  // SWAP-NOT:    xpu.fence
  gpu.func @product(%m: memref<?xi32>, %v: i32) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw muli %v, %m[%i] : (i32, memref<?xi32>) -> i32
    gpu.return
  }

  // What else a loop writes, its swap releases: it stays as it is.
  // CHECK-LABEL: gpu.func @publishes
  // CHECK-NOT:   xpu.fence
  // CHECK:       xpu.cas %{{.*}} ordering(acq_rel) failure(relaxed) scope(device)
  // CHECK-NOT:   xpu.fence
  // CHECK:       gpu.return
  gpu.func @publishes(%m: memref<?xi32>, %d: memref<?xi32>, %v: i32) kernel {
    %i = gpu.thread_id x
    %first = xpu.atomic_load %m[%i] ordering(relaxed) : memref<?xi32>
    %last = scf.while (%seen = %first) : (i32) -> i32 {
      memref.store %seen, %d[%i] : memref<?xi32>
      %new = arith.muli %seen, %v : i32
      %now = xpu.cas %seen, %new, %m[%i] ordering(acq_rel) failure(relaxed) : memref<?xi32>
      %again = arith.cmpi ne, %now, %seen : i32
      scf.condition(%again) %now : i32
    } do {
    ^bb0(%now: i32):
      scf.yield %now : i32
    }
    gpu.return
  }
}
