// Report A31: a compare-and-swap of a byte or half word must leave its neighbours in the word alone, and not fail because they changed.
//
// RUN: xpu-run %s --kernel cas_i8 --target cpu --groups 1 --arg '[0xaa,0xbb,0xcc,0xdd]:i8' --arg zeros:2xi8 \
// RUN:   --expect 0='[0xff,0xbb,0xcc,0xdd]:i8' --expect 1='[0xaa,0xbb]:i8'
// RUN: xpu-run %s --kernel cas_i16 --target cpu --groups 1 --arg '[0xaaaa,0xbbbb,0xcccc,0xdddd]:i16' --arg zeros:2xi16 \
// RUN:   --expect 0='[0xffff,0xbbbb,0xcccc,0xdddd]:i16' --expect 1='[0xaaaa,0xbbbb]:i16'
// RUN: xpu-run %s --kernel add_i8 --target cpu --groups 16 --repeat 10 --arg zeros:4xi8 --expect 0=fill(64):4xi8
// RUN: xpu-run %s --kernel add_i16 --target cpu --groups 16 --repeat 10 --arg zeros:4xi16 --expect 0=fill(1024):4xi16
// RUN: xpu-run %s --kernel cas_neighbours --target cpu --groups 64 --repeat 10 --arg zeros:4xi8 --arg zeros:4xi32 \
// RUN:   --expect 0=fill(64):4xi8 --expect 1=fill(0):4xi32
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s --implicit-check-not=cas.b16 --implicit-check-not=cas.b8

// CHECK-LABEL: .entry cas_i8(
// CHECK: ld.relaxed.gpu.global.b32 [[SEEN:%r[0-9]+]], [[[WORD:%rd[0-9]+]]];
// CHECK: atom.acq_rel.gpu.global.cas.b32 {{%r[0-9]+}}, [[[WORD]]], [[SEEN]],
// CHECK: ret;
xpu.kernel @cas_i8(%p: memref<4xi8>, %old: memref<2xi8>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %aa = arith.constant 0xAA : i8
  %ff = arith.constant 0xFF : i8
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %0 = xpu.cas %aa, %ff, %p[%c0] ordering(acq_rel) failure(relaxed) scope(device) : memref<4xi8>
  memref.store %0, %old[%c0] : memref<2xi8>
  %1 = xpu.cas %zero, %one, %p[%c1] ordering(acq_rel) failure(relaxed) scope(device) : memref<4xi8>
  memref.store %1, %old[%c1] : memref<2xi8>
  xpu.return
}

// CHECK-LABEL: .entry cas_i16(
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: atom.acq_rel.gpu.global.cas.b32
// CHECK: ret;
xpu.kernel @cas_i16(%p: memref<4xi16>, %old: memref<2xi16>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %aa = arith.constant 0xAAAA : i16
  %ff = arith.constant 0xFFFF : i16
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %0 = xpu.cas %aa, %ff, %p[%c0] ordering(acq_rel) failure(relaxed) scope(device) : memref<4xi16>
  memref.store %0, %old[%c0] : memref<2xi16>
  %1 = xpu.cas %zero, %one, %p[%c1] ordering(acq_rel) failure(relaxed) scope(device) : memref<4xi16>
  memref.store %1, %old[%c1] : memref<2xi16>
  xpu.return
}

// Four bytes of one word, each incremented 64 times.
xpu.kernel @add_i8(%q: memref<4xi8>) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 4 : index
  %one = arith.constant 1 : i8
  %l = xpu.local_id x
  scf.for %round = %c0 to %rounds step %c1 {
    %old = xpu.atomic_rmw add %one, %q[%l] ordering(relaxed) scope(device) : memref<4xi8>
  }
  xpu.return
}

xpu.kernel @add_i16(%q: memref<4xi16>) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 64 : index
  %one = arith.constant 1 : i16
  %l = xpu.local_id x
  scf.for %round = %c0 to %rounds step %c1 {
    %old = xpu.atomic_rmw add %one, %q[%l] ordering(relaxed) scope(device) : memref<4xi16>
  }
  xpu.return
}

// A swap that returns what was expected has swapped, also where a neighbour has just changed: the element is not what it was
// any more, for it only grows. Counts where it is.
xpu.kernel @cas_neighbours(%q: memref<4xi8>, %spurious: memref<4xi32>) workgroup_size(4, 1, 1) {
  %one = arith.constant 1 : i8
  %count = arith.constant 1 : i32
  %l = xpu.local_id x
  %first = xpu.atomic_load %q[%l] ordering(relaxed) scope(device) : memref<4xi8>
  %last = scf.while (%seen = %first) : (i8) -> i8 {
    %next = arith.addi %seen, %one : i8
    %old = xpu.cas %seen, %next, %q[%l] ordering(relaxed) scope(device) : memref<4xi8>
    %lost = arith.cmpi ne, %old, %seen : i8
    %now = xpu.atomic_load %q[%l] ordering(relaxed) scope(device) : memref<4xi8>
    %unchanged = arith.cmpi eq, %now, %seen : i8
    %swapped = arith.cmpi eq, %old, %seen : i8
    %bad = arith.andi %unchanged, %swapped : i1
    scf.if %bad {
      %0 = xpu.atomic_rmw add %count, %spurious[%l] ordering(relaxed) scope(device) : memref<4xi32>
    }
    scf.condition(%lost) %old : i8
  } do {
  ^bb0(%seen: i8):
    scf.yield %seen : i8
  }
  xpu.return
}
