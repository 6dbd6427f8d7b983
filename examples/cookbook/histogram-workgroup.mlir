// How often each value below 64 occurs: each group counts for itself, then adds its counts to all.
xpu.kernel @histogram(%bins: memref<64xi32>, %data: memref<?xi32>, %n: i32) workgroup_size(64, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mine = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  memref.store %zero, %mine[%l] : memref<64xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %d = memref.load %data[%i] : memref<?xi32>
    %b = arith.index_castui %d : i32 to index
    %old = xpu.atomic_rmw add %one, %mine[%b] ordering(relaxed) scope(workgroup) : memref<64xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %count = memref.load %mine[%l] : memref<64xi32, #gpu.address_space<workgroup>>
  %old = xpu.atomic_rmw add %count, %bins[%l] ordering(relaxed) scope(device) : memref<64xi32>
  xpu.return
}
