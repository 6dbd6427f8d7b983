// A set of numbers, one bit each: inserts all elements, and counts how many of them were new.
xpu.kernel @insert(%set: memref<?xi32>, %fresh: memref<1xi32>, %data: memref<?xi32>, %n: i32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %thirty_one = arith.constant 31 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %d = memref.load %data[%i] : memref<?xi32>
    %word = arith.shrui %d, %five : i32
    %w = arith.index_castui %word : i32 to index
    %place = arith.andi %d, %thirty_one : i32
    %bit = arith.shli %one, %place : i32
    %old = xpu.atomic_rmw or %bit, %set[%w] ordering(relaxed) scope(device) : memref<?xi32>
    %before = arith.andi %old, %bit : i32
    %is_fresh = arith.cmpi eq, %before, %zero : i32
    scf.if %is_fresh {
      %count = xpu.atomic_rmw add %one, %fresh[%c0] ordering(relaxed) scope(device) : memref<1xi32>
    }
  }
  xpu.return
}
