// How many elements are above a limit.
xpu.kernel @count(%counter: memref<1xi32>, %data: memref<?xi32>, %n: i32, %limit: i32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %d = memref.load %data[%i] : memref<?xi32>
    %above = arith.cmpi sgt, %d, %limit : i32
    scf.if %above {
      %old = xpu.atomic_rmw add %one, %counter[%c0] ordering(relaxed) scope(device) : memref<1xi32>
    }
  }
  xpu.return
}
