// A14: without workgroup memory, orderings name buffers alone: 0x4042, 0x2044, 0x6048.

// RUN: xpu-compile %s --target vulkan:1.1 --emit asm | FileCheck %s

// CHECK:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_0 %uint_1
// CHECK:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_16450 %uint_1
// CHECK:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_8260 %uint_1
// CHECK:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_24648 %uint_1
// CHECK:      OpAtomicLoad %uint %{{[^ ]+}} %uint_1 %uint_16450
// CHECK:      OpAtomicStore %{{[^ ]+}} %uint_1 %uint_8260 %{{[0-9]+}}
// A comparison that fails never releases: Unequal is acquire, or 0.
// CHECK:      OpAtomicCompareExchange %uint %{{[^ ]+}} %uint_1 %uint_24648 %uint_16450 %{{[^ ]+}} %{{[^ ]+}}
// CHECK:      OpAtomicCompareExchange %uint %{{[^ ]+}} %uint_1 %uint_8260 %uint_0 %{{[^ ]+}} %{{[^ ]+}}
// CHECK:      OpAtomicCompareExchange %uint %{{[^ ]+}} %uint_1 %uint_24648 %uint_0 %{{[^ ]+}} %{{[^ ]+}}
// CHECK:      OpMemoryBarrier %uint_1 %uint_8260
// CHECK:      OpMemoryBarrier %uint_1 %uint_16450
xpu.kernel @buffers(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(relaxed) scope(device) : memref<1xi32>
  %1 = xpu.atomic_rmw add %one, %p[%c0] ordering(acquire) scope(device) : memref<1xi32>
  %2 = xpu.atomic_rmw add %one, %p[%c0] ordering(release) scope(device) : memref<1xi32>
  %3 = xpu.atomic_rmw add %one, %p[%c0] ordering(acq_rel) scope(device) : memref<1xi32>
  %4 = xpu.atomic_load %p[%c0] ordering(acquire) scope(device) : memref<1xi32>
  xpu.atomic_store %4, %p[%c0] ordering(release) scope(device) : memref<1xi32>
  %5 = xpu.cas %0, %1, %p[%c0] ordering(acq_rel) scope(device) : memref<1xi32>
  %6 = xpu.cas %0, %1, %p[%c0] ordering(release) scope(device) : memref<1xi32>
  %7 = xpu.cas %0, %1, %p[%c0] ordering(acq_rel) failure(relaxed) scope(device) : memref<1xi32>
  xpu.fence ordering(release) scope(device)
  xpu.fence ordering(acquire) scope(device)
  xpu.return
}
