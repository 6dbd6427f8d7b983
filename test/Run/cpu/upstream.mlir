// Kernels of other frontends: gpu.func in a gpu.module, with upstream's ids, barriers and atomics, wherever the module stands.
//
// RUN: split-file %s %t
//
// A kernel that does not know its workgroup size is given it by the launch.
// RUN: xpu-run %t/open.mlir --kernel open --target cpu --groups 2 --workgroup-size 4,2 --arg zeros:16xi32 --expect 0=iota:16xi32
// RUN: xpu-run %t/open.mlir --kernel open --target cpu --threads 9 --workgroup-size 8 --arg zeros:16xi32 --expect 0=iota:16xi32
// RUN: not xpu-run %t/open.mlir --kernel open --target cpu --groups 2 --arg zeros:16xi32 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: kernel "open" does not say how large its work-groups are: give --workgroup-size X[,Y[,Z]]
//
// One that knows it cannot be given another.
// RUN: xpu-run %t/two.mlir --kernel a::known --target cpu --groups 4 --arg zeros:1xi32 --expect 0='[256]:i32'
// RUN: xpu-run %t/two.mlir --kernel a::known --target cpu --groups 4 --workgroup-size 64 --arg zeros:1xi32 --expect 0='[256]:i32'
// RUN: not xpu-run %t/two.mlir --kernel a::known --target cpu --groups 4 --workgroup-size 32 --arg zeros:1xi32 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KNOWN
// KNOWN: error: kernel "known"{{.*}}64
//
// Two of one name.
// RUN: xpu-run %t/two.mlir --kernel b::known --target cpu --groups 4 --arg zeros:1xi32 --expect 0='[-8]:i32'
// RUN: not xpu-run %t/two.mlir --kernel known --target cpu --groups 4 --arg zeros:1xi32 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: more than one kernel is named "known": a::known, b::known
//
// The host's code, and modules in modules, do not matter; xpu.kernel stands beside.
// RUN: xpu-run %t/host.mlir --kernel k --target cpu --groups 2 --arg zeros:8xi32 --expect 0=iota:8xi32
// RUN: xpu-run %t/host.mlir --kernel inner --target cpu --groups 2 --arg zeros:8xi32 --expect 0=iota:8xi32
// RUN: xpu-run %t/host.mlir --kernel ours --target cpu --groups 2 --arg zeros:8xi32 --expect 0=iota:8xi32
//
// Shared memory and functions of the module, which may ask for ids and meet at barriers.
// RUN: xpu-run %t/calls.mlir --kernel sums --target cpu --groups 3 --arg zeros:3xf32 --expect 0=fill(136):3xf32
// RUN: xpu-run %t/functions.mlir --kernel k --target cpu --groups 1,2 --arg zeros:8xi32 --expect 0='[3,2,1,0,3,2,1,0]:i32'
// RUN: xpu-run %t/functions.mlir --kernel no_barrier --target cpu --groups 1,2 --workgroup-size 2,2 --arg zeros:8xi32 \
// RUN:   --expect 0='[8,8,8,8,8,8,8,8]:i32'
// RUN: not xpu-run %t/functions.mlir --kernel divergent --target cpu --groups 1 2>&1 | FileCheck %s --check-prefix=DIVERGENT
// DIVERGENT: error: kernel "divergent": barrier in divergent control flow: in group (0, 0, 0), 1 work-item (such as (0, 0, 0))
// DIVERGENT-SAME: waits at the barrier at {{.*}}functions.mlir:26:5 and 3 work-items (such as (1, 0, 0)) have ended
//
// What the CPU does not have is refused at the op.
// RUN: not xpu-run %t/shuffle.mlir --kernel k --target cpu --groups 1 --arg zeros:32xi32 2>&1 | FileCheck %s --check-prefix=SHUFFLE
// SHUFFLE: shuffle.mlir:7:22: error: 'gpu.shuffle' op has no form on the CPU
// RUN: not xpu-run %t/device-function.mlir --kernel k --target cpu --groups 1 --arg zeros:32xi32 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: device-function.mlir:2:3: error: 'gpu.func' op is no kernel, and nothing on the CPU can call it
//
// A module for another target is left out.
// RUN: xpu-run %t/targets.mlir --kernel here --target cpu --groups 1 --arg zeros:1xi32 --expect 0='[1]:i32' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGETS
// RUN: not xpu-run %t/targets.mlir --kernel there --target cpu --groups 1 --arg zeros:1xi32 2>&1 | FileCheck %s --check-prefixes=TARGETS,THERE
// TARGETS: targets.mlir:1:1: warning: 'gpu.module' op is left out, because it names a target that is not the CPU
// THERE: error: there is no kernel "there": the kernel here: "here"

//--- open.mlir
gpu.module @m {
  // The ids of the launch, flattened.
  gpu.func @open(%out: memref<?xi32>) kernel {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %width = gpu.block_dim x
    %height = gpu.block_dim y
    %g = gpu.block_id x
    %row = arith.muli %y, %width : index
    %local = arith.addi %row, %x : index
    %size = arith.muli %width, %height : index
    %first = arith.muli %g, %size : index
    %i = arith.addi %first, %local : index
    %v = arith.index_cast %i : index to i32
    memref.store %v, %out[%i] : memref<?xi32>
    gpu.return
  }
}

//--- two.mlir
gpu.module @a {
  gpu.func @known(%out: memref<1xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %out[%c0] : (i32, memref<1xi32>) -> i32
    gpu.return
  }
}
gpu.module @b {
  gpu.func @known(%out: memref<1xi32>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = xpu.atomic_rmw sub %one, %out[%c0] : memref<1xi32>
    gpu.return
  }
}

