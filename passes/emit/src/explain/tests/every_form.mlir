xpu.kernel @k(%m: memref<?xi32>, %s: memref<?xsi32>, %b: memref<?xi8>, %f: memref<?xf32>,
              %g: memref<?xf32> {xpu.memory = #xpu.memory<host_visible>}, %v: i32, %c: i8, %x: f32)
    workgroup_size(64, 1, 1) {
  %shared = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %i = xpu.local_id x
  %private = memref.alloca() : memref<64xi32>
  %signed = xpu.sign_cast %v : i32 to si32

  // Native, with clauses and without.
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %1 = xpu.atomic_rmw add %0, %m[%i] : memref<?xi32>
  %2 = xpu.atomic_rmw min %signed, %s[%i] ordering(seq_cst) : memref<?xsi32>
  %3 = xpu.cas %1, %v, %m[%i] ordering(acquire) scope(system) : memref<?xi32>
  %4 = xpu.atomic_rmw add %3, %shared[%i] : memref<64xi32, #gpu.address_space<workgroup>>
  %5 = xpu.atomic_load %m[%i] : memref<?xi32>
  xpu.atomic_store %5, %m[%i] : memref<?xi32>

  // Guarded, integer trick, loops.
  %6 = xpu.atomic_rmw fadd %x, %f[%i] ordering(relaxed) : memref<?xf32>
  %7 = xpu.atomic_rmw fmin %x, %g[%i] ordering(relaxed) : memref<?xf32>
  %8 = xpu.atomic_rmw fminimum %x, %f[%i] ordering(relaxed) : memref<?xf32>
  %9 = xpu.atomic_rmw sub %c, %b[%i] ordering(release) : memref<?xi8>

  // Plain.
  %10 = xpu.atomic_rmw add %v, %private[%i] : memref<64xi32>
  %11 = xpu.atomic_rmw add %4, %m[%i] scope(workitem) : memref<?xi32>

  // Of upstream.
  %12 = memref.atomic_rmw addi %10, %m[%i] : (i32, memref<?xi32>) -> i32
  %13 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%current: i32):
    %next = arith.muli %current, %v : i32
    memref.atomic_yield %next : i32
  }

  xpu.fence ordering(acquire) scope(workgroup)
  xpu.fence ordering(seq_cst) scope(workitem)
  xpu.barrier
  %y = arith.addf %6, %7 : f32
  %z = arith.addf %y, %8 : f32
  memref.store %z, %f[%i] : memref<?xf32>
  memref.store %9, %b[%i] : memref<?xi8>
  %sum = arith.addi %11, %12 : i32
  memref.store %sum, %m[%i] : memref<?xi32>
  xpu.return
}
