// A lock around plain counters, one for each work-item of a group: the leader takes it for its group.
xpu.kernel @locked(%lock: memref<1xi32>, %counters: memref<64xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %free = arith.constant 0 : i32
  %taken = arith.constant 1 : i32
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  scf.if %leads {
    scf.while : () -> () {
      %old = xpu.cas %free, %taken, %lock[%c0] ordering(relaxed) scope(device) : memref<1xi32>
      %lost = arith.cmpi ne, %old, %free : i32
      scf.condition(%lost)
    } do {
      // Looks until it is free: many may read at a time, only one can swap.
      scf.while : () -> () {
        %now = xpu.atomic_load %lock[%c0] ordering(relaxed) scope(device) : memref<1xi32>
        %held = arith.cmpi ne, %now, %free : i32
        scf.condition(%held)
      } do {
        scf.yield
      }
      scf.yield
    }
    xpu.fence ordering(acquire) scope(device)
  }
  xpu.barrier

  %v = memref.load %counters[%l] : memref<64xi32>
  %next = arith.addi %v, %taken : i32
  memref.store %next, %counters[%l] : memref<64xi32>

  xpu.barrier
  scf.if %leads {
    xpu.atomic_store %free, %lock[%c0] ordering(release) scope(device) : memref<1xi32>
  }
  xpu.return
}
