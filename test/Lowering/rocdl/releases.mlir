// Before gfx10 LLVM's own releases wait for too little: one of the workgroup for no store to global memory, and one that writes L2 back
// for the end of that only where its own wave stored something. There a release is a fence, a wait for all that the wave has stored or
// asked for (vmcnt(0): 0x0f70), and an access without the release side.

// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx906 | FileCheck %s --check-prefixes=GROUP,NODEVICE,NOSYSTEM
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx908 | FileCheck %s --check-prefixes=GROUP,NODEVICE,NOSYSTEM
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx90a | FileCheck %s --check-prefixes=GROUP,NODEVICE,SYSTEM
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx942 | FileCheck %s --check-prefixes=GROUP,DEVICE,SYSTEM
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx950 | FileCheck %s --check-prefixes=GROUP,DEVICE,SYSTEM
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx1030 | FileCheck %s --check-prefixes=NOGROUP,NODEVICE,NOSYSTEM --implicit-check-not=waitcnt
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx1100 | FileCheck %s --check-prefixes=NOGROUP,NODEVICE,NOSYSTEM --implicit-check-not=waitcnt
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx1200 | FileCheck %s --check-prefixes=NOGROUP,NODEVICE,NOSYSTEM --implicit-check-not=waitcnt

// RUN: xpu-compile %s --target amdgpu:gfx90a --emit asm -o - | FileCheck %s --check-prefix=ASM
// RUN: xpu-compile %s --target amdgpu:gfx942 --emit asm -o - | FileCheck %s --check-prefix=ASM

// GROUP-LABEL: llvm.func @workgroup
// GROUP:         llvm.fence syncscope("workgroup") release{{$}}
// GROUP-NEXT:    rocdl.s.waitcnt 3952
// GROUP-NEXT:    llvm.store {{.*}} atomic syncscope("workgroup") monotonic
// GROUP:         llvm.fence syncscope("workgroup") release{{$}}
// GROUP-NEXT:    rocdl.s.waitcnt 3952
// GROUP-NEXT:    llvm.atomicrmw add {{.*}} syncscope("workgroup") acquire
// GROUP:         llvm.fence syncscope("workgroup") release{{$}}
// GROUP-NEXT:    rocdl.s.waitcnt 3952
// GROUP-NEXT:    llvm.cmpxchg {{.*}} syncscope("workgroup") acquire acquire
// GROUP:         llvm.fence syncscope("workgroup") release{{$}}
// GROUP-NEXT:    rocdl.s.waitcnt 3952
// GROUP-NEXT:    llvm.fence syncscope("workgroup") acquire{{$}}
// GROUP:         llvm.load {{.*}} atomic syncscope("workgroup") seq_cst
// GROUP-NOT:     waitcnt
// GROUP:         llvm.return
// NOGROUP-LABEL: llvm.func @workgroup
// NOGROUP:       llvm.store {{.*}} atomic syncscope("workgroup") release
// NOGROUP:       llvm.atomicrmw add {{.*}} syncscope("workgroup") acq_rel
// NOGROUP:       llvm.cmpxchg {{.*}} syncscope("workgroup") seq_cst seq_cst
// NOGROUP:       llvm.fence syncscope("workgroup") acq_rel{{$}}
// NOGROUP:       llvm.load {{.*}} atomic syncscope("workgroup") seq_cst

// ASM-LABEL: {{^}}workgroup:
// ASM:         s_waitcnt {{.*}}vmcnt(0)
// ASM:         global_store_dword
// ASM:         s_waitcnt {{.*}}vmcnt(0)
// ASM:         global_atomic_add
xpu.kernel @workgroup(%m: memref<?xi32>, %out: memref<?xi32>, %v: i32, %w: i32) workgroup_size(256, 1, 1) {
  %i = xpu.local_id x
  xpu.atomic_store %v, %m[%i] ordering(release) scope(workgroup) : memref<?xi32>
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(workgroup) : memref<?xi32>
  %1 = xpu.cas %v, %w, %m[%i] ordering(seq_cst) failure(seq_cst) scope(workgroup) : memref<?xi32>
  xpu.fence ordering(acq_rel) scope(workgroup)
  %2 = xpu.atomic_load %m[%i] ordering(seq_cst) scope(workgroup) : memref<?xi32>
  memref.store %2, %out[%i] : memref<?xi32>
  xpu.return
}

