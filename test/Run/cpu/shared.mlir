// Workgroup memory: an instance for each group, buffers that do not overlap, of every kind of element, also seen through helpers.
//
// RUN: xpu-run %s --kernel separate --target cpu --groups 64 --repeat 3 --arg zeros:64xi32 --expect 0=fill(64):64xi32
// RUN: xpu-run %s --kernel two --target cpu --groups 2 --arg zeros:2x8xi32 --expect 0='[11,22,33,44,55,66,77,0,11,22,33,44,55,66,77,0]:2x8xi32'
// RUN: xpu-run %s --kernel mixed --target cpu --groups 2 --arg zeros:2xf64 --expect 0=fill(15):2xf64
// RUN: xpu-run %s --kernel helpers --target cpu --groups 4 --arg zeros:4xi32 --expect 0=fill(2080):4xi32
// RUN: xpu-run %s --kernel attribution --target cpu --groups 4 --arg zeros:4xi32 --expect 0=fill(66):4xi32
// RUN: xpu-run %s --kernel large --target cpu --groups 2 --arg zeros:2xi32 --expect 0=fill(1):2xi32

xpu.kernel @separate(%out: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %g = xpu.group_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  scf.if %leads {
    memref.store %zero, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %old = xpu.atomic_rmw add %one, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  scf.if %leads {
    %sum = memref.load %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    memref.store %sum, %out[%g] : memref<?xi32>
  }
  xpu.return
}

// Two buffers of one type and shape are two: each work-item reads from both what its neighbour wrote.
xpu.kernel @two(%out: memref<?x8xi32>) workgroup_size(8, 1, 1) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %ten = arith.constant 10 : i32
  %a = xpu.shared : memref<8xi32, #gpu.address_space<workgroup>>
  %b = xpu.shared : memref<8xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %g = xpu.group_id x
  %l32 = arith.index_cast %l : index to i32
  %tens = arith.muli %l32, %ten : i32
  memref.store %l32, %a[%l] : memref<8xi32, #gpu.address_space<workgroup>>
  memref.store %tens, %b[%l] : memref<8xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  %next = arith.addi %l, %c1 : index
  %right = arith.remui %next, %c8 : index
  %x = memref.load %a[%right] : memref<8xi32, #gpu.address_space<workgroup>>
  %y = memref.load %b[%right] : memref<8xi32, #gpu.address_space<workgroup>>
  %sum = arith.addi %x, %y : i32
  memref.store %sum, %out[%g, %l] : memref<?x8xi32>
  xpu.return
}

// Odd sizes, so that alignment shows: 1 + 2 + 4 + 8.
xpu.kernel @mixed(%out: memref<?xf64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %bytes = xpu.shared : memref<3xi8, #gpu.address_space<workgroup>>
  %doubles = xpu.shared : memref<f64, #gpu.address_space<workgroup>>
  %halves = xpu.shared : memref<1xbf16, #gpu.address_space<workgroup>>
  %words = xpu.shared : memref<1x1xi64, 3>
  %g = xpu.group_id x
  %zero8 = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %two = arith.constant 2.0 : f64
  %four = arith.constant 4.0 : bf16
  %eight = arith.constant 8 : i64
  %zero64 = arith.constant 0.0 : f64
  %zero16 = arith.constant 0.0 : bf16
  %zero = arith.constant 0 : i64
  memref.store %zero8, %bytes[%c2] : memref<3xi8, #gpu.address_space<workgroup>>
  memref.store %zero64, %doubles[] : memref<f64, #gpu.address_space<workgroup>>
  memref.store %zero16, %halves[%c0] : memref<1xbf16, #gpu.address_space<workgroup>>
  memref.store %zero, %words[%c0, %c0] : memref<1x1xi64, 3>
  %0 = xpu.atomic_rmw add %one, %bytes[%c2] : memref<3xi8, #gpu.address_space<workgroup>>
  %1 = xpu.atomic_rmw fadd %two, %doubles[] : memref<f64, #gpu.address_space<workgroup>>
  %2 = xpu.atomic_rmw fadd %four, %halves[%c0] : memref<1xbf16, #gpu.address_space<workgroup>>
  %3 = xpu.atomic_rmw add %eight, %words[%c0, %c0] : memref<1x1xi64, 3>
  %a8 = memref.load %bytes[%c2] : memref<3xi8, #gpu.address_space<workgroup>>
  %b = memref.load %doubles[] : memref<f64, #gpu.address_space<workgroup>>
  %c16 = memref.load %halves[%c0] : memref<1xbf16, #gpu.address_space<workgroup>>
  %d64 = memref.load %words[%c0, %c0] : memref<1x1xi64, 3>
  %a = arith.sitofp %a8 : i8 to f64
  %c = arith.extf %c16 : bf16 to f64
  %d = arith.sitofp %d64 : i64 to f64
  %s0 = arith.addf %a, %b : f64
  %s1 = arith.addf %s0, %c : f64
  %s2 = arith.addf %s1, %d : f64
  memref.store %s2, %out[%g] : memref<?xf64>
  xpu.return
}

