// A17: of the operations in a module, only the one that is sequentially consistent is diagnosed, and
// the bit for it, 0x10, is in no constant.

// RUN: xpu-compile %s --target vulkan:1.2 --emit asm 2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --implicit-check-not=warning: <%t.said
// RUN: not xpu-compile %s --target vulkan:1.2 --strict --emit asm 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRICT --implicit-check-not=error:
// RUN: xpu-compile %s --target vulkan:1.2 --emit asm --manifest %t.json 2>/dev/null | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST <%t.json

func.func @f(%order: index, %p: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  scf.index_switch %order
  case 0 {
    %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(relaxed) scope(device) : memref<1xi32>
    scf.yield
  }
  case 1 {
    %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(acquire) scope(device) : memref<1xi32>
    scf.yield
  }
  case 2 {
    %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(release) scope(device) : memref<1xi32>
    scf.yield
  }
  default {
    %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(acq_rel) scope(device) : memref<1xi32>
    scf.yield
  }
  return
}

// CHECK:      %k1 = OpFunction
// CHECK:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_24648 %uint_1
xpu.kernel @k1(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %acq_rel = arith.constant 3 : index
  func.call @f(%acq_rel, %p) : (index, memref<1xi32>) -> ()
  xpu.return
}

// CHECK:      %k2 = OpFunction
// CHECK:      OpAtomicIAdd %uint %{{[^ ]+}} %uint_1 %uint_24648 %uint_1
// CHECK:      OpFunctionEnd
// SAID:       A17.mlir:[[#@LINE+11]]:{{[0-9]+}}: warning: {{.*}}'seq_cst'{{.*}}'acq_rel'{{.*}}vulkan
// STRICT:     A17.mlir:[[#@LINE+10]]:{{[0-9]+}}: error: {{.*}}'seq_cst'{{.*}}'acq_rel'{{.*}}vulkan
// MANIFEST:      "weakenings": [
// MANIFEST:        "location": "{{.*}}A17.mlir:[[#@LINE+8]]:{{[0-9]+}}",
// MANIFEST-NEXT:   "op": "xpu.atomic_rmw",
// MANIFEST-NEXT:   "asked": "seq_cst",
// MANIFEST-NEXT:   "given": "acq_rel",
// MANIFEST-NEXT:   "lost":
xpu.kernel @k2(%p: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = xpu.atomic_rmw add %one, %p[%c0] ordering(seq_cst) scope(device) : memref<1xi32>
  xpu.return
}
