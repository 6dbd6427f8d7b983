// RUN: xpu-opt %s --convert-xpu-to-spirv -split-input-file | FileCheck %s

// The arguments of a kernel: storage buffers at bindings 0, 1, …, each declared as aliased, and a block of 32-bit words for
// the rest. An update is the instruction with its scope, and relaxed is no semantics at all.

// CHECK-LABEL: gpu.module @updates
// CHECK-DAG:     spirv.GlobalVariable @k.words : !spirv.ptr<!spirv.struct<(!spirv.array<2 x i32, stride=4> [0])>, PushConstant>
// CHECK-DAG:     spirv.GlobalVariable @k.arg0 bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
// CHECK:       gpu.func @k() kernel
// CHECK:         %[[SECOND:.*]] = spirv.Constant 1 : i32
// CHECK-NEXT:    %[[BLOCK:.*]] = spirv.mlir.addressof @k.words
// CHECK:         %[[V_AT:.*]] = spirv.AccessChain %[[BLOCK]][%{{.*}}, %[[SECOND]]]
// CHECK:         %[[V:.*]] = spirv.Load "PushConstant" %[[V_AT]] : i32
// CHECK:         %[[AT:.*]] = spirv.AccessChain %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}} -> !spirv.ptr<i32, StorageBuffer>
// CHECK-NEXT:    spirv.AtomicIAdd <Device> <None> %[[AT]], %[[V]] : !spirv.ptr<i32, StorageBuffer>
// CHECK:         spirv.AtomicSMin <Workgroup> <Acquire|UniformMemory|MakeVisible>
// CHECK:         spirv.AtomicUMax <Subgroup> <Release|UniformMemory|MakeAvailable>
// CHECK:         spirv.AtomicXor <Device> <AcquireRelease|UniformMemory|MakeAvailable|MakeVisible>
// CHECK:         spirv.AtomicExchange <Device> <None>
gpu.module @updates [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %v: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = arith.constant 7 : index
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    %1 = xpu.atomic_rmw smin %v, %m[%i] ordering(acquire) scope(workgroup) : memref<?xi32>
    %2 = xpu.atomic_rmw umax %v, %m[%i] ordering(release) scope(subgroup) : memref<?xi32>
    %3 = xpu.atomic_rmw xor %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
    %4 = xpu.atomic_rmw xchg %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    gpu.return
  }
}

// -----

// Each outcome of a swap is ordered by itself. What MLIR has no operation for is a call that names the instruction, with the
// scope (1 is the device) and the semantics (0x42 is acquire of buffers, made visible by 0x4000; 0x2044 release) as operands.

// CHECK-LABEL: gpu.module @others
// CHECK-DAG:     spirv.func @[[LOAD:.*]](!spirv.ptr<i32, StorageBuffer>, i32, i32) -> i32 "None" attributes {{.*}}linkage_name = "xpu.OpAtomicLoad", linkage_type = <Import>
// CHECK-DAG:     spirv.func @[[STORE:.*]](!spirv.ptr<i32, StorageBuffer>, i32, i32, i32) "None" attributes {{.*}}linkage_name = "xpu.OpAtomicStore", linkage_type = <Import>
// CHECK:       gpu.func @k
// CHECK:         spirv.AtomicCompareExchange <Device> <AcquireRelease|UniformMemory|MakeAvailable|MakeVisible> <Acquire|UniformMemory|MakeVisible>
// CHECK:         spirv.AtomicCompareExchange <Device> <Release|UniformMemory|MakeAvailable> <None>
// CHECK:         %[[DEVICE:.*]] = spirv.Constant 1 : i32
// CHECK:         %[[ACQUIRE:.*]] = spirv.Constant 16450 : i32
// CHECK:         spirv.FunctionCall @{{.*}}OpAtomicLoad{{.*}}(%{{.*}}, %[[DEVICE]], %[[ACQUIRE]])
// CHECK:         %[[RELEASE:.*]] = spirv.Constant 8260 : i32
// CHECK:         spirv.FunctionCall @{{.*}}OpAtomicStore{{.*}}(%{{.*}}, %{{.*}}, %[[RELEASE]], %{{.*}})
gpu.module @others [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %v: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = arith.constant 7 : index
    %0 = xpu.cas %v, %v, %m[%i] ordering(acq_rel) failure(acquire) scope(device) : memref<?xi32>
    %1 = xpu.cas %v, %v, %m[%i] ordering(release) failure(relaxed) scope(device) : memref<?xi32>
    %2 = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi32>
    xpu.atomic_store %2, %m[%i] ordering(release) scope(device) : memref<?xi32>
    gpu.return
  }
}

