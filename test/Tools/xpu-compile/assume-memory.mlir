// Where no scope promises memory of the device, an AMD chip's own instruction could do nothing, in silence: a loop around a
// compare-and-swap does it, and no buffer has to be in memory of the device, but the one whose argument says so.

// RUN: split-file %s %t
// RUN: xpu-compile %t/k.mlir --target amdgpu:gfx1100 --assume-memory=any --emit asm --manifest %t/any.json -o - \
// RUN:   | FileCheck %s --check-prefix=ANY
// RUN: FileCheck %s --check-prefix=ANY-MANIFEST --implicit-check-not=relies_on_device_local < %t/any.json
// ANY-LABEL: {{^}}k:
// ANY-NOT:     global_atomic_xor
// ANY:         global_atomic_cmpswap
// ANY:         global_atomic_or
// ANY-MANIFEST: "name": "k"
// ANY-MANIFEST: "relies_on_device_local": false
// ANY-MANIFEST: "relies_on_device_local": true

// RUN: xpu-compile %t/k.mlir --target amdgpu:gfx1100 --emit asm --manifest %t/scope.json -o - | FileCheck %s --check-prefix=SCOPE
// RUN: xpu-compile %t/k.mlir --target amdgpu:gfx1100 --assume-memory=scope --emit asm -o - | FileCheck %s --check-prefix=SCOPE
// RUN: FileCheck %s --check-prefix=SCOPE-MANIFEST < %t/scope.json
// SCOPE-LABEL: {{^}}k:
// SCOPE-NOT:     cmpswap
// SCOPE:         global_atomic_xor
// SCOPE-NOT:     cmpswap
// SCOPE:         global_atomic_or
// SCOPE-MANIFEST-COUNT-2: "relies_on_device_local": true

// RUN: xpu-compile %t/k.mlir --target amdgpu:gfx942 --assume-memory=any --explain | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: memory: {{.*}}host_visible

// What becomes a loop may be forbidden as any other.
// RUN: not xpu-compile %t/k.mlir --target amdgpu:gfx90a --assume-memory=any --forbid cas-loop -o %t/k.hsaco 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FORBID --implicit-check-not=error:
// FORBID: k.mlir:3:8: error: {{.*}} becomes a CAS loop

// It runs.
// DEFINE: %{run} = --kernel k --groups 2 --arg [0]:i32 --arg [3]:i32 --arg 5:i32 --expect 0=[0]:i32 --expect 1=[7]:i32
// RUN: %if amdgpu %{ xpu-run %t/k.mlir --target amdgpu:gfx1100 --assume-memory=any %{run} %}
// RUN: %if amdgpu %{ xpu-run %t/k.mlir --target amdgpu:gfx942 --assume-memory=any %{run} %}

// Elsewhere memory makes no difference.
// DEFINE: %{what} =
// DEFINE: %{refused} = sh -c '%{what} --assume-memory=any; echo status $?' 2>&1 | FileCheck %s --check-prefix
// REDEFINE: %{what} = xpu-compile %t/k.mlir --emit asm --target nvptx:sm_90
// RUN: %{refused}=NVPTX
// NVPTX: error: assume-memory=any has no meaning for nvptx: there every atomic is right in any memory; leave it out
// NVPTX: status 2
// REDEFINE: %{what} = xpu-compile %t/k.mlir --emit asm --target vulkan:1.3
// RUN: %{refused}=VULKAN
// VULKAN: error: assume-memory=any has no meaning for vulkan
// VULKAN: status 2
// REDEFINE: %{what} = xpu-compile %t/k.mlir --emit asm --target cpu
// RUN: %{refused}=CPU
// CPU: error: assume-memory=any has no meaning for cpu
// CPU: status 2
// REDEFINE: %{what} = xpu-run %t/k.mlir --target cpu %{run}
// RUN: %{refused}=CPU
// RUN: xpu-compile %t/k.mlir --emit asm --target cpu --assume-memory=scope -o %t/k.s

//--- k.mlir
xpu.kernel @k(%p: memref<1xi32>, %q: memref<1xi32> {xpu.memory = #xpu.memory<device_local>}, %v: i32) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %0 = xpu.atomic_rmw xor %v, %p[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  %1 = xpu.atomic_rmw or %v, %q[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  xpu.return
}
