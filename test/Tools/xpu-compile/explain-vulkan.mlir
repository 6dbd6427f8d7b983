// What became of atomics, fences and barriers on Vulkan, down to the instructions with their scopes and
// semantics in words.

// RUN: cd %S && xpu-compile explain-vulkan.mlir --target vulkan:1.3 --explain 2>/dev/null | FileCheck %s

// To explain does not keep lines in what is written.
// RUN: xpu-compile %s --target vulkan:1.3 --emit asm -o - --explain 2>/dev/null | FileCheck %s --check-prefix=NONE
// NONE-NOT: OpLine

#shared = #gpu.address_space<workgroup>
xpu.kernel @k(%m: memref<?xi32>, %f: memref<?xf32>, %v: i32, %x: f32) workgroup_size(64, 1, 1) {
  %s = xpu.shared : memref<64xi32, #shared>
  %i = xpu.local_id x
  // CHECK:      explain-vulkan.mlir:[[#@LINE+8]]:{{[0-9]+}}: xpu.atomic_rmw add on i32 in global memory (in k)
  // CHECK-NEXT:   scope:    device (from the memory)
  // CHECK-NEXT:   ordering: acq_rel (default)
  // CHECK-NEXT:   strategy: native
  // CHECK-NEXT:   cost:     native
  // CHECK-NEXT:   memory:   device_local, promised by the scope
  // CHECK-NEXT:   instructions:
  // CHECK-NEXT:     OpAtomicIAdd %uint %{{[0-9]+}} Device AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible %
  %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>

  // CHECK:      explain-vulkan.mlir:[[#@LINE+4]]:{{[0-9]+}}: xpu.atomic_load on i32 in global memory (in k)
  // CHECK:        ordering: acquire, asked seq_cst (explicit); the single total order
  // CHECK:        instructions:
  // CHECK-NEXT:     OpAtomicLoad %uint %{{[0-9]+}} Device Acquire|UniformMemory|WorkgroupMemory|MakeVisible
  %1 = xpu.atomic_load %m[%i] ordering(seq_cst) : memref<?xi32>

  // CHECK:      explain-vulkan.mlir:[[#@LINE+4]]:{{[0-9]+}}: xpu.atomic_store on i32 in shared memory (in k)
  // CHECK:        instructions:
  // CHECK-NEXT:     OpAtomicStore %{{[0-9]+}} Workgroup Relaxed %
  // CHECK-NOT:      Op
  xpu.atomic_store %1, %s[%i] ordering(relaxed) : memref<64xi32, #shared>

  // CHECK:      explain-vulkan.mlir:[[#@LINE+3]]:{{[0-9]+}}: xpu.barrier (in k)
  // CHECK:        instructions:
  // CHECK-NEXT:     OpControlBarrier Workgroup Workgroup AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible
  xpu.barrier

  // CHECK:      explain-vulkan.mlir:[[#@LINE+3]]:{{[0-9]+}}: xpu.fence (in k)
  // CHECK:        instructions:
  // CHECK-NEXT:     OpMemoryBarrier Device Release|UniformMemory|WorkgroupMemory|MakeAvailable
  xpu.fence ordering(release) scope(device)

  // CHECK:      explain-vulkan.mlir:[[#@LINE+4]]:{{[0-9]+}}: xpu.atomic_rmw fadd on f32 in global memory (in k)
  // CHECK:        strategy: CAS loop
  // CHECK:        instructions:
  // CHECK:          OpAtomicCompareExchange %uint %{{[0-9]+}} Device Relaxed Relaxed %
  %2 = xpu.atomic_rmw fadd %x, %f[%i] ordering(relaxed) : memref<?xf32>
  %3 = memref.load %s[%i] : memref<64xi32, #shared>
  memref.store %3, %m[%i] : memref<?xi32>
  memref.store %2, %f[%i] : memref<?xf32>
  memref.store %0, %m[%i] : memref<?xi32>
  xpu.return
}