// NODEVICE-LABEL: llvm.func @device
// NODEVICE:       llvm.store {{.*}} atomic syncscope("agent") seq_cst
// NODEVICE:       llvm.fence syncscope("agent") seq_cst{{$}}
// DEVICE-LABEL:   llvm.func @device
// DEVICE:         llvm.fence syncscope("agent") release{{$}}
// DEVICE-NEXT:    rocdl.s.waitcnt 3952
// DEVICE-NEXT:    llvm.store {{.*}} atomic syncscope("agent") monotonic
// DEVICE-NEXT:    llvm.fence syncscope("singlethread") seq_cst
// DEVICE-NEXT:    llvm.fence syncscope("agent") release{{$}}
// DEVICE-NEXT:    rocdl.s.waitcnt 3952
// DEVICE-NEXT:    llvm.fence syncscope("agent") acquire{{$}}
xpu.kernel @device(%m: memref<?xi32>, %v: i32) workgroup_size(256, 1, 1) {
  %i = xpu.local_id x
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) scope(device) : memref<?xi32>
  xpu.fence ordering(seq_cst) scope(device)
  xpu.return
}

// NOSYSTEM-LABEL: llvm.func @system
// NOSYSTEM:       llvm.store {{.*}} atomic release
// NOSYSTEM:       llvm.fence release{{$}}
// SYSTEM-LABEL:   llvm.func @system
// SYSTEM:         llvm.fence release{{$}}
// SYSTEM-NEXT:    rocdl.s.waitcnt 3952
// SYSTEM-NEXT:    llvm.store {{.*}} atomic monotonic
// SYSTEM:         llvm.fence release{{$}}
// SYSTEM-NEXT:    rocdl.s.waitcnt 3952
// SYSTEM-NEXT:    llvm.return

// A wave that stored nothing writes back what others stored, and waits for the end of it.
// ASM-LABEL: {{^}}system:
// ASM:         buffer_wbl2
// ASM-NEXT:    s_waitcnt {{.*}}vmcnt(0)
// ASM:         global_store_dword
xpu.kernel @system(%m: memref<?xi32>, %v: i32) workgroup_size(256, 1, 1) {
  %i = xpu.local_id x
  xpu.atomic_store %v, %m[%i] ordering(release) scope(system) : memref<?xi32>
  xpu.fence ordering(release) scope(system)
  xpu.return
}

// Only the group sees workgroup memory: what is released there is released to the group, and L2 is not written back.
// GROUP-LABEL: llvm.func @shared
// GROUP:         llvm.fence syncscope("workgroup") release{{$}}
// GROUP-NEXT:    rocdl.s.waitcnt 3952
// GROUP-NEXT:    llvm.atomicrmw add {{.*}} syncscope("workgroup") acquire {{.*}} !llvm.ptr<3>
// NOGROUP-LABEL: llvm.func @shared
// NOGROUP:       llvm.atomicrmw add {{.*}} syncscope("agent") acq_rel {{.*}} !llvm.ptr<3>

// ASM-LABEL: {{^}}shared:
// ASM-NOT:     buffer_wbl2
// ASM:         global_store_dword
// ASM-NOT:     buffer_wbl2
// ASM:         s_waitcnt vmcnt(0)
// ASM-NEXT:    ds_add_rtn_u32
// ASM-NOT:     buffer_wbl2
xpu.kernel @shared(%m: memref<?xi32>, %v: i32) workgroup_size(256, 1, 1) {
  %s = xpu.shared : memref<256xi32, #gpu.address_space<workgroup>>
  %i = xpu.local_id x
  memref.store %v, %m[%i] : memref<?xi32>
  %0 = xpu.atomic_rmw add %v, %s[%i] ordering(acq_rel) scope(device) : memref<256xi32, #gpu.address_space<workgroup>>
  memref.store %0, %m[%i] : memref<?xi32>
  xpu.return
}

// Lanes of one wave need nothing, whatever the chip.
// GROUP-LABEL:   llvm.func @subgroup
// GROUP-NOT:     waitcnt
// GROUP:         llvm.store {{.*}} atomic syncscope("wavefront") release
// GROUP-NOT:     waitcnt
xpu.kernel @subgroup(%m: memref<?xi32>, %v: i32) workgroup_size(256, 1, 1) {
  %i = xpu.local_id x
  xpu.atomic_store %v, %m[%i] ordering(release) scope(subgroup) : memref<?xi32>
  xpu.return
}