// -----

// With workgroup memory in the module, whatever is ordered orders both kinds of memory. A barrier always does, and a fence of
// one work-item is nothing.

// CHECK-LABEL: gpu.module @both
// CHECK:         spirv.GlobalVariable @k.shared0 : !spirv.ptr<!spirv.array<64 x i32>, Workgroup>
// CHECK:         spirv.AtomicIAdd <Workgroup> <AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible> {{.*}} : !spirv.ptr<i32, Workgroup>
// CHECK-NOT:     spirv.MemoryBarrier
// CHECK:         spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible>
// CHECK-NEXT:    spirv.MemoryBarrier <Device>, <Acquire|UniformMemory|WorkgroupMemory|MakeVisible>
// CHECK-NEXT:    gpu.return
gpu.module @both [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%v: i32) workgroup(%s: memref<64xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = arith.constant 7 : index
    %0 = xpu.atomic_rmw add %v, %s[%i] ordering(acq_rel) scope(workgroup) : memref<64xi32, #gpu.address_space<workgroup>>
    xpu.fence ordering(acq_rel) scope(workitem)
    gpu.barrier
    xpu.fence ordering(acquire) scope(device)
    gpu.return
  }
}

// -----

// The memory model of GLSL450: coherent buffers, and nothing is made available or visible.

// CHECK-LABEL: gpu.module @glsl450
// CHECK:         spirv.GlobalVariable @k.arg0 bind(0, 0) {aliased, coherent}
// CHECK:         spirv.AtomicIAdd <Device> <AcquireRelease|UniformMemory>
// CHECK:         spirv.Load "StorageBuffer" %{{.*}} : i32
// CHECK:         spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|UniformMemory|WorkgroupMemory>
gpu.module @glsl450 [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["-vulkan_memory_model"]} {
  gpu.func @k(%m: memref<?xi32>, %v: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = arith.constant 7 : index
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
    %1 = memref.load %m[%i] : memref<?xi32>
    memref.store %1, %m[%i] : memref<?xi32>
    gpu.barrier
    gpu.return
  }
}

// -----

// Ids are built-in variables. The size of a workgroup that only the launch knows is three constants, numbered 0, 1 and 2.

// CHECK-LABEL: gpu.module @ids
// CHECK-DAG:     spirv.SpecConstant @[[X:xpu.group_size.x]] spec_id(0) = 1 : i32
// CHECK-DAG:     spirv.SpecConstant @{{.*}} spec_id(1) = 1 : i32
// CHECK-DAG:     spirv.SpecConstant @{{.*}} spec_id(2) = 1 : i32
// CHECK-DAG:     spirv.GlobalVariable @{{.*}} built_in("LocalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
// CHECK-DAG:     spirv.GlobalVariable @{{.*}} built_in("WorkgroupId")
// CHECK-DAG:     spirv.GlobalVariable @{{.*}} built_in("NumWorkgroups")
// CHECK:       gpu.func @open
// CHECK:         spirv.CompositeExtract %{{.*}}[1 : i32] : vector<3xi32>
// CHECK:         spirv.mlir.referenceof @[[X]] : i32
// CHECK:       gpu.func @known
// CHECK:         spirv.Constant 32 : i32
gpu.module @ids [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @open(%m: memref<?xindex>) kernel {
    %l = gpu.thread_id y
    %g = gpu.block_id x
    %n = gpu.grid_dim x
    %s = gpu.block_dim x
    memref.store %l, %m[%g] : memref<?xindex>
    memref.store %s, %m[%n] : memref<?xindex>
    gpu.return
  }
  gpu.func @known(%m: memref<?xindex>) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %s = gpu.block_dim x
    memref.store %s, %m[%s] : memref<?xindex>
    gpu.return
  }
}
