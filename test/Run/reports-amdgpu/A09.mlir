// Report A09 on AMD chips, emulated: subtracting from memory that the host may see is done, by what a bus does. That no
// instruction is there which it does not do, test/Lowering/rocdl/reports and the second kernel's text here say.
//
// REQUIRES: amdgpu
// DEFINE: %{sub} = --kernel sub --groups 1 --arg [100]:i32 --expect 0=[36]:i32
// DEFINE: %{kinds} = --kernel kinds --groups 1 --arg [10000]:i64 --arg [5,1000,96]:i32 --arg [0.0]:f32 --expect 0=[7984]:i64 --expect 1=[5,0,127]:i32 --expect 2=[32.0]:f32
// RUN: xpu-run %s --target amdgpu:gfx1100 %{sub}
// RUN: xpu-run %s --target amdgpu:gfx1100 %{kinds}
// RUN: xpu-run %s --target amdgpu:gfx1151 %{sub}
// RUN: xpu-run %s --target amdgpu:gfx942 %{sub}
// RUN: xpu-run %s --target amdgpu:gfx942 %{kinds}
// RUN: xpu-run %s --target amdgpu:gfx950 %{sub}
// RUN: xpu-run %s --target amdgpu:gfx1200 %{sub}
// RUN: xpu-run %s --target amdgpu:gfx1200 %{kinds}
// RUN: xpu-run %s --target amdgpu:gfx1201 %{sub}
// DEFINE: %{text} = --emit asm -o - | FileCheck %s --implicit-check-not='global_atomic_{{sub|xor|or|min|max|smin|add_f|pk}}'
// RUN: xpu-compile %s --target amdgpu:gfx908 %{text}
// RUN: xpu-compile %s --target amdgpu:gfx90a %{text}
// RUN: xpu-compile %s --target amdgpu:gfx942 %{text}
// RUN: xpu-compile %s --target amdgpu:gfx1030 %{text}
// RUN: xpu-compile %s --target amdgpu:gfx1100 %{text}
// RUN: xpu-compile %s --target amdgpu:gfx1200 %{text}

// CHECK-LABEL: {{^}}sub:
// CHECK:         global_atomic_add
// CHECK-LABEL: {{^}}kinds:
// CHECK:         global_atomic_add_{{x2|u64}}
// CHECK-COUNT-4: global_atomic_cmpswap
xpu.kernel @sub(%p: memref<1xi32> {xpu.memory = #xpu.memory<host_visible>}) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw sub %one, %p[%c0] ordering(relaxed) scope(system) : memref<1xi32>
  xpu.return
}

// The same of 64 bits, by 0, 1, …, 63; what a bus does not have; and at device scope, where the argument alone says it.
xpu.kernel @kinds(%w: memref<1xi64> {xpu.memory = #xpu.memory<host_visible>}, %p: memref<3xi32> {xpu.memory = #xpu.memory<host_visible>},
                  %x: memref<1xf32> {xpu.memory = #xpu.memory<host_visible>}) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  %l = xpu.local_id x
  %l32 = arith.index_cast %l : index to i32
  %l64 = arith.index_cast %l : index to i64
  %0 = xpu.atomic_rmw sub %l64, %w[%c0] ordering(relaxed) scope(system) : memref<1xi64>
  %1 = xpu.atomic_rmw xor %l32, %p[%c0] ordering(relaxed) scope(system) : memref<3xi32>
  %2 = xpu.atomic_rmw smin %l32, %p[%c1] ordering(relaxed) scope(device) : memref<3xi32>
  %3 = xpu.atomic_rmw or %l32, %p[%c2] ordering(relaxed) scope(device) : memref<3xi32>
  %4 = xpu.atomic_rmw fadd %half, %x[%c0] ordering(relaxed) scope(system) : memref<1xf32>
  xpu.return
}
