// Report A29: the result is the value before the update, whether or not the update changed it, also where min and max are emulated.
//
// RUN: xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[5,1,9,-2]:f32' --arg '[5,1,9,-2]:f32' --arg '[3,4,-7,-2]:f32' \
// RUN:   --arg zeros:4xf32 --arg zeros:4xf32 --expect 0='[3,1,-7,-2]:f32' --expect 1='[5,4,9,-2]:f32' \
// RUN:   --expect 3='[5,1,9,-2]:f32' --expect 4='[5,1,9,-2]:f32'
// RUN: xpu-run %s --kernel f64 --target cpu --groups 1 --arg '[5,1,9,-2]:f64' --arg '[5,1,9,-2]:f64' --arg '[3,4,-7,-2]:f64' \
// RUN:   --arg zeros:4xf64 --arg zeros:4xf64 --expect 0='[3,1,-7,-2]:f64' --expect 1='[5,4,9,-2]:f64' \
// RUN:   --expect 3='[5,1,9,-2]:f64' --expect 4='[5,1,9,-2]:f64'
// RUN: xpu-run %s --kernel f16 --target cpu --groups 1 --arg '[5,1,9,-2]:f16' --arg '[5,1,9,-2]:f16' --arg '[3,4,-7,-2]:f16' \
// RUN:   --arg zeros:4xf16 --arg zeros:4xf16 --expect 0='[3,1,-7,-2]:f16' --expect 1='[5,4,9,-2]:f16' \
// RUN:   --expect 3='[5,1,9,-2]:f16' --expect 4='[5,1,9,-2]:f16'
// RUN: xpu-run %s --kernel bf16 --target cpu --groups 1 --arg '[5,1,9,-2]:bf16' --arg '[5,1,9,-2]:bf16' --arg '[3,4,-7,-2]:bf16' \
// RUN:   --arg zeros:4xbf16 --arg zeros:4xbf16 --expect 0='[3,1,-7,-2]:bf16' --expect 1='[5,4,9,-2]:bf16' \
// RUN:   --expect 3='[5,1,9,-2]:bf16' --expect 4='[5,1,9,-2]:bf16'
// RUN: xpu-run %s --kernel i32 --target cpu --groups 1 --arg '[5,1,9,-2]:i32' --arg '[5,1,9,-2]:i32' --arg '[3,4,-7,-2]:i32' \
// RUN:   --arg zeros:4xi32 --arg zeros:4xi32 --expect 0='[3,1,-7,-2]:i32' --expect 1='[5,4,9,-2]:i32' \
// RUN:   --expect 3='[5,1,9,-2]:i32' --expect 4='[5,1,9,-2]:i32'
// RUN: xpu-run %s --kernel i8 --target cpu --groups 1 --arg '[5,1,9,-2]:i8' --arg '[5,1,9,-2]:i8' --arg '[3,4,-7,-2]:i8' \
// RUN:   --arg zeros:4xi8 --arg zeros:4xi8 --expect 0='[3,1,-7,-2]:i8' --expect 1='[5,4,9,-2]:i8' \
// RUN:   --expect 3='[5,1,9,-2]:i8' --expect 4='[5,1,9,-2]:i8'
// RUN: xpu-compile %s --target nvptx:sm_90 --emit asm -o - | FileCheck %s

// The instruction gives the old value, and so does the swap of the repair.
// CHECK-LABEL: .entry f32(
// CHECK: atom.global.min.s32 [[OLD:%r[0-9]+]],
// CHECK: atom.global.max.u32 [[OLD]],
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK: atom.global.max.s32 [[OLD2:%r[0-9]+]],
// CHECK: atom.global.min.u32 [[OLD2]],
// CHECK: ret;
xpu.kernel @f32(%a: memref<4xf32>, %b: memref<4xf32>, %v: memref<4xf32>, %o: memref<4xf32>, %q: memref<4xf32>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %v[%l] : memref<4xf32>
  %0 = xpu.atomic_rmw fmin %x, %a[%l] ordering(relaxed) scope(device) : memref<4xf32>
  memref.store %0, %o[%l] : memref<4xf32>
  %1 = xpu.atomic_rmw fmax %x, %b[%l] ordering(relaxed) scope(device) : memref<4xf32>
  memref.store %1, %q[%l] : memref<4xf32>
  xpu.return
}

xpu.kernel @f64(%a: memref<4xf64>, %b: memref<4xf64>, %v: memref<4xf64>, %o: memref<4xf64>, %q: memref<4xf64>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %v[%l] : memref<4xf64>
  %0 = xpu.atomic_rmw fmin %x, %a[%l] ordering(relaxed) scope(device) : memref<4xf64>
  memref.store %0, %o[%l] : memref<4xf64>
  %1 = xpu.atomic_rmw fmax %x, %b[%l] ordering(relaxed) scope(device) : memref<4xf64>
  memref.store %1, %q[%l] : memref<4xf64>
  xpu.return
}

xpu.kernel @f16(%a: memref<4xf16>, %b: memref<4xf16>, %v: memref<4xf16>, %o: memref<4xf16>, %q: memref<4xf16>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %v[%l] : memref<4xf16>
  %0 = xpu.atomic_rmw fmin %x, %a[%l] ordering(relaxed) scope(device) : memref<4xf16>
  memref.store %0, %o[%l] : memref<4xf16>
  %1 = xpu.atomic_rmw fmax %x, %b[%l] ordering(relaxed) scope(device) : memref<4xf16>
  memref.store %1, %q[%l] : memref<4xf16>
  xpu.return
}

xpu.kernel @bf16(%a: memref<4xbf16>, %b: memref<4xbf16>, %v: memref<4xbf16>, %o: memref<4xbf16>, %q: memref<4xbf16>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %v[%l] : memref<4xbf16>
  %0 = xpu.atomic_rmw fmin %x, %a[%l] ordering(relaxed) scope(device) : memref<4xbf16>
  memref.store %0, %o[%l] : memref<4xbf16>
  %1 = xpu.atomic_rmw fmax %x, %b[%l] ordering(relaxed) scope(device) : memref<4xbf16>
  memref.store %1, %q[%l] : memref<4xbf16>
  xpu.return
}

xpu.kernel @i32(%a: memref<4xi32>, %b: memref<4xi32>, %v: memref<4xi32>, %o: memref<4xi32>, %q: memref<4xi32>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %v[%l] : memref<4xi32>
  %0 = xpu.atomic_rmw smin %x, %a[%l] ordering(relaxed) scope(device) : memref<4xi32>
  memref.store %0, %o[%l] : memref<4xi32>
  %1 = xpu.atomic_rmw smax %x, %b[%l] ordering(relaxed) scope(device) : memref<4xi32>
  memref.store %1, %q[%l] : memref<4xi32>
  xpu.return
}

xpu.kernel @i8(%a: memref<4xi8>, %b: memref<4xi8>, %v: memref<4xi8>, %o: memref<4xi8>, %q: memref<4xi8>) workgroup_size(4, 1, 1) {
  %l = xpu.local_id x
  %x = memref.load %v[%l] : memref<4xi8>
  %0 = xpu.atomic_rmw smin %x, %a[%l] ordering(relaxed) scope(device) : memref<4xi8>
  memref.store %0, %o[%l] : memref<4xi8>
  %1 = xpu.atomic_rmw smax %x, %b[%l] ordering(relaxed) scope(device) : memref<4xi8>
  memref.store %1, %q[%l] : memref<4xi8>
  xpu.return
}
