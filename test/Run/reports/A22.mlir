// Report A22: a barrier must order workgroup and global memory both; one that orders neither loses counts, or shows old values.
//
// RUN: xpu-run %s --kernel k --target cpu --groups 4 --repeat 20 --arg zeros:4xi32 --arg zeros:1024xi32 --arg zeros:1024xi32 \
// RUN:   --expect 0='[32640,98176,163712,229248]:i32' --expect 1=iota:1024xi32 --save 2=%t.bin
// RUN: xpu-run %s --kernel rotate_back --target cpu --groups 4 --arg @%t.bin:i32 --arg zeros:1024xi32 --expect 1=iota:1024xi32

xpu.kernel @k(%r: memref<?xi32>, %g: memref<?xi32>, %h: memref<?xi32>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %a = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %w = xpu.group_id x
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %leads = arith.cmpi eq, %l, %c0 : index
  scf.if %leads {
    memref.store %zero, %a[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %old = xpu.atomic_rmw add %i32, %a[%c0] ordering(relaxed) scope(workgroup) : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %i32, %g[%i] : memref<?xi32>
  xpu.barrier
  scf.if %leads {
    %sum = memref.load %a[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    memref.store %sum, %r[%w] : memref<?xi32>
  }
  %next = arith.addi %l, %c1 : index
  %wrapped = arith.remui %next, %c256 : index
  %base = arith.muli %w, %c256 : index
  %neighbour = arith.addi %base, %wrapped : index
  %v = memref.load %g[%neighbour] : memref<?xi32>
  memref.store %v, %h[%i] : memref<?xi32>
  xpu.return
}

// %h[i] is the number of the next work-item of the group, so that it tells where i belongs: %out becomes 0, 1, 2, ….
xpu.kernel @rotate_back(%h: memref<?xi32>, %out: memref<?xi32>) workgroup_size(256, 1, 1) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %l = xpu.local_id x
  %w = xpu.group_id x
  %base = arith.muli %w, %c256 : index
  %next = arith.addi %l, %c1 : index
  %wrapped = arith.remui %next, %c256 : index
  %neighbour = arith.addi %base, %wrapped : index
  %at = arith.addi %base, %l : index
  %v = memref.load %h[%at] : memref<?xi32>
  memref.store %v, %out[%neighbour] : memref<?xi32>
  xpu.return
}
