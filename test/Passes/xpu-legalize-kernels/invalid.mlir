// RUN: xpu-opt %s --xpu-legalize-kernels -verify-diagnostics -split-input-file

// Each row of the list of operations that upstream's conversions lack, on each target: all that is wrong is told at once.

gpu.module @cpu attributes {xpu.cpu_target} {
  gpu.func @k(%m: memref<?xi32>, %four: memref<4xi32>, %tag: memref<1xi32, 2>, %v: i32, %i: index, %one: i32,
              %width: i32, %half: f16, %yes: i1, %complex: complex<f32>) kernel {
    // expected-error @below {{'gpu.subgroup_id' op has no form on the CPU; a CPU has no subgroups}}
    %r0 = gpu.subgroup_id : index
    // expected-error @below {{'gpu.num_subgroups' op has no form on the CPU; a CPU has no subgroups}}
    %r1 = gpu.num_subgroups : index
    // expected-error @below {{'gpu.subgroup_size' op has no form on the CPU; a CPU has no subgroups}}
    %r2 = gpu.subgroup_size : index
    // expected-error @below {{'gpu.lane_id' op has no form on the CPU; a CPU has no subgroups}}
    %r3 = gpu.lane_id
    // expected-error @below {{'gpu.all_reduce' op has no form on the CPU; combine values by 'xpu.atomic_rmw' on an 'xpu.shared'}}
    %r4 = gpu.all_reduce add %v uniform {} : (i32) -> i32
    // expected-error @below {{'gpu.subgroup_reduce' op has no form on the CPU; combine values by 'xpu.atomic_rmw'}}
    %r5 = gpu.subgroup_reduce add %v : (i32) -> i32
    // expected-error @below {{'gpu.shuffle' op has no form on the CPU; exchange values through an 'xpu.shared'}}
    %r6, %valid6 = gpu.shuffle xor %v, %one, %width : i32
    // expected-error @below {{'gpu.rotate' op has no form on the CPU; exchange values}}
    %r7, %valid7 = gpu.rotate %v, 1, 32 : i32
    // expected-error @below {{'gpu.subgroup_broadcast' op has no form on the CPU; exchange values}}
    %r8 = gpu.subgroup_broadcast %v, first_active_lane : i32
    // expected-error @below {{'gpu.warp_execute_on_lane_0' op has no form on the CPU; a CPU has no subgroups}}
    gpu.warp_execute_on_lane_0(%i)[32] {
    }
    // expected-error @below {{'gpu.cluster_id' op has no form on the CPU; clusters are NVIDIA's, from sm_90 on; use the ids of workgroups}}
    %r9 = gpu.cluster_id x
    // expected-error @below {{'gpu.subgroup_mma_constant_matrix' op has no form on the CPU; these matrix operations are NVIDIA's}}
    %r10 = gpu.subgroup_mma_constant_matrix %half : !gpu.mma_matrix<16x16xf16, "COp">
    // expected-error @below {{'gpu.printf' op has no form on the CPU; store what to look at in a buffer}}
    gpu.printf "%d", %v : i32
    vector.print %v : i32
    // expected-error @below {{'gpu.dynamic_shared_memory' op has no form on the CPU; sizes of workgroup memory are compiled in; use 'xpu.shared'}}
    %r11 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    // expected-error @below {{'gpu.memcpy' op has no form on the CPU; it is the host's}}
    gpu.memcpy %m, %m : memref<?xi32>, memref<?xi32>
    // expected-error @below {{'linalg.fill' op has no form on the CPU; run 'convert-linalg-to-loops' first}}
    linalg.fill ins(%v : i32) outs(%m : memref<?xi32>)
    // expected-error @below {{'tensor.from_elements' op has no form on the CPU; run 'one-shot-bufferize' first}}
    %r12 = tensor.from_elements %v : tensor<1xi32>
    // expected-error @below {{'bufferization.to_tensor' op has no form on the CPU; run 'one-shot-bufferize' first}}
    %r13 = bufferization.to_tensor %m restrict : memref<?xi32> to tensor<?xi32>
    // expected-error @below {{'bufferization.clone' op has no form on the CPU; run 'convert-bufferization-to-memref' first}}
    %r14 = bufferization.clone %m : memref<?xi32> to memref<?xi32>
    // expected-error @below {{'bufferization.dealloc' op has no form on the CPU; run 'bufferization-lower-deallocations' first}}
    bufferization.dealloc (%m : memref<?xi32>) if (%yes)
    // expected-error @below {{'memref.dma_wait' op has no form on the CPU; write the transfer as a loop}}
    memref.dma_wait %tag[%i], %i : memref<1xi32, 2>
    // expected-error @below {{'memref.realloc' op has no form on the CPU; run 'expand-realloc' first}}
    %r15 = memref.realloc %four : memref<4xi32> to memref<8xi32>
    %r16 = memref.alloc() : memref<4xi32>
    cf.assert %yes, "never"
    %r17 = complex.abs %complex : complex<f32>
    gpu.return
  }
}

