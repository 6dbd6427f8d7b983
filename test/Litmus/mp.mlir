// RUN: xpu-opt %s --xpu-to-nvvm=chip=sm_90 | FileCheck %s

// Message passing: x = 1; y = 1 | r0 = y; r1 = x. Weak: r0 = 1, r1 = 0
//
// Written by test/support/src/litmus.rs, which says what the arguments mean.

// CHECK: llvm.func @mp_relaxed_shared
xpu.kernel @mp_relaxed_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %s[%x] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.atomic_store %one, %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %v1 = xpu.atomic_load %s[%x] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_relaxed_workgroup
xpu.kernel @mp_relaxed_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(relaxed) scope(workgroup) : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
    %v1 = xpu.atomic_load %mem[%x] ordering(relaxed) scope(workgroup) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_relaxed_device
xpu.kernel @mp_relaxed_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
    %v1 = xpu.atomic_load %mem[%x] ordering(relaxed) scope(device) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_relaxed_system
xpu.kernel @mp_relaxed_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(relaxed) scope(system) : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
    %v1 = xpu.atomic_load %mem[%x] ordering(relaxed) scope(system) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rel_acq_shared
xpu.kernel @mp_rel_acq_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %s[%x] ordering(release) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.atomic_store %one, %s[%y] ordering(release) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %s[%y] ordering(acquire) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %v1 = xpu.atomic_load %s[%x] ordering(acquire) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rel_acq_workgroup
xpu.kernel @mp_rel_acq_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(release) scope(workgroup) : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(release) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(acquire) scope(workgroup) : memref<?xi32>
    %v1 = xpu.atomic_load %mem[%x] ordering(acquire) scope(workgroup) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rel_acq_device
xpu.kernel @mp_rel_acq_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(release) scope(device) : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(release) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(acquire) scope(device) : memref<?xi32>
    %v1 = xpu.atomic_load %mem[%x] ordering(acquire) scope(device) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rel_acq_system
xpu.kernel @mp_rel_acq_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(release) scope(system) : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(release) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(acquire) scope(system) : memref<?xi32>
    %v1 = xpu.atomic_load %mem[%x] ordering(acquire) scope(system) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_fences_shared
xpu.kernel @mp_fences_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %s[%x] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.fence ordering(release) scope(workgroup)
    xpu.atomic_store %one, %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.fence ordering(acquire) scope(workgroup)
    %v1 = xpu.atomic_load %s[%x] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_fences_workgroup
xpu.kernel @mp_fences_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(relaxed) scope(workgroup) : memref<?xi32>
    xpu.fence ordering(release) scope(workgroup)
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
    xpu.fence ordering(acquire) scope(workgroup)
    %v1 = xpu.atomic_load %mem[%x] ordering(relaxed) scope(workgroup) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_fences_device
xpu.kernel @mp_fences_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.fence ordering(release) scope(device)
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.fence ordering(acquire) scope(device)
    %v1 = xpu.atomic_load %mem[%x] ordering(relaxed) scope(device) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_fences_system
xpu.kernel @mp_fences_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(relaxed) scope(system) : memref<?xi32>
    xpu.fence ordering(release) scope(system)
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
    xpu.fence ordering(acquire) scope(system)
    %v1 = xpu.atomic_load %mem[%x] ordering(relaxed) scope(system) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_fences_acq_rel_shared
xpu.kernel @mp_fences_acq_rel_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %s[%x] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.fence ordering(acq_rel) scope(workgroup)
    xpu.atomic_store %one, %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.fence ordering(acq_rel) scope(workgroup)
    %v1 = xpu.atomic_load %s[%x] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_fences_acq_rel_workgroup
xpu.kernel @mp_fences_acq_rel_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(relaxed) scope(workgroup) : memref<?xi32>
    xpu.fence ordering(acq_rel) scope(workgroup)
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
    xpu.fence ordering(acq_rel) scope(workgroup)
    %v1 = xpu.atomic_load %mem[%x] ordering(relaxed) scope(workgroup) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_fences_acq_rel_device
