// Report A07: the address of workgroup memory keeps its space, also where it is computed in one block and used in another.
//
// RUN: xpu-run %s --kernel sum --target cpu --groups 1 --arg zeros:4xf32 --arg 1:i32 --expect 0=fill(16):4xf32
// RUN: xpu-compile %s --target nvptx:sm_70 --emit asm -o - | FileCheck %s --implicit-check-not=cvta
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s --implicit-check-not=cvta

// CHECK-LABEL: .visible .entry sum(
// CHECK: bar.sync
// CHECK: {{(atom|red).relaxed.cta.shared.add.f32}}
// CHECK: bar.sync
// CHECK: ld.shared.b32
// CHECK: ret;
xpu.kernel @sum(%out: memref<4xf32>, %n: i32) workgroup_size(64, 1, 1) {
  %c4 = arith.constant 4 : index
  %none = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %s = xpu.shared : memref<4xf32, #gpu.address_space<workgroup>>
  %l = xpu.local_id x
  %first = arith.cmpi ult, %l, %c4 : index
  scf.if %first {
    memref.store %zero, %s[%l] : memref<4xf32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %at = arith.remui %l, %c4 : index
  %a = memref.subview %s[%at] [1] [1] : memref<4xf32, #gpu.address_space<workgroup>> to memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  %some = arith.cmpi sgt, %n, %none : i32
  scf.if %some {
    %c0 = arith.constant 0 : index
    %0 = xpu.atomic_rmw fadd %one, %a[%c0] ordering(relaxed) scope(workgroup) : memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  scf.if %first {
    %v = memref.load %s[%l] : memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %v, %out[%l] : memref<4xf32>
  }
  xpu.return
}
