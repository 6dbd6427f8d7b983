// Running totals over groups: each waits for the total of the one before it, and passes on its own.
xpu.kernel @totals(%totals: memref<?xi32>, %flags: memref<?xi32>, %tickets: memref<1xi32>, %data: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mine = xpu.shared : memref<2xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index

  // Groups are numbered in the order in which they start.
  scf.if %leads {
    %ticket = xpu.atomic_rmw add %one, %tickets[%c0] ordering(relaxed) scope(device) : memref<1xi32>
    memref.store %ticket, %mine[%c0] : memref<2xi32, #gpu.address_space<workgroup>>
    memref.store %zero, %mine[%c1] : memref<2xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %t = memref.load %mine[%c0] : memref<2xi32, #gpu.address_space<workgroup>>
  %number = arith.index_cast %t : i32 to index
  %start = arith.muli %number, %c64 : index
  %i = arith.addi %start, %l : index
  %d = memref.load %data[%i] : memref<?xi32>
  %s = xpu.atomic_rmw add %d, %mine[%c1] ordering(relaxed) scope(workgroup) : memref<2xi32, #gpu.address_space<workgroup>>
  xpu.barrier

  scf.if %leads {
    %has_previous = arith.cmpi ne, %number, %c0 : index
    %before = scf.if %has_previous -> i32 {
      %previous = arith.subi %number, %c1 : index
      func.call @wait(%flags, %previous) : (memref<?xi32>, index) -> ()
      xpu.fence ordering(acquire) scope(device)
      %message = memref.load %totals[%previous] : memref<?xi32>
      scf.yield %message : i32
    } else {
      scf.yield %zero : i32
    }
    %sum = memref.load %mine[%c1] : memref<2xi32, #gpu.address_space<workgroup>>
    %total = arith.addi %before, %sum : i32
    memref.store %total, %totals[%number] : memref<?xi32>
    xpu.atomic_store %one, %flags[%number] ordering(release) scope(device) : memref<?xi32>
  }
  xpu.return
}

// Returns when the flag is set. Two loops, because some drivers end one that turns very often.
func.func @wait(%flags: memref<?xi32>, %place: index) {
  %zero = arith.constant 0 : i32
  scf.while : () -> () {
    %flag = xpu.atomic_load %flags[%place] ordering(relaxed) scope(device) : memref<?xi32>
    %unset = arith.cmpi eq, %flag, %zero : i32
    scf.condition(%unset)
  } do {
    scf.while : () -> () {
      %flag = xpu.atomic_load %flags[%place] ordering(relaxed) scope(device) : memref<?xi32>
      %unset = arith.cmpi eq, %flag, %zero : i32
      scf.condition(%unset)
    } do {
      scf.yield
    }
    scf.yield
  }
  return
}
