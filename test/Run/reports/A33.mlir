// Report A33: increments combined over a subgroup must agree on who is active; in divergent branches items get lost or doubled.
//
// RUN: xpu-run %s --kernel k --target cpu --groups 2 --arg zeros:1xi32 --arg fill(-1):64xi32 \
// RUN:   --expect 0='[64]:i32' --save 1=%t.bin
// RUN: xpu-run %s --kernel verify --target cpu --groups 1 --arg @%t.bin:i32 --arg zeros:64xi32 --arg zeros:1xi32 \
// RUN:   --expect 1=fill(1):64xi32 --expect 2=zeros:1xi32

xpu.kernel @k(%c: memref<1xi32>, %out: memref<64xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %bit0 = arith.andi %l32, %one : i32
  %odd = arith.cmpi ne, %bit0, %zero : i32
  scf.if %odd {
    %bit1 = arith.andi %l32, %two : i32
    %upper = arith.cmpi ne, %bit1, %zero : i32
    %slot = scf.if %upper -> i32 {
      %s = xpu.atomic_rmw add %one, %c[%c0] ordering(relaxed) scope(device) : memref<1xi32>
      scf.yield %s : i32
    } else {
      %s = xpu.atomic_rmw add %one, %c[%c0] ordering(relaxed) scope(device) : memref<1xi32>
      scf.yield %s : i32
    }
    %at = arith.index_castui %slot : i32 to index
    memref.store %i32, %out[%at] : memref<64xi32>
  }
  xpu.return
}

// Whether %out holds every odd number below 128 once: counts 2k + 1 in %seen[k], and what is even or too large in %bad.
xpu.kernel @verify(%out: memref<64xi32>, %seen: memref<64xi32>, %bad: memref<1xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %end = arith.constant 128 : i32
  %l = xpu.local_id x
  %v = memref.load %out[%l] : memref<64xi32>
  %bit0 = arith.andi %v, %one : i32
  %odd = arith.cmpi eq, %bit0, %one : i32
  %below = arith.cmpi ult, %v, %end : i32
  %good = arith.andi %odd, %below : i1
  scf.if %good {
    %half = arith.shrui %v, %one : i32
    %at = arith.index_castui %half : i32 to index
    %0 = xpu.atomic_rmw add %one, %seen[%at] : memref<64xi32>
  } else {
    %0 = xpu.atomic_rmw add %one, %bad[%c0] : memref<1xi32>
  }
  xpu.return
}