// Functions take workgroup memory by its type, and may be called with a view.
func.func @clear(%m: memref<?xi32, #gpu.address_space<workgroup>>, %i: index) {
  %zero = arith.constant 0 : i32
  memref.store %zero, %m[%i] : memref<?xi32, #gpu.address_space<workgroup>>
  return
}

func.func @add(%m: memref<?xi32, #gpu.address_space<workgroup>>, %v: i32) {
  %c0 = arith.constant 0 : index
  %old = xpu.atomic_rmw add %v, %m[%c0] : memref<?xi32, #gpu.address_space<workgroup>>
  return
}

xpu.kernel @helpers(%out: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %s = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %g = xpu.group_id x
  %l32 = arith.index_cast %l : index to i32
  %v = arith.addi %l32, %one : i32
  %any = memref.cast %s : memref<64xi32, #gpu.address_space<workgroup>> to memref<?xi32, #gpu.address_space<workgroup>>
  func.call @clear(%any, %l) : (memref<?xi32, #gpu.address_space<workgroup>>, index) -> ()
  xpu.barrier
  func.call @add(%any, %v) : (memref<?xi32, #gpu.address_space<workgroup>>, i32) -> ()
  xpu.barrier
  %leads = arith.cmpi eq, %l, %c0 : index
  scf.if %leads {
    %sum = memref.load %s[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %sum, %out[%g] : memref<?xi32>
  }
  xpu.return
}

// More than the stack of a work-item.
xpu.kernel @large(%out: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %last = arith.constant 1048575 : index
  %one = arith.constant 1 : i32
  %s = xpu.shared : memref<1048576xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %g = xpu.group_id x
  memref.store %one, %s[%last] : memref<1048576xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  %v = memref.load %s[%last] : memref<1048576xi32, #gpu.address_space<workgroup>>
  memref.store %v, %out[%g] : memref<?xi32>
  xpu.return
}

// An upstream kernel's, by attribution; two of them, and one of private memory.
gpu.module @m {
  gpu.func @attribution(%out: memref<?xi32>)
      workgroup(%count: memref<1xi32, #gpu.address_space<workgroup>>, %more: memref<1xi32, #gpu.address_space<workgroup>>)
      private(%own: memref<1xi32, #gpu.address_space<private>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %l = gpu.thread_id x
    %g = gpu.block_id x
    %leads = arith.cmpi eq, %l, %c0 : index
    scf.if %leads {
      memref.store %zero, %count[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      memref.store %two, %more[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    memref.store %one, %own[%c0] : memref<1xi32, #gpu.address_space<private>>
    gpu.barrier
    %v = memref.load %own[%c0] : memref<1xi32, #gpu.address_space<private>>
    %old = memref.atomic_rmw addi %v, %count[%c0] : (i32, memref<1xi32, #gpu.address_space<workgroup>>) -> i32
    gpu.barrier
    scf.if %leads {
      %a = memref.load %count[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      %b = memref.load %more[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      %sum = arith.addi %a, %b : i32
      memref.store %sum, %out[%g] : memref<?xi32>
    }
    gpu.return
  }
}
