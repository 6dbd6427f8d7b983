// A leader acquires at the scope of the device; behind the barrier, every wave of the group sees what it saw. Waves of a group may
// run on compute units with caches of their own (from gfx10 on), so the barrier's fence is about global memory as well.

// And a leader releases, at the scope of the device, what all waves stored before the barrier: each waits there for its own stores. Before
// gfx10 LLVM's release of the workgroup waits for none, so a wait stands behind it.

// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit asm -o - | FileCheck %s --check-prefix=GFX11
// RUN: xpu-compile %s --target amdgpu:gfx1200 --emit asm -o - | FileCheck %s --check-prefix=GFX12
// RUN: xpu-compile %s --target amdgpu:gfx942 --emit asm -o - | FileCheck %s --check-prefix=GFX942
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx90a | FileCheck %s --check-prefix=OLD
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx1030 | FileCheck %s --check-prefix=NEW

// OLD:      llvm.fence syncscope("workgroup") release{{$}}
// OLD-NEXT: rocdl.s.waitcnt 3952
// OLD-NEXT: rocdl.s.barrier
// OLD-NEXT: llvm.fence syncscope("workgroup") acquire{{$}}

// NEW:      llvm.fence syncscope("workgroup") release{{$}}
// NEW-NEXT: rocdl.s.barrier
// NEW-NEXT: llvm.fence syncscope("workgroup") acquire{{$}}

// GFX11:      global_load_b32 {{.*}} glc
// GFX11:      s_waitcnt vmcnt(0)
// GFX11-NEXT: buffer_gl1_inv
// GFX11-NEXT: buffer_gl0_inv
// GFX11:      s_waitcnt_vscnt null, 0x0
// GFX11:      s_barrier
// GFX11-NEXT: buffer_gl0_inv
// GFX11:      global_load_b32

// GFX12:      global_load_b32 {{.*}} scope:SCOPE_DEV
// GFX12:      s_wait_loadcnt 0x0
// GFX12-NEXT: global_inv scope:SCOPE_DEV
// GFX12:      s_wait_storecnt 0x0
// GFX12:      s_barrier_signal -1
// GFX12:      s_barrier_wait -1
// GFX12-NEXT: global_inv scope:SCOPE_SE
// GFX12:      global_load_b32

// GFX942:      global_load_dword {{.*}} sc1
// GFX942:      s_waitcnt vmcnt(0)
// GFX942-NEXT: buffer_inv sc1
// GFX942:      s_waitcnt vmcnt(0)
// GFX942-NEXT: s_barrier
// GFX942:      global_load_dword
xpu.kernel @k(%flag: memref<?xi32>, %data: memref<?xi32>, %out: memref<?xi32>) workgroup_size(256, 1, 1) {
  %c0 = arith.constant 0 : index
  %i = xpu.local_id x
  %leads = arith.cmpi eq, %i, %c0 : index
  scf.if %leads {
    %0 = xpu.atomic_load %flag[%c0] ordering(acquire) scope(device) : memref<?xi32>
    memref.store %0, %out[%c0] : memref<?xi32>
  }
  xpu.barrier
  %1 = memref.load %data[%i] : memref<?xi32>
  memref.store %1, %out[%i] : memref<?xi32>
  xpu.return
}
