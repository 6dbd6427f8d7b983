// RUN: xpu-opt %s -verify-diagnostics -split-input-file

//===----------------------------------------------------------------------===//
// xpu.kernel
//===----------------------------------------------------------------------===//

// expected-error @below {{a kernel has no results; store them in a memref argument}}
xpu.kernel @result() -> i32 workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op a kernel has no results; store them in a memref argument}}
"xpu.kernel"() <{function_type = () -> i32, sym_name = "k", workgroup_size = array<i32: 1, 1, 1>}> ({
  "xpu.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{expected 'workgroup_size' after the arguments of a kernel}}
xpu.kernel @no_size() {
  xpu.return
}

// -----

// expected-error @below {{expected ','}}
xpu.kernel @two_numbers() workgroup_size(1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op workgroup_size expects 3 numbers, but has 2}}
"xpu.kernel"() <{function_type = () -> (), sym_name = "k", workgroup_size = array<i32: 1, 1>}> ({
  "xpu.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{'xpu.kernel' op workgroup_size must be between 1 and 1024 in each dimension, but one is 0}}
xpu.kernel @zero() workgroup_size(1, 0, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op workgroup_size must be between 1 and 1024 in each dimension, but one is -1}}
xpu.kernel @negative() workgroup_size(-1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op workgroup_size must be between 1 and 1024 in each dimension, but one is 2048}}
xpu.kernel @one_too_large() workgroup_size(2048, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op workgroup_size asks for 2048 work-items, but a workgroup has at most 1024}}
xpu.kernel @product_too_large() workgroup_size(32, 32, 2) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op expects a body}}
"xpu.kernel"() <{function_type = () -> (), sym_name = "k", workgroup_size = array<i32: 1, 1, 1>}> ({}) : () -> ()

// -----

// expected-error @below {{'xpu.kernel' op argument #1 has type 'vector<4xf32>', but a kernel takes ranked memrefs, pointers, integers of 1 to 64 bits, f16, bf16, f32, f64 and index}}
xpu.kernel @vector(%a: i32, %b: vector<4xf32>) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #0 has type 'i128', but a kernel takes}}
xpu.kernel @wide(%a: i128) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #0 has type 'f80', but a kernel takes}}
xpu.kernel @extended(%a: f80) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #0 has type 'memref<*xi32>', but a kernel takes ranked memrefs}}
xpu.kernel @unranked(%a: memref<*xi32>) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #0 has type 'memref<?xi32, #gpu.address_space<workgroup>>', but a buffer is in global memory; use 'xpu.shared' for workgroup memory}}
xpu.kernel @shared(%a: memref<?xi32, #gpu.address_space<workgroup>>) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #0 has type 'memref<?xi32, 5 : i32>', but a buffer is in global memory}}
xpu.kernel @private(%a: memref<?xi32, 5 : i32>) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #0 has elements of type 'vector<4xf32>', but a buffer holds integers of 1 to 64 bits, f16, bf16, f32, f64 or index}}
xpu.kernel @elements(%a: memref<?xvector<4xf32>>) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #0 has type 'memref<16xi32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>', whose layout is not strided}}
xpu.kernel @layout(%a: memref<16xi32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op entry block must have 1 arguments to match function signature}}
"xpu.kernel"() <{function_type = (i32) -> (), sym_name = "k", workgroup_size = array<i32: 1, 1, 1>}> ({
  "xpu.return"() : () -> ()
}) : () -> ()

// -----

func.func @return() {
  // expected-error @below {{'xpu.return' op expects parent op 'xpu.kernel'}}
  xpu.return
}

// -----

