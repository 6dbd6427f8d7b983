// Loops around `llvm.cmpxchg`: its orderings and syncscope become those of the operation.
//
// RUN: xpu-opt %s --xpu-raise-cas-loops | FileCheck %s
// RUN: xpu-run %s --kernel sum --target cpu --threads 1024 --arg '[0.5]:f32' --expect 0='[523776.5]:f32'
// RUN: xpu-opt %s --xpu-raise-cas-loops -o %t.mlir
// RUN: xpu-run %t.mlir --kernel sum --target cpu --threads 1024 --arg '[0.5]:f32' --expect 0='[523776.5]:f32'
// RUN: %if amdgpu %{ xpu-run %t.mlir --kernel sum --target amdgpu:gfx1100 --threads 128 --arg '[0.5]:f32' --expect 0='[8128.5]:f32' %}

// It ends on the success that the swap says; the relaxed read goes with the loop.
// CHECK-LABEL: func.func @success
func.func @success(%p: !llvm.ptr<1>, %v: i32) -> i32 {
  // CHECK-NEXT: %[[OLD:.*]] = xpu.atomic_rmw add %{{.*}}, %{{.*}} ordering(acq_rel) scope(device) : !llvm.ptr<1>, i32
  // CHECK-NEXT: return %[[OLD]]
  %first = llvm.load %p atomic syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %new = arith.addi %seen, %v : i32
    %pair = llvm.cmpxchg %p, %seen, %new syncscope("agent") acq_rel monotonic : !llvm.ptr<1>, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  return %old : i32
}

// By the bits, as blocks; LLVM's default scope is the system. The new value is used behind the loop.
// CHECK-LABEL: func.func @bits
func.func @bits(%p: !llvm.ptr, %v: i64) -> i64 {
  // CHECK: %[[OLD:.*]] = xpu.atomic_rmw umax %[[V:.*]], %{{.*}} ordering(seq_cst) scope(system) : !llvm.ptr, i64
  // CHECK: %[[NEW:.*]] = arith.maxui %[[OLD]], %[[V]]
  // CHECK: return %[[NEW]]
  // CHECK-NOT: cmpxchg
  %first = llvm.load %p : !llvm.ptr -> i64
  cf.br ^turn(%first : i64)
^turn(%seen: i64):
  %new = arith.maxui %seen, %v : i64
  %pair = llvm.cmpxchg %p, %seen, %new seq_cst seq_cst : !llvm.ptr, i64
  %got = llvm.extractvalue %pair[0] : !llvm.struct<(i64, i1)>
  %same = arith.cmpi eq, %got, %seen : i64
  cf.cond_br %same, ^end, ^turn(%got : i64)
^end:
  return %new : i64
}

// A weak swap that is asked for its success; the old value is taken out twice.
// CHECK-LABEL: func.func @weak
func.func @weak(%p: !llvm.ptr<3>, %v: i16) -> i16 {
  // CHECK: %[[OLD:.*]] = xpu.atomic_rmw xchg %{{.*}}, %{{.*}} ordering(release) scope(workgroup) : !llvm.ptr<3>, i16
  // CHECK: return %[[OLD]]
  %first = arith.constant 0 : i16
  %old:2 = scf.while (%seen = %first) : (i16) -> (i16, i16) {
    %pair = llvm.cmpxchg weak %p, %seen, %v syncscope("block") release monotonic {alignment = 2 : i64} : !llvm.ptr<3>, i16
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i16, i1)>
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i16, i1)>
    %other = llvm.extractvalue %pair[0] : !llvm.struct<(i16, i1)>
    %true = arith.constant true
    %lost = arith.xori %true, %won : i1
    scf.condition(%lost) %got, %other : i16, i16
  } do {
  ^bb0(%again: i16, %unused: i16):
    scf.yield %again : i16
  }
  return %old#1 : i16
}

