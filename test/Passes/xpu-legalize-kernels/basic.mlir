// RUN: xpu-opt %s --xpu-legalize-kernels | FileCheck %s
// RUN: xpu-opt %s --xpu-legalize-kernels -o %t.once
// RUN: xpu-opt %t.once --xpu-legalize-kernels -o %t.twice
// RUN: cmp %t.once %t.twice

// A subgroup is so many work-items one after another, x first: NVIDIA's number of lanes is read from a register.
// CHECK-LABEL: gpu.module @nvidia
gpu.module @nvidia [#nvvm.target<chip = "sm_90">] {
  // CHECK-LABEL: gpu.func @id
  // DOC
  gpu.func @id() -> index {
    // CHECK-DAG: %[[SX:.*]] = gpu.block_dim x
    // CHECK-DAG: %[[SY:.*]] = gpu.block_dim y
    // CHECK-DAG: %[[SIZE:.*]] = nvvm.read.ptx.sreg.warpsize : i32
    // CHECK-DAG: %[[LANES:.*]] = arith.index_castui %[[SIZE]]
    // CHECK-DAG: %[[X:.*]] = gpu.thread_id x
    // CHECK-DAG: %[[Y:.*]] = gpu.thread_id y
    // CHECK-DAG: %[[Z:.*]] = gpu.thread_id z
    // CHECK: %[[ROW:.*]] = arith.muli %[[SY]], %[[Z]]
    // CHECK: %[[ROWS:.*]] = arith.addi %[[ROW]], %[[Y]]
    // CHECK: %[[FIRST:.*]] = arith.muli %[[SX]], %[[ROWS]]
    // CHECK: %[[PLACE:.*]] = arith.addi %[[FIRST]], %[[X]]
    // CHECK: %[[ID:.*]] = arith.divui %[[PLACE]], %[[LANES]]
    // CHECK: gpu.return %[[ID]]
    %id = gpu.subgroup_id : index
    gpu.return %id : index
  }
  // CHECK-LABEL: gpu.func @size
  gpu.func @size() -> index {
    // CHECK: nvvm.read.ptx.sreg.warpsize : i32
    // CHECK-NOT: gpu.subgroup_size
    %size = gpu.subgroup_size : index
    // CHECK: gpu.lane_id
    %lane = gpu.lane_id
    // CHECK: gpu.return
    gpu.return %size : index
  }
}

// AMD's conversion has the size, and Vulkan has them all.
// CHECK-LABEL: gpu.module @amd
gpu.module @amd [#rocdl.target<chip = "gfx1100">] {
  // CHECK-LABEL: gpu.func @count
  gpu.func @count() -> index {
    // CHECK-DAG: %[[SX:.*]] = gpu.block_dim x
    // CHECK-DAG: %[[SY:.*]] = gpu.block_dim y
    // CHECK-DAG: %[[SZ:.*]] = gpu.block_dim z
    // CHECK-DAG: %[[LANES:.*]] = gpu.subgroup_size
    // CHECK: %[[PLANE:.*]] = arith.muli %[[SX]], %[[SY]]
    // CHECK: %[[ITEMS:.*]] = arith.muli %[[PLANE]], %[[SZ]]
    // CHECK: %[[ONE:.*]] = arith.constant 1 : index
    // CHECK: %[[LAST:.*]] = arith.subi %[[LANES]], %[[ONE]]
    // CHECK: %[[SUM:.*]] = arith.addi %[[ITEMS]], %[[LAST]]
    // CHECK: arith.divui %[[SUM]], %[[LANES]]
    %count = gpu.num_subgroups : index
    gpu.return %count : index
  }
}
// CHECK-LABEL: gpu.module @vulkan
gpu.module @vulkan [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  // CHECK-LABEL: gpu.func @id
  gpu.func @id() -> index {
    // CHECK-NEXT: gpu.subgroup_id
    %id = gpu.subgroup_id : index
    gpu.return %id : index
  }
}

// Code of the host, and for the CPU outside of any gpu.module, is not looked at.
// CHECK-LABEL: func.func @host
func.func @host(%m: memref<?xi32>, %v: i32) {
  // CHECK-NEXT: linalg.fill
  linalg.fill ins(%v : i32) outs(%m : memref<?xi32>)
  return
}
