// A work-item that spins on another of its own group waits for ever; the watchdog ends the launch, with an error.
//
// RUN: env XPU_CPU_WATCHDOG=1 not xpu-run %s --kernel spin --target cpu --groups 1 --arg zeros:1xi32 2>&1 | FileCheck %s
// RUN: env XPU_CPU_WATCHDOG=1 not xpu-run %s --kernel spin_with_barrier --target cpu --groups 1 --arg zeros:1xi32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BARRIER
// RUN: env XPU_CPU_WATCHDOG=1 not xpu-run %s --kernel spin --target cpu --check-bounds --groups 1 --arg zeros:1xi32 2>&1 \
// RUN:   | FileCheck %s
// RUN: env XPU_CPU_WATCHDOG=1 xpu-run %s --kernel long --target cpu --groups 8 --arg zeros:1xi32 --expect 0='[8]:i32'

// CHECK: error: kernel "spin": no progress for 1 s in group (0, 0, 0): a work-item probably waits for another of its own work-group
xpu.kernel @spin(%flag: memref<1xi32>) workgroup_size(2, 1, 1) {
  func.call @wait_or_set(%flag) : (memref<1xi32>) -> ()
  xpu.return
}

// BARRIER: error: kernel "spin_with_barrier": no progress for 1 s in group (0, 0, 0)
xpu.kernel @spin_with_barrier(%flag: memref<1xi32>) workgroup_size(2, 1, 1) {
  xpu.barrier
  func.call @wait_or_set(%flag) : (memref<1xi32>) -> ()
  xpu.barrier
  xpu.return
}

// Work-item 0 waits for the flag that work-item 1 sets.
func.func @wait_or_set(%flag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %old = xpu.atomic_rmw or %zero, %flag[%c0] ordering(relaxed) : memref<1xi32>
  scf.while : () -> () {
    %f = xpu.atomic_load %flag[%c0] ordering(acquire) : memref<1xi32>
    %unset = arith.cmpi eq, %f, %zero : i32
    scf.condition(%unset)
  } do {
    scf.yield
  }
  xpu.atomic_store %one, %flag[%c0] ordering(release) : memref<1xi32>
  return
}

// Each group waits for the one before it, which has started earlier: that is promised to end.
xpu.kernel @long(%turn: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %g = xpu.group_id x
  %mine = arith.index_cast %g : index to i32
  scf.while : () -> () {
    %now = xpu.atomic_load %turn[%c0] ordering(acquire) : memref<1xi32>
    %early = arith.cmpi ne, %now, %mine : i32
    scf.condition(%early)
  } do {
    scf.yield
  }
  %old = xpu.atomic_rmw add %one, %turn[%c0] ordering(release) : memref<1xi32>
  xpu.return
}
