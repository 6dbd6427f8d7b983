// What became of atomics through pointers: where the pointer leads is said, generic where that is not known.

// RUN: cd %S && xpu-compile explain-pointers.mlir --target nvptx:sm_90 --explain | FileCheck %s
// RUN: cd %S && not xpu-compile explain-pointers.mlir --target nvptx:sm_90 --forbid cas-loop --emit asm -o - 2>&1 | FileCheck %s --check-prefix=FORBID
// RUN: cd %S && xpu-compile explain-pointers.mlir --target amdgpu:gfx1100 --emit asm -o /dev/null --manifest %t.json
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file %t.json

// MANIFEST: "pointer": {
// MANIFEST-NEXT: "address_space": 1,
// MANIFEST-NEXT: "memory": "host_visible",
// MANIFEST-NEXT: "relies_on_device_local": false
// MANIFEST: "pointer": {
// MANIFEST-NEXT: "address_space": 0,
// MANIFEST-NEXT: "memory": "unspecified",
// MANIFEST-NEXT: "relies_on_device_local": true

xpu.kernel @k(%p: !llvm.ptr<1> {xpu.memory = #xpu.memory<host_visible>}, %q: !llvm.ptr, %v: i32, %x: f32)
    workgroup_size(64, 1, 1) {
  // CHECK:      explain-pointers.mlir:[[#@LINE+8]]:{{[0-9]+}}: xpu.atomic_rmw xor on i32 in global memory (in k)
  // CHECK-NEXT:   scope:    device (from the memory)
  // CHECK-NEXT:   ordering: relaxed (explicit)
  // CHECK-NEXT:   strategy: native
  // CHECK-NEXT:   cost:     native
  // CHECK-NEXT:   memory:   host_visible, promised by the argument
  // CHECK-NEXT:   instructions:
  // CHECK-NEXT:     red.relaxed.gpu.global.xor.b32
  %0 = xpu.atomic_rmw xor %v, %p ordering(relaxed) : !llvm.ptr<1>, i32

  // CHECK:      explain-pointers.mlir:[[#@LINE+9]]:{{[0-9]+}}: xpu.atomic_rmw xor on i32 in generic memory (in k)
  // CHECK-NEXT:   scope:    device (from the memory)
  // CHECK-NEXT:   ordering: release (explicit)
  // CHECK-NEXT:   strategy: native
  // CHECK-NEXT:   cost:     native
  // CHECK-NEXT:   memory:   device_local, promised by the scope
  // CHECK-NEXT:   instructions:
  // CHECK-NEXT:     red.release.gpu.xor.b32
  // FORBID-NOT: 'xor'
  %1 = xpu.atomic_rmw xor %v, %q ordering(release) : !llvm.ptr, i32

  // CHECK:      explain-pointers.mlir:[[#@LINE+5]]:{{[0-9]+}}: xpu.atomic_rmw fadd on f32 in generic memory (in k)
  // CHECK-NEXT:   scope:    system (explicit)
  // CHECK-NEXT:   ordering: relaxed (explicit)
  // CHECK-NEXT:   strategy: guarded (a CAS loop where the instruction would not be exact)
  // FORBID: explain-pointers.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'xpu.atomic_rmw' op 'fadd' on 'f32' in generic memory becomes a CAS loop on {{.*}} for some operands on target 'nvptx:sm_90', and CAS loops are forbidden; it is one instruction with 'denormals(flush)'
  %2 = xpu.atomic_rmw fadd %x, %q ordering(relaxed) scope(system) : !llvm.ptr, f32
  xpu.return
}
