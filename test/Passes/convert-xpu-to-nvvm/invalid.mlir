// RUN: xpu-opt %s --convert-xpu-to-nvvm -verify-diagnostics -split-input-file

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @f(%m: memref<?xi32>, %i: index, %v: i32) {
    // expected-error @below {{has no scope; run 'xpu-assign-scope' first}}
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32>
    return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @f(%m: memref<?xi32>, %i: index, %v: i32) {
    // expected-error @below {{has no ordering; run 'xpu-assign-ordering' first}}
    %0 = xpu.atomic_rmw add %v, %m[%i] scope(device) : memref<?xi32>
    return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @f(%m: memref<?xi32>, %i: index, %v: i32) {
    // expected-error @below {{has no failure ordering; run 'xpu-assign-ordering' first}}
    %0 = xpu.cas %v, %v, %m[%i] ordering(acquire) scope(device) : memref<?xi32>
    return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  func.func @f(%m: memref<?xbf16>, %i: index, %v: bf16) {
    // expected-error @below {{has no instruction for 'fadd' on nvptx:sm_80; run 'xpu-expand-atomics' first}}
    %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xbf16>
    return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @f(%v: i32) {
    // expected-error @below {{has no lowering; run 'xpu-resolve-signedness' first}}
    %0 = xpu.sign_cast %v : i32 to ui32
    return
  }
}

// -----

// expected-error @below {{has no target; attach one with 'nvvm-attach-target'}}
gpu.module @m {
}

// -----

// expected-error @below {{PTX memory model}}
gpu.module @m [#nvvm.target<chip = "sm_60">] {
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  // expected-error @below {{has the name 'a.b', but PTX names take letters, digits, '_' and '$'}}
  gpu.func @a.b() kernel {
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  // expected-error @below {{is no kernel, and nothing can call it}}
  gpu.func @k() {
    gpu.return
  }
}

// -----

// Private memory that a choice hides.

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%q: memref<4xi32>, %i: index, %b: i1, %v: i32) kernel {
    %m = memref.alloca() : memref<4xi32>
    // expected-note @below {{here such memory of the same type is handed on}}
    %s = arith.select %b, %m, %q : memref<4xi32>
    // expected-error @below {{may be on private or workgroup memory, but only a buffer can be told from its type; use the 'memref.alloca' itself, or give the memref its memory space}}
    %0 = xpu.atomic_rmw add %v, %s[%i] ordering(relaxed) scope(device) : memref<4xi32>
    gpu.return
  }
}

// -----

// A call.

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @bump(%m: memref<4xi32>, %i: index, %v: i32) {
    // expected-error @below {{may be on private or workgroup memory}}
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<4xi32>
    return
  }
  gpu.func @k(%i: index, %v: i32) kernel {
    %m = memref.alloca() : memref<4xi32>
    // expected-note @below {{here such memory of the same type is handed on}}
    func.call @bump(%m, %i, %v) : (memref<4xi32>, index, i32) -> ()
    gpu.return
  }
}

// -----

// A view of what a call handed on, behind a loop.

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @bump(%m: memref<?xi32>, %i: index, %v: i32) {
    // expected-error @below {{may be on private or workgroup memory}}
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    return
  }
  gpu.func @k(%q: memref<4xi32>, %i: index, %v: i32) kernel {
    %m = memref.alloca() : memref<4xi32>
    %r = scf.for %k = %i to %i step %i iter_args(%x = %q) -> memref<4xi32> {
      scf.yield %m : memref<4xi32>
    }
    %c = memref.cast %r : memref<4xi32> to memref<?xi32>
    // expected-note @below {{here such memory of the same type is handed on}}
    func.call @bump(%c, %i, %v) : (memref<?xi32>, index, i32) -> ()
    gpu.return
  }
}

// -----

// Workgroup memory that a cast hides.

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%i: index, %v: i32) workgroup(%s: memref<4xi32, #gpu.address_space<workgroup>>) kernel {
    // expected-note @below {{the cast}}
    %g = memref.memory_space_cast %s : memref<4xi32, #gpu.address_space<workgroup>> to memref<4xi32>
    %w = memref.subview %g[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
    // expected-error @below {{is on memory whose memory space a cast hides, so that no instruction can name it; use the memref before the cast}}
    %0 = xpu.atomic_rmw add %v, %w[%i] ordering(relaxed) scope(device) : memref<2xi32, strided<[1]>>
    gpu.return
  }
}

// -----

// Nothing is hidden here: the private memory is of another type, or used where it is.

gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @read(%m: memref<8xi32>, %i: index) -> i32 {
    %0 = memref.load %m[%i] : memref<8xi32>
    return %0 : i32
  }
  gpu.func @k(%p: memref<4xi32>, %q: memref<4xi32>, %i: index, %b: i1) kernel {
    %m = memref.alloca() : memref<8xi32>
    %v = func.call @read(%m, %i) : (memref<8xi32>, index) -> i32
    %s = arith.select %b, %p, %q : memref<4xi32>
    %0 = xpu.atomic_rmw add %v, %s[%i] ordering(relaxed) scope(device) : memref<4xi32>
    gpu.return
  }
}
