// The argument language from the outside: every way to write an argument, every type, printed, saved and compared.
//
// Ways to make a buffer. A kernel that does nothing leaves them as they were.
// DEFINE: %{arguments} =
// DEFINE: %{print} = xpu-run %s --target cpu --groups 1 %{arguments} --print 0 | FileCheck %s --match-full-lines --check-prefix

// REDEFINE: %{arguments} = --kernel i32 --arg zeros:3xi32
// RUN: %{print}=ZEROS
// ZEROS: 0: [0, 0, 0]
// REDEFINE: %{arguments} = --kernel i32 --arg 'fill(-7):2xi32'
// RUN: %{print}=FILL
// FILL: 0: [-7, -7]
// REDEFINE: %{arguments} = --kernel i32 --arg iota:5xi32
// RUN: %{print}=IOTA
// IOTA: 0: [0, 1, 2, 3, 4]
// REDEFINE: %{arguments} = --kernel i32 --arg '[1, -2 ,0xff]:i32'
// RUN: %{print}=LIST
// LIST: 0: [1, -2, 255]
// REDEFINE: %{arguments} = --kernel i32 --arg '[]:i32'
// RUN: %{print}=EMPTY
// EMPTY: 0: []
// REDEFINE: %{arguments} = --kernel i32 --arg 'random(1):3xi32'
// RUN: %{print}=RANDOM
// REDEFINE: %{arguments} = --kernel i32 --arg 'random(0x1):3xi32'
// RUN: %{print}=RANDOM
// RANDOM: 0: [-1996333887, 1703865447, {{-?[0-9]+}}]

// A file holds what was saved, raw and little-endian.
// RUN: xpu-run %s --kernel i32 --target cpu --groups 1 --arg '[1,-2,258]:i32' --save 0=%t.bin
// RUN: od -An -tx1 %t.bin | FileCheck %s --check-prefix=BYTES
// BYTES: 01 00 00 00 fe ff ff ff 02 01 00 00
// RUN: xpu-run %s --kernel i32 --target cpu --groups 1 --arg @%t.bin:i32 --expect 0='[1,-2,258]:i32'
// RUN: xpu-run %s --kernel i8 --target cpu --groups 1 --arg @%t.bin:12xi8 --expect 0='[1,0,0,0,-2,-1,-1,-1,2,1,0,0]:i8'
// RUN: xpu-run %s --kernel i32 --target cpu --groups 1 --arg '[3,2,1]:i32' --expect 0='[3,2,1]:i32' --save 0=%t.1.bin --save 0=%t.2.bin
// RUN: cmp %t.1.bin %t.2.bin

// Shapes: flat for any, any for flat.
// RUN: xpu-run %s --kernel table --target cpu --groups 1 --arg zeros:4x8xi32 --expect 0=fill(32):4x8xi32
// RUN: xpu-run %s --kernel table --target cpu --groups 1 --arg zeros:32xi32 --expect 0=fill(32):32xi32
// RUN: xpu-run %s --kernel table --target cpu --groups 1 --arg '[1,2,3,4,5,6,7,8]:1x8xi32' --expect 0=fill(8):8xi32
// RUN: xpu-run %s --kernel i32 --target cpu --groups 1 --arg iota:2x3xi32 --expect 0=iota:6xi32
// RUN: xpu-run %s --kernel fixed --target cpu --groups 1 --arg iota:6xi32 --expect 0=iota:2x3xi32

// Types, and how each is printed: as many digits as identify the value.
// REDEFINE: %{arguments} = --kernel i1 --arg '[0,1,true,false]:i1'
// RUN: %{print}=I1
// I1: 0: [0, 1, 1, 0]
// REDEFINE: %{arguments} = --kernel i8 --arg '[127,128,-1,255]:i8'
// RUN: %{print}=I8
// I8: 0: [127, -128, -1, -1]
// REDEFINE: %{arguments} = --kernel i16 --arg '[32767,0x8000,65535]:i16'
// RUN: %{print}=I16
// I16: 0: [32767, -32768, -1]
// REDEFINE: %{arguments} = --kernel i32 --arg '[2147483647,4294967295]:i32'
// RUN: %{print}=I32
// I32: 0: [2147483647, -1]
// REDEFINE: %{arguments} = --kernel i64 --arg '[9223372036854775807,18446744073709551615]:i64'
// RUN: %{print}=I64
// I64: 0: [9223372036854775807, -1]
// REDEFINE: %{arguments} = --kernel index --arg '[0,1,9223372036854775807]:index'
// RUN: %{print}=INDEX
// INDEX: 0: [0, 1, 9223372036854775807]
// The sign may be that of the text, or of the kernel's type where the text has none.
// REDEFINE: %{arguments} = --kernel i8 --arg '[255,1]:ui8'
// RUN: %{print}=UI8
// UI8: 0: [255, 1]
// REDEFINE: %{arguments} = --kernel i16 --arg '[-1,1]:ui16'
// RUN: %{print}=UI16
// UI16: 0: [65535, 1]
// REDEFINE: %{arguments} = --kernel ui32 --arg '[-1]:i32'
// RUN: %{print}=UI32
// UI32: 0: [4294967295]
// REDEFINE: %{arguments} = --kernel ui32 --arg '[-1]:si32'
// RUN: %{print}=SI32
// SI32: 0: [-1]
// REDEFINE: %{arguments} = --kernel i64 --arg '[-1]:ui64'
// RUN: %{print}=UI64
// UI64: 0: [18446744073709551615]
// REDEFINE: %{arguments} = --kernel f16 --arg '[0.1,65504,-0.0,6e-8,nan,-nan,inf,-inf,0x3c00]:f16'
// RUN: %{print}=F16
// F16: 0: [0.1, 65504.0, -0.0, 6e-8, nan, -nan, inf, -inf, 1.0]
// REDEFINE: %{arguments} = --kernel bf16 --arg '[0.1,3.39e38,-0.0,1e-40,nan,-nan,inf,-inf,0x3f80]:bf16'
// RUN: %{print}=BF16
// BF16: 0: [0.1, 3.39e38, -0.0, {{1e-40|9e-41}}, nan, -nan, inf, -inf, 1.0]
// REDEFINE: %{arguments} = --kernel f32 --arg '[0.1,3.4028235e38,-0.0,1e-45,nan,0xffc00001,inf,-inf,16777217]:f32'
// RUN: %{print}=F32
// F32: 0: [0.1, 3.4028235e38, -0.0, 1e-45, nan, -nan, inf, -inf, 16777216.0]
// REDEFINE: %{arguments} = --kernel f64 --arg '[0.1,1.7976931348623157e308,-0.0,5e-324,nan,-inf,1e22,-2.5]:f64'
// RUN: %{print}=F64
// F64: 0: [0.1, 1.7976931348623157e308, -0.0, 5e-324, nan, -inf, 1e22, -2.5]

