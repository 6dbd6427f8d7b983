// RUN: xpu-opt %s --convert-xpu-to-spirv -verify-diagnostics -split-input-file

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi32>, %i: index, %v: i32) kernel {
    // expected-error @below {{has no scope; run 'xpu-assign-scope' first}}
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xf32>, %i: index, %v: f32) kernel {
    // expected-error @below {{has no instruction on target 'vulkan:1.3'; run 'xpu-expand-atomics' first}}
    %0 = xpu.atomic_rmw fadd %v, %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%a: memref<?xi32>, %b: memref<?xi32>, %c: i1, %i: index, %v: i32) kernel {
    %m = arith.select %c, %a, %b : memref<?xi32>
    // expected-error @below {{accesses a memref that comes from arith.select; on Vulkan the buffer of each access must be known when the kernel is compiled, so choose between values or indices, not between memrefs}}
    memref.store %v, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%a: memref<?xi32>, %b: memref<?xi32>, %c: i1, %i: index, %v: i32) kernel {
    %m = scf.if %c -> memref<?xi32> {
      scf.yield %a : memref<?xi32>
    } else {
      scf.yield %b : memref<?xi32>
    }
    // expected-error @below {{accesses a memref that comes from scf.if}}
    %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    gpu.return
  }
}

// -----

// A pointer to one type never becomes one to another: workgroup memory has one type.

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["+shader_int64", "+shader_shared_int64_atomics"]} {
  gpu.func @k(%i: index, %v: i64, %w: i32) workgroup(%s: memref<4xi64, #gpu.address_space<workgroup>>) kernel {
    %words = xpu.reinterpret %s : memref<4xi64, #gpu.address_space<workgroup>> to memref<8xi32, #gpu.address_space<workgroup>>
    memref.store %w, %words[%i] : memref<8xi32, #gpu.address_space<workgroup>>
    // expected-error @below {{is atomic on 64 bits of workgroup memory that is also accessed with other widths; Vulkan declares it with one type, so put what is accessed in two ways into two buffers}}
    %0 = xpu.atomic_rmw add %v, %s[%i] ordering(relaxed) scope(workgroup) : memref<4xi64, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  // expected-error @below {{has an argument of type 'memref<?xi128>', which a kernel for Vulkan cannot have}}
  gpu.func @k(%m: memref<?xi128>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  // expected-error @below {{has an argument of type 'vector<4xf32>', which a kernel for Vulkan cannot have}}
  gpu.func @k(%m: vector<4xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%n: index, %v: i32) kernel {
    // expected-error @below {{allocates 'memref<?xi32>', but memory in a kernel for Vulkan has a known size; make its extents constants}}
    %m = memref.alloca(%n) : memref<?xi32>
    memref.store %v, %m[%n] : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%n: index) kernel {
    // expected-error @below {{allocates memory while a kernel runs, which Vulkan does not have}}
    %m = memref.alloc(%n) : memref<?xi32>
    memref.dealloc %m : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  memref.global constant @table : memref<2xi32> = dense<[1, 2]>
  gpu.func @k(%i: index, %out: memref<?xi32>) kernel {
    // expected-error @below {{names memory outside of the kernel, which Vulkan does not have; make it an argument}}
    %m = memref.get_global @table : memref<2xi32>
    %v = memref.load %m[%i] : memref<2xi32>
    memref.store %v, %out[%i] : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%m: memref<?xi64>, %i: index) kernel {
    // expected-error @below {{has a value of type 'i64', which target 'vulkan:1.3' does not have; add '+shader_int64' where the device has it}}
    %v = arith.index_cast %i : index to i64
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%n: i32) kernel {
    // expected-error @below {{has no lowering for Vulkan}}
    gpu.printf "%d", %n : i32
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%v: i32, %m: memref<?xi32>) kernel {
    %i = gpu.thread_id x
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    // expected-error @below {{has no lowering for Vulkan}}
    %o, %is_there = gpu.shuffle xor %v, %one, %width : i32
    memref.store %o, %m[%i] : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  func.func @even(%n: i32) {
    func.call @odd(%n) : (i32) -> ()
    return
  }
  func.func @odd(%n: i32) {
    // expected-error @below {{calls a function that calls itself, which Vulkan does not have; write a loop}}
    func.call @even(%n) : (i32) -> ()
    return
  }
  gpu.func @k(%n: i32) kernel {
    func.call @odd(%n) : (i32) -> ()
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  func.func private @elsewhere(i32)
  gpu.func @k(%n: i32) kernel {
    // expected-error @below {{calls a function that has no body; Vulkan has no linker}}
    func.call @elsewhere(%n) : (i32) -> ()
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%x: f32, %m: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    // expected-error @below {{has a value of type 'vector<8xf32>', which Vulkan does not have; use vectors of at most 4 elements}}
    %v = vector.broadcast %x : f32 to vector<8xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>]
    attributes {xpu.vulkan_features = ["+shader_float64"]} {
  gpu.func @k(%x: f64, %m: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    // expected-error @below {{on f64 has no lowering for Vulkan; compute in f32}}
    %s = math.sin %x : f64
    // expected-error @below {{on f64 needs 64-bit integers, which target}}
    %l = arith.minimumf %s, %x : f64
    memref.store %l, %m[%i] : memref<?xf64>
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  // expected-error @below {{has an argument of type '!llvm.ptr<1>', which a kernel for Vulkan cannot have: Logical SPIR-V has no pointers of a program's own; use a memref}}
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m [#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @k(%word: i64, %v: i32) kernel {
    %p = llvm.inttoptr %word : i64 to !llvm.ptr
    // expected-error @below {{'xpu.atomic_store' op uses a pointer of type '!llvm.ptr', which a kernel for Vulkan cannot have: Logical SPIR-V has no pointers of a program's own; use a memref}}
    xpu.atomic_store %v, %p ordering(relaxed) scope(device) : !llvm.ptr, i32
    gpu.return
  }
}
