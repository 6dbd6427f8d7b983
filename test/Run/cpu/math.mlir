// Mathematics in kernels, for each float type: as LLVM's intrinsics, or in the C library, or refused at the op.
//
// Arguments for which the results are exact.
// RUN: sed s/TYPE/f16/g %s | xpu-run - --kernel exact --target cpu --groups 1 --arg zeros:40xf16 --print 0 | FileCheck %s
// RUN: sed s/TYPE/bf16/g %s | xpu-run - --kernel exact --target cpu --groups 1 --arg zeros:40xbf16 --print 0 | FileCheck %s
// RUN: sed s/TYPE/f32/g %s | xpu-run - --kernel exact --target cpu --groups 1 --arg zeros:40xf32 --print 0 | FileCheck %s
// RUN: sed s/TYPE/f64/g %s | xpu-run - --kernel exact --target cpu --groups 1 --arg zeros:40xf64 --print 0 | FileCheck %s
// CHECK: 0: [2.5, -3.0, -2.0, -2.0, 3.0, 2.0, 1.5, 1.0, 8.0, 0.0, 3.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0,
// CHECK-SAME: 1.0, 0.0, 0.0, 1024.0, 10.0, -2.5, 0.5, 0.25, 2.0, 1.0, 0.0, 1.0, 0.0]
//
// Others, to as many digits as every library has right.
// RUN: sed s/TYPE/f32/g %s | xpu-run - --kernel inexact --target cpu --groups 2 --arg '[0.5]:f32' --arg zeros:21xf32 --print 1 \
// RUN:   | FileCheck %s --check-prefix=INEXACT
// RUN: sed s/TYPE/f64/g %s | xpu-run - --kernel inexact --target cpu --groups 2 --arg '[0.5]:f64' --arg zeros:21xf64 --print 1 \
// RUN:   | FileCheck %s --check-prefix=INEXACT
// INEXACT: 1: [1.648{{[0-9]*}}, -0.6931{{[0-9]*}}, 0.4794{{[0-9]*}}, 0.8775{{[0-9]*}}, 0.5463{{[0-9]*}}, 0.4621{{[0-9]*}}, 0.5204{{[0-9]*}},
// INEXACT-SAME: 0.4795{{[0-9]*}}, 1.0471{{[0-9]*}}, 0.5235{{[0-9]*}}, 0.4636{{[0-9]*}}, 0.4812{{[0-9]*}}, 0.5493{{[0-9]*}}, 0.9624{{[0-9]*}},
// INEXACT-SAME: 0.5210{{[0-9]*}}, 1.1276{{[0-9]*}}, 0.7937{{[0-9]*}}, 1.4142{{[0-9]*}}, 0.4054{{[0-9]*}}, 0.6487{{[0-9]*}}, -0.301{{[0-9]*}}]
//
// RUN: sed s/TYPE/f32/g %s | xpu-run - --kernel integers --target cpu --groups 1 --arg '[-8,3]:i32' --arg zeros:6xi32 \
// RUN:   --expect 1='[8,0,3,30,-512,1]:i32'
//
// A value next to 0, at which log(1 + x) would have lost everything.
// RUN: sed s/TYPE/f64/g %s | xpu-run - --kernel tiny --target cpu --groups 1 --arg '[1e-20]:f64' --expect 0='[1e-20]:f64'

