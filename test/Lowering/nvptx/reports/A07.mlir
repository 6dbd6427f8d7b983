// RUN: xpu-compile %s --target nvptx:sm_80 --emit asm -o - | FileCheck %s --implicit-check-not=cvta.to.shared

// The shared address stays one, computed in one block and used in another.

// CHECK: {{atom|red}}{{[.a-z]*}}.shared.add.f32
xpu.kernel @k(%out: memref<?xf32>, %n: i32) workgroup_size(64, 1, 1) {
  %s = xpu.shared : memref<4xf32, #gpu.address_space<workgroup>>
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0 : i32
  %l = xpu.local_id x
  %first = arith.cmpi ult, %l, %c4 : index
  scf.if %first { memref.store %zero, %s[%l] : memref<4xf32, #gpu.address_space<workgroup>> }
  xpu.barrier
  %at = arith.remui %l, %c4 : index
  %view = memref.subview %s[%at] [1] [1] : memref<4xf32, #gpu.address_space<workgroup>> to memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  %go = arith.cmpi sgt, %n, %none : i32
  scf.if %go {
    %c0 = arith.constant 0 : index
    %0 = xpu.atomic_rmw fadd %one, %view[%c0] ordering(relaxed) scope(workgroup) : memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  scf.if %first {
    %v = memref.load %s[%l] : memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %v, %out[%l] : memref<?xf32>
  }
  xpu.return
}
