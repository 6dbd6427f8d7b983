// A round of a loop that meets at barriers ends with one where work-items may part behind the last of them: without
// it NVIDIA's driver never ends such a kernel.
//
// RUN: xpu-compile %s --target vulkan:1.3 --emit asm -o - | FileCheck %s --implicit-check-not=OpControlBarrier
// RUN: %if vulkan %{ xpu-run %s --target vulkan --kernel leader --groups 2 --arg '[3,3]:i32' --arg zeros:2xi32 --expect 0='[0,0]:i32' --expect 1='[3,3]:i32' %}
// RUN: xpu-run %s --target cpu --kernel leader --groups 2 --arg '[3,3]:i32' --arg zeros:2xi32 --expect 0='[0,0]:i32' --expect 1='[3,3]:i32'
// RUN: %if vulkan %{ xpu-run %s --target vulkan --kernel branches --groups 2 --arg '[3,3]:i32' --arg zeros:2xi32 --expect 0='[0,0]:i32' --expect 1='[3,3]:i32' %}

// Two of its own, and one where the leader is through with its count.
// CHECK:         %leader = OpFunction
// CHECK:         OpControlBarrier %uint_2 %uint_2 %uint_24904
// CHECK:         OpControlBarrier %uint_2 %uint_2 %uint_24904
// CHECK:         OpSelectionMerge [[END:%[0-9]+]]
// CHECK:         OpAtomicIAdd
// CHECK:         [[END]] = OpLabel
// CHECK-NEXT:    OpControlBarrier %uint_2 %uint_2 %uint_24904
// CHECK-NEXT:    OpBranch
// CHECK:         OpFunctionEnd
xpu.kernel @leader(%left: memref<?xi32>, %rounds: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %g = xpu.group_id x
  %l = xpu.local_id x
  %leads = arith.cmpi eq, %l, %c0 : index
  %next = xpu.shared : memref<1xi32, #gpu.address_space<workgroup>>
  scf.while : () -> () {
    scf.if %leads {
      %n = memref.load %left[%g] : memref<?xi32>
      memref.store %n, %next[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    xpu.barrier
    %n = memref.load %next[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %more = arith.cmpi ne, %n, %zero : i32
    scf.condition(%more)
  } do {
    xpu.barrier
    scf.if %leads {
      %old = xpu.atomic_rmw add %one, %rounds[%g] ordering(relaxed) : memref<?xi32>
      %n = memref.load %left[%g] : memref<?xi32>
      %less = arith.subi %n, %one : i32
      memref.store %less, %left[%g] : memref<?xi32>
    }
    scf.yield
  }
  xpu.return
}

// Nothing may part behind the barrier: one is enough.
// CHECK:         %together = OpFunction
// CHECK:         OpControlBarrier
// CHECK:         OpFunctionEnd
xpu.kernel @together(%m: memref<?xi32>) workgroup_size(64, 1, 1) {
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %i = xpu.global_id x
  scf.while : () -> () {
    %v = memref.load %m[%i] : memref<?xi32>
    xpu.barrier
    %next = arith.addi %v, %one : i32
    memref.store %next, %m[%i] : memref<?xi32>
    %more = arith.cmpi ult, %next, %ten : i32
    scf.condition(%more)
  } do {
    scf.yield
  }
  xpu.return
}

// No barrier, none added.
// CHECK:         %alone = OpFunction
// CHECK:         OpFunctionEnd
xpu.kernel @alone(%m: memref<?xi32>) workgroup_size(64, 1, 1) {
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %i = xpu.global_id x
  scf.while : () -> () {
    %v = memref.load %m[%i] : memref<?xi32>
    %more = arith.cmpi ult, %v, %ten : i32
    scf.condition(%more)
  } do {
    %v = memref.load %m[%i] : memref<?xi32>
    %few = arith.cmpi ult, %v, %one : i32
    scf.if %few {
      memref.store %ten, %m[%i] : memref<?xi32>
    }
    scf.yield
  }
  xpu.return
}

// The same as blocks and branches: upstream's lift makes conditionals within the loop of them.
// CHECK:         %branches = OpFunction
// CHECK-COUNT-3: OpControlBarrier %uint_2 %uint_2 %uint_24904
// CHECK:         OpFunctionEnd
gpu.module @more {
  gpu.func @branches(%left: memref<?xi32>, %rounds: memref<?xi32>) workgroup(%next: memref<1xi32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %g = gpu.block_id x
    %l = gpu.thread_id x
    %leads = arith.cmpi eq, %l, %c0 : index
    cf.br ^head
  ^head:
    cf.cond_br %leads, ^look, ^meet
  ^look:
    %m = memref.load %left[%g] : memref<?xi32>
    memref.store %m, %next[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    cf.br ^meet
  ^meet:
    gpu.barrier
    %n = memref.load %next[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %more = arith.cmpi ne, %n, %zero : i32
    cf.cond_br %more, ^turn, ^exit
  ^turn:
    gpu.barrier
    cf.cond_br %leads, ^count, ^head
  ^count:
    %old = xpu.atomic_rmw add %one, %rounds[%g] ordering(relaxed) : memref<?xi32>
    %less = arith.subi %n, %one : i32
    memref.store %less, %left[%g] : memref<?xi32>
    cf.br ^head
  ^exit:
    gpu.return
  }
}