xpu.kernel @exact(%out: memref<40xTYPE>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : TYPE
  %one = arith.constant 1.0 : TYPE
  %two = arith.constant 2.0 : TYPE
  %three = arith.constant 3.0 : TYPE
  %a = arith.constant -2.5 : TYPE
  %b = arith.constant 2.25 : TYPE
  %eight = arith.constant 8.0 : TYPE
  %hundred = arith.constant 100.0 : TYPE
  %cube = arith.constant -1.0 : TYPE
  %ten = arith.constant 10.0 : TYPE
  %ten_i = arith.constant 10 : i32
  %quarter = arith.constant 0.25 : TYPE
  %four = arith.constant 4.0 : TYPE
  %nan = arith.divf %zero, %zero : TYPE
  %0 = math.absf %a : TYPE
  %1 = math.floor %a : TYPE
  %2 = math.ceil %a : TYPE
  %3 = math.trunc %a : TYPE
  %neg = arith.negf %a : TYPE
  %4 = math.round %neg : TYPE
  %5 = math.roundeven %neg : TYPE
  %6 = math.sqrt %b : TYPE
  %7 = math.exp %zero : TYPE
  %8 = math.exp2 %three : TYPE
  %9 = math.log %one : TYPE
  %10 = math.log2 %eight : TYPE
  %11 = math.log10 %hundred : TYPE
  %12 = math.log1p %zero : TYPE
  %13 = math.sin %zero : TYPE
  %14 = math.cos %zero : TYPE
  %15 = math.tan %zero : TYPE
  %16 = math.asin %zero : TYPE
  %17 = math.acos %one : TYPE
  %18 = math.atan %zero : TYPE
  %19 = math.sinh %zero : TYPE
  %20 = math.cosh %zero : TYPE
  %21 = math.tanh %zero : TYPE
  %22 = math.asinh %zero : TYPE
  %23 = math.acosh %one : TYPE
  %24 = math.atanh %zero : TYPE
  %25 = math.cbrt %cube : TYPE
  %26 = math.erf %zero : TYPE
  %27 = math.erfc %zero : TYPE
  %28 = math.expm1 %zero : TYPE
  %29 = math.atan2 %zero, %one : TYPE
  %30 = math.powf %two, %ten : TYPE
  %31 = math.fma %two, %three, %four : TYPE
  %32 = math.copysign %neg, %a : TYPE
  %33 = math.rsqrt %four : TYPE
  %minus_two = arith.constant -2 : i32
  %34 = math.fpowi %two, %minus_two : TYPE, i32
  %35 = math.clampf %eight to [%one, %two] : TYPE
  %is_nan = math.isnan %nan : TYPE
  %36 = arith.uitofp %is_nan : i1 to TYPE
  %one_is = math.isnan %one : TYPE
  %37 = arith.uitofp %one_is : i1 to TYPE
  %finite = math.isfinite %one : TYPE
  %38 = arith.uitofp %finite : i1 to TYPE
  %sin, %cos = math.sincos %zero : TYPE
  %39 = arith.addf %sin, %zero : TYPE
  func.call @store20(%out, %c0, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19)
      : (memref<40xTYPE>, index, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE,
         TYPE, TYPE, TYPE) -> ()
  %c20 = arith.constant 20 : index
  func.call @store20(%out, %c20, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39)
      : (memref<40xTYPE>, index, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE,
         TYPE, TYPE, TYPE) -> ()
  xpu.return
}

func.func @store20(%out: memref<40xTYPE>, %at: index, %0: TYPE, %1: TYPE, %2: TYPE, %3: TYPE, %4: TYPE, %5: TYPE, %6: TYPE, %7: TYPE,
    %8: TYPE, %9: TYPE, %10: TYPE, %11: TYPE, %12: TYPE, %13: TYPE, %14: TYPE, %15: TYPE, %16: TYPE, %17: TYPE, %18: TYPE, %19: TYPE) {
  %v = vector.from_elements %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19 : vector<20xTYPE>
  vector.store %v, %out[%at] : memref<40xTYPE>, vector<20xTYPE>
  return
}

// Both groups compute all; the argument comes from memory, so that the compiler does not know it.
xpu.kernel @inexact(%in: memref<1xTYPE>, %out: memref<21xTYPE>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : TYPE
  %x = memref.load %in[%c0] : memref<1xTYPE>
  %more = arith.addf %x, %one : TYPE
  %0 = math.exp %x : TYPE
  %1 = math.log %x : TYPE
  %2 = math.sin %x : TYPE
  %3 = math.cos %x : TYPE
  %4 = math.tan %x : TYPE
  %5 = math.tanh %x : TYPE
  %6 = math.erf %x : TYPE
  %7 = math.erfc %x : TYPE
  %8 = math.acos %x : TYPE
  %9 = math.asin %x : TYPE
  %10 = math.atan %x : TYPE
  %11 = math.asinh %x : TYPE
  %12 = math.atanh %x : TYPE
  %13 = math.acosh %more : TYPE
  %14 = math.sinh %x : TYPE
  %15 = math.cosh %x : TYPE
  %16 = math.cbrt %x : TYPE
  %17 = math.rsqrt %x : TYPE
  %18 = math.log1p %x : TYPE
  %19 = math.expm1 %x : TYPE
  %20 = math.log10 %x : TYPE
  %v = vector.from_elements %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20
      : vector<21xTYPE>
  vector.store %v, %out[%c0] : memref<21xTYPE>, vector<21xTYPE>
  xpu.return
}

// |-8|; zeros before and after -8, before 3; (-8)^3; ones in 1.
xpu.kernel @integers(%in: memref<2xi32>, %out: memref<6xi32>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %in[%c0] : memref<2xi32>
  %y = memref.load %in[%c1] : memref<2xi32>
  %0 = math.absi %x : i32
  %1 = math.ctlz %x : i32
  %2 = math.cttz %x : i32
  %3 = math.ctlz %y : i32
  %4 = math.ipowi %x, %y : i32
  %one = arith.constant 1 : i32
  %5 = math.ctpop %one : i32
  %v = vector.from_elements %0, %1, %2, %3, %4, %5 : vector<6xi32>
  vector.store %v, %out[%c0] : memref<6xi32>, vector<6xi32>
  xpu.return
}

xpu.kernel @tiny(%m: memref<1xTYPE>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<1xTYPE>
  %r = math.log1p %x : TYPE
  memref.store %r, %m[%c0] : memref<1xTYPE>
  xpu.return
}
