// Barriers: in uniform loops and branches, with values that live across them, and in every dimension of a group.
//
// RUN: xpu-run %s --kernel loop --target cpu --groups 3 --repeat 5 --arg zeros:192xi32 --arg 64:index --expect 0=fill(2016):192xi32
// RUN: xpu-run %s --kernel loop --target cpu --groups 1 --arg zeros:64xi32 --arg 0:index --expect 0=zeros:64xi32
// RUN: xpu-run %s --kernel live --target cpu --groups 2 --arg zeros:128xf64 --expect 0=fill(21):128xf64
// RUN: xpu-run %s --kernel branch --target cpu --groups 2 --arg 1:i1 --arg zeros:128xi32 --expect 1=fill(63):128xi32
// RUN: xpu-run %s --kernel branch --target cpu --groups 2 --arg 0:i1 --arg zeros:128xi32 --expect 1=fill(-1):128xi32
// RUN: xpu-run %s --kernel by_group --target cpu --groups 8 --arg zeros:8xi32 --expect 0='[0,4,8,12,16,20,24,28]:i32'
// RUN: xpu-run %s --kernel cube --target cpu --groups 2,2,2 --arg zeros:8xi32 --expect 0=fill(276):8xi32
// RUN: xpu-run %s --kernel many --target cpu --groups 2 --arg zeros:2xi32 --expect 0=fill(500):2xi32
// RUN: xpu-run %s --kernel alone --target cpu --groups 3 --arg zeros:3xi32 --expect 0=fill(2):3xi32

// Each round, every work-item hands its neighbour the number that it holds, and adds what it gets: after as many rounds as there
// are work-items all have the sum of 0, 1, …, 63. Two barriers a round, with the loop's values live across both.
xpu.kernel @loop(%out: memref<?xi32>, %rounds: index) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %s = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %i = xpu.global_id x
  %l32 = arith.index_cast %l : index to i32
  %next = arith.addi %l, %c1 : index
  %right = arith.remui %next, %c64 : index
  %holds, %sum = scf.for %round = %c0 to %rounds step %c1 iter_args(%held = %l32, %so_far = %zero) -> (i32, i32) {
    memref.store %held, %s[%right] : memref<64xi32, #gpu.address_space<workgroup>>
    xpu.barrier
    %got = memref.load %s[%l] : memref<64xi32, #gpu.address_space<workgroup>>
    %more = arith.addi %so_far, %got : i32
    xpu.barrier
    scf.yield %got, %more : i32, i32
  }
  memref.store %sum, %out[%i] : memref<?xi32>
  xpu.return
}

// Values of many types, and an array of the work-item's own, live across a barrier: 1 + 2 + 3 + 4 + 5 + 6.
xpu.kernel @live(%out: memref<?xf64>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = xpu.local_id x
  %i = xpu.global_id x
  %own = memref.alloca() : memref<2xi16>
  %one = arith.constant 1 : i16
  %two = arith.constant 2 : i16
  memref.store %one, %own[%c0] : memref<2xi16>
  memref.store %two, %own[%c1] : memref<2xi16>
  %l32 = arith.index_cast %l : index to i32
  %three_i = arith.constant 3 : i32
  %three = arith.addi %l32, %three_i : i32
  %lf = arith.sitofp %l32 : i32 to f32
  %four_f = arith.constant 4.0 : f32
  %four = arith.addf %lf, %four_f : f32
  %l64 = arith.extsi %l32 : i32 to i64
  %ld = arith.sitofp %l64 : i64 to f64
  %five_d = arith.constant 5.0 : f64
  %five = arith.addf %ld, %five_d : f64
  %lh = arith.truncf %lf : f32 to f16
  %six_h = arith.constant 6.0 : f16
  %six = arith.addf %lh, %six_h : f16
  xpu.barrier
  %a = memref.load %own[%c0] : memref<2xi16>
  %b = memref.load %own[%c1] : memref<2xi16>
  %ab = arith.addi %a, %b : i16
  %abd = arith.sitofp %ab : i16 to f64
  %c = arith.sitofp %three : i32 to f64
  %d = arith.extf %four : f32 to f64
  %f = arith.extf %six : f16 to f64
  %s0 = arith.addf %abd, %c : f64
  %s1 = arith.addf %s0, %d : f64
  %s2 = arith.addf %s1, %five : f64
  %s3 = arith.addf %s2, %f : f64
  // Less the work-item's number, which is in four of them.
  %four_d = arith.constant 4.0 : f64
  %times4 = arith.mulf %ld, %four_d : f64
  %r = arith.subf %s3, %times4 : f64
  memref.store %r, %out[%i] : memref<?xf64>
  xpu.return
}

