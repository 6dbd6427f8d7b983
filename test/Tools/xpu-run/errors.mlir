// Exit status: 1 the input or a check is wrong, 2 usage, 3 no device or no memory. Never a signal.
//
// DEFINE: %{arguments} =
// DEFINE: %{file} = %s
// DEFINE: %{run} = sh -c 'xpu-run %{file} %{arguments}; echo status $?' 2>&1 | FileCheck %s --check-prefix

// Checks that do not hold: the first element that differs, how many do, in which launch.
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg "[1,2,3,4]:i32" --expect "0=[1,5,3,6]:i32"
// RUN: %{run}=EXPECT
// EXPECT: error: argument 0: element 1 is 2, expected 5; 2 of 4 elements differ
// EXPECT: status 1
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg zeros:4xi32 --expect zero=zeros:4xi32
// RUN: %{run}=EXPECTTEXT
// EXPECTTEXT: the number of an argument comes first
// EXPECTTEXT: status 2
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg zeros:4xi32 --expect 0=zeros:5xi32
// RUN: %{run}=EXPECTSIZE
// EXPECTSIZE: error: argument 0 {{.*}}5
// EXPECTSIZE: status 1
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg zeros:4xi32 --expect 1=zeros:4xi32
// RUN: %{run}=EXPECTINDEX
// EXPECTINDEX: error: --expect 1: there is no such argument, the last is 0
// EXPECTINDEX: status 2
// What is to be printed and saved is printed and saved all the same.
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg "[1,2]:i32" --print 0 --expect 0=zeros:2xi32 --repeat 3
// RUN: %{run}=PRINTED
// PRINTED-DAG: 0: [1, 2]
// PRINTED-DAG: error: argument 0 (launch 1 of 3): element 0 is 1, expected 0; 2 of 2 elements differ
// PRINTED: status 1

// The kernel.
// REDEFINE: %{arguments} = --kernel nobody --target cpu --groups 1
// RUN: %{run}=KERNEL
// KERNEL: error: there is no kernel "nobody": the kernels here: "k", "scalars", "fixed", "two"
// KERNEL: status 1
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1
// RUN: %{run}=COUNT
// COUNT: error: kernel "k" takes 1 argument, not 0: (memref<?xi32>)
// COUNT: status 1
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg zeros:1xi32 --arg 5:i32
// RUN: %{run}=MANY
// MANY: error: kernel "k" takes 1 argument, not 2: (memref<?xi32>)
// MANY: status 1
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg zeros:4xf32
// RUN: %{run}=ELEMENT
// ELEMENT: error: argument 0 of kernel "k": memref<?xi32> does not take elements of type f32
// ELEMENT: status 1
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg 4:i32
// RUN: %{run}=SCALAR
// SCALAR: error: argument 0 of kernel "k": memref<?xi32> is wanted, not the scalar 4:i32
// SCALAR: status 1
// REDEFINE: %{arguments} = --kernel scalars --target cpu --groups 1 --arg zeros:1xi32 --arg 1:f32
// RUN: %{run}=BUFFER
// BUFFER: error: argument 0 of kernel "scalars": i32 is wanted, not a buffer: a scalar is 7:i32
// BUFFER: status 1
// REDEFINE: %{arguments} = --kernel scalars --target cpu --groups 1 --arg 1:i64 --arg 1:f32
// RUN: %{run}=WIDTH
// WIDTH: error: argument 0 of kernel "scalars": i32 is wanted, not 1:i64
// WIDTH: status 1
// REDEFINE: %{arguments} = --kernel fixed --target cpu --groups 1 --arg zeros:5xi32
// RUN: %{run}=STATIC
// STATIC: error: argument 0 of kernel "fixed": memref<4xi32> takes exactly 4 elements, not 5xi32
// STATIC: status 1
// REDEFINE: %{arguments} = --kernel two --target cpu --groups 1 --arg zeros:6xi32
// RUN: %{run}=OPEN
// OPEN: error: argument 0 of kernel "two": memref<?x?xi32> has 2 dynamic extents: write the shape, like zeros:2x3xi32
// OPEN: status 1
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --workgroup-size 2 --arg zeros:4xi32
// RUN: %{run}=GROUP
// GROUP: error: kernel "k" has work-groups of 1,1,1 and cannot be launched with others: leave --workgroup-size out
// GROUP: status 1

// Text that is not in the language.
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg 17
// RUN: %{run}=TYPE
// TYPE: error: argument 0 "17": has no type
// TYPE: status 2
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg zeros:4xi33
// RUN: %{run}=UNKNOWN
// UNKNOWN: error: argument 0 "zeros:4xi33": unknown element type "i33": one of i1 i8
// UNKNOWN: status 2
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg "[1,256]:i8"
// RUN: %{run}=RANGE
// RANGE: error: argument 0 "[1,256]:i8": element 1: 256 does not fit i8: -128 to 255
// RANGE: status 2

