// The largest element and its first index, in one 64-bit word: the element above, the index below,
// with its bits flipped so that the smaller index wins.
xpu.kernel @argmax(%best: memref<1xi64>, %data: memref<?xi32>, %n: i32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %all = arith.constant -1 : i32
  %c32 = arith.constant 32 : i64
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %d = memref.load %data[%i] : memref<?xi32>
    %flipped = arith.xori %i32, %all : i32
    %low = arith.extui %flipped : i32 to i64
    %value = arith.extsi %d : i32 to i64
    %high = arith.shli %value, %c32 : i64
    %word = arith.ori %high, %low : i64
    %old = xpu.atomic_rmw smax %word, %best[%c0] ordering(relaxed) scope(device) : memref<1xi64>
  }
  xpu.return
}
