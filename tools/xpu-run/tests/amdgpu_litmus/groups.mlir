// Two groups an instance. The items of the first store, meet at a barrier, and their leader raises a flag at the scope of the device.
// The leader of the second looks whether it is up, and behind a barrier all of its items look for what was stored; 2 is for those whose
// leader saw no flag. They have read the words beside before, so that what their caches hold is old.
xpu.kernel @groups(%data: memref<?xi32>, %flag: memref<?xi32>, %out: memref<?xi32>, %kept: memref<?xi32>) workgroup_size(256, 1, 1) {
  %seen = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %turns = arith.constant 40 : index
  %size = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %l = xpu.local_id x
  %g = xpu.group_id x
  %instance = arith.divui %g, %c2 : index
  %part = arith.remui %g, %c2 : index
  %writes = arith.cmpi eq, %part, %c0 : index
  %leads = arith.cmpi eq, %l, %c0 : index
  %base = arith.muli %instance, %size : index
  %i = arith.addi %base, %l : index
  // The words of an item, which are in one line; those of the flags are in lines of their own.
  %at = arith.muli %i, %c2 : index
  %beside = arith.addi %at, %c1 : index
  %f = arith.muli %instance, %c32 : index
  scf.if %writes {
    memref.store %one, %data[%at] : memref<?xi32>
    xpu.barrier
    scf.if %leads {
      xpu.atomic_store %one, %flag[%f] ordering(release) scope(device) : memref<?xi32>
    }
  } else {
    %old = memref.load %data[%beside] : memref<?xi32>
    memref.store %old, %kept[%i] : memref<?xi32>
    scf.if %leads {
      %up = scf.for %turn = %c0 to %turns step %c1 iter_args(%before = %zero) -> i32 {
        %now = xpu.atomic_load %flag[%f] ordering(acquire) scope(device) : memref<?xi32>
        %either = arith.ori %before, %now : i32
        scf.yield %either : i32
      }
      memref.store %up, %seen[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    xpu.barrier
    %up = memref.load %seen[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
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
