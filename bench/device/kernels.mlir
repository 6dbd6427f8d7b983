// Kernels whose times are compared with those of kernels.cu, which says the same in CUDA C++.

xpu.kernel @histogram(%bins: memref<?xi32>, %data: memref<?xi32>, %n: i32) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %d = memref.load %data[%i] : memref<?xi32>
    %b = arith.index_castui %d : i32 to index
    %old = xpu.atomic_rmw add %one, %bins[%b] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.return
}

// One counter that compilers do not know to be one: its place is read from memory.
xpu.kernel @counter_unused(%m: memref<?xi32>, %place: memref<?xi32>, %out: memref<?xi32>, %n: i32) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %p = memref.load %place[%i] : memref<?xi32>
    %a = arith.index_castui %p : i32 to index
    %old = xpu.atomic_rmw add %one, %m[%a] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.return
}

xpu.kernel @counter_used(%m: memref<?xi32>, %place: memref<?xi32>, %out: memref<?xi32>, %n: i32) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %p = memref.load %place[%i] : memref<?xi32>
    %a = arith.index_castui %p : i32 to index
    %old = xpu.atomic_rmw add %one, %m[%a] ordering(relaxed) scope(device) : memref<?xi32>
    memref.store %old, %out[%i] : memref<?xi32>
  }
  xpu.return
}

// One counter that compilers know to be one.
xpu.kernel @uniform_unused(%m: memref<?xi32>, %place: memref<?xi32>, %out: memref<?xi32>, %n: i32) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %old = xpu.atomic_rmw add %one, %m[%c0] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.return
}

xpu.kernel @uniform_used(%m: memref<?xi32>, %place: memref<?xi32>, %out: memref<?xi32>, %n: i32) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %old = xpu.atomic_rmw add %one, %m[%c0] ordering(relaxed) scope(device) : memref<?xi32>
    memref.store %old, %out[%i] : memref<?xi32>
  }
  xpu.return
}

xpu.kernel @float_add(%m: memref<?xf32>, %place: memref<?xi32>, %values: memref<?xf32>, %n: i32) workgroup_size(256, 1, 1) {
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %p = memref.load %place[%i] : memref<?xi32>
    %a = arith.index_castui %p : i32 to index
    %v = memref.load %values[%i] : memref<?xf32>
    %old = xpu.atomic_rmw fadd %v, %m[%a] ordering(relaxed) scope(device) : memref<?xf32>
  }
  xpu.return
}

xpu.kernel @float_min(%m: memref<?xf32>, %place: memref<?xi32>, %values: memref<?xf32>, %n: i32) workgroup_size(256, 1, 1) {
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %p = memref.load %place[%i] : memref<?xi32>
    %a = arith.index_castui %p : i32 to index
    %v = memref.load %values[%i] : memref<?xf32>
    %old = xpu.atomic_rmw fmin %v, %m[%a] ordering(relaxed) scope(device) : memref<?xf32>
  }
  xpu.return
}

// An address for each work-item.
xpu.kernel @distinct_relaxed(%m: memref<?xi32>, %out: memref<?xi32>, %n: i32) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %old = xpu.atomic_rmw add %one, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    memref.store %old, %out[%i] : memref<?xi32>
  }
  xpu.return
}

xpu.kernel @distinct_acq_rel(%m: memref<?xi32>, %out: memref<?xi32>, %n: i32) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %old = xpu.atomic_rmw add %one, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
    memref.store %old, %out[%i] : memref<?xi32>
  }
  xpu.return
}

xpu.kernel @distinct_seq_cst(%m: memref<?xi32>, %out: memref<?xi32>, %n: i32) workgroup_size(256, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %old = xpu.atomic_rmw add %one, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
    memref.store %old, %out[%i] : memref<?xi32>
  }
  xpu.return
}