// A barrier in a branch that all take, or none.
xpu.kernel @branch(%take: i1, %out: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c63 = arith.constant 63 : index
  %minus_one = arith.constant -1 : i32
  %s = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %i = xpu.global_id x
  %l32 = arith.index_cast %l : index to i32
  memref.store %l32, %s[%l] : memref<64xi32, #gpu.address_space<workgroup>>
  %r = scf.if %take -> i32 {
    xpu.barrier
    %last = memref.load %s[%c63] : memref<64xi32, #gpu.address_space<workgroup>>
    scf.yield %last : i32
  } else {
    scf.yield %minus_one : i32
  }
  memref.store %r, %out[%i] : memref<?xi32>
  xpu.return
}

// Uniform in a group, but not over the launch: group g meets g times.
xpu.kernel @by_group(%out: memref<?xi32>) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %g = xpu.group_id x
  scf.for %round = %c0 to %g step %c1 {
    %old = xpu.atomic_rmw add %one, %out[%g] : memref<?xi32>
    xpu.barrier
  }
  xpu.return
}

// All 24 work-items of a group of 4 x 3 x 2 meet: the last one to store is seen by the first.
xpu.kernel @cube(%out: memref<?xi32>) workgroup_size(4, 3, 2) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %zero = arith.constant 0 : i32
  %s = xpu.shared : memref<2x3x4xi32, #gpu.address_space<workgroup>>
  %x = xpu.local_id x
  %y = xpu.local_id y
  %z = xpu.local_id z
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zy = arith.muli %z, %c3 : index
  %row = arith.addi %zy, %y : index
  %first = arith.muli %row, %c4 : index
  %flat = arith.addi %first, %x : index
  %v = arith.index_cast %flat : index to i32
  memref.store %v, %s[%z, %y, %x] : memref<2x3x4xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  %leads = arith.cmpi eq, %flat, %c0 : index
  scf.if %leads {
    %all = memref.collapse_shape %s [[0, 1, 2]]
        : memref<2x3x4xi32, #gpu.address_space<workgroup>> into memref<24xi32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %c0 to %c24 step %c1 iter_args(%so_far = %zero) -> i32 {
      %one = memref.load %all[%i] : memref<24xi32, #gpu.address_space<workgroup>>
      %more = arith.addi %so_far, %one : i32
      scf.yield %more : i32
    }
    %gx = xpu.group_id x
    %gy = xpu.group_id y
    %gz = xpu.group_id z
    %c2 = arith.constant 2 : index
    %gzy = arith.muli %gz, %c2 : index
    %grow = arith.addi %gzy, %gy : index
    %gfirst = arith.muli %grow, %c2 : index
    %g = arith.addi %gfirst, %gx : index
    memref.store %sum, %out[%g] : memref<?xi32>
  }
  xpu.return
}

// 1,000 barriers by 256 work-items, who add to a plain counter in turn.
xpu.kernel @many(%out: memref<?xi32>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rounds = arith.constant 1000 : index
  %one = arith.constant 1 : i32
  %l = xpu.local_id x
  %g = xpu.group_id x
  scf.for %round = %c0 to %rounds step %c1 {
    %turn = arith.divui %round, %c2 : index
    %mine = arith.cmpi eq, %turn, %l : index
    %odd = arith.remui %round, %c2 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    %wrapped = arith.subi %turn, %l : index
    %c256 = arith.constant 256 : index
    %again = arith.cmpi eq, %wrapped, %c256 : index
    %either = arith.ori %mine, %again : i1
    %adds = arith.andi %either, %is_odd : i1
    scf.if %adds {
      %v = memref.load %out[%g] : memref<?xi32>
      %next = arith.addi %v, %one : i32
      memref.store %next, %out[%g] : memref<?xi32>
    }
    xpu.barrier
  }
  xpu.return
}

// A group of one work-item waits for nobody.
xpu.kernel @alone(%out: memref<?xi32>) workgroup_size(1, 1, 1) {
  %one = arith.constant 1 : i32
  %g = xpu.group_id x
  %0 = xpu.atomic_rmw add %one, %out[%g] : memref<?xi32>
  xpu.barrier
  %1 = xpu.atomic_rmw add %one, %out[%g] : memref<?xi32>
  xpu.barrier
  xpu.return
}