xpu.kernel @mp_fences_acq_rel_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.fence ordering(acq_rel) scope(device)
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.fence ordering(acq_rel) scope(device)
    %v1 = xpu.atomic_load %mem[%x] ordering(relaxed) scope(device) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_fences_acq_rel_system
xpu.kernel @mp_fences_acq_rel_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(relaxed) scope(system) : memref<?xi32>
    xpu.fence ordering(acq_rel) scope(system)
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
    xpu.fence ordering(acq_rel) scope(system)
    %v1 = xpu.atomic_load %mem[%x] ordering(relaxed) scope(system) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_seq_cst_shared
xpu.kernel @mp_seq_cst_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %s[%x] ordering(seq_cst) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.atomic_store %one, %s[%y] ordering(seq_cst) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %s[%y] ordering(seq_cst) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %v1 = xpu.atomic_load %s[%x] ordering(seq_cst) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_seq_cst_workgroup
xpu.kernel @mp_seq_cst_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(seq_cst) scope(workgroup) : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(seq_cst) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(seq_cst) scope(workgroup) : memref<?xi32>
    %v1 = xpu.atomic_load %mem[%x] ordering(seq_cst) scope(workgroup) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_seq_cst_device
xpu.kernel @mp_seq_cst_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(seq_cst) scope(device) : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(seq_cst) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(seq_cst) scope(device) : memref<?xi32>
    %v1 = xpu.atomic_load %mem[%x] ordering(seq_cst) scope(device) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_seq_cst_system
xpu.kernel @mp_seq_cst_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    xpu.atomic_store %one, %mem[%x] ordering(seq_cst) scope(system) : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(seq_cst) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(seq_cst) scope(system) : memref<?xi32>
    %v1 = xpu.atomic_load %mem[%x] ordering(seq_cst) scope(system) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_relaxed_shared
xpu.kernel @mp_rmw_relaxed_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %s[%x] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %w1 = xpu.atomic_rmw xchg %one, %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %v1 = xpu.atomic_rmw or %zero, %s[%x] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_relaxed_workgroup
xpu.kernel @mp_rmw_relaxed_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %mem[%x] ordering(relaxed) scope(workgroup) : memref<?xi32>
    %w1 = xpu.atomic_rmw xchg %one, %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
    %v1 = xpu.atomic_rmw or %zero, %mem[%x] ordering(relaxed) scope(workgroup) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_relaxed_device
xpu.kernel @mp_rmw_relaxed_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %mem[%x] ordering(relaxed) scope(device) : memref<?xi32>
    %w1 = xpu.atomic_rmw xchg %one, %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
    %v1 = xpu.atomic_rmw or %zero, %mem[%x] ordering(relaxed) scope(device) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_relaxed_system
xpu.kernel @mp_rmw_relaxed_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %mem[%x] ordering(relaxed) scope(system) : memref<?xi32>
    %w1 = xpu.atomic_rmw xchg %one, %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
    %v1 = xpu.atomic_rmw or %zero, %mem[%x] ordering(relaxed) scope(system) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_rel_acq_shared
xpu.kernel @mp_rmw_rel_acq_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %s[%x] ordering(release) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %w1 = xpu.atomic_rmw xchg %one, %s[%y] ordering(release) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %s[%y] ordering(acquire) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %v1 = xpu.atomic_rmw or %zero, %s[%x] ordering(acquire) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_rel_acq_workgroup
xpu.kernel @mp_rmw_rel_acq_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %mem[%x] ordering(release) scope(workgroup) : memref<?xi32>
    %w1 = xpu.atomic_rmw xchg %one, %mem[%y] ordering(release) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %mem[%y] ordering(acquire) scope(workgroup) : memref<?xi32>
    %v1 = xpu.atomic_rmw or %zero, %mem[%x] ordering(acquire) scope(workgroup) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_rel_acq_device
