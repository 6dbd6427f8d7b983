// Report A26: a group must not free a lock before all its work-items have stored what the lock guards, nor read before it has it.
//
// RUN: xpu-run %s --kernel leader --target cpu --groups 64 --repeat 10 --arg zeros:1xi32 --arg zeros:128xi32 \
// RUN:   --expect 0=zeros:1xi32 --expect 1=fill(64):128xi32
// RUN: xpu-run %s --kernel fences --target cpu --groups 64 --repeat 10 --arg zeros:1xi32 --arg zeros:128xi32 \
// RUN:   --expect 0=zeros:1xi32 --expect 1=fill(64):128xi32

// The leader takes the lock for its group, and all add 1 to their plain counter.
xpu.kernel @leader(%lock: memref<1xi32>, %count: memref<128xi32>) workgroup_size(128, 1, 1) {
  %c0 = arith.constant 0 : index
  %free = arith.constant 0 : i32
  %taken = arith.constant 1 : i32
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  scf.if %leads {
    scf.while : () -> () {
      %old = xpu.cas %free, %taken, %lock[%c0] ordering(acquire) failure(relaxed) scope(device) : memref<1xi32>
      %again = arith.cmpi ne, %old, %free : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
  }
  xpu.barrier
  %v = memref.load %count[%l] : memref<128xi32>
  %next = arith.addi %v, %taken : i32
  memref.store %next, %count[%l] : memref<128xi32>
  xpu.barrier
  scf.if %leads {
    %old = xpu.atomic_rmw xchg %free, %lock[%c0] ordering(release) scope(device) : memref<1xi32>
  }
  xpu.return
}

// The same with relaxed accesses of the lock between fences.
xpu.kernel @fences(%lock: memref<1xi32>, %count: memref<128xi32>) workgroup_size(128, 1, 1) {
  %c0 = arith.constant 0 : index
  %free = arith.constant 0 : i32
  %taken = arith.constant 1 : i32
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  scf.if %leads {
    scf.while : () -> () {
      %old = xpu.atomic_rmw xchg %taken, %lock[%c0] ordering(relaxed) scope(device) : memref<1xi32>
      %again = arith.cmpi ne, %old, %free : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    xpu.fence ordering(acquire) scope(device)
  }
  xpu.barrier
  %v = memref.load %count[%l] : memref<128xi32>
  %next = arith.addi %v, %taken : i32
  memref.store %next, %count[%l] : memref<128xi32>
  xpu.barrier
  scf.if %leads {
    xpu.fence ordering(release) scope(device)
    xpu.atomic_store %free, %lock[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  }
  xpu.return
}
