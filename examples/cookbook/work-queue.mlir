// Groups share out work until none is left. A task is a range of elements, its start above its end
// in 16 bits each. Who takes a large one puts halves of it back, where there is room.
//
// The queue is a ring: slot S may be written for ticket T when its turn is T, and read when it is T + 1.
xpu.kernel @work(%visits: memref<?xi32>, %turns: memref<?xi32>, %tasks: memref<?xi32>, %ends: memref<2xi32>, %open: memref<1xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %mask = arith.constant 65535 : i32
  %mine = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  scf.while : () -> () {
    // The leader looks for a task; without one, whether any is still open.
    scf.if %leads {
      %found = func.call @pop(%turns, %tasks, %ends) : (memref<?xi32>, memref<?xi32>, memref<2xi32>) -> i32
      %got = arith.cmpi ne, %found, %none : i32
      %task = scf.if %got -> i32 {
        %half = func.call @split(%turns, %tasks, %ends, %open, %found) : (memref<?xi32>, memref<?xi32>, memref<2xi32>, memref<1xi32>, i32) -> i32
        %quarter = func.call @split(%turns, %tasks, %ends, %open, %half) : (memref<?xi32>, memref<?xi32>, memref<2xi32>, memref<1xi32>, i32) -> i32
        scf.yield %quarter : i32
      } else {
        %left = xpu.atomic_load %open[%c0] ordering(relaxed) scope(device) : memref<1xi32>
        %done = arith.cmpi eq, %left, %zero : i32
        // An empty range: nothing to do yet.
        %wait = arith.select %done, %none, %zero : i32
        scf.yield %wait : i32
      }
      memref.store %task, %mine[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    xpu.barrier
    %task = memref.load %mine[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %more = arith.cmpi ne, %task, %none : i32
    scf.condition(%more)
  } do {
    %task = memref.load %mine[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %low = arith.shrui %task, %c16 : i32
    %high = arith.andi %task, %mask : i32
    %start = arith.index_castui %low : i32 to index
    %end = arith.index_castui %high : i32 to index
    %first = arith.addi %start, %l : index
    scf.for %i = %first to %end step %c64 {
      %v = memref.load %visits[%i] : memref<?xi32>
      %next = arith.addi %v, %one : i32
      memref.store %next, %visits[%i] : memref<?xi32>
    }
    xpu.barrier
    %was_task = arith.cmpi ne, %task, %zero : i32
    %closes = arith.andi %leads, %was_task : i1
    scf.if %closes {
      %old = xpu.atomic_rmw sub %one, %open[%c0] ordering(relaxed) scope(device) : memref<1xi32>
    }
    scf.yield
  }
  xpu.return
}

// Puts the upper half of a task into the queue, if it is large and there is room; what is left.
func.func @split(%turns: memref<?xi32>, %tasks: memref<?xi32>, %ends: memref<2xi32>, %open: memref<1xi32>, %task: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %grain = arith.constant 32 : i32
  %c16 = arith.constant 16 : i32
  %mask = arith.constant 65535 : i32
  %low = arith.shrui %task, %c16 : i32
  %high = arith.andi %task, %mask : i32
  %size = arith.subi %high, %low : i32
  %large = arith.cmpi ugt, %size, %grain : i32
  %rest = scf.if %large -> i32 {
    %half = arith.shrui %size, %one : i32
    %middle = arith.addi %low, %half : i32
    %middle_above = arith.shli %middle, %c16 : i32
    %upper = arith.ori %middle_above, %high : i32
    %low_above = arith.shli %low, %c16 : i32
    %lower = arith.ori %low_above, %middle : i32
    // Counted before others can see it, so that nobody finds the count at zero too early.
    %more = xpu.atomic_rmw add %one, %open[%c0] ordering(relaxed) scope(device) : memref<1xi32>
    %went = func.call @push(%turns, %tasks, %ends, %upper) : (memref<?xi32>, memref<?xi32>, memref<2xi32>, i32) -> i1
    %part = scf.if %went -> i32 {
      scf.yield %lower : i32
    } else {
      %less = xpu.atomic_rmw sub %one, %open[%c0] ordering(relaxed) scope(device) : memref<1xi32>
      scf.yield %task : i32
    }
    scf.yield %part : i32
  } else {
    scf.yield %task : i32
  }
  return %rest : i32
}

// Puts a task into the queue; false where it is full.
func.func @push(%turns: memref<?xi32>, %tasks: memref<?xi32>, %ends: memref<2xi32>, %task: i32) -> i1 {
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ticket = func.call @take(%turns, %ends, %c1, %zero) : (memref<?xi32>, memref<2xi32>, index, i32) -> i32
  %has = arith.cmpi ne, %ticket, %none : i32
  scf.if %has {
    %slot = func.call @slot(%turns, %ticket) : (memref<?xi32>, i32) -> index
    xpu.fence ordering(acquire) scope(device)
    memref.store %task, %tasks[%slot] : memref<?xi32>
    %next = arith.addi %ticket, %one : i32
    xpu.atomic_store %next, %turns[%slot] ordering(release) scope(device) : memref<?xi32>
  }
  return %has : i1
}

// Takes a task out of the queue; -1 where there is none.
func.func @pop(%turns: memref<?xi32>, %tasks: memref<?xi32>, %ends: memref<2xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %ticket = func.call @take(%turns, %ends, %c0, %one) : (memref<?xi32>, memref<2xi32>, index, i32) -> i32
  %has = arith.cmpi ne, %ticket, %none : i32
  %task = scf.if %has -> i32 {
    %slot = func.call @slot(%turns, %ticket) : (memref<?xi32>, i32) -> index
    xpu.fence ordering(acquire) scope(device)
    %found = memref.load %tasks[%slot] : memref<?xi32>
    %size = memref.dim %turns, %c0 : memref<?xi32>
    %size32 = arith.index_cast %size : index to i32
    %next = arith.addi %ticket, %size32 : i32
    xpu.atomic_store %next, %turns[%slot] ordering(release) scope(device) : memref<?xi32>
    scf.yield %found : i32
  } else {
    scf.yield %none : i32
  }
  return %task : i32
}

// The next ticket of an end of the queue (0: out, 1: in), when its slot has its turn; else -1.
func.func @take(%turns: memref<?xi32>, %ends: memref<2xi32>, %end: index, %ahead: i32) -> i32 {
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  %result = scf.while : () -> i32 {
    %ticket = xpu.atomic_load %ends[%end] ordering(relaxed) scope(device) : memref<2xi32>
    %slot = func.call @slot(%turns, %ticket) : (memref<?xi32>, i32) -> index
    %turn = xpu.atomic_load %turns[%slot] ordering(relaxed) scope(device) : memref<?xi32>
    %wanted = arith.addi %ticket, %ahead : i32
    %late = arith.subi %turn, %wanted : i32
    %ready = arith.cmpi eq, %late, %zero : i32
    %early = arith.cmpi slt, %late, %zero : i32
    %won = scf.if %ready -> i1 {
      %next = arith.addi %ticket, %one : i32
      %old = xpu.cas %ticket, %next, %ends[%end] ordering(relaxed) scope(device) : memref<2xi32>
      %swapped = arith.cmpi eq, %old, %ticket : i32
      scf.yield %swapped : i1
    } else {
      scf.yield %false : i1
    }
    %outcome = arith.select %won, %ticket, %none : i32
    // Again where another was faster; not where the slot has not had its turn: full, or empty.
    %ends_here = arith.ori %won, %early : i1
    %again = arith.xori %ends_here, %true : i1
    scf.condition(%again) %outcome : i32
  } do {
  ^bb0(%outcome: i32):
    scf.yield
  }
  return %result : i32
}

// The slot of a ticket, in a ring of a power of two.
func.func @slot(%turns: memref<?xi32>, %ticket: i32) -> index {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %size = memref.dim %turns, %c0 : memref<?xi32>
  %size32 = arith.index_cast %size : index to i32
  %last = arith.subi %size32, %one : i32
  %place = arith.andi %ticket, %last : i32
  %slot = arith.index_castui %place : i32 to index
  return %slot : index
}