xpu.kernel @mp_rmw_rel_acq_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %mem[%x] ordering(release) scope(device) : memref<?xi32>
    %w1 = xpu.atomic_rmw xchg %one, %mem[%y] ordering(release) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %mem[%y] ordering(acquire) scope(device) : memref<?xi32>
    %v1 = xpu.atomic_rmw or %zero, %mem[%x] ordering(acquire) scope(device) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_rel_acq_system
xpu.kernel @mp_rmw_rel_acq_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %mem[%x] ordering(release) scope(system) : memref<?xi32>
    %w1 = xpu.atomic_rmw xchg %one, %mem[%y] ordering(release) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %mem[%y] ordering(acquire) scope(system) : memref<?xi32>
    %v1 = xpu.atomic_rmw or %zero, %mem[%x] ordering(acquire) scope(system) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_acq_rel_shared
xpu.kernel @mp_rmw_acq_rel_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %s[%x] ordering(acq_rel) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %w1 = xpu.atomic_rmw xchg %one, %s[%y] ordering(acq_rel) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %s[%y] ordering(acq_rel) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %v1 = xpu.atomic_rmw or %zero, %s[%x] ordering(acq_rel) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_acq_rel_workgroup
xpu.kernel @mp_rmw_acq_rel_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %mem[%x] ordering(acq_rel) scope(workgroup) : memref<?xi32>
    %w1 = xpu.atomic_rmw xchg %one, %mem[%y] ordering(acq_rel) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %mem[%y] ordering(acq_rel) scope(workgroup) : memref<?xi32>
    %v1 = xpu.atomic_rmw or %zero, %mem[%x] ordering(acq_rel) scope(workgroup) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_acq_rel_device
xpu.kernel @mp_rmw_acq_rel_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %mem[%x] ordering(acq_rel) scope(device) : memref<?xi32>
    %w1 = xpu.atomic_rmw xchg %one, %mem[%y] ordering(acq_rel) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %mem[%y] ordering(acq_rel) scope(device) : memref<?xi32>
    %v1 = xpu.atomic_rmw or %zero, %mem[%x] ordering(acq_rel) scope(device) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_rmw_acq_rel_system
