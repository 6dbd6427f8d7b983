// Loops around `llvm.cmpxchg` that stay, and what the remark on each says.
//
// RUN: xpu-opt %s --xpu-raise-cas-loops --split-input-file --verify-diagnostics -o - | FileCheck %s
// CHECK-NOT: xpu.

// No kind multiplies. The swap is put back as it was.
// CHECK-LABEL: func.func @product
// CHECK: scf.while (%[[SEEN:.*]] = %{{.*}})
// CHECK: %[[NEW:.*]] = arith.muli %[[SEEN]], %{{.*}}
// CHECK: %[[PAIR:.*]] = llvm.cmpxchg %{{.*}}, %[[SEEN]], %[[NEW]] syncscope("agent") acq_rel acquire {alignment = 4 : i64} : !llvm.ptr, i32
// CHECK: %[[GOT:.*]] = llvm.extractvalue %[[PAIR]][0]
// CHECK: %[[WON:.*]] = llvm.extractvalue %[[PAIR]][1]
// CHECK: %[[LOST:.*]] = arith.xori %[[WON]]
// CHECK: scf.condition(%[[LOST]]) %[[GOT]]
func.func @product(%p: !llvm.ptr, %v: i32) {
  %first = llvm.load %p : !llvm.ptr -> i32
  // expected-remark @below {{stays a loop: what it stores is none of the kinds: 'arith.muli' on the value that it read is none of the kinds}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.muli %seen, %v : i32
    %pair = llvm.cmpxchg %p, %seen, %new syncscope("agent") acq_rel acquire {alignment = 4 : i64} : !llvm.ptr, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// A weak swap may fail although the bits are the same.
func.func @weak(%p: !llvm.ptr, %v: i32) {
  %first = llvm.load %p : !llvm.ptr -> i32
  // expected-remark @below {{stays a loop: its swap is weak, so that it may fail although it found what it expected, and the loop does not ask for its success; let it end on the second value of the swap}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %pair = llvm.cmpxchg weak %p, %seen, %new monotonic monotonic : !llvm.ptr, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %lost = arith.cmpi ne, %got, %seen : i32
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// It orders one address space only.
func.func @one_as(%p: !llvm.ptr, %v: i32) {
  %first = llvm.load %p : !llvm.ptr -> i32
  // expected-remark @below {{its swap has the syncscope 'agent-one-as', which is none of xpu's scopes}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %pair = llvm.cmpxchg %p, %seen, %new syncscope("agent-one-as") acq_rel monotonic : !llvm.ptr, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// xpu has no clusters.
func.func @cluster(%p: !llvm.ptr, %v: i32) {
  %first = llvm.load %p : !llvm.ptr -> i32
  // expected-remark @below {{its swap has the syncscope 'cluster', which is none of xpu's scopes}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %pair = llvm.cmpxchg %p, %seen, %new syncscope("cluster") acq_rel monotonic : !llvm.ptr, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// Before a turn that fails, others' writes are visible.
func.func @failure(%p: !llvm.ptr, %v: i32) {
  %first = llvm.load %p : !llvm.ptr -> i32
  // expected-remark @below {{its swap orders more where it fails (acquire) than where it succeeds (release); make the failure monotonic, or the success stronger}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %pair = llvm.cmpxchg %p, %seen, %new release acquire : !llvm.ptr, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

func.func @volatile(%p: !llvm.ptr, %v: i32) {
  %first = llvm.load %p : !llvm.ptr -> i32
  // expected-remark @below {{its swap is volatile, so that each try counts}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %pair = llvm.cmpxchg volatile %p, %seen, %new acq_rel monotonic : !llvm.ptr, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

func.func @alignment(%p: !llvm.ptr, %v: i32) {
  %first = llvm.load %p : !llvm.ptr -> i32
  // expected-remark @below {{its swap is aligned to less than its size, which xpu's are not}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %pair = llvm.cmpxchg %p, %seen, %new acq_rel monotonic {alignment = 2 : i64} : !llvm.ptr, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

func.func @wide(%p: !llvm.ptr, %v: i128) {
  %first = llvm.load %p : !llvm.ptr -> i128
  // expected-remark @below {{its swap is of type 'i128'; xpu's are of i8, i16, i32 and i64}}
  %old = scf.while (%seen = %first) : (i128) -> i128 {
    %new = arith.addi %seen, %v : i128
    %pair = llvm.cmpxchg %p, %seen, %new acq_rel monotonic : !llvm.ptr, i128
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i128, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i128, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i128
  } do {
  ^bb0(%again: i128):
    scf.yield %again : i128
  }
  return
}

// -----

// The read orders more than a relaxed swap.
func.func @read(%p: !llvm.ptr, %v: i32) {
  %first = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  // expected-remark @below {{it reads in a way ('ordering') that the single operation has no place for}}
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %pair = llvm.cmpxchg %p, %seen, %new monotonic monotonic : !llvm.ptr, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return
}

// -----

// The pair goes on as a whole.
func.func @pair(%p: !llvm.ptr, %v: i32) -> !llvm.struct<(i32, i1)> {
  %first = llvm.load %p : !llvm.ptr -> i32
  cf.br ^turn(%first : i32)
^turn(%seen: i32):
  %new = arith.addi %seen, %v : i32
  // expected-remark @below {{its swap's pair of old value and success is used as a whole; take it apart by 'llvm.extractvalue'}}
  %pair = llvm.cmpxchg %p, %seen, %new acq_rel monotonic : !llvm.ptr, i32
  %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
  %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  cf.cond_br %won, ^end, ^turn(%got : i32)
^end:
  return %pair : !llvm.struct<(i32, i1)>
}

// -----

// Neither the branches nor the arithmetic of LLVM's dialect are looked at.
llvm.func @branches(%p: !llvm.ptr, %v: i32) {
  %first = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^turn(%first : i32)
^turn(%seen: i32):
  %new = llvm.add %seen, %v : i32
  // expected-remark @below {{it does not end a turn with the question whether the swap has succeeded, in 'cf.cond_br'}}
  %pair = llvm.cmpxchg %p, %seen, %new acq_rel monotonic : !llvm.ptr, i32
  %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
  %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  llvm.cond_br %won, ^end, ^turn(%got : i32)
^end:
  llvm.return
}

// -----

// No loop: no remark.
func.func @once(%p: !llvm.ptr, %seen: i32, %new: i32) {
  %pair = llvm.cmpxchg %p, %seen, %new acq_rel monotonic : !llvm.ptr, i32
  return
}
