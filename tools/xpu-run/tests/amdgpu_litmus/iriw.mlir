// Independent reads of independent writes, by many readers. The first group stores to words of x, the second one to words of y; the others
// read a word of each, every other group that of y first. Two groups that read in different orders may not each find the first word stored
// and the second one not. An outcome is 1 where the first word was found, and 2 where the second one was.
xpu.kernel @iriw(%x: memref<?xi32>, %y: memref<?xi32>, %out: memref<?xi32>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rounds = arith.constant 4 : index
  %size = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %l = xpu.local_id x
  %g = xpu.group_id x
  %half = arith.remui %g, %c2 : index
  %of_x = arith.cmpi eq, %half, %c0 : index
  %writes = arith.cmpi ult, %g, %c2 : index
  scf.for %round = %c0 to %rounds step %c1 {
    %start = arith.muli %round, %size : index
    %i = arith.addi %start, %l : index
    scf.if %writes {
      scf.if %of_x {
        xpu.atomic_store %one, %x[%i] ordering(seq_cst) scope(device) : memref<?xi32>
      } else {
        xpu.atomic_store %one, %y[%i] ordering(seq_cst) scope(device) : memref<?xi32>
      }
    } else {
      %first, %second = scf.if %of_x -> (i32, i32) {
        %a = xpu.atomic_load %x[%i] ordering(seq_cst) scope(device) : memref<?xi32>
        %b = xpu.atomic_load %y[%i] ordering(seq_cst) scope(device) : memref<?xi32>
        scf.yield %a, %b : i32, i32
      } else {
        %a = xpu.atomic_load %y[%i] ordering(seq_cst) scope(device) : memref<?xi32>
        %b = xpu.atomic_load %x[%i] ordering(seq_cst) scope(device) : memref<?xi32>
        scf.yield %a, %b : i32, i32
      }
      %both = arith.addi %second, %second : i32
      %outcome = arith.addi %first, %both : i32
      %place = arith.muli %g, %rounds : index
      %turn = arith.addi %place, %round : index
      %begin = arith.muli %turn, %size : index
      %at = arith.addi %begin, %l : index
      memref.store %outcome, %out[%at] : memref<?xi32>
    }
  }
  xpu.return
}