// -----

gpu.module @nvptx [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%m: memref<?xi32>, %four: memref<4xi32>, %tag: memref<1xi32, 2>, %v: i32, %i: index, %one: i32,
              %width: i32, %half: f16, %yes: i1, %complex: complex<f32>) kernel {
    %r0 = gpu.subgroup_id : index
    %r1 = gpu.num_subgroups : index
    %r2 = gpu.subgroup_size : index
    %r3 = gpu.lane_id
    // expected-error @below {{'gpu.all_reduce' op has no lowering for NVIDIA chips; combine values by 'xpu.atomic_rmw' on an 'xpu.shared'}}
    %r4 = gpu.all_reduce add %v uniform {} : (i32) -> i32
    // expected-error @below {{'gpu.subgroup_reduce' op has no lowering for NVIDIA chips; combine values by steps of 'gpu.shuffle xor'}}
    %r5 = gpu.subgroup_reduce add %v : (i32) -> i32
    %r6, %valid6 = gpu.shuffle xor %v, %one, %width : i32
    // expected-error @below {{'gpu.rotate' op has no lowering for NVIDIA chips; write it as 'gpu.shuffle idx'}}
    %r7, %valid7 = gpu.rotate %v, 1, 32 : i32
    // expected-error @below {{'gpu.subgroup_broadcast' op has no lowering for NVIDIA chips; write it as 'gpu.shuffle idx'}}
    %r8 = gpu.subgroup_broadcast %v, first_active_lane : i32
    // expected-error @below {{'gpu.warp_execute_on_lane_0' op has no lowering for NVIDIA chips; write 'scf.if' on a 'gpu.lane_id' of 0}}
    gpu.warp_execute_on_lane_0(%i)[32] {
    }
    %r9 = gpu.cluster_id x
    %r10 = gpu.subgroup_mma_constant_matrix %half : !gpu.mma_matrix<16x16xf16, "COp">
    gpu.printf "%d", %v : i32
    // expected-error @below {{'vector.print' op has no lowering for NVIDIA chips; store what to look at in a buffer}}
    vector.print %v : i32
    // expected-error @below {{'gpu.dynamic_shared_memory' op has no lowering for NVIDIA chips; sizes of workgroup memory are compiled in; use 'xpu.shared'}}
    %r11 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    // expected-error @below {{'gpu.memcpy' op has no lowering for NVIDIA chips; it is the host's}}
    gpu.memcpy %m, %m : memref<?xi32>, memref<?xi32>
    // expected-error @below {{'linalg.fill' op has no lowering for NVIDIA chips; run 'convert-linalg-to-loops' first}}
    linalg.fill ins(%v : i32) outs(%m : memref<?xi32>)
    // expected-error @below {{'tensor.from_elements' op has no lowering for NVIDIA chips; run 'one-shot-bufferize' first}}
    %r12 = tensor.from_elements %v : tensor<1xi32>
    // expected-error @below {{'bufferization.to_tensor' op has no lowering for NVIDIA chips; run 'one-shot-bufferize' first}}
    %r13 = bufferization.to_tensor %m restrict : memref<?xi32> to tensor<?xi32>
    // expected-error @below {{'bufferization.clone' op has no lowering for NVIDIA chips; run 'convert-bufferization-to-memref' first}}
    %r14 = bufferization.clone %m : memref<?xi32> to memref<?xi32>
    // expected-error @below {{'bufferization.dealloc' op has no lowering for NVIDIA chips; run 'bufferization-lower-deallocations' first}}
    bufferization.dealloc (%m : memref<?xi32>) if (%yes)
    // expected-error @below {{'memref.dma_wait' op has no lowering for NVIDIA chips; write the transfer as a loop}}
    memref.dma_wait %tag[%i], %i : memref<1xi32, 2>
    // expected-error @below {{'memref.realloc' op has no lowering for NVIDIA chips; run 'expand-realloc' first}}
    %r15 = memref.realloc %four : memref<4xi32> to memref<8xi32>
    %r16 = memref.alloc() : memref<4xi32>
    cf.assert %yes, "never"
    // expected-error @below {{'complex.abs' op has no lowering for NVIDIA chips; run 'convert-complex-to-standard' first}}
    %r17 = complex.abs %complex : complex<f32>
    gpu.return
  }
}

// -----

