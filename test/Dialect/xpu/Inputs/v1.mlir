// The source of v1.mlirbc: `xpu-opt v1.mlir --strip-debuginfo --emit-bytecode -o v1.mlirbc` by the
// first version of the dialect. The bytecode is never written again.

xpu.kernel private @kernel(%m: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>},
                           %f: memref<?xf32> {xpu.memory = #xpu.memory<device_local>}, %n: i32)
    workgroup_size(8, 4, 2) attributes {xpu.denormals = #xpu.denormals<flush>, note} {
  %0 = xpu.global_id x
  %1 = xpu.local_id y
  %2 = xpu.group_id z
  %3 = xpu.group_count x
  %4 = xpu.workgroup_size y
  %5 = xpu.shared : memref<4x16xf32, #gpu.address_space<workgroup>>
  xpu.barrier
  %6 = xpu.reinterpret %m : memref<?xi32> to memref<?xi8>
  %7 = xpu.sign_cast %n : i32 to ui32
  xpu.return
}

func.func @kinds(%v: i32, %m: memref<i32>, %x: f32, %f: memref<f32>, %s: si32, %ms: memref<si32>) {
  %0 = xpu.atomic_rmw add %v, %m[] : memref<i32>
  %1 = xpu.atomic_rmw sub %v, %m[] : memref<i32>
  %2 = xpu.atomic_rmw and %v, %m[] : memref<i32>
  %3 = xpu.atomic_rmw or %v, %m[] : memref<i32>
  %4 = xpu.atomic_rmw xor %v, %m[] : memref<i32>
  %5 = xpu.atomic_rmw xchg %v, %m[] : memref<i32>
  %6 = xpu.atomic_rmw smin %v, %m[] : memref<i32>
  %7 = xpu.atomic_rmw smax %v, %m[] : memref<i32>
  %8 = xpu.atomic_rmw umin %v, %m[] : memref<i32>
  %9 = xpu.atomic_rmw umax %v, %m[] : memref<i32>
  %10 = xpu.atomic_rmw uinc_wrap %v, %m[] : memref<i32>
  %11 = xpu.atomic_rmw udec_wrap %v, %m[] : memref<i32>
  %12 = xpu.atomic_rmw min %s, %ms[] : memref<si32>
  %13 = xpu.atomic_rmw max %s, %ms[] : memref<si32>
  %14 = xpu.atomic_rmw fadd %x, %f[] denormals(flush) fastmath<reassoc> : memref<f32>
  %15 = xpu.atomic_rmw fsub %x, %f[] denormals(keep) : memref<f32>
  %16 = xpu.atomic_rmw fmin %x, %f[] : memref<f32>
  %17 = xpu.atomic_rmw fmax %x, %f[] : memref<f32>
  %18 = xpu.atomic_rmw fminimum %x, %f[] : memref<f32>
  %19 = xpu.atomic_rmw fmaximum %x, %f[] : memref<f32>
  return
}

func.func @clauses(%v: i32, %m: memref<?x4xi32>, %i: index) {
  %0 = xpu.atomic_rmw add %v, %m[%i, %i] ordering(relaxed) scope(workitem) : memref<?x4xi32>
  %1 = xpu.atomic_rmw add %v, %m[%i, %i] ordering(acquire) scope(subgroup) : memref<?x4xi32>
  %2 = xpu.atomic_rmw add %v, %m[%i, %i] ordering(release) scope(workgroup) : memref<?x4xi32>
  %3 = xpu.cas %v, %v, %m[%i, %i] ordering(acq_rel) failure(acquire) scope(device) : memref<?x4xi32>
  %4 = xpu.atomic_load %m[%i, %i] ordering(seq_cst) scope(system) : memref<?x4xi32>
  xpu.atomic_store %v, %m[%i, %i] ordering(release) : memref<?x4xi32>
  xpu.fence ordering(acq_rel)
  xpu.fence ordering(seq_cst) scope(system)
  return
}
