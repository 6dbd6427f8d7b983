// A subgroup is 32 or 64 work-items that follow each other, x first; 16 x 5 x 2 of them are not a multiple of 64.
// The first and last work-item of each subgroup, how many there are, and the size.
//
// REQUIRES: amdgpu
// DEFINE: %{run} = xpu-run %s --kernel kernels::subgroups --groups 1 --workgroup-size 16,5,2 --arg 'fill(999):5xi32' --arg zeros:5xi32 --arg zeros:2xi32
// RUN: %{run} --target amdgpu:gfx1100 --expect '0=[0,32,64,96,128]:i32' --expect '1=[31,63,95,127,159]:i32' --expect '2=[5,32]:i32'
// RUN: %{run} --target amdgpu:gfx942 --expect '0=[0,64,128,999,999]:i32' --expect '1=[63,127,159,0,0]:i32' --expect '2=[3,64]:i32'

gpu.module @kernels {
  gpu.func @subgroups(%first: memref<5xi32>, %last: memref<5xi32>, %sizes: memref<2xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c80 = arith.constant 80 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %z = gpu.thread_id z
    %row = arith.muli %y, %c16 : index
    %plane = arith.muli %z, %c80 : index
    %in_plane = arith.addi %x, %row : index
    %place = arith.addi %in_plane, %plane : index
    %place32 = arith.index_cast %place : index to i32
    %id = gpu.subgroup_id : index
    %count = gpu.num_subgroups : index
    %size = gpu.subgroup_size : index
    %old = xpu.atomic_rmw umin %place32, %first[%id] ordering(relaxed) : memref<5xi32>
    %older = xpu.atomic_rmw umax %place32, %last[%id] ordering(relaxed) : memref<5xi32>
    %count32 = arith.index_cast %count : index to i32
    %size32 = arith.index_cast %size : index to i32
    %is_first = arith.cmpi eq, %place, %c0 : index
    scf.if %is_first {
      memref.store %count32, %sizes[%c0] : memref<2xi32>
      memref.store %size32, %sizes[%c1] : memref<2xi32>
    }
    gpu.return
  }
}