//--- host.mlir
module attributes {gpu.container_module} {
  func.func @main(%m: memref<?xi32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<?xi32>)
    call @print(%m) : (memref<?xi32>) -> ()
    return
  }
  func.func private @print(memref<?xi32>)
  gpu.module @m {
    gpu.func @k(%m: memref<?xi32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
      %i = gpu.global_id x
      %v = arith.index_cast %i : index to i32
      memref.store %v, %m[%i] : memref<?xi32>
      gpu.return
    }
  }
  module {
    gpu.module @m {
      gpu.func @inner(%m: memref<?xi32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
        %i = gpu.global_id x
        %v = arith.index_cast %i : index to i32
        memref.store %v, %m[%i] : memref<?xi32>
        gpu.return
      }
    }
  }
  xpu.kernel @ours(%m: memref<?xi32>) workgroup_size(4, 1, 1) {
    %i = xpu.global_id x
    %v = arith.index_cast %i : index to i32
    memref.store %v, %m[%i] : memref<?xi32>
    xpu.return
  }
}

//--- calls.mlir
// 1 + 2 + … + 16.
gpu.module @m {
  func.func @add(%m: memref<1xf32, #gpu.address_space<workgroup>>, %v: f32) {
    %c0 = arith.constant 0 : index
    %old = memref.atomic_rmw addf %v, %m[%c0] : (f32, memref<1xf32, #gpu.address_space<workgroup>>) -> f32
    return
  }
  gpu.func @sums(%out: memref<?xf32>) workgroup(%sum: memref<1xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i32
    %l = gpu.thread_id x
    %g = gpu.block_id x
    %leads = arith.cmpi eq, %l, %c0 : index
    scf.if %leads {
      memref.store %zero, %sum[%c0] : memref<1xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %l32 = arith.index_cast %l : index to i32
    %n = arith.addi %l32, %one : i32
    %v = arith.sitofp %n : i32 to f32
    func.call @add(%sum, %v) : (memref<1xf32, #gpu.address_space<workgroup>>, f32) -> ()
    gpu.barrier
    scf.if %leads {
      %r = memref.load %sum[%c0] : memref<1xf32, #gpu.address_space<workgroup>>
      memref.store %r, %out[%g] : memref<?xf32>
    }
    gpu.return
  }
}

//--- functions.mlir
gpu.module @m {
  // The local id and the first element of the group, two calls deep.
  func.func @local() -> (index, index) {
    %l = gpu.thread_id x
    %g = gpu.block_id y
    %n = gpu.block_dim x
    %first = arith.muli %g, %n : index
    return %l, %first : index, index
  }
  func.func @reverse(%out: memref<?xi32>, %s: memref<4xi32, #gpu.address_space<workgroup>>) {
    %c3 = arith.constant 3 : index
    %l, %first = func.call @local() : () -> (index, index)
    %v = arith.index_cast %l : index to i32
    memref.store %v, %s[%l] : memref<4xi32, #gpu.address_space<workgroup>>
    func.call @meet() : () -> ()
    %mirror = arith.subi %c3, %l : index
    %r = memref.load %s[%mirror] : memref<4xi32, #gpu.address_space<workgroup>>
    %i = arith.addi %first, %l : index
    memref.store %r, %out[%i] : memref<?xi32>
    return
  }
  func.func @nothing() {
    return
  }
  func.func @meet() {
    gpu.barrier
    return
  }
  gpu.func @k(%out: memref<?xi32>) workgroup(%s: memref<4xi32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    func.call @nothing() : () -> ()
    func.call @reverse(%out, %s) : (memref<?xi32>, memref<4xi32, #gpu.address_space<workgroup>>) -> ()
    gpu.return
  }
  func.func @sizes() -> index {
    %nx = gpu.block_dim x
    %ny = gpu.block_dim y
    %nz = gpu.block_dim z
    %gy = gpu.grid_dim y
    %0 = arith.muli %nx, %ny : index
    %1 = arith.muli %0, %nz : index
    %2 = arith.muli %1, %gy : index
    return %2 : index
  }
  gpu.func @no_barrier(%out: memref<?xi32>) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %n = func.call @sizes() : () -> index
    %c2 = arith.constant 2 : index
    %row = arith.muli %y, %c2 : index
    %i = arith.addi %row, %x : index
    %v = arith.index_cast %n : index to i32
    memref.store %v, %out[%i] : memref<?xi32>
    gpu.return
  }
  gpu.func @divergent() kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %l = gpu.thread_id x
    %leads = arith.cmpi eq, %l, %c0 : index
    scf.if %leads {
      func.call @meet() : () -> ()
    }
    gpu.return
  }
}

//--- shuffle.mlir
gpu.module @m {
  gpu.func @k(%out: memref<?xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %i = gpu.global_id x
    %v = memref.load %out[%i] : memref<?xi32>
    %other, %valid = gpu.shuffle xor %v, %one, %width : i32
    memref.store %other, %out[%i] : memref<?xi32>
    gpu.return
  }
}

//--- device-function.mlir
gpu.module @m {
  gpu.func @helper(%out: memref<?xi32>) {
    gpu.return
  }
  gpu.func @k(%out: memref<?xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

//--- targets.mlir
gpu.module @n [#nvvm.target<chip = "sm_90">] {
  gpu.func @there(%out: memref<1xi32>) kernel {
    gpu.return
  }
}
xpu.kernel @here(%out: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %old = xpu.atomic_rmw add %one, %out[%c0] : memref<1xi32>
  xpu.return
}
