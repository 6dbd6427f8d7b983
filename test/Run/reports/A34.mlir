// Report A34: the op takes the address of a computed element; taking the element's value for an address breaks every histogram.
//
// RUN: xpu-run %s --kernel i32 --target cpu --groups 4 --arg zeros:16xi32 --arg iota:1024xi32 --expect 0=fill(64):16xi32
// RUN: xpu-run %s --kernel ui32 --target cpu --groups 4 --arg zeros:16xui32 --arg iota:1024xui32 --expect 0=fill(64):16xui32
// RUN: xpu-run %s --kernel shared --target cpu --groups 4 --arg zeros:16xi32 --arg iota:1024xi32 --expect 0=fill(64):16xi32
// RUN: xpu-run %s --kernel i8 --target cpu --groups 4 --arg zeros:16xi8 --arg iota:1024xi32 --expect 0=fill(64):16xi8

// Value i of the data counts in bin 7i mod 16.
func.func @bin(%value: i32) -> index {
  %seven = arith.constant 7 : i32
  %sixteen = arith.constant 16 : i32
  %product = arith.muli %value, %seven : i32
  %bin = arith.remui %product, %sixteen : i32
  %at = arith.index_castui %bin : i32 to index
  return %at : index
}

xpu.kernel @i32(%bins: memref<16xi32>, %data: memref<?xi32>) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %v = memref.load %data[%i] : memref<?xi32>
  %at = func.call @bin(%v) : (i32) -> index
  %old = xpu.atomic_rmw add %one, %bins[%at] ordering(relaxed) scope(device) : memref<16xi32>
  xpu.return
}

xpu.kernel @ui32(%bins: memref<16xui32>, %data: memref<?xui32>) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i32
  %unsigned = xpu.sign_cast %one : i32 to ui32
  %i = xpu.global_id x
  %u = memref.load %data[%i] : memref<?xui32>
  %v = xpu.sign_cast %u : ui32 to i32
  %at = func.call @bin(%v) : (i32) -> index
  %old = xpu.atomic_rmw add %unsigned, %bins[%at] ordering(relaxed) scope(device) : memref<16xui32>
  xpu.return
}

// Bins of the group, which are added to the global ones in the end.
xpu.kernel @shared(%bins: memref<16xi32>, %data: memref<?xi32>) workgroup_size(256, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c16 = arith.constant 16 : index
  %own = xpu.shared : memref<16xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %i = xpu.global_id x
  %has_bin = arith.cmpi ult, %l, %c16 : index
  scf.if %has_bin {
    memref.store %zero, %own[%l] : memref<16xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %v = memref.load %data[%i] : memref<?xi32>
  %at = func.call @bin(%v) : (i32) -> index
  %0 = xpu.atomic_rmw add %one, %own[%at] ordering(relaxed) scope(workgroup) : memref<16xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  scf.if %has_bin {
    %count = memref.load %own[%l] : memref<16xi32, #gpu.address_space<workgroup>>
    %1 = xpu.atomic_rmw add %count, %bins[%l] ordering(relaxed) scope(device) : memref<16xi32>
  }
  xpu.return
}

xpu.kernel @i8(%bins: memref<16xi8>, %data: memref<?xi32>) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i8
  %i = xpu.global_id x
  %v = memref.load %data[%i] : memref<?xi32>
  %at = func.call @bin(%v) : (i32) -> index
  %old = xpu.atomic_rmw add %one, %bins[%at] ordering(relaxed) scope(device) : memref<16xi8>
  xpu.return
}
