// Two groups an instance. Each item in the second half of the first group stores, and raises a flag in workgroup memory, at the scope of
// the workgroup. Those of the first half look at one of these each, and pass on what they see at the scope of the device. Items of the
// second group look for that, and then for what was stored; 2 is for those who saw no flag. They have read the word beside before, so that
// what their cache holds is old.
xpu.kernel @relay(%data: memref<?xi32>, %flag: memref<?xi32>, %out: memref<?xi32>, %kept: memref<?xi32>) workgroup_size(256, 1, 1) {
  %near = xpu.shared : memref<256xi32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 128 : index
  %few = arith.constant 2 : index
  %turns = arith.constant 8 : index
  %size = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %l = xpu.local_id x
  %g = xpu.group_id x
  %instance = arith.divui %g, %c2 : index
  %part = arith.remui %g, %c2 : index
  %is_first = arith.cmpi eq, %part, %c0 : index
  %passes_on = arith.cmpi ult, %l, %half : index
  %base = arith.muli %instance, %size : index
  %mine = xpu.global_id x
  memref.store %zero, %near[%l] : memref<256xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  scf.if %is_first {
    scf.if %passes_on {
      %other = arith.addi %l, %half : index
      %up = scf.for %turn = %c0 to %few step %c1 iter_args(%before = %zero) -> i32 {
        %now = xpu.atomic_load %near[%other] ordering(acquire) scope(workgroup) : memref<256xi32, #gpu.address_space<workgroup>>
        %either = arith.ori %before, %now : i32
        scf.yield %either : i32
      }
      %is_up = arith.cmpi eq, %up, %one : i32
      scf.if %is_up {
        %i = arith.addi %base, %other : index
        xpu.atomic_store %one, %flag[%i] ordering(release) scope(device) : memref<?xi32>
      }
    } else {
      %i = arith.addi %base, %l : index
      // The words of an item, which are in one line.
      %at = arith.muli %i, %c2 : index
      memref.store %one, %data[%at] : memref<?xi32>
      xpu.atomic_store %one, %near[%l] ordering(release) scope(workgroup) : memref<256xi32, #gpu.address_space<workgroup>>
      // Once it has read this, the flag is up.
      %echo = xpu.atomic_load %near[%l] ordering(relaxed) scope(workgroup) : memref<256xi32, #gpu.address_space<workgroup>>
      memref.store %echo, %kept[%mine] : memref<?xi32>
    }
  } else {
    %i = arith.addi %base, %l : index
    %at = arith.muli %i, %c2 : index
    %beside = arith.addi %at, %c1 : index
    %old = memref.load %data[%beside] : memref<?xi32>
    memref.store %old, %kept[%mine] : memref<?xi32>
    %up = scf.for %turn = %c0 to %turns step %c1 iter_args(%before = %zero) -> i32 {
      %now = xpu.atomic_load %flag[%i] ordering(acquire) scope(device) : memref<?xi32>
      %either = arith.ori %before, %now : i32
      scf.yield %either : i32
    }
    %is_up = arith.cmpi eq, %up, %one : i32
    %value = scf.if %is_up -> i32 {
      %v = memref.load %data[%at] : memref<?xi32>
      scf.yield %v : i32
    } else {
      scf.yield %two : i32
    }
    memref.store %value, %out[%i] : memref<?xi32>
  }
  xpu.return
}