// The other words for scopes.
// CHECK-LABEL: func.func @scopes
func.func @scopes(%p: !llvm.ptr, %v: i32) {
  // CHECK: xpu.atomic_rmw and {{.*}} ordering(relaxed) scope(device)
  // CHECK: xpu.atomic_rmw and {{.*}} ordering(relaxed) scope(workgroup)
  // CHECK: xpu.atomic_rmw and {{.*}} ordering(acquire) scope(subgroup)
  // CHECK: xpu.atomic_rmw and {{.*}} ordering(relaxed) scope(workitem)
  %first = llvm.load %p : !llvm.ptr -> i32
  cf.br ^device(%first : i32)
^device(%d: i32):
  %dn = arith.andi %d, %v : i32
  %dp = llvm.cmpxchg %p, %d, %dn syncscope("device") monotonic monotonic : !llvm.ptr, i32
  %dg = llvm.extractvalue %dp[0] : !llvm.struct<(i32, i1)>
  %dw = llvm.extractvalue %dp[1] : !llvm.struct<(i32, i1)>
  cf.cond_br %dw, ^to_group, ^device(%dg : i32)
^to_group:
  cf.br ^group(%first : i32)
^group(%g: i32):
  %gn = arith.andi %g, %v : i32
  %gp = llvm.cmpxchg %p, %g, %gn syncscope("workgroup") monotonic monotonic : !llvm.ptr, i32
  %gg = llvm.extractvalue %gp[0] : !llvm.struct<(i32, i1)>
  %gw = llvm.extractvalue %gp[1] : !llvm.struct<(i32, i1)>
  cf.cond_br %gw, ^to_wave, ^group(%gg : i32)
^to_wave:
  cf.br ^wave(%first : i32)
^wave(%w: i32):
  %wn = arith.andi %w, %v : i32
  %wp = llvm.cmpxchg %p, %w, %wn syncscope("wavefront") acquire acquire : !llvm.ptr, i32
  %wg = llvm.extractvalue %wp[0] : !llvm.struct<(i32, i1)>
  %ww = llvm.extractvalue %wp[1] : !llvm.struct<(i32, i1)>
  cf.cond_br %ww, ^to_item, ^wave(%wg : i32)
^to_item:
  cf.br ^item(%first : i32)
^item(%i: i32):
  %in = arith.andi %i, %v : i32
  %ip = llvm.cmpxchg %p, %i, %in syncscope("singlethread") monotonic monotonic : !llvm.ptr, i32
  %ig = llvm.extractvalue %ip[0] : !llvm.struct<(i32, i1)>
  %iw = llvm.extractvalue %ip[1] : !llvm.struct<(i32, i1)>
  cf.cond_br %iw, ^end, ^item(%ig : i32)
^end:
  return
}

// Floats by way of their bits. Every sum is exact, so that their order does not matter.
// CHECK-LABEL: xpu.kernel @sum
// CHECK: xpu.atomic_rmw fadd {{.*}} ordering(relaxed) scope(device) : !llvm.ptr, f32
// CHECK-NOT: cmpxchg
xpu.kernel @sum(%p: !llvm.ptr) workgroup_size(64, 1, 1) {
  %i = xpu.global_id x
  %n = arith.index_cast %i : index to i32
  %v = arith.sitofp %n : i32 to f32
  %first = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %old = scf.while (%seen = %first) : (i32) -> i32 {
    %float = arith.bitcast %seen : i32 to f32
    %more = arith.addf %float, %v : f32
    %new = arith.bitcast %more : f32 to i32
    %pair = llvm.cmpxchg weak %p, %seen, %new syncscope("agent") monotonic monotonic : !llvm.ptr, i32
    %got = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %won = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %true = arith.constant true
    %lost = arith.xori %won, %true : i1
    scf.condition(%lost) %got : i32
  } do {
  ^bb0(%again: i32):
    scf.yield %again : i32
  }
  xpu.return
}