xpu.kernel @mp_rmw_acq_rel_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    %w0 = xpu.atomic_rmw xchg %one, %mem[%x] ordering(acq_rel) scope(system) : memref<?xi32>
    %w1 = xpu.atomic_rmw xchg %one, %mem[%y] ordering(acq_rel) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_rmw or %zero, %mem[%y] ordering(acq_rel) scope(system) : memref<?xi32>
    %v1 = xpu.atomic_rmw or %zero, %mem[%x] ordering(acq_rel) scope(system) : memref<?xi32>
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_guarded_rel_acq_shared
xpu.kernel @mp_guarded_rel_acq_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    memref.store %one, %s[%x] : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.atomic_store %one, %s[%y] ordering(release) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %s[%y] ordering(acquire) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    %seen = arith.cmpi eq, %v0, %one : i32
    %v1 = scf.if %seen -> i32 {
      %value = memref.load %s[%x] : memref<4096xi32, #gpu.address_space<workgroup>>
      scf.yield %value : i32
    } else {
      scf.yield %one : i32
    }
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_guarded_rel_acq_workgroup
xpu.kernel @mp_guarded_rel_acq_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    memref.store %one, %mem[%x] : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(release) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(acquire) scope(workgroup) : memref<?xi32>
    %seen = arith.cmpi eq, %v0, %one : i32
    %v1 = scf.if %seen -> i32 {
      %value = memref.load %mem[%x] : memref<?xi32>
      scf.yield %value : i32
    } else {
      scf.yield %one : i32
    }
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_guarded_rel_acq_device
xpu.kernel @mp_guarded_rel_acq_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    memref.store %one, %mem[%x] : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(release) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(acquire) scope(device) : memref<?xi32>
    %seen = arith.cmpi eq, %v0, %one : i32
    %v1 = scf.if %seen -> i32 {
      %value = memref.load %mem[%x] : memref<?xi32>
      scf.yield %value : i32
    } else {
      scf.yield %one : i32
    }
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_guarded_rel_acq_system
xpu.kernel @mp_guarded_rel_acq_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    memref.store %one, %mem[%x] : memref<?xi32>
    xpu.atomic_store %one, %mem[%y] ordering(release) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(acquire) scope(system) : memref<?xi32>
    %seen = arith.cmpi eq, %v0, %one : i32
    %v1 = scf.if %seen -> i32 {
      %value = memref.load %mem[%x] : memref<?xi32>
      scf.yield %value : i32
    } else {
      scf.yield %one : i32
    }
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_guarded_fences_shared
xpu.kernel @mp_guarded_fences_shared(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<4096xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.constant 2048 : index
  %xplace = arith.muli %local, %stride : index
  %yproduct = arith.muli %local, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %m, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %end = arith.constant 4096 : index
  scf.for %w = %l to %end step %group {
    memref.store %zero, %s[%w] : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    memref.store %one, %s[%x] : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.fence ordering(release) scope(workgroup)
    xpu.atomic_store %one, %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %s[%y] ordering(relaxed) scope(workgroup) : memref<4096xi32, #gpu.address_space<workgroup>>
    xpu.fence ordering(acquire) scope(workgroup)
    %seen = arith.cmpi eq, %v0, %one : i32
    %v1 = scf.if %seen -> i32 {
      %value = memref.load %s[%x] : memref<4096xi32, #gpu.address_space<workgroup>>
      scf.yield %value : i32
    } else {
      scf.yield %one : i32
    }
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_guarded_fences_workgroup
xpu.kernel @mp_guarded_fences_workgroup(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %m = arith.constant 128 : index
  %turn = arith.divui %l, %block : index
  %in = arith.remui %l, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %m, %c1 : index
  %local = arith.andi %sum, %mask : index
  %before = arith.muli %g, %m : index
  %instance = arith.addi %before, %local : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.barrier
  %warp = arith.divui %t, %block : index
  %warp32 = arith.index_cast %warp : index to i32
  %seed32 = arith.index_cast %seed : index to i32
  %odd = arith.constant 2146121005 : i32
  %k5 = arith.constant 5 : i32
  %k13 = arith.constant 13 : i32
  %k16 = arith.constant 16 : i32
  %k17 = arith.constant 17 : i32
  %seeded = arith.addi %warp32, %seed32 : i32
  %mixed0 = arith.muli %seeded, %odd : i32
  %high0 = arith.shrui %mixed0, %k16 : i32
  %folded = arith.xori %mixed0, %high0 : i32
  %mixed = arith.muli %folded, %odd : i32
  %high = arith.shrui %mixed, %k16 : i32
  %many = arith.index_castui %high : i32 to index
  %wait = arith.andi %many, %delay : index
  %nonzero = arith.ori %mixed, %one : i32
  %state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {
    %a = arith.shli %s0, %k13 : i32
    %s1 = arith.xori %s0, %a : i32
    %b = arith.shrui %s1, %k17 : i32
    %s2 = arith.xori %s1, %b : i32
    %c = arith.shli %s2, %k5 : i32
    %s3 = arith.xori %s2, %c : i32
    scf.yield %s3 : i32
  }
  %over = arith.cmpi eq, %state, %zero : i32
  %late = arith.select %over, %c1, %c0 : index
  %x = arith.addi %xplace, %late : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %late : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    memref.store %one, %mem[%x] : memref<?xi32>
    xpu.fence ordering(release) scope(workgroup)
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(workgroup) : memref<?xi32>
    xpu.fence ordering(acquire) scope(workgroup)
    %seen = arith.cmpi eq, %v0, %one : i32
    %v1 = scf.if %seen -> i32 {
      %value = memref.load %mem[%x] : memref<?xi32>
      scf.yield %value : i32
    } else {
      scf.yield %one : i32
    }
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_guarded_fences_device
xpu.kernel @mp_guarded_fences_device(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    memref.store %one, %mem[%x] : memref<?xi32>
    xpu.fence ordering(release) scope(device)
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.fence ordering(acquire) scope(device)
    %seen = arith.cmpi eq, %v0, %one : i32
    %v1 = scf.if %seen -> i32 {
      %value = memref.load %mem[%x] : memref<?xi32>
      scf.yield %value : i32
    } else {
      scf.yield %one : i32
    }
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}

// CHECK: llvm.func @mp_guarded_fences_system
xpu.kernel @mp_guarded_fences_system(%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, %delay: index, %seed: index) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %roles = arith.constant 2 : index
  %group = arith.constant 256 : index
  %t = xpu.global_id x
  %l = xpu.local_id x
  %g = xpu.group_id x
  %turn = arith.divui %t, %block : index
  %in = arith.remui %t, %block : index
  %role = arith.remui %turn, %roles : index
  %whole = arith.divui %turn, %roles : index
  %start = arith.muli %whole, %block : index
  %number = arith.addi %start, %in : index
  %first = arith.cmpi eq, %role, %c0 : index
  %factor = arith.select %first, %c1, %mul : index
  %product = arith.muli %number, %factor : index
  %shift = arith.muli %role, %add : index
  %sum = arith.addi %product, %shift : index
  %mask = arith.subi %n, %c1 : index
  %local = arith.andi %sum, %mask : index
  %instance = arith.addi %local, %c0 : index
  %half = arith.muli %n, %stride : index
  %xplace = arith.muli %instance, %stride : index
  %yproduct = arith.muli %instance, %ymul : index
  %ysum = arith.addi %yproduct, %yadd : index
  %ymask = arith.subi %n, %c1 : index
  %ynumber = arith.andi %ysum, %ymask : index
  %yplace = arith.muli %ynumber, %stride : index
  %extent = memref.dim %other, %c0 : memref<?xi32>
  scf.for %turns = %c0 to %stress step %c1 {
    %far = arith.muli %turns, %group : index
    %fa = arith.addi %far, %t : index
    %f = arith.remui %fa, %extent : index
    %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
    xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>
  }
  %x = arith.addi %xplace, %c0 : index
  %yfirst = arith.addi %half, %yplace : index
  %y = arith.addi %yfirst, %c0 : index
  %r0 = arith.constant 0 : index
  %is0 = arith.cmpi eq, %role, %r0 : index
  scf.if %is0 {
    memref.store %one, %mem[%x] : memref<?xi32>
    xpu.fence ordering(release) scope(system)
    xpu.atomic_store %one, %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
  }
  %r1 = arith.constant 1 : index
  %is1 = arith.cmpi eq, %role, %r1 : index
  scf.if %is1 {
    %v0 = xpu.atomic_load %mem[%y] ordering(relaxed) scope(system) : memref<?xi32>
    xpu.fence ordering(acquire) scope(system)
    %seen = arith.cmpi eq, %v0, %one : i32
    %v1 = scf.if %seen -> i32 {
      %value = memref.load %mem[%x] : memref<?xi32>
      scf.yield %value : i32
    } else {
      scf.yield %one : i32
    }
    %k0 = arith.constant 0 : index
    %row0 = arith.muli %k0, %n : index
    %at0 = arith.addi %row0, %instance : index
    memref.store %v0, %res[%at0] : memref<?xi32>
    %k1 = arith.constant 1 : index
    %row1 = arith.muli %k1, %n : index
    %at1 = arith.addi %row1, %instance : index
    memref.store %v1, %res[%at1] : memref<?xi32>
  }
  xpu.return
}
