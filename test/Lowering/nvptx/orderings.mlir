// Every ordering at every scope, for each access. Bare 'atom' is relaxed, at gpu scope (PTX ISA, atom).
//
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s

// CHECK-LABEL: .visible .entry rmw_relaxed(
// CHECK: atom.relaxed.cta.global.add.u32
// CHECK: atom.relaxed.cta.global.add.u32
// CHECK: atom.global.add.u32
// CHECK: atom.relaxed.sys.global.add.u32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @rmw_relaxed(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry rmw_acquire(
// CHECK: atom.acquire.cta.global.add.u32
// CHECK: atom.acquire.cta.global.add.u32
// CHECK: atom.acquire.gpu.global.add.u32
// CHECK: atom.acquire.sys.global.add.u32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @rmw_acquire(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(acquire) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(acquire) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.atomic_rmw add %v, %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.atomic_rmw add %v, %m[%i] ordering(acquire) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry rmw_release(
// CHECK: atom.release.cta.global.add.u32
// CHECK: atom.release.cta.global.add.u32
// CHECK: atom.release.gpu.global.add.u32
// CHECK: atom.release.sys.global.add.u32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @rmw_release(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry rmw_acq_rel(
// CHECK: atom.acq_rel.cta.global.add.u32
// CHECK: atom.acq_rel.cta.global.add.u32
// CHECK: atom.acq_rel.gpu.global.add.u32
// CHECK: atom.acq_rel.sys.global.add.u32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @rmw_acq_rel(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry rmw_seq_cst(
// CHECK: fence.sc.cta;
// CHECK: atom.acquire.cta.global.add.u32
// CHECK: fence.sc.cta;
// CHECK: atom.acquire.cta.global.add.u32
// CHECK: fence.sc.gpu;
// CHECK: atom.acquire.gpu.global.add.u32
// CHECK: fence.sc.sys;
// CHECK: atom.acquire.sys.global.add.u32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @rmw_seq_cst(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry cas_relaxed_else_relaxed(
// CHECK: atom.relaxed.cta.global.cas.b32
// CHECK: atom.relaxed.cta.global.cas.b32
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK: atom.relaxed.sys.global.cas.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @cas_relaxed_else_relaxed(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.cas %v, %w, %m[%i] ordering(relaxed) failure(relaxed) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(relaxed) failure(relaxed) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %w, %m[%i] ordering(relaxed) failure(relaxed) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.cas %v, %w, %m[%i] ordering(relaxed) failure(relaxed) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry cas_acquire_else_relaxed(
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: atom.acquire.gpu.global.cas.b32
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @cas_acquire_else_relaxed(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.cas %v, %w, %m[%i] ordering(acquire) failure(relaxed) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(acquire) failure(relaxed) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %w, %m[%i] ordering(acquire) failure(relaxed) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.cas %v, %w, %m[%i] ordering(acquire) failure(relaxed) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry cas_acquire_else_acquire(
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: atom.acquire.gpu.global.cas.b32
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @cas_acquire_else_acquire(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.cas %v, %w, %m[%i] ordering(acquire) failure(acquire) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(acquire) failure(acquire) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %w, %m[%i] ordering(acquire) failure(acquire) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.cas %v, %w, %m[%i] ordering(acquire) failure(acquire) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry cas_release_else_relaxed(
// CHECK: atom.release.cta.global.cas.b32
// CHECK: atom.release.cta.global.cas.b32
// CHECK: atom.release.gpu.global.cas.b32
// CHECK: atom.release.sys.global.cas.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @cas_release_else_relaxed(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.cas %v, %w, %m[%i] ordering(release) failure(relaxed) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(release) failure(relaxed) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %w, %m[%i] ordering(release) failure(relaxed) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.cas %v, %w, %m[%i] ordering(release) failure(relaxed) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry cas_acq_rel_else_relaxed(
// CHECK: atom.acq_rel.cta.global.cas.b32
// CHECK: atom.acq_rel.cta.global.cas.b32
// CHECK: atom.acq_rel.gpu.global.cas.b32
// CHECK: atom.acq_rel.sys.global.cas.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @cas_acq_rel_else_relaxed(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(relaxed) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(relaxed) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(relaxed) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(relaxed) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry cas_acq_rel_else_acquire(
// CHECK: atom.acq_rel.cta.global.cas.b32
// CHECK: atom.acq_rel.cta.global.cas.b32
// CHECK: atom.acq_rel.gpu.global.cas.b32
// CHECK: atom.acq_rel.sys.global.cas.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @cas_acq_rel_else_acquire(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(acquire) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(acquire) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.cas %v, %w, %m[%i] ordering(acq_rel) failure(acquire) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry cas_seq_cst_else_relaxed(
// CHECK: fence.sc.cta;
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: fence.sc.cta;
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: fence.sc.gpu;
// CHECK: atom.acquire.gpu.global.cas.b32
// CHECK: fence.sc.sys;
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @cas_seq_cst_else_relaxed(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(relaxed) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(relaxed) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(relaxed) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(relaxed) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry cas_seq_cst_else_acquire(
// CHECK: fence.sc.cta;
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: fence.sc.cta;
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: fence.sc.gpu;
// CHECK: atom.acquire.gpu.global.cas.b32
// CHECK: fence.sc.sys;
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @cas_seq_cst_else_acquire(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(acquire) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(acquire) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(acquire) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(acquire) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry cas_seq_cst_else_seq_cst(
// CHECK: fence.sc.cta;
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: fence.sc.cta;
// CHECK: atom.acquire.cta.global.cas.b32
// CHECK: fence.sc.gpu;
// CHECK: atom.acquire.gpu.global.cas.b32
// CHECK: fence.sc.sys;
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @cas_seq_cst_else_seq_cst(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(seq_cst) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(seq_cst) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(seq_cst) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(seq_cst) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry load_relaxed(
// CHECK: ld.relaxed.cta.global.b32
// CHECK: ld.relaxed.cta.global.b32
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: ld.relaxed.sys.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @load_relaxed(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_load %m[%i] ordering(relaxed) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.atomic_load %m[%i] ordering(relaxed) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.atomic_load %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.atomic_load %m[%i] ordering(relaxed) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry load_acquire(
// CHECK: ld.acquire.cta.global.b32
// CHECK: ld.acquire.cta.global.b32
// CHECK: ld.acquire.gpu.global.b32
// CHECK: ld.acquire.sys.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @load_acquire(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_load %m[%i] ordering(acquire) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.atomic_load %m[%i] ordering(acquire) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.atomic_load %m[%i] ordering(acquire) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry load_seq_cst(
// CHECK: fence.sc.cta;
// CHECK: ld.acquire.cta.global.b32
// CHECK: fence.sc.cta;
// CHECK: ld.acquire.cta.global.b32
// CHECK: fence.sc.gpu;
// CHECK: ld.acquire.gpu.global.b32
// CHECK: fence.sc.sys;
// CHECK: ld.acquire.sys.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @load_seq_cst(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %0 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(subgroup) : memref<?xi32>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(workgroup) : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry store_relaxed(
// CHECK: st.relaxed.cta.global.b32
// CHECK: st.relaxed.cta.global.b32
// CHECK: st.relaxed.gpu.global.b32
// CHECK: st.relaxed.sys.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @store_relaxed(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  xpu.atomic_store %v, %m[%i] ordering(relaxed) scope(subgroup) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(relaxed) scope(workgroup) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(relaxed) scope(system) : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry store_release(
// CHECK: st.release.cta.global.b32
// CHECK: st.release.cta.global.b32
// CHECK: st.release.gpu.global.b32
// CHECK: st.release.sys.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @store_release(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  xpu.atomic_store %v, %m[%i] ordering(release) scope(subgroup) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(release) scope(workgroup) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(release) scope(device) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(release) scope(system) : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry store_seq_cst(
// CHECK: fence.sc.cta;
// CHECK: st.relaxed.cta.global.b32
// CHECK: fence.sc.cta;
// CHECK: st.relaxed.cta.global.b32
// CHECK: fence.sc.gpu;
// CHECK: st.relaxed.gpu.global.b32
// CHECK: fence.sc.sys;
// CHECK: st.relaxed.sys.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @store_seq_cst(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(subgroup) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(workgroup) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry fence_acquire(
// CHECK: fence.acq_rel.cta;
// CHECK: st.global.b32
// CHECK: fence.acq_rel.cta;
// CHECK: st.global.b32
// CHECK: fence.acq_rel.gpu;
// CHECK: st.global.b32
// CHECK: fence.acq_rel.sys;
// CHECK: st.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @fence_acquire(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  xpu.fence ordering(acquire) scope(subgroup)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(acquire) scope(workgroup)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(acquire) scope(device)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(acquire) scope(system)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry fence_release(
// CHECK: fence.acq_rel.cta;
// CHECK: st.global.b32
// CHECK: fence.acq_rel.cta;
// CHECK: st.global.b32
// CHECK: fence.acq_rel.gpu;
// CHECK: st.global.b32
// CHECK: fence.acq_rel.sys;
// CHECK: st.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @fence_release(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  xpu.fence ordering(release) scope(subgroup)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(release) scope(workgroup)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(release) scope(device)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(release) scope(system)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry fence_acq_rel(
// CHECK: fence.acq_rel.cta;
// CHECK: st.global.b32
// CHECK: fence.acq_rel.cta;
// CHECK: st.global.b32
// CHECK: fence.acq_rel.gpu;
// CHECK: st.global.b32
// CHECK: fence.acq_rel.sys;
// CHECK: st.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @fence_acq_rel(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  xpu.fence ordering(acq_rel) scope(subgroup)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(acq_rel) scope(workgroup)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(acq_rel) scope(device)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(acq_rel) scope(system)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: .visible .entry fence_seq_cst(
// CHECK: fence.sc.cta;
// CHECK: st.global.b32
// CHECK: fence.sc.cta;
// CHECK: st.global.b32
// CHECK: fence.sc.gpu;
// CHECK: st.global.b32
// CHECK: fence.sc.sys;
// CHECK: st.global.b32
// CHECK-NOT: {{(atom|red|fence)[.]}}
// CHECK: ret;
xpu.kernel @fence_seq_cst(%m: memref<?xi32>, %i: index, %v: i32, %w: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  xpu.fence ordering(seq_cst) scope(subgroup)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(seq_cst) scope(workgroup)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(seq_cst) scope(device)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(seq_cst) scope(system)
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.return
}

// A fence of one work-item binds the compiler: both stores stay, and no instruction comes of it.
// CHECK-LABEL: .visible .entry alone(
// CHECK:     st.global.b32
// CHECK-NOT: fence.
// CHECK:     st.global.b32
// CHECK-NOT: fence.
// CHECK:     ret;
xpu.kernel @alone(%m: memref<?xi32>, %i: index, %v: i32, %w: i32) workgroup_size(32, 1, 1) {
  memref.store %v, %m[%i] : memref<?xi32>
  xpu.fence ordering(seq_cst) scope(workitem)
  memref.store %w, %m[%i] : memref<?xi32>
  xpu.fence ordering(release) scope(workitem)
  xpu.return
}

// Scopes of workgroup memory are as asked, too.
// CHECK-LABEL: .visible .entry shared(
// CHECK: fence.sc.sys;
// CHECK: atom.acquire.sys.shared.add.u32
// CHECK: atom.release.gpu.shared.exch.b32
// CHECK: atom.acq_rel.cta.shared.cas.b32
// CHECK: ld.acquire.cta.shared.b32
// CHECK: st.release.cta.shared.b32
// CHECK: atom.relaxed.cta.shared.add.u32
// CHECK: ret;
xpu.kernel @shared(%i: index, %v: i32, %out: memref<?xi32>) workgroup_size(32, 1, 1) {
  %s = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %0 = xpu.atomic_rmw add %v, %s[%i] ordering(seq_cst) scope(system) : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %0, %out[%i] : memref<?xi32>
  %1 = xpu.atomic_rmw xchg %v, %s[%i] ordering(release) scope(device) : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %1, %out[%i] : memref<?xi32>
  %2 = xpu.cas %v, %v, %s[%i] ordering(acq_rel) failure(relaxed) scope(workgroup) : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %2, %out[%i] : memref<?xi32>
  %3 = xpu.atomic_load %s[%i] ordering(acquire) scope(subgroup) : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %3, %out[%i] : memref<?xi32>
  xpu.atomic_store %v, %s[%i] ordering(release) scope(workgroup) : memref<64xi32, #gpu.address_space<workgroup>>
  %5 = xpu.atomic_rmw add %v, %s[%i] ordering(relaxed) scope(workgroup) : memref<64xi32, #gpu.address_space<workgroup>>
  xpu.return
}
