// Report A32: unlocking must stay inside the branch of the winner; sunk out of the loop, losers spin while the winner waits for them.
//
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel k32 --target cpu --groups 1 --arg zeros:1xi32 --arg zeros:1xi32 \
// RUN:   --expect 0=zeros:1xi32 --expect 1='[32]:i32'
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel k64 --target cpu --groups 1 --arg zeros:1xi32 --arg zeros:1xi32 \
// RUN:   --expect 0=zeros:1xi32 --expect 1='[64]:i32'
// RUN: env XPU_CPU_WATCHDOG=5 xpu-run %s --kernel k64 --target cpu --groups 64 --repeat 5 --arg zeros:1xi32 --arg zeros:1xi32 \
// RUN:   --expect 0=zeros:1xi32 --expect 1='[4096]:i32'

xpu.kernel @k32(%lock: memref<1xi32>, %count: memref<1xi32>) workgroup_size(32, 1, 1) {
  func.call @locked_increment(%lock, %count) : (memref<1xi32>, memref<1xi32>) -> ()
  xpu.return
}

xpu.kernel @k64(%lock: memref<1xi32>, %count: memref<1xi32>) workgroup_size(64, 1, 1) {
  func.call @locked_increment(%lock, %count) : (memref<1xi32>, memref<1xi32>) -> ()
  xpu.return
}

func.func @locked_increment(%lock: memref<1xi32>, %count: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %old = xpu.cas %zero, %one, %lock[%c0] ordering(acquire) failure(relaxed) scope(device) : memref<1xi32>
    %lost = arith.cmpi ne, %old, %zero : i32
    %won = arith.cmpi eq, %old, %zero : i32
    scf.if %won {
      %v = memref.load %count[%c0] : memref<1xi32>
      %next = arith.addi %v, %one : i32
      memref.store %next, %count[%c0] : memref<1xi32>
      %taken = xpu.atomic_rmw xchg %zero, %lock[%c0] ordering(release) scope(device) : memref<1xi32>
    }
    scf.condition(%lost)
  } do {
    scf.yield
  }
  return
}
