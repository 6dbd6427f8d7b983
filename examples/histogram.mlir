// Counts how often each value below 256 occurs in %data: bins[data[i]] += 1 for every i below %n.
//
// Increments of one bin need only be indivisible, so they are relaxed; the launch's end makes the
// counts visible to the host.
//
//   xpu-run examples/histogram.mlir --kernel histogram --target cpu --threads 8 \
//     --arg zeros:256xi32 --arg '[1,2,2,3,3,3,0,255]:i32' --arg 8:i32 --print 0
xpu.kernel @histogram(%bins: memref<?xi32>, %data: memref<?xi32>, %n: i32) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %d = memref.load %data[%i] : memref<?xi32>
    %b = arith.index_castui %d : i32 to index
    %old = xpu.atomic_rmw add %one, %bins[%b] ordering(relaxed) : memref<?xi32>
  }
  xpu.return
}