// iota wraps at the width, and floats are the nearest value.
// REDEFINE: %{arguments} = --kernel i1 --arg iota:4xi1
// RUN: %{print}=IOTA1
// IOTA1: 0: [0, 1, 0, 1]
// REDEFINE: %{arguments} = --kernel i8 --arg iota:300xi8
// RUN: %{print}=IOTA8
// IOTA8: 0: [0, 1, {{.*}}, 126, 127, -128, -127, {{.*}}, -2, -1, 0, 1, {{.*}}, 42, 43]
// REDEFINE: %{arguments} = --kernel bf16 --arg iota:3xbf16
// RUN: %{print}=IOTABF
// IOTABF: 0: [0.0, 1.0, 2.0]

// Scalars are printed too; they are what they were.
// RUN: xpu-run %s --kernel scalars --target cpu --groups 1 --arg 0x7f:i8 --arg -2.5:f32 --arg 7:index --arg 1:i1 --print 0 --print 2 \
// RUN:   --print 1 --print 3 --expect 1=-2.5:f32 | FileCheck %s --check-prefix=SCALARS
// SCALARS: 0: 127
// SCALARS-NEXT: 2: 7
// SCALARS-NEXT: 1: -2.5
// SCALARS-NEXT: 3: 1

// Any NaN equals any NaN; zeros of different signs are different.
// RUN: xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[0x7fc00000,-0.0]:f32' --expect 0='[0xff800001,-0.0]:f32'
// RUN: not xpu-run %s --kernel f32 --target cpu --groups 1 --arg '[-0.0]:f32' --expect 0='[0.0]:f32'

// Each launch starts from the arguments as they were given.
// RUN: xpu-run %s --kernel count --target cpu --groups 4 --repeat 3 --arg zeros:1xi32 --expect 0='[4]:i32' --time \
// RUN:   | FileCheck %s --check-prefix=TIME
// TIME: time: min {{[0-9.]+(ns|µs|ms|s)}}, median {{[0-9.]+(ns|µs|ms|s)}}, 3 launches
// RUN: xpu-run %s --kernel count --target cpu --threads 0 --time --arg zeros:1xi32 | FileCheck %s --check-prefix=NOTHING
// NOTHING: time: nothing was launched

// From standard input, and bytecode.
// RUN: xpu-run - --kernel count --target cpu --groups 4 --arg zeros:1xi32 --expect 0='[4]:i32' < %s
// RUN: xpu-opt %s --emit-bytecode -o %t.mlirbc
// RUN: xpu-run %t.mlirbc --kernel count --target cpu --groups 4 --arg zeros:1xi32 --expect 0='[4]:i32'

// --strict has nothing to say about the CPU.
// RUN: xpu-run %s --kernel count --target cpu --strict --groups 4 --arg zeros:1xi32 --expect 0='[4]:i32'

// RUN: xpu-run --help | FileCheck %s --check-prefix=HELP
// HELP: Compile a kernel and launch it
// HELP: --kernel <K>
// HELP: random(SEED)
// RUN: xpu-run --version | FileCheck %s --check-prefix=VERSION
// VERSION: xpu-run {{[0-9]+\.[0-9]+\.[0-9]+}}

xpu.kernel @i1(%m: memref<?xi1>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @i8(%m: memref<?xi8>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @i16(%m: memref<?xi16>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @i32(%m: memref<?xi32>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @i64(%m: memref<?xi64>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @index(%m: memref<?xindex>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @ui32(%m: memref<?xui32>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @f16(%m: memref<?xf16>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @bf16(%m: memref<?xbf16>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @f32(%m: memref<?xf32>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @f64(%m: memref<?xf64>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @fixed(%m: memref<2x3xi32>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @scalars(%a: i8, %b: f32, %c: index, %d: i1) workgroup_size(1, 1, 1) { xpu.return }

// Fills the table with the number of its elements.
xpu.kernel @table(%m: memref<?x8xi32>) workgroup_size(8, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %l = xpu.local_id x
  %rows = memref.dim %m, %c0 : memref<?x8xi32>
  %count = arith.muli %rows, %c8 : index
  %v = arith.index_cast %count : index to i32
  scf.for %row = %c0 to %rows step %c1 {
    memref.store %v, %m[%row, %l] : memref<?x8xi32>
  }
  xpu.return
}

xpu.kernel @count(%m: memref<1xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %old = xpu.atomic_rmw add %one, %m[%c0] : memref<1xi32>
  xpu.return
}