// The command line.
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --no-such-option
// RUN: %{run}=OPTION
// OPTION: error: unexpected argument '--no-such-option' found
// OPTION: status 2
// REDEFINE: %{arguments} = --kernel k --target cpu --arg zeros:1xi32
// RUN: %{run}=NOSIZE
// NOSIZE: --threads <N>|--groups <X[,Y[,Z]]>
// NOSIZE: status 2
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --threads 1 --arg zeros:1xi32
// RUN: %{run}=TWOSIZES
// TWOSIZES: cannot be used with
// TWOSIZES: status 2
// REDEFINE: %{arguments} = --kernel k --target tpu --groups 1
// RUN: %{run}=TARGET
// TARGET: error: invalid value 'tpu' for '--target <T>'
// TARGET: status 2
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1,2,3,4 --arg zeros:1xi32
// RUN: %{run}=EXTENTS
// EXTENTS: more than three numbers: X, X,Y or X,Y,Z
// EXTENTS: status 2
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --repeat 0 --arg zeros:1xi32
// RUN: %{run}=REPEAT
// REPEAT: error: invalid value '0' for '--repeat <N>'
// REPEAT: status 2
// REDEFINE: %{arguments} = --kernel k --target cpu --threads 999999999999999999 --arg zeros:1xi32
// RUN: %{run}=LAUNCH
// LAUNCH: work-items are too many: at most 2^48 work-items in all
// LAUNCH: status 2
// RUN: env XPU_CPU_THREADS=none sh -c 'xpu-run %s --kernel k --target cpu --groups 1 --arg zeros:1xi32; echo status $?' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VARIABLE
// VARIABLE: error: XPU_CPU_THREADS is "none": it takes
// VARIABLE: status 2

// Memory and devices.
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg zeros:99999999999999xi32
// RUN: %{run}=MEMORY
// MEMORY: error: out of memory: argument 0 "zeros:99999999999999xi32"
// MEMORY: status 3
// REDEFINE: %{arguments} = --kernel k --target cpu --device 1 --groups 1 --arg zeros:1xi32
// RUN: %{run}=DEVICE
// DEVICE: error: there is no cpu device 1: there is 0 (
// DEVICE: status 3
// REDEFINE: %{arguments} = --kernel k --target vulkan --device 99 --groups 1 --arg zeros:1xi32
// RUN: %{run}=AWAY
// REDEFINE: %{arguments} = --kernel k --target cuda --device 99 --groups 1 --arg zeros:1xi32
// RUN: %{run}=AWAY
// REDEFINE: %{arguments} = --kernel k --target amdgpu:gfx1100 --device 99 --groups 1 --arg zeros:1xi32
// RUN: %{run}=AWAY
// AWAY: error: {{.*(device|driver|XPU_AMDGPU_EMULATOR)}}
// AWAY: status 3

// Files.
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg @no-such-file.bin:i32
// RUN: %{run}=DATA
// DATA: error: cannot read no-such-file.bin: No such file or directory
// DATA: status 1
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg zeros:1xi32 --save 0=/no/such/folder/file.bin
// RUN: %{run}=SAVE
// SAVE: error: cannot write /no/such/folder/file.bin: No such file or directory
// SAVE: status 1
// RUN: printf 1234567 > %t.bin
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1 --arg @%t.bin:i32
// RUN: %{run}=ODD
// ODD: holds 7 bytes, which is no whole number of 4-byte i32 elements
// ODD: status 1

// The source.
// REDEFINE: %{arguments} = --kernel k --target cpu --groups 1
// REDEFINE: %{file} = no-such-file.mlir
// RUN: %{run}=SOURCE
// SOURCE: error: cannot read no-such-file.mlir: No such file or directory
// SOURCE: status 1
// RUN: echo 'xpu.kernel @k(' > %t.mlir
// REDEFINE: %{file} = %t.mlir
// RUN: %{run}=SYNTAX
// SYNTAX: errors.mlir.tmp.mlir:1:15: error: expected
// SYNTAX: status 1
// RUN: echo 'xpu.kernel @k() workgroup_size(2048, 1, 1) { xpu.return }' > %t.mlir
// RUN: %{run}=VERIFIER
// VERIFIER: errors.mlir.tmp.mlir:1:1: error: 'xpu.kernel' op
// VERIFIER: status 1
// RUN: sh -c 'yes "module {" | head -n 3000' > %t.mlir
// RUN: %{run}=DEEP
// DEEP: errors.mlir.tmp.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}nest
// DEEP: status 1
// RUN: echo > %t.mlir
// RUN: %{run}=NOTHING
// NOTHING: error: there is no kernel "k", nor any other
// NOTHING: status 1
// RUN: printf '\377\376\000\001module' > %t.mlir
// RUN: %{run}=NOISE
// NOISE: error:
// NOISE: status 1

xpu.kernel @k(%m: memref<?xi32>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @scalars(%a: i32, %b: f32) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @fixed(%m: memref<4xi32>) workgroup_size(1, 1, 1) { xpu.return }
xpu.kernel @two(%m: memref<?x?xi32>) workgroup_size(1, 1, 1) { xpu.return }
