// Control flow in kernels: scf, cf and affine, structured and not, with atomics and barriers inside.
//
// RUN: xpu-run %s --kernel while --target cpu --groups 1 --arg '[1,2,3,7,27,97]:i32' --arg zeros:6xi32 --expect 1='[0,1,7,16,111,118]:i32'
// RUN: xpu-run %s --kernel blocks --target cpu --groups 1 --arg '[1,2,3,7,27,97]:i32' --arg zeros:6xi32 --expect 1='[0,1,7,16,111,118]:i32'
// RUN: xpu-run %s --kernel switches --target cpu --groups 1 --arg zeros:6xi32 --expect 0='[10,20,30,-1,-1,-1]:i32'
// RUN: xpu-run %s --kernel jumps --target cpu --groups 1 --arg zeros:6xi32 --expect 0='[10,20,30,-1,-1,-1]:i32'
// RUN: xpu-run %s --kernel nested --target cpu --groups 1 --arg zeros:1xi32 --expect 0='[24]:i32'
// RUN: xpu-run %s --kernel affine --target cpu --groups 2 --arg iota:64xi32 --arg zeros:2xi32 --expect 1='[240,752]:i32'
// RUN: xpu-run %s --kernel region --target cpu --groups 1 --arg zeros:4xi32 --expect 0='[0,-1,4,-9]:i32'
// RUN: xpu-run %s --kernel down --target cpu --groups 1 --arg 10:i64 --arg zeros:1xi64 --expect 1='[55]:i64'
// RUN: xpu-run %s --kernel early --target cpu --groups 2 --arg zeros:16xi32 --arg 11:index --expect 0='[1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0]:i32'

// How many steps n -> n / 2 or 3n + 1 takes to 1.
xpu.kernel @while(%in: memref<6xi32>, %out: memref<6xi32>) workgroup_size(6, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %l = xpu.local_id x
  %first = memref.load %in[%l] : memref<6xi32>
  %end, %steps = scf.while (%n = %first, %count = %zero) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %n, %one : i32
    scf.condition(%more) %n, %count : i32, i32
  } do {
  ^bb0(%n: i32, %count: i32):
    %bit = arith.andi %n, %one : i32
    %odd = arith.cmpi eq, %bit, %one : i32
    %next = scf.if %odd -> i32 {
      %triple = arith.muli %n, %three : i32
      %up = arith.addi %triple, %one : i32
      scf.yield %up : i32
    } else {
      %half = arith.divui %n, %two : i32
      scf.yield %half : i32
    }
    %counted = arith.addi %count, %one : i32
    scf.yield %next, %counted : i32, i32
  }
  memref.store %steps, %out[%l] : memref<6xi32>
  xpu.return
}

xpu.kernel @blocks(%in: memref<6xi32>, %out: memref<6xi32>) workgroup_size(6, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %l = xpu.local_id x
  %first = memref.load %in[%l] : memref<6xi32>
  cf.br ^head(%first, %zero : i32, i32)
^head(%n: i32, %count: i32):
  %more = arith.cmpi ne, %n, %one : i32
  cf.cond_br %more, ^body, ^end
^body:
  %counted = arith.addi %count, %one : i32
  %bit = arith.andi %n, %one : i32
  %odd = arith.cmpi eq, %bit, %one : i32
  cf.cond_br %odd, ^up, ^down
^up:
  %triple = arith.muli %n, %three : i32
  %next = arith.addi %triple, %one : i32
  cf.br ^head(%next, %counted : i32, i32)
^down:
  %half = arith.divui %n, %two : i32
  cf.br ^head(%half, %counted : i32, i32)
^end:
  memref.store %count, %out[%l] : memref<6xi32>
  xpu.return
}

xpu.kernel @switches(%out: memref<6xi32>) workgroup_size(6, 1, 1) {
  %l = xpu.local_id x
  %v = scf.index_switch %l -> i32
  case 0 {
    %ten = arith.constant 10 : i32
    scf.yield %ten : i32
  }
  case 1 {
    %twenty = arith.constant 20 : i32
    scf.yield %twenty : i32
  }
  case 2 {
    %thirty = arith.constant 30 : i32
    scf.yield %thirty : i32
  }
  default {
    %minus_one = arith.constant -1 : i32
    scf.yield %minus_one : i32
  }
  memref.store %v, %out[%l] : memref<6xi32>
  xpu.return
}

xpu.kernel @jumps(%out: memref<6xi32>) workgroup_size(6, 1, 1) {
  %l = xpu.local_id x
  %flag = arith.index_cast %l : index to i32
  %minus_one = arith.constant -1 : i32
  %ten = arith.constant 10 : i32
  %twenty = arith.constant 20 : i32
  %thirty = arith.constant 30 : i32
  cf.switch %flag : i32, [
    default: ^end(%minus_one : i32),
    0: ^end(%ten : i32),
    1: ^end(%twenty : i32),
    2: ^end(%thirty : i32)
  ]
^end(%v: i32):
  memref.store %v, %out[%l] : memref<6xi32>
  xpu.return
}

// Loops in loops, with a barrier in the innermost: 2 x 3 times 4 work-items.
xpu.kernel @nested(%out: memref<1xi32>) workgroup_size(4, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %old = xpu.atomic_rmw add %one, %out[%c0] : memref<1xi32>
      xpu.barrier
    }
  }
  xpu.return
}

// The even elements of a group's 32: affine.load, affine.for and affine.apply, as polyhedral frontends write them.
xpu.kernel @affine(%in: memref<?xi32>, %out: memref<2xi32>) workgroup_size(2, 1, 1) {
  %l = xpu.local_id x
  %g = xpu.group_id x
  affine.for %i = 0 to 8 {
    %at = affine.apply affine_map<(g, l, i) -> (g * 32 + l * 16 + i * 2)>(%g, %l, %i)
    %v = memref.load %in[%at] : memref<?xi32>
    %old = memref.atomic_rmw addi %v, %out[%g] : (i32, memref<2xi32>) -> i32
  }
  affine.if affine_set<(l) : (l - 1 == 0)>(%l) {
    affine.for %i = 0 to 16 {
      %v = memref.load %in[%i] : memref<?xi32>
    }
  }
  xpu.return
}

xpu.kernel @region(%out: memref<4xi32>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %v = arith.index_cast %l : index to i32
  %r = scf.execute_region -> i32 {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %square = arith.muli %v, %v : i32
    %bit = arith.andi %v, %one : i32
    %odd = arith.cmpi eq, %bit, %one : i32
    cf.cond_br %odd, ^odd, ^even
  ^odd:
    %negated = arith.subi %zero, %square : i32
    scf.yield %negated : i32
  ^even:
    scf.yield %square : i32
  }
  memref.store %r, %out[%l] : memref<4xi32>
  xpu.return
}

// A loop over i64.
xpu.kernel @down(%n: i64, %out: memref<1xi64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.addi %n, %one : i64
  scf.for %i = %zero to %end step %one : i64 {
    %old = xpu.atomic_rmw add %i, %out[%c0] : memref<1xi64>
  }
  xpu.return
}

// Leaving early is fine where no barrier follows.
xpu.kernel @early(%out: memref<?xi32>, %n: index) workgroup_size(8, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %inside = arith.cmpi ult, %i, %n : index
  cf.cond_br %inside, ^work, ^end
^work:
  memref.store %one, %out[%i] : memref<?xi32>
  cf.br ^end
^end:
  xpu.return
}