gpu.module @amdgpu [#rocdl.target<chip = "gfx1100">] {
  gpu.func @k(%m: memref<?xi32>, %four: memref<4xi32>, %tag: memref<1xi32, 2>, %v: i32, %i: index, %one: i32,
              %width: i32, %half: f16, %yes: i1, %complex: complex<f32>) kernel {
    %r0 = gpu.subgroup_id : index
    %r1 = gpu.num_subgroups : index
    %r2 = gpu.subgroup_size : index
    %r3 = gpu.lane_id
    // expected-error @below {{'gpu.all_reduce' op has no lowering for AMD chips; combine values by 'xpu.atomic_rmw' on an 'xpu.shared'}}
    %r4 = gpu.all_reduce add %v uniform {} : (i32) -> i32
    // expected-error @below {{'gpu.subgroup_reduce' op has no lowering for AMD chips; combine values by steps of 'gpu.shuffle xor'}}
    %r5 = gpu.subgroup_reduce add %v : (i32) -> i32
    %r6, %valid6 = gpu.shuffle xor %v, %one, %width : i32
    // expected-error @below {{'gpu.rotate' op has no lowering for AMD chips; write it as 'gpu.shuffle idx'}}
    %r7, %valid7 = gpu.rotate %v, 1, 32 : i32
    %r8 = gpu.subgroup_broadcast %v, first_active_lane : i32
    // expected-error @below {{'gpu.warp_execute_on_lane_0' op has no lowering for AMD chips; write 'scf.if' on a 'gpu.lane_id' of 0}}
    gpu.warp_execute_on_lane_0(%i)[32] {
    }
    // expected-error @below {{'gpu.cluster_id' op has no lowering for AMD chips; clusters are NVIDIA's, from sm_90 on; use the ids of workgroups}}
    %r9 = gpu.cluster_id x
    // expected-error @below {{'gpu.subgroup_mma_constant_matrix' op has no lowering for AMD chips; these matrix operations are NVIDIA's}}
    %r10 = gpu.subgroup_mma_constant_matrix %half : !gpu.mma_matrix<16x16xf16, "COp">
    // expected-error @below {{'gpu.printf' op has no lowering for AMD chips; store what to look at in a buffer}}
    gpu.printf "%d", %v : i32
    // expected-error @below {{'vector.print' op has no lowering for AMD chips; store what to look at in a buffer}}
    vector.print %v : i32
    // expected-error @below {{'gpu.dynamic_shared_memory' op has no lowering for AMD chips; sizes of workgroup memory are compiled in; use 'xpu.shared'}}
    %r11 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    // expected-error @below {{'gpu.memcpy' op has no lowering for AMD chips; it is the host's}}
    gpu.memcpy %m, %m : memref<?xi32>, memref<?xi32>
    // expected-error @below {{'linalg.fill' op has no lowering for AMD chips; run 'convert-linalg-to-loops' first}}
    linalg.fill ins(%v : i32) outs(%m : memref<?xi32>)
    // expected-error @below {{'tensor.from_elements' op has no lowering for AMD chips; run 'one-shot-bufferize' first}}
    %r12 = tensor.from_elements %v : tensor<1xi32>
    // expected-error @below {{'bufferization.to_tensor' op has no lowering for AMD chips; run 'one-shot-bufferize' first}}
    %r13 = bufferization.to_tensor %m restrict : memref<?xi32> to tensor<?xi32>
    // expected-error @below {{'bufferization.clone' op has no lowering for AMD chips; run 'convert-bufferization-to-memref' first}}
    %r14 = bufferization.clone %m : memref<?xi32> to memref<?xi32>
    // expected-error @below {{'bufferization.dealloc' op has no lowering for AMD chips; run 'bufferization-lower-deallocations' first}}
    bufferization.dealloc (%m : memref<?xi32>) if (%yes)
    // expected-error @below {{'memref.dma_wait' op has no lowering for AMD chips; write the transfer as a loop}}
    memref.dma_wait %tag[%i], %i : memref<1xi32, 2>
    // expected-error @below {{'memref.realloc' op has no lowering for AMD chips; a kernel there cannot allocate memory}}
    %r15 = memref.realloc %four : memref<4xi32> to memref<8xi32>
    // expected-error @below {{'memref.alloc' op has no lowering for AMD chips; a kernel there cannot allocate memory}}
    %r16 = memref.alloc() : memref<4xi32>
    // expected-error @below {{'cf.assert' op has no lowering for AMD chips; a kernel there cannot stop the program}}
    cf.assert %yes, "never"
    %r17 = complex.abs %complex : complex<f32>
    gpu.return
  }
}

// -----

