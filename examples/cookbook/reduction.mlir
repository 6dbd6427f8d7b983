// The sum of all elements: a tree in each group, and the last group adds the groups' sums.
xpu.kernel @sum(%total: memref<1xi32>, %partial: memref<?xi32>, %tickets: memref<1xi32>, %data: memref<?xi32>, %n: i32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %tree = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %last = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %g = xpu.group_id x
  %groups = xpu.group_count x
  %i = xpu.global_id x
  %leads = arith.cmpi eq, %l, %c0 : index

  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  %d = scf.if %in -> i32 {
    %v = memref.load %data[%i] : memref<?xi32>
    scf.yield %v : i32
  } else {
    scf.yield %zero : i32
  }
  memref.store %d, %tree[%l] : memref<64xi32, #gpu.address_space<workgroup>>

  // 32 pairs, then 16, and so on: what one round writes, the next reads after the barrier.
  scf.for %round = %c0 to %c6 step %c1 {
    xpu.barrier
    %half = arith.shrui %c32, %round : index
    %adds = arith.cmpi ult, %l, %half : index
    scf.if %adds {
      %other = arith.addi %l, %half : index
      %a = memref.load %tree[%l] : memref<64xi32, #gpu.address_space<workgroup>>
      %b = memref.load %tree[%other] : memref<64xi32, #gpu.address_space<workgroup>>
      %ab = arith.addi %a, %b : i32
      memref.store %ab, %tree[%l] : memref<64xi32, #gpu.address_space<workgroup>>
    }
  }

  scf.if %leads {
    %sum = memref.load %tree[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %sum, %partial[%g] : memref<?xi32>
    // Publishes this group's sum, and makes those of earlier tickets visible.
    %ticket = xpu.atomic_rmw add %one, %tickets[%c0] ordering(acq_rel) scope(device) : memref<1xi32>
    memref.store %ticket, %last[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  // Makes what the leader acquired visible to its group.
  xpu.barrier
  %ticket = memref.load %last[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  %taken = arith.addi %ticket, %one : i32
  %groups32 = arith.index_cast %groups : index to i32
  %is_last = arith.cmpi eq, %taken, %groups32 : i32
  scf.if %is_last {
    scf.for %p = %l to %groups step %c64 {
      %sum = memref.load %partial[%p] : memref<?xi32>
      %old = xpu.atomic_rmw add %sum, %total[%c0] ordering(relaxed) scope(workgroup) : memref<1xi32>
    }
    scf.if %leads {
      // Ready for the next launch.
      memref.store %zero, %tickets[%c0] : memref<1xi32>
    }
  }
  xpu.return
}
