// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx1100 | FileCheck %s --check-prefixes=CHECK,NOWAIT --implicit-check-not=one-as --implicit-check-not=mmra
// RUN: xpu-opt %s --xpu-to-rocdl=chip=gfx90a | FileCheck %s --check-prefixes=CHECK,WAIT --implicit-check-not=one-as --implicit-check-not=mmra

// A fence orders every address space, at LLVM's own name of the scope. Where LLVM's release waits for too little, a wait comes behind.

// CHECK-LABEL: llvm.func @subgroup
// CHECK-NEXT:    llvm.fence syncscope("wavefront") release{{$}}
// CHECK-NEXT:    llvm.fence syncscope("wavefront") acquire{{$}}
// CHECK-LABEL: llvm.func @workgroup
// CHECK-NEXT:    llvm.fence syncscope("workgroup") release{{$}}
// WAIT-NEXT:     rocdl.s.waitcnt 3952
// WAIT-NEXT:     llvm.fence syncscope("workgroup") acquire{{$}}
// NOWAIT-NEXT:   llvm.fence syncscope("workgroup") acquire{{$}}
// CHECK-LABEL: llvm.func @device
// CHECK-NEXT:    llvm.fence syncscope("agent") release{{$}}
// CHECK-NEXT:    llvm.fence syncscope("agent") acquire{{$}}
// CHECK-LABEL: llvm.func @system
// CHECK-NEXT:    llvm.fence release{{$}}
// WAIT-NEXT:     rocdl.s.waitcnt 3952
// WAIT-NEXT:     llvm.fence acquire{{$}}
// NOWAIT-NEXT:   llvm.fence acquire{{$}}
xpu.kernel @subgroup() workgroup_size(1, 1, 1) {
  xpu.fence ordering(release) scope(subgroup)
  xpu.fence ordering(acquire) scope(subgroup)
  xpu.return
}
xpu.kernel @workgroup() workgroup_size(1, 1, 1) {
  xpu.fence ordering(release) scope(workgroup)
  xpu.fence ordering(acquire) scope(workgroup)
  xpu.return
}
xpu.kernel @device() workgroup_size(1, 1, 1) {
  xpu.fence ordering(release) scope(device)
  xpu.fence ordering(acquire) scope(device)
  xpu.return
}
xpu.kernel @system() workgroup_size(1, 1, 1) {
  xpu.fence ordering(release) scope(system)
  xpu.fence ordering(acquire) scope(system)
  xpu.return
}
