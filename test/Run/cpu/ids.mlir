// Ids in three dimensions, the largest groups, launches of nothing, and --threads that fill no whole group.
//
// Each work-item counts in the element that its ids name, and all of them are counted once.
// RUN: xpu-run %s --kernel cells --target cpu --groups 3,2,4 --arg zeros:12x6x3x2xi32 --expect 0=fill(1):12x6x3x2xi32
// RUN: xpu-run %s --kernel sizes --target cpu --groups 3,2,4 --arg zeros:6xi32 --expect 0='[3,2,4,2,3,3]:i32'
// RUN: xpu-run %s --kernel number --target cpu --groups 2 --arg zeros:2048xi32 --expect 0=iota:2048xi32
// RUN: xpu-run %s --kernel number_z --target cpu --groups 1,1,2 --arg zeros:1024xi32 --expect 0=iota:1024xi32
// RUN: xpu-run %s --kernel count --target cpu --threads 0 --arg zeros:1xi32 --expect 0='[0]:i32'
// RUN: xpu-run %s --kernel count --target cpu --groups 4,0,2 --arg zeros:1xi32 --expect 0='[0]:i32'
// RUN: xpu-run %s --kernel count --target cpu --threads 1 --arg zeros:1xi32 --expect 0='[48]:i32'
// RUN: xpu-run %s --kernel count --target cpu --threads 48 --arg zeros:1xi32 --expect 0='[48]:i32'
// RUN: xpu-run %s --kernel count --target cpu --threads 49 --arg zeros:1xi32 --expect 0='[96]:i32'
// RUN: xpu-run %s --kernel count --target cpu --groups 100000 --arg zeros:1xi32 --expect 0='[4800000]:i32'

// 6 x 6 x 12 work-items in groups of 2 x 3 x 3. Counts only those whose global ids are the others taken together.
xpu.kernel @cells(%out: memref<12x6x3x2xi32>) workgroup_size(2, 3, 3) {
  %one = arith.constant 1 : i32
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = xpu.global_id x
  %y = xpu.global_id y
  %z = xpu.global_id z
  %lx = xpu.local_id x
  %ly = xpu.local_id y
  %lz = xpu.local_id z
  %gx = xpu.group_id x
  %gy = xpu.group_id y
  %gz = xpu.group_id z
  %first_x = arith.muli %gx, %c2 : index
  %first_y = arith.muli %gy, %c3 : index
  %first_z = arith.muli %gz, %c3 : index
  %expect_x = arith.addi %first_x, %lx : index
  %expect_y = arith.addi %first_y, %ly : index
  %expect_z = arith.addi %first_z, %lz : index
  %same_x = arith.cmpi eq, %x, %expect_x : index
  %same_y = arith.cmpi eq, %y, %expect_y : index
  %same_z = arith.cmpi eq, %z, %expect_z : index
  %same_xy = arith.andi %same_x, %same_y : i1
  %same = arith.andi %same_xy, %same_z : i1
  scf.if %same {
    %old = xpu.atomic_rmw add %one, %out[%z, %y, %gx, %lx] : memref<12x6x3x2xi32>
  }
  xpu.return
}

xpu.kernel @sizes(%out: memref<6xi32>) workgroup_size(2, 3, 3) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %nx = xpu.group_count x
  %ny = xpu.group_count y
  %nz = xpu.group_count z
  %sx = xpu.workgroup_size x
  %sy = xpu.workgroup_size y
  %sz = xpu.workgroup_size z
  func.call @store(%nx, %out, %c0) : (index, memref<6xi32>, index) -> ()
  func.call @store(%ny, %out, %c1) : (index, memref<6xi32>, index) -> ()
  func.call @store(%nz, %out, %c2) : (index, memref<6xi32>, index) -> ()
  func.call @store(%sx, %out, %c3) : (index, memref<6xi32>, index) -> ()
  func.call @store(%sy, %out, %c4) : (index, memref<6xi32>, index) -> ()
  func.call @store(%sz, %out, %c5) : (index, memref<6xi32>, index) -> ()
  xpu.return
}

func.func @store(%v: index, %out: memref<6xi32>, %at: index) {
  %v32 = arith.index_cast %v : index to i32
  xpu.atomic_store %v32, %out[%at] : memref<6xi32>
  return
}

// The largest group, with and without barriers.
xpu.kernel @number(%out: memref<?xi32>) workgroup_size(1024, 1, 1) {
  %i = xpu.global_id x
  %v = arith.index_cast %i : index to i32
  xpu.barrier
  memref.store %v, %out[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @number_z(%out: memref<?xi32>) workgroup_size(1, 2, 256) {
  %c2 = arith.constant 2 : index
  %y = xpu.global_id y
  %z = xpu.global_id z
  %row = arith.muli %z, %c2 : index
  %i = arith.addi %row, %y : index
  %v = arith.index_cast %i : index to i32
  memref.store %v, %out[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @count(%out: memref<1xi32>) workgroup_size(4, 4, 3) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %old = xpu.atomic_rmw add %one, %out[%c0] ordering(relaxed) : memref<1xi32>
  xpu.return
}