func.func @captured(%v: i32) {
  builtin.module {
    // expected-note @below {{required by region isolation constraints}}
    xpu.kernel @k(%m: memref<i32>) workgroup_size(1, 1, 1) {
      // expected-error @below {{'xpu.atomic_store' op using value defined outside the region}}
      xpu.atomic_store %v, %m[] : memref<i32>
      xpu.return
    }
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// expected-error @below {{'xpu.kernel' op 'xpu.denormals' must be #xpu.denormals<flush> or #xpu.denormals<keep>}}
xpu.kernel @denormals() workgroup_size(1, 1, 1) attributes {xpu.denormals = "drop"} {
  xpu.return
}

// -----

// expected-error @below {{'func.func' op 'xpu.denormals' belongs on a kernel ('xpu.kernel' or 'gpu.func')}}
func.func private @denormals() attributes {xpu.denormals = #xpu.denormals<flush>}

// -----

// expected-error @below {{'gpu.module' op 'xpu.vulkan_features' must be an array of strings}}
gpu.module @features attributes {xpu.vulkan_features = "shader_int64"} {}

// -----

// expected-error @below {{'gpu.module' op 'xpu.vulkan_features' must be an array of strings}}
gpu.module @features attributes {xpu.vulkan_features = [1]} {}

// -----

// expected-error @below {{'func.func' op 'xpu.vulkan_features' belongs on a 'gpu.module'}}
func.func private @features() attributes {xpu.vulkan_features = ["shader_int64"]}

// -----

// expected-error @below {{'gpu.module' op 'xpu.cpu_target' is a unit attribute of a 'gpu.module'}}
gpu.module @cpu attributes {xpu.cpu_target = 1} {}

// -----

// expected-error @below {{'func.func' op 'xpu.cpu_target' is a unit attribute of a 'gpu.module'}}
func.func private @cpu() attributes {xpu.cpu_target}

// -----

// expected-error @below {{'func.func' op 'xpu.cpu_entry' must be a dictionary}}
func.func private @entry() attributes {xpu.cpu_entry}

// -----

// expected-error @below {{'func.func' op has unknown attribute 'xpu.note'; the dialect's attributes are 'xpu.denormals', 'xpu.memory' and 'xpu.vulkan_features'}}
func.func private @unknown() attributes {xpu.note}

// -----

// expected-error @below {{'xpu.kernel' op argument #0 has unknown attribute 'xpu.note'; 'xpu.memory' is known}}
xpu.kernel @unknown(%m: memref<?xi32> {xpu.note}) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #1: 'xpu.memory' must be #xpu.memory<device_local> or #xpu.memory<host_visible>}}
xpu.kernel @memory(%n: i32, %m: memref<?xi32> {xpu.memory = "host_visible"}) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{'xpu.kernel' op argument #0: 'xpu.memory' belongs on a memref}}
xpu.kernel @memory(%n: i32 {xpu.memory = #xpu.memory<host_visible>}) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

// expected-error @below {{to be one of: device_local, host_visible}}
// expected-error @below {{failed to parse Xpu_MemoryAttr parameter 'value'}}
xpu.kernel @memory(%m: memref<?xi32> {xpu.memory = #xpu.memory<remote>}) workgroup_size(1, 1, 1) {
  xpu.return
}

// -----

//===----------------------------------------------------------------------===//
// What only a kernel has
//===----------------------------------------------------------------------===//

func.func @id() {
  // expected-error @below {{'xpu.global_id' op may stand only inside 'xpu.kernel' or 'gpu.func', but is in 'func.func'; pass its result as an argument, or move it to the kernel}}
  %0 = xpu.global_id x
  return
}

// -----

func.func @local_id() {
  // expected-error @below {{'xpu.local_id' op may stand only inside 'xpu.kernel' or 'gpu.func'}}
  %0 = xpu.local_id x
  return
}

// -----

func.func @group_id() {
  // expected-error @below {{'xpu.group_id' op may stand only inside 'xpu.kernel' or 'gpu.func'}}
  %0 = xpu.group_id x
  return
}

// -----

func.func @group_count() {
  // expected-error @below {{'xpu.group_count' op may stand only inside 'xpu.kernel' or 'gpu.func'}}
  %0 = xpu.group_count x
  return
}

// -----

func.func @workgroup_size() {
  // expected-error @below {{'xpu.workgroup_size' op may stand only inside 'xpu.kernel' or 'gpu.func'}}
  %0 = xpu.workgroup_size x
  return
}

// -----

// expected-error @below {{'xpu.global_id' op may stand only inside 'xpu.kernel' or 'gpu.func'}}
%0 = xpu.global_id x

// -----

func.func @barrier() {
  // expected-error @below {{'xpu.barrier' op may stand only inside 'xpu.kernel' or 'gpu.func', but is in 'func.func'; move it to the kernel}}
  xpu.barrier
  return
}

// -----

// expected-error @below {{'xpu.barrier' op may stand only inside 'xpu.kernel' or 'gpu.func'}}
xpu.barrier

// -----

func.func @shared() {
  // expected-error @below {{'xpu.shared' op may stand only inside 'xpu.kernel' or 'gpu.func', but is in 'func.func'}}
  %0 = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

//===----------------------------------------------------------------------===//
// xpu.shared
//===----------------------------------------------------------------------===//

xpu.kernel @nested(%c: i1) workgroup_size(1, 1, 1) {
  scf.if %c {
    // expected-error @below {{'xpu.shared' op expects to stand in the entry block of the kernel, since there is one instance for each workgroup}}
    %0 = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>
  }
  xpu.return
}

// -----

xpu.kernel @later_block() workgroup_size(1, 1, 1) {
  cf.br ^bb1
^bb1:
  // expected-error @below {{'xpu.shared' op expects to stand in the entry block of the kernel}}
  %0 = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>
  xpu.return
}

// -----

xpu.kernel @global() workgroup_size(1, 1, 1) {
  // expected-error @below {{'xpu.shared' op expects the workgroup's memory space, such as #gpu.address_space<workgroup>, but has 'memref<4xi32>'}}
  %0 = xpu.shared : memref<4xi32>
  xpu.return
}

// -----

xpu.kernel @private() workgroup_size(1, 1, 1) {
  // expected-error @below {{'xpu.shared' op expects the workgroup's memory space, such as #gpu.address_space<workgroup>, but has 'memref<4xi32, #gpu.address_space<private>>'}}
  %0 = xpu.shared : memref<4xi32, #gpu.address_space<private>>
  xpu.return
}

// -----

xpu.kernel @dynamic() workgroup_size(1, 1, 1) {
  // expected-error @below {{'xpu.shared' op result #0 must be statically shaped memref of any type values, but got 'memref<?xi32, 3>'}}
  %0 = xpu.shared : memref<?xi32, 3>
  xpu.return
}

// -----

xpu.kernel @strided() workgroup_size(1, 1, 1) {
  // expected-error @below {{'xpu.shared' op expects the identity layout, but has 'memref<4xi32, strided<[2]>, 3>'}}
  %0 = xpu.shared : memref<4xi32, strided<[2]>, 3>
  xpu.return
}

// -----

xpu.kernel @vectors() workgroup_size(1, 1, 1) {
  // expected-error @below {{'xpu.shared' op expects integer, index or float elements, but has 'memref<4xvector<4xf32>, 3>'}}
  %0 = xpu.shared : memref<4xvector<4xf32>, 3>
  xpu.return
}

// -----

//===----------------------------------------------------------------------===//
// xpu.reinterpret
//===----------------------------------------------------------------------===//

func.func @elements(%m: memref<?xindex>) {
  // expected-error @below {{'xpu.reinterpret' op expects integer or float elements, but has 'memref<?xindex>'}}
  %0 = xpu.reinterpret %m : memref<?xindex> to memref<?xi64>
  return
}

// -----

func.func @bits(%m: memref<?xi1>) {
  // expected-error @below {{'xpu.reinterpret' op expects elements of whole bytes, but has 'memref<?xi1>'}}
  %0 = xpu.reinterpret %m : memref<?xi1> to memref<?xi32>
  return
}

// -----

func.func @to_bits(%m: memref<?xi32>) {
  // expected-error @below {{'xpu.reinterpret' op expects elements of whole bytes, but has 'memref<?xi12>'}}
  %0 = xpu.reinterpret %m : memref<?xi32> to memref<?xi12>
  return
}

// -----

func.func @layout(%m: memref<?xi32, strided<[?], offset: ?>>) {
  // expected-error @below {{'xpu.reinterpret' op expects the identity layout, but has 'memref<?xi32, strided<[?], offset: ?>>'}}
  %0 = xpu.reinterpret %m : memref<?xi32, strided<[?], offset: ?>> to memref<?xf32>
  return
}

// -----

func.func @space(%m: memref<?xi32, 3>) {
  // expected-error @below {{'xpu.reinterpret' op expects one memory space, but goes from 'memref<?xi32, 3>' to 'memref<?xf32>'}}
  %0 = xpu.reinterpret %m : memref<?xi32, 3> to memref<?xf32>
  return
}

// -----

func.func @rank(%m: memref<4x?xi32>) {
  // expected-error @below {{'xpu.reinterpret' op expects one rank, but goes from 'memref<4x?xi32>' to 'memref<?xi32>'}}
  %0 = xpu.reinterpret %m : memref<4x?xi32> to memref<?xi32>
  return
}

// -----

func.func @rank_zero(%m: memref<i32>) {
  // expected-error @below {{'xpu.reinterpret' op operand #0 must be non-0-ranked.memref of any type values or !llvm.ptr or !ptr.ptr, but got 'memref<i32>'}}
  %0 = xpu.reinterpret %m : memref<i32> to memref<f32>
  return
}

// -----

func.func @dimension(%m: memref<4x?xi32>) {
  // expected-error @below {{'xpu.reinterpret' op may change only the last dimension, but goes from 'memref<4x?xi32>' to 'memref<8x?xi16>'}}
  %0 = xpu.reinterpret %m : memref<4x?xi32> to memref<8x?xi16>
  return
}

// -----

func.func @static(%m: memref<?xi32>) {
  // expected-error @below {{'xpu.reinterpret' op expects the last dimension static in both types or in neither, but goes from 'memref<?xi32>' to 'memref<4xf32>'}}
  %0 = xpu.reinterpret %m : memref<?xi32> to memref<4xf32>
  return
}

// -----

func.func @count(%m: memref<5xi8>) {
  // expected-error @below {{'xpu.reinterpret' op expects 2 elements in the last dimension of 'memref<1xi32>', which is what 'memref<5xi8>' holds}}
  %0 = xpu.reinterpret %m : memref<5xi8> to memref<1xi32>
  return
}

// -----

func.func @huge(%m: memref<4611686018427387904xi64>) {
  // expected-error @below {{'xpu.reinterpret' op expects rows of fewer than 2^63 bits, but has 'memref<4611686018427387904xi64>'}}
  %0 = xpu.reinterpret %m : memref<4611686018427387904xi64> to memref<0xi8>
  return
}

// -----

func.func @rows(%m: memref<4x6xi8>) {
  // expected-error @below {{'xpu.reinterpret' op cannot widen the elements of rows whose length is not a known multiple of the wider element}}
  %0 = xpu.reinterpret %m : memref<4x6xi8> to memref<4x2xi32>
  return
}

// -----

func.func @dynamic_rows(%m: memref<4x?xi8>) {
  // expected-error @below {{'xpu.reinterpret' op cannot widen the elements of rows whose length is not a known multiple of the wider element}}
  %0 = xpu.reinterpret %m : memref<4x?xi8> to memref<4x?xi32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// xpu.sign_cast
//===----------------------------------------------------------------------===//

func.func @width(%v: i32) {
  // expected-error @below {{'xpu.sign_cast' op expects one width, but goes from 'i32' to 'ui64'}}
  %0 = xpu.sign_cast %v : i32 to ui64
  return
}

// -----

func.func @not_integer(%v: index) {
  // expected-error @below {{expected builtin.integer, but found 'index'}}
  %0 = xpu.sign_cast %v : index to ui64
  return
}
