// Memory that may be the host's is never promised to be the device's, through choices, regions, blocks, loops and calls as well; and the
// manifest names just the arguments that code relies on.

// RUN: xpu-compile %s --target amdgpu:gfx1100 --emit llvm -o - --manifest %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file %t.json

func.func private @callee(%m: memref<?xi32>, %i: index, %v: i32) {
  %0 = xpu.atomic_rmw xor %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return
}
func.func private @of_device(%m: memref<?xi32>, %i: index, %v: i32) {
  %0 = xpu.atomic_rmw xor %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  return
}

// LLVM has put both functions into the kernel.
// CHECK-LABEL: define {{.*}}@calls(
// CHECK-NOT:   amdgpu.no
// CHECK:       cmpxchg
// CHECK-NOT:   amdgpu.no
// CHECK:       cmpxchg
// CHECK:       atomicrmw xor {{.*}}!amdgpu.no.fine.grained.memory
xpu.kernel @calls(%h: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>}, %d: memref<?xi32>, %other: memref<?xi32>, %v: i32) workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  func.call @callee(%d, %i, %v) : (memref<?xi32>, index, i32) -> ()
  func.call @callee(%h, %i, %v) : (memref<?xi32>, index, i32) -> ()
  func.call @of_device(%d, %i, %v) : (memref<?xi32>, index, i32) -> ()
  xpu.return
}

// CHECK-LABEL: define {{.*}}@chooses(
// CHECK-NOT:   amdgpu.no
// CHECK:       cmpxchg
// CHECK:       atomicrmw and {{.*}}!amdgpu.no.fine.grained.memory
xpu.kernel @chooses(%h: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>}, %d: memref<?xi32>, %e: memref<?xi32>, %other: memref<?xi32>, %c: i1, %v: i32) workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  %x = arith.select %c, %d, %h : memref<?xi32>
  %0 = xpu.atomic_rmw xor %v, %x[%i] ordering(relaxed) scope(device) : memref<?xi32>
  %y = arith.select %c, %d, %e : memref<?xi32>
  %1 = xpu.atomic_rmw and %v, %y[%i] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.return
}

// CHECK-LABEL: define {{.*}}@branches(
// CHECK-NOT:   amdgpu.no
// CHECK:       cmpxchg
xpu.kernel @branches(%h: memref<?xf32> {xpu.memory = #xpu.memory<host_visible>}, %d: memref<?xf32>, %c: i1, %v: f32) workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  %x = scf.if %c -> memref<?xf32> {
    scf.yield %d : memref<?xf32>
  } else {
    scf.yield %h : memref<?xf32>
  }
  %0 = xpu.atomic_rmw fmin %v, %x[%i] ordering(relaxed) scope(device) : memref<?xf32>
  xpu.return
}

// CHECK-LABEL: define {{.*}}@swaps(
// CHECK-NOT:   amdgpu.no
// CHECK:       cmpxchg
xpu.kernel @swaps(%h: memref<?xi64> {xpu.memory = #xpu.memory<host_visible>}, %d: memref<?xi64>, %n: index, %v: i64) workgroup_size(64, 1, 1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x:2 = scf.for %k = %zero to %n step %one iter_args(%p = %d, %q = %h) -> (memref<?xi64>, memref<?xi64>) {
    %0 = xpu.atomic_rmw smax %v, %p[%k] ordering(relaxed) scope(device) : memref<?xi64>
    scf.yield %q, %p : memref<?xi64>, memref<?xi64>
  }
  xpu.return
}

// A device's memory stays that at the system's scope, whichever of them it is.
// CHECK-LABEL: define {{.*}}@both(
// CHECK:       atomicrmw xor {{.*}}!amdgpu.no.fine.grained.memory
xpu.kernel @both(%d: memref<?xi32> {xpu.memory = #xpu.memory<device_local>}, %e: memref<?xi32> {xpu.memory = #xpu.memory<device_local>}, %c: i1, %v: i32) workgroup_size(64, 1, 1) {
  %i = xpu.local_id x
  %x = arith.select %c, %d, %e : memref<?xi32>
  %0 = xpu.atomic_rmw xor %v, %x[%i] ordering(relaxed) scope(system) : memref<?xi32>
  xpu.return
}

// MANIFEST:      "name": "calls"
// MANIFEST:      "relies_on_device_local": false
// MANIFEST:      "relies_on_device_local": true
// MANIFEST:      "relies_on_device_local": false
// MANIFEST:      "name": "chooses"
// MANIFEST:      "relies_on_device_local": false
// MANIFEST:      "relies_on_device_local": true
// MANIFEST:      "relies_on_device_local": true
// MANIFEST:      "relies_on_device_local": false
// MANIFEST:      "name": "branches"
// MANIFEST-NOT:  "relies_on_device_local": true
// MANIFEST:      "name": "both"
// MANIFEST:      "relies_on_device_local": true
// MANIFEST:      "relies_on_device_local": true
