// RUN: xpu-opt %s --xpu-converge-loops | FileCheck %s

// A lock taken by one lane of a wave and freed before the others may leave: no path goes around the end of the round.

// CHECK-LABEL: gpu.module @amd
gpu.module @amd [#rocdl.target<chip = "gfx1100">] {
  // CHECK-LABEL: llvm.func @lock
  // CHECK:         ^bb3:
  // CHECK-NEXT:      llvm.call_intrinsic "llvm.amdgcn.wave.barrier"() : () -> ()
  // CHECK-NEXT:      llvm.cond_br {{.*}}, ^bb4, ^bb1
  llvm.func @lock(%lock: !llvm.ptr<1>, %count: !llvm.ptr<1>) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^round
  ^round:
    %pair = llvm.cmpxchg %lock, %zero, %one syncscope("agent") acquire monotonic : !llvm.ptr<1>, i32
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %won, ^guarded, ^end
  ^guarded:
    %old = llvm.load %count : !llvm.ptr<1> -> i32
    %new = llvm.add %old, %one : i32
    llvm.store %new, %count : i32, !llvm.ptr<1>
    %taken = llvm.atomicrmw xchg %lock, %zero syncscope("agent") release : !llvm.ptr<1>, i32
    llvm.br ^end
  ^end:
    llvm.cond_br %won, ^out, ^round
  ^out:
    llvm.return
  }
}

// CHECK-LABEL: gpu.module @others
gpu.module @others [#rocdl.target<chip = "gfx942">] {
  // The flag of the source: that the loop ends depends on the atomic by the way that was taken.
  // CHECK-LABEL: llvm.func @flag
  // CHECK:         ^bb1(%[[DONE:.*]]: i1):
  // CHECK-NEXT:      llvm.call_intrinsic "llvm.amdgcn.wave.barrier"
  // CHECK-NEXT:      llvm.cond_br %[[DONE]]
  // CHECK-NOT:       llvm.call_intrinsic
  llvm.func @flag(%lock: !llvm.ptr<1>) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %no = llvm.mlir.constant(false) : i1
    %yes = llvm.mlir.constant(true) : i1
    llvm.br ^round(%no : i1)
  ^round(%done: i1):
    llvm.cond_br %done, ^out, ^try
  ^try:
    %pair = llvm.cmpxchg %lock, %zero, %one syncscope("agent") acquire monotonic : !llvm.ptr<1>, i32
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %won, ^won, ^lost
  ^won:
    llvm.store %zero, %lock atomic syncscope("agent") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.br ^end(%yes : i1)
  ^lost:
    llvm.br ^end(%no : i1)
  ^end(%now: i1):
    llvm.br ^round(%now : i1)
  ^out:
    llvm.return
  }
  // Loops that nothing decides but a count, or that have one write, stay as they are.
  // CHECK-LABEL: llvm.func @counted
  // CHECK-NOT:     llvm.call_intrinsic
  llvm.func @counted(%bins: !llvm.ptr<1>, %n: i32, %in: i1) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^round(%zero : i32)
  ^round(%i: i32):
    %more = llvm.icmp "ult" %i, %n : i32
    llvm.cond_br %more, ^body, ^out
  ^body:
    llvm.cond_br %in, ^count, ^end
  ^count:
    %0 = llvm.atomicrmw add %bins, %one syncscope("agent") monotonic : !llvm.ptr<1>, i32
    llvm.store %i, %bins : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    %next = llvm.add %i, %one : i32
    llvm.br ^round(%next : i32)
  ^out:
    llvm.return
  }
  // CHECK-LABEL: llvm.func @swap
  // CHECK-NOT:     llvm.call_intrinsic
  llvm.func @swap(%cell: !llvm.ptr<1>, %first: i32, %v: i32) {
    %no = llvm.mlir.constant(false) : i1
    llvm.br ^round(%first : i32)
  ^round(%seen: i32):
    %is = llvm.icmp "eq" %seen, %v : i32
    llvm.cond_br %is, ^end(%no, %seen : i1, i32), ^try
  ^try:
    %pair = llvm.cmpxchg %cell, %seen, %v syncscope("agent") monotonic monotonic : !llvm.ptr<1>, i32
    %now = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %lost = llvm.icmp "ne" %now, %seen : i32
    llvm.br ^end(%lost, %now : i1, i32)
  ^end(%again: i1, %last: i32):
    llvm.cond_br %again, ^round(%last : i32), ^out
  ^out:
    llvm.return
  }
}

// On other chips each work-item goes its own way.
// CHECK-LABEL: gpu.module @nvidia
// CHECK-NOT:     llvm.call_intrinsic
gpu.module @nvidia [#nvvm.target] {
  llvm.func @lock(%lock: !llvm.ptr<1>, %count: !llvm.ptr<1>) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^round
  ^round:
    %pair = llvm.cmpxchg %lock, %zero, %one syncscope("device") acquire monotonic : !llvm.ptr<1>, i32
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %won, ^guarded, ^end
  ^guarded:
    llvm.store %one, %count : i32, !llvm.ptr<1>
    llvm.store %zero, %lock : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.cond_br %won, ^out, ^round
  ^out:
    llvm.return
  }
}
