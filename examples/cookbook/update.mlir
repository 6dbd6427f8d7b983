// A count and a sum that always belong together, as the halves of one 64-bit word: what no single
// operation does, a compare-and-swap loop does.
xpu.kernel @update(%pair: memref<1xi64>, %data: memref<?xi32>, %n: i32, %most: i32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %c32 = arith.constant 32 : i64
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %d = memref.load %data[%i] : memref<?xi32>
    %first = xpu.atomic_load %pair[%c0] ordering(relaxed) scope(device) : memref<1xi64>
    %last = scf.while (%seen = %first) : (i64) -> i64 {
      %count = arith.trunci %seen : i64 to i32
      %upper = arith.shrui %seen, %c32 : i64
      %sum = arith.trunci %upper : i64 to i32
      // An element that would bring the sum above the limit is left out.
      %next_sum = arith.addi %sum, %d : i32
      %next_count = arith.addi %count, %one : i32
      %fits = arith.cmpi ule, %next_sum, %most : i32
      %low = arith.extui %next_count : i32 to i64
      %wide = arith.extui %next_sum : i32 to i64
      %high = arith.shli %wide, %c32 : i64
      %both = arith.ori %high, %low : i64
      %desired = arith.select %fits, %both, %seen : i64
      %old = xpu.cas %seen, %desired, %pair[%c0] ordering(relaxed) scope(device) : memref<1xi64>
      %lost = arith.cmpi ne, %old, %seen : i64
      scf.condition(%lost) %old : i64
    } do {
    ^bb0(%old: i64):
      scf.yield %old : i64
    }
  }
  xpu.return
}
