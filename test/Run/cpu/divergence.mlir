// What no group may do at barriers, and what becomes of it: an error that tells which work-items wait where.
//
// RUN: not xpu-run %s --kernel branches --target cpu --groups 2 --arg 32:index 2>&1 | FileCheck %s --check-prefix=BRANCHES
// RUN: xpu-run %s --kernel branches --target cpu --groups 2 --arg 64:index
// RUN: xpu-run %s --kernel branches --target cpu --groups 2 --arg 0:index
// RUN: not xpu-run %s --kernel early --target cpu --groups 1 --arg 16:index 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: xpu-run %s --kernel early --target cpu --groups 1 --arg 64:index
// RUN: not xpu-run %s --kernel trips --target cpu --groups 1 2>&1 | FileCheck %s --check-prefix=TRIPS
// RUN: not xpu-run %s --kernel one_missing --target cpu --groups 3 --arg zeros:3xi32 2>&1 | FileCheck %s --check-prefix=MISSING

// Two barriers, one in each branch: both are reached, by other work-items.
// BRANCHES: error: kernel "branches": barrier in divergent control flow: in group ({{[01]}}, 0, 0),
// BRANCHES-SAME: 32 work-items (such as (0, 0, 0)) wait at the barrier at {{.*}}divergence.mlir:[[#@LINE+6]]:5
// BRANCHES-SAME: 32 work-items (such as (32, 0, 0)) wait at the barrier at {{.*}}divergence.mlir:[[#@LINE+7]]:5
xpu.kernel @branches(%limit: index) workgroup_size(64, 1, 1) {
  %l = xpu.local_id x
  %low = arith.cmpi ult, %l, %limit : index
  scf.if %low {
    xpu.barrier
  } else {
    xpu.barrier
  }
  xpu.return
}

// Some leave before the barrier.
// EARLY: error: kernel "early": barrier in divergent control flow: in group (0, 0, 0),
// EARLY-SAME: 16 work-items (such as (0, 0, 0)) wait at the barrier at {{.*}}divergence.mlir:[[#@LINE+7]]:3
// EARLY-SAME: 48 work-items (such as (16, 0, 0)) have ended without reaching it
xpu.kernel @early(%limit: index) workgroup_size(64, 1, 1) {
  %l = xpu.local_id x
  %stays = arith.cmpi ult, %l, %limit : index
  cf.cond_br %stays, ^stay, ^end
^stay:
  xpu.barrier
  cf.br ^end
^end:
  xpu.return
}

// A loop that each work-item goes through as often as its number says.
// TRIPS: error: kernel "trips": barrier in divergent control flow: in group (0, 0, 0), 3 work-items (such as (1, 0, 0)) wait
// TRIPS-SAME: 1 work-item (such as (0, 0, 0)) has ended without reaching it
xpu.kernel @trips() workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = xpu.local_id x
  scf.for %round = %c0 to %l step %c1 {
    xpu.barrier
  }
  xpu.return
}

// One group of three goes wrong, at its last work-item.
// MISSING: error: kernel "one_missing": barrier in divergent control flow: in group (1, 0, 0), 63 work-items
xpu.kernel @one_missing(%out: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %l = xpu.local_id x
  %g = xpu.group_id x
  %is_last = arith.cmpi eq, %l, %c63 : index
  %is_second = arith.cmpi eq, %g, %c1 : index
  %leaves = arith.andi %is_last, %is_second : i1
  %true = arith.constant true
  %stays = arith.xori %leaves, %true : i1
  scf.if %stays {
    xpu.barrier
  }
  xpu.return
}