gpu.module @vulkan [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %four: memref<4xi32>, %tag: memref<1xi32, 2>, %v: i32, %i: index, %one: i32,
              %width: i32, %half: f16, %yes: i1, %complex: complex<f32>) kernel {
    %r0 = gpu.subgroup_id : index
    %r1 = gpu.num_subgroups : index
    %r2 = gpu.subgroup_size : index
    %r3 = gpu.lane_id
    // expected-error @below {{'gpu.all_reduce' op has no lowering for Vulkan; combine values by 'xpu.atomic_rmw' on an 'xpu.shared'}}
    %r4 = gpu.all_reduce add %v uniform {} : (i32) -> i32
    // expected-error @below {{'gpu.subgroup_reduce' op has no lowering for Vulkan; combine values by 'xpu.atomic_rmw'}}
    %r5 = gpu.subgroup_reduce add %v : (i32) -> i32
    // expected-error @below {{'gpu.shuffle' op has no lowering for Vulkan; exchange values through an 'xpu.shared'}}
    %r6, %valid6 = gpu.shuffle xor %v, %one, %width : i32
    // expected-error @below {{'gpu.rotate' op has no lowering for Vulkan; exchange values}}
    %r7, %valid7 = gpu.rotate %v, 1, 32 : i32
    // expected-error @below {{'gpu.subgroup_broadcast' op has no lowering for Vulkan; exchange values}}
    %r8 = gpu.subgroup_broadcast %v, first_active_lane : i32
    // expected-error @below {{'gpu.warp_execute_on_lane_0' op has no lowering for Vulkan; write 'scf.if' on a 'gpu.lane_id' of 0}}
    gpu.warp_execute_on_lane_0(%i)[32] {
    }
    // expected-error @below {{'gpu.cluster_id' op has no lowering for Vulkan; clusters are NVIDIA's, from sm_90 on; use the ids of workgroups}}
    %r9 = gpu.cluster_id x
    // expected-error @below {{'gpu.subgroup_mma_constant_matrix' op has no lowering for Vulkan; these matrix operations are NVIDIA's}}
    %r10 = gpu.subgroup_mma_constant_matrix %half : !gpu.mma_matrix<16x16xf16, "COp">
    // expected-error @below {{'gpu.printf' op has no lowering for Vulkan; store what to look at in a buffer}}
    gpu.printf "%d", %v : i32
    // expected-error @below {{'vector.print' op has no lowering for Vulkan; store what to look at in a buffer}}
    vector.print %v : i32
    // expected-error @below {{'gpu.dynamic_shared_memory' op has no lowering for Vulkan; sizes of workgroup memory are compiled in; use 'xpu.shared'}}
    %r11 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    // expected-error @below {{'gpu.memcpy' op has no lowering for Vulkan; it is the host's}}
    gpu.memcpy %m, %m : memref<?xi32>, memref<?xi32>
    // expected-error @below {{'linalg.fill' op has no lowering for Vulkan; run 'convert-linalg-to-loops' first}}
    linalg.fill ins(%v : i32) outs(%m : memref<?xi32>)
    // expected-error @below {{'tensor.from_elements' op has no lowering for Vulkan; run 'one-shot-bufferize' first}}
    %r12 = tensor.from_elements %v : tensor<1xi32>
    // expected-error @below {{'bufferization.to_tensor' op has no lowering for Vulkan; run 'one-shot-bufferize' first}}
    %r13 = bufferization.to_tensor %m restrict : memref<?xi32> to tensor<?xi32>
    // expected-error @below {{'bufferization.clone' op has no lowering for Vulkan; run 'convert-bufferization-to-memref' first}}
    %r14 = bufferization.clone %m : memref<?xi32> to memref<?xi32>
    // expected-error @below {{'bufferization.dealloc' op has no lowering for Vulkan; run 'bufferization-lower-deallocations' first}}
    bufferization.dealloc (%m : memref<?xi32>) if (%yes)
    // expected-error @below {{'memref.dma_wait' op has no lowering for Vulkan; write the transfer as a loop}}
    memref.dma_wait %tag[%i], %i : memref<1xi32, 2>
    // expected-error @below {{'memref.realloc' op has no lowering for Vulkan; a kernel there cannot allocate memory}}
    %r15 = memref.realloc %four : memref<4xi32> to memref<8xi32>
    %r16 = memref.alloc() : memref<4xi32>
    // expected-error @below {{'cf.assert' op has no lowering for Vulkan; a kernel there cannot stop the program}}
    cf.assert %yes, "never"
    // expected-error @below {{'complex.abs' op has no lowering for Vulkan; run 'convert-complex-to-standard' and 'canonicalize' first}}
    %r17 = complex.abs %complex : complex<f32>
    gpu.return
  }
}
