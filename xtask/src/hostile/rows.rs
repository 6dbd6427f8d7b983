//! Hostile input written down: rows of wrong bodies and wrong files, by category.
//!
//! A file may start with `// run: THREADS [ARGUMENT]...`, which says how the kernel `k` is
//! launched.

use crate::hostile::Maker::{Bodies, Files};
use crate::hostile::Verdict::{Everywhere, Free, Launch, Lowering, Nowhere};
use crate::hostile::{Category, Made, Verdict};

/// What must become of it, and the text.
pub(crate) type Row = (Verdict, &'static str);

/// A whole file.
pub(crate) fn file(row: &Row) -> Made {
    let made = Made::new(row.0, row.1);
    let launch = row
        .1
        .strip_prefix("// run: ")
        .and_then(|rest| rest.lines().next());
    let words: Vec<_> = launch.unwrap_or("1").split(' ').collect();
    let threads = words[0]
        .parse()
        .expect("a `// run:` line starts with a number");
    made.threads(threads).arguments(&words[1..])
}

/// The body of a kernel over a buffer of integers and one of floats.
pub(crate) fn body(row: &Row) -> Made {
    let text = format!(
        "xpu.kernel @k(%m: memref<?xi32>, %g: memref<?xf32>) workgroup_size(4, 1, 1) {{\n  \
         %c = arith.constant 1 : i32\n  \
         %f = arith.constant 1.0 : f32\n  \
         %z = arith.constant 0 : index\n  \
         {}\n  \
         xpu.return\n}}\n",
        row.1.replace('\n', "\n  ")
    );
    Made::new(row.0, text).arguments(&["zeros:16xi32", "zeros:16xf32"])
}

#[rustfmt::skip] // one row a line
pub(crate) const CATEGORIES: &[Category] = &[
    Category { name: "odd but right", maker: Bodies(&[
        (Nowhere, "%o = xpu.atomic_rmw add %c, %m[%z] ordering(relaxed) scope(device) : memref<?xi32>"),
        (Nowhere, "%o = xpu.atomic_rmw add %c, %m[%z] scope(device) ordering(relaxed) : memref<?xi32>"),
        (Nowhere, "%o = xpu.atomic_rmw fadd %f, %g[%z] fastmath<reassoc> denormals(flush) scope(system) ordering(seq_cst) : memref<?xf32>"),
        (Nowhere, "%o = xpu.cas %c, %c, %m[%z] failure(acquire) : memref<?xi32>"),
        (Nowhere, "xpu.fence ordering(seq_cst)\nxpu.barrier\nxpu.barrier"),
        (Nowhere, ""),
    ]) },
    Category { name: "no arguments", maker: Files(&[
        (Nowhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 zeros:4xi32\nxpu.kernel @k() workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "xpu.kernel @k(%m: memref<?xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "group size zero", maker: Files(&[
        (Everywhere, "xpu.kernel @k() workgroup_size(0, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 0) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(0, 0, 0) {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "group size over 1024", maker: Files(&[
        (Lowering, "xpu.kernel @k() workgroup_size(1025, 1, 1) {\n  xpu.return\n}\n"),
        (Lowering, "xpu.kernel @k() workgroup_size(64, 64, 64) {\n  xpu.return\n}\n"),
        (Lowering, "xpu.kernel @k() workgroup_size(2147483647, 2147483647, 2147483647) {\n  xpu.return\n}\n"),
        (Lowering, "xpu.kernel @k() workgroup_size(65536, 65536, 1) {\n  xpu.return\n}\n"),
        (Nowhere, "xpu.kernel @k() workgroup_size(1024, 1, 1) {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "group size malformed", maker: Files(&[
        (Everywhere, "xpu.kernel @k() workgroup_size(-1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size() {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(99999999999999999999999999, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1.5, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(x, y, z) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "value type", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_rmw add %f, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw fadd %c, %g[%z] : memref<?xf32>"),
        (Everywhere, "xpu.atomic_store %z, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.cas %c, %f, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw add %m, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw add %c, %m[%z] : memref<?xi64>"),
        (Everywhere, "%o = xpu.atomic_load %m[%c] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%f] : memref<?xi32>"),
    ]) },
    Category { name: "index count", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_load %m[] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z, %z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m : memref<?xi32>"),
        (Everywhere, "xpu.atomic_store %c, %m[%z, %z, %z, %z] : memref<?xi32>"),
    ]) },
    Category { name: "kind on the wrong type", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_rmw fadd %c, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw fminimum %c, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw add %f, %g[%z] : memref<?xf32>"),
        (Everywhere, "%o = xpu.atomic_rmw xor %f, %g[%z] : memref<?xf32>"),
        (Everywhere, "%o = xpu.atomic_rmw umax %f, %g[%z] : memref<?xf32>"),
        (Everywhere, "%o = xpu.atomic_rmw uinc_wrap %f, %g[%z] : memref<?xf32>"),
        (Everywhere, "%o = xpu.atomic_rmw min %c, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw max %c, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw min %f, %g[%z] : memref<?xf32>"),
    ]) },
    Category { name: "unknown kind", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_rmw nand %c, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw ADD %c, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw 0 %c, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw %c, %m[%z] : memref<?xi32>"),
    ]) },
    Category { name: "unknown ordering", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_load %m[%z] ordering(monotonic) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] ordering(consume) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] ordering() : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] ordering(relaxed, acquire) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] ordering relaxed : memref<?xi32>"),
        (Everywhere, "xpu.fence ordering(10)"),
    ]) },
    Category { name: "unknown scope", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_load %m[%z] scope(agent) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] scope(gpu) : memref<?xi32>"),
        (Free, "%o = xpu.atomic_load %m[%z] scope(\"device\") : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] scope( : memref<?xi32>"),
        (Everywhere, "xpu.fence ordering(seq_cst) scope(cluster)"),
    ]) },
    Category { name: "unknown clause", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_load %m[%z] order(relaxed) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load volatile %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] align(4) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw fadd %f, %g[%z] fastmath<quick> : memref<?xf32>"),
        (Everywhere, "%o = xpu.atomic_rmw fadd %f, %g[%z] denormals(round) : memref<?xf32>"),
    ]) },
    Category { name: "duplicate clause", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_load %m[%z] scope(device) scope(device) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] ordering(relaxed) scope(device) ordering(acquire) : memref<?xi32>"),
        (Everywhere, "%o = xpu.cas %c, %c, %m[%z] failure(relaxed) failure(relaxed) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw fadd %f, %g[%z] denormals(flush) denormals(flush) : memref<?xf32>"),
        (Everywhere, "%o = xpu.atomic_rmw fadd %f, %g[%z] fastmath<reassoc> fastmath<reassoc> : memref<?xf32>"),
    ]) },
    Category { name: "clause of another op", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_rmw add %c, %m[%z] failure(relaxed) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] failure(relaxed) : memref<?xi32>"),
        (Everywhere, "xpu.atomic_store %c, %m[%z] denormals(flush) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw add %c, %m[%z] denormals(flush) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw add %c, %m[%z] fastmath<reassoc> : memref<?xi32>"),
        (Everywhere, "xpu.barrier scope(device)"),
        (Everywhere, "xpu.fence ordering(seq_cst) failure(relaxed)"),
    ]) },
    Category { name: "ordering not allowed", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_load %m[%z] ordering(release) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] ordering(acq_rel) : memref<?xi32>"),
        (Everywhere, "xpu.atomic_store %c, %m[%z] ordering(acquire) : memref<?xi32>"),
        (Everywhere, "xpu.atomic_store %c, %m[%z] ordering(acq_rel) : memref<?xi32>"),
        (Everywhere, "xpu.fence ordering(relaxed)"),
        (Everywhere, "xpu.fence"),
        (Everywhere, "xpu.fence scope(device)"),
    ]) },
    Category { name: "failure ordering", maker: Bodies(&[
        (Everywhere, "%o = xpu.cas %c, %c, %m[%z] ordering(seq_cst) failure(release) : memref<?xi32>"),
        (Everywhere, "%o = xpu.cas %c, %c, %m[%z] ordering(seq_cst) failure(acq_rel) : memref<?xi32>"),
        (Everywhere, "%o = xpu.cas %c, %c, %m[%z] ordering(relaxed) failure(acquire) : memref<?xi32>"),
        (Everywhere, "%o = xpu.cas %c, %c, %m[%z] ordering(acquire) failure(seq_cst) : memref<?xi32>"),
        (Everywhere, "%o = xpu.cas %c, %c, %m[%z] failure(acq_rel) : memref<?xi32>"),
        (Lowering, "%o = xpu.cas %c, %c, %m[%z] failure(seq_cst) : memref<?xi32>"),
    ]) },
    Category { name: "placement", maker: Files(&[
        (Everywhere, "func.func @f() {\n  xpu.barrier\n  return\n}\n"),
        (Everywhere, "func.func @f() -> index {\n  %i = xpu.global_id x\n  return %i : index\n}\n"),
        (Everywhere, "func.func @f() {\n  %s = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>\n  return\n}\n"),
        (Everywhere, "xpu.barrier\n"),
        (Everywhere, "%i = xpu.local_id x\n"),
        (Everywhere, "func.func @f() {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.return\n"),
        (Everywhere, "func.func @f() {\n  xpu.barrier\n  return\n}\nxpu.kernel @k() workgroup_size(4, 1, 1) {\n  func.call @f() : () -> ()\n  xpu.return\n}\n"),
    ]) },
    Category { name: "workgroup memory", maker: Bodies(&[
        (Everywhere, "%s = xpu.shared : memref<?xi32, #gpu.address_space<workgroup>>"),
        (Everywhere, "%s = xpu.shared : memref<4xi32>"),
        (Everywhere, "%s = xpu.shared : memref<4xi32, #gpu.address_space<private>>"),
        (Everywhere, "%s = xpu.shared : memref<4xi32, 1>"),
        (Everywhere, "%s = xpu.shared : memref<*xi32, #gpu.address_space<workgroup>>"),
        (Everywhere, "%s = xpu.shared : i32"),
        (Everywhere, "%t = arith.constant true\nscf.if %t {\n  %s = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>\n}"),
        (Launch, "%s = xpu.shared : memref<1099511627776xi32, #gpu.address_space<workgroup>>\nmemref.store %c, %s[%z] : memref<1099511627776xi32, #gpu.address_space<workgroup>>"),
        (Launch, "%s = xpu.shared : memref<4294967296x4294967296x4xi32, #gpu.address_space<workgroup>>\n%o = xpu.atomic_load %s[%z, %z, %z] : memref<4294967296x4294967296x4xi32, #gpu.address_space<workgroup>>"),
    ]) },
    Category { name: "memory space", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_load %m[%z] : memref<?xi32, 3>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] : memref<?xi32, #gpu.address_space<nowhere>>"),
        (Free, "%x = memref.memory_space_cast %m : memref<?xi32> to memref<?xi32, 99>\n%o = xpu.atomic_load %x[%z] : memref<?xi32, 99>"),
        (Free, "%x = memref.memory_space_cast %m : memref<?xi32> to memref<?xi32, \"somewhere\">\n%o = xpu.atomic_load %x[%z] : memref<?xi32, \"somewhere\">"),
        (Free, "%x = memref.memory_space_cast %m : memref<?xi32> to memref<?xi32, -1>\n%o = xpu.atomic_load %x[%z] : memref<?xi32, -1>"),
    ]) },
    Category { name: "barrier that not all reach", maker: Files(&[
        (Launch, "// run: 4\nxpu.kernel @k() workgroup_size(4, 1, 1) {\n  %i = xpu.local_id x\n  %two = arith.constant 2 : index\n  %low = arith.cmpi ult, %i, %two : index\n  scf.if %low {\n    xpu.barrier\n  }\n  xpu.return\n}\n"),
        (Launch, "// run: 4\nxpu.kernel @k() workgroup_size(4, 1, 1) {\n  %i = xpu.local_id x\n  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  scf.for %j = %zero to %i step %one {\n    xpu.barrier\n  }\n  xpu.return\n}\n"),
    ]) },
    Category { name: "recursion", maker: Files(&[
        (Lowering, "func.func @f() {\n  func.call @f() : () -> ()\n  return\n}\nxpu.kernel @k() workgroup_size(1, 1, 1) {\n  func.call @f() : () -> ()\n  xpu.return\n}\n"),
        (Lowering, "func.func @f(%m: memref<?xi32>) {\n  func.call @g(%m) : (memref<?xi32>) -> ()\n  return\n}\nfunc.func @g(%m: memref<?xi32>) {\n  func.call @f(%m) : (memref<?xi32>) -> ()\n  return\n}\nxpu.kernel @k(%m: memref<?xi32>) workgroup_size(1, 1, 1) {\n  func.call @f(%m) : (memref<?xi32>) -> ()\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  func.call @k() : () -> ()\n  xpu.return\n}\n"),
    ]) },
    Category { name: "missing symbol", maker: Files(&[
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  func.call @nowhere() : () -> ()\n  xpu.return\n}\n"),
        (Launch, "xpu.kernel @other() workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "func.func private @outside(i32)\nxpu.kernel @k() workgroup_size(1, 1, 1) {\n  %c = arith.constant 1 : i32\n  func.call @outside(%c) : (i32) -> ()\n  xpu.return\n}\n"),
        (Launch, "func.func @k() {\n  return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  %g = memref.get_global @nothing : memref<4xi32>\n  xpu.return\n}\n"),
    ]) },
    Category { name: "duplicate symbol", maker: Files(&[
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  xpu.return\n}\nxpu.kernel @k() workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "func.func @k() {\n  return\n}\nxpu.kernel @k() workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%a: i32, %a: i32) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "kernel signature", maker: Files(&[
        (Everywhere, "xpu.kernel @k() -> i32 workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(i32) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%a: i32, ...) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel k() workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel () workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1)\n"),
        (Everywhere, "xpu.kernel @k(%a: nothing) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "argument type", maker: Files(&[
        (Launch, "// run: 1 zeros:16xi32\nxpu.kernel @k(%a: tensor<16xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 zeros:16xi32\nxpu.kernel @k(%a: vector<16xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 zeros:16xi32\nxpu.kernel @k(%a: memref<*xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 zeros:16xi32\nxpu.kernel @k(%a: memref<?xmemref<?xi32>>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 1:i32\nxpu.kernel @k(%a: tuple<i32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 1:i32\nxpu.kernel @k(%a: () -> ()) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 1:i32\nxpu.kernel @k(%a: none) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 1:i32\nxpu.kernel @k(%a: i4096) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 1:i32\nxpu.kernel @k(%a: !llvm.ptr) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "layout", maker: Files(&[
        (Free, "// run: 1 zeros:16xi32\nxpu.kernel @k(%m: memref<?xi32, affine_map<(d0) -> (d0 mod 3)>>) workgroup_size(1, 1, 1) {\n  %z = arith.constant 0 : index\n  %o = xpu.atomic_load %m[%z] : memref<?xi32, affine_map<(d0) -> (d0 mod 3)>>\n  xpu.return\n}\n"),
        (Free, "// run: 1 zeros:16xi32\nxpu.kernel @k(%m: memref<?xi32, strided<[-1], offset: 9223372036854775807>>) workgroup_size(1, 1, 1) {\n  %z = arith.constant 0 : index\n  %o = xpu.atomic_load %m[%z] : memref<?xi32, strided<[-1], offset: 9223372036854775807>>\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%m: memref<?xi32, strided<[1, 1]>>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%m: memref<?xi32, affine_map<(d0, d1) -> (d0)>>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "huge shape", maker: Files(&[
        (Launch, "// run: 1 zeros:16xi32\nxpu.kernel @k(%m: memref<9223372036854775807x9223372036854775807xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "// run: 1 zeros:16xi32\nxpu.kernel @k(%m: memref<4611686018427387904xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Launch, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  %c = arith.constant 1 : i32\n  %z = arith.constant 0 : index\n  %a = memref.alloca() : memref<1099511627776xi32>\n  %o = xpu.atomic_rmw add %c, %a[%z] : memref<1099511627776xi32>\n  xpu.return\n}\n"),
        (Launch, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  %c = arith.constant 1 : i32\n  %z = arith.constant 0 : index\n  %n = arith.constant 1099511627776 : index\n  %a = memref.alloca(%n) : memref<?xi32>\n  memref.store %c, %a[%z] : memref<?xi32>\n  %o = xpu.atomic_rmw add %c, %a[%z] : memref<?xi32>\n  xpu.return\n}\n"),
        (Free, "memref.global @g : memref<1099511627776xi32> = uninitialized\nxpu.kernel @k() workgroup_size(1, 1, 1) {\n  %c = arith.constant 1 : i32\n  %z = arith.constant 0 : index\n  %g = memref.get_global @g : memref<1099511627776xi32>\n  %o = xpu.atomic_rmw add %c, %g[%z] : memref<1099511627776xi32>\n  xpu.return\n}\n"),
        (Free, "func.func private @f(tensor<4294967296x4294967296x4294967296xi8>)\n"),
    ]) },
    Category { name: "bad shape", maker: Files(&[
        (Everywhere, "xpu.kernel @k(%m: memref<-1xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%m: memref<99999999999999999999xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%m: memref<-9223372036854775808xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%m: memref<>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%m: memref<4xxi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%m: memref<*x4xi32>) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "giant number", maker: Bodies(&[
        (Everywhere, "%x = arith.constant 99999999999999999999999999999 : i32"),
        (Everywhere, "%x = arith.constant -99999999999999999999999999999 : i64"),
        (Everywhere, "%x = arith.constant 1 : i999999999999"),
        (Everywhere, "%x = arith.constant 0xffffffffffffffffffffffff : f32"),
        (Everywhere, "%x = arith.addi %c#99999999999999999999, %c : i32"),
        (Free, "%x = arith.constant 1.0e999999999 : f32"),
        (Free, "%99999999999999999999999999 = arith.constant 1 : i32"),
    ]) },
    Category { name: "unknown op", maker: Bodies(&[
        (Everywhere, "xpu.atomic_fma %c, %m[%z] : memref<?xi32>"),
        (Everywhere, "xpu."),
        (Everywhere, "nowhere.op"),
        (Everywhere, "\"nowhere.op\"() : () -> ()"),
        (Everywhere, "\"xpu.nothing\"() : () -> ()"),
        (Everywhere, "%i = xpu.global_id w"),
        (Everywhere, "%i = xpu.global_id"),
    ]) },
    Category { name: "unknown attribute", maker: Files(&[
        (Everywhere, "xpu.kernel @k(%m: memref<?xi32> {xpu.memory = #xpu.memory<everywhere>}) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) attributes {a = #xpu.nothing} {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) attributes {a = #nowhere.thing<1>} {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) attributes {a = #undefined} {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) attributes {a = 1, a = 2} {\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k(%a: !xpu.nothing) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Free, "xpu.kernel @k(%m: memref<?xi32> {xpu.memory = 3 : i32}) workgroup_size(1, 1, 1) {\n  xpu.return\n}\n"),
        (Free, "xpu.kernel @k() workgroup_size(1, 1, 1) attributes {xpu.denormals = [5, \"x\"], xpu.unknown} {\n  xpu.return\n}\n"),
    ]) },
    Category { name: "not terminated", maker: Files(&[
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  %c = arith.constant 1 : i32\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  func.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  scf.yield\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  xpu.return\n  xpu.barrier\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  xpu.return\n  xpu.return\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  %c = arith.constant 1 : i32\n  xpu.return %c : i32\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  cf.br ^nowhere\n}\n"),
        (Everywhere, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  cf.br ^a\n^a(%x: i32):\n  xpu.return\n}\n"),
    ]) },
    Category { name: "undefined value", maker: Bodies(&[
        (Everywhere, "%o = xpu.atomic_rmw add %nothing, %m[%z] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_rmw add %o, %m[%z] : memref<?xi32>"),
        (Everywhere, "%c = arith.constant 2 : i32"),
        (Everywhere, "%o:2 = xpu.atomic_load %m[%z] : memref<?xi32>"),
        (Everywhere, "%t = arith.constant true\nscf.if %t {\n  %in = arith.constant 1 : i32\n}\n%o = xpu.atomic_rmw add %in, %m[%z] : memref<?xi32>"),
    ]) },
    Category { name: "generic form", maker: Bodies(&[
        (Everywhere, "%o = \"xpu.atomic_rmw\"(%c, %m, %z) : (i32, memref<?xi32>, index) -> i32"),
        (Everywhere, "%o = \"xpu.atomic_rmw\"(%c, %m, %z) <{kind = 0 : i32}> : (i32, memref<?xi32>, index) -> i64"),
        (Everywhere, "%o = \"xpu.atomic_rmw\"() <{kind = 0 : i32}> : () -> i32"),
        (Everywhere, "%o = \"xpu.atomic_rmw\"(%c) <{kind = 0 : i32}> : (i32) -> i32"),
        (Everywhere, "%o = \"xpu.barrier\"() : () -> i32"),
        (Everywhere, "\"xpu.barrier\"() ({\n^a:\n  xpu.return\n}) : () -> ()"),
        (Everywhere, "\"xpu.fence\"() : () -> ()"),
        (Everywhere, "\"xpu.atomic_store\"(%c, %c, %z) : (i32, i32, index) -> ()"),
        (Everywhere, "%i = \"xpu.global_id\"() <{dimension = 0 : i32}> : () -> i32"),
        (Everywhere, "%o = \"xpu.atomic_load\"(%m, %z) : (memref<?xi32>, index) -> (i32, i32)"),
    ]) },
    Category { name: "enum number", maker: Bodies(&[
        (Everywhere, "%o = \"xpu.atomic_rmw\"(%c, %m, %z) <{kind = 7 : i32}> : (i32, memref<?xi32>, index) -> i32"),
        (Everywhere, "%o = \"xpu.atomic_rmw\"(%c, %m, %z) <{kind = 999 : i32}> : (i32, memref<?xi32>, index) -> i32"),
        (Everywhere, "%o = \"xpu.atomic_rmw\"(%c, %m, %z) <{kind = -1 : i32}> : (i32, memref<?xi32>, index) -> i32"),
        (Everywhere, "%o = \"xpu.atomic_rmw\"(%c, %m, %z) <{kind = \"add\"}> : (i32, memref<?xi32>, index) -> i32"),
        (Everywhere, "%o = \"xpu.atomic_rmw\"(%c, %m, %z) <{kind = 0 : i32, scope = 31 : i32}> : (i32, memref<?xi32>, index) -> i32"),
        (Everywhere, "\"xpu.fence\"() <{ordering = 2147483647 : i32}> : () -> ()"),
        (Everywhere, "%i = \"xpu.global_id\"() <{dimension = 3 : i32}> : () -> index"),
    ]) },
    Category { name: "generic kernel", maker: Files(&[
        (Everywhere, "\"xpu.kernel\"() : () -> ()\n"),
        (Everywhere, "\"xpu.kernel\"() <{sym_name = \"k\", function_type = () -> (), workgroup_size = array<i32: 1, 1>}> ({\n  \"xpu.return\"() : () -> ()\n}) : () -> ()\n"),
        (Everywhere, "\"xpu.kernel\"() <{sym_name = \"k\", function_type = () -> (), workgroup_size = array<i32>}> ({\n  \"xpu.return\"() : () -> ()\n}) : () -> ()\n"),
        (Everywhere, "\"xpu.kernel\"() <{sym_name = \"k\", function_type = (i32) -> (), workgroup_size = array<i32: 1, 1, 1>}> ({\n  \"xpu.return\"() : () -> ()\n}) : () -> ()\n"),
        (Everywhere, "\"xpu.kernel\"() <{sym_name = \"k\", function_type = () -> i32, workgroup_size = array<i32: 1, 1, 1>}> ({\n  \"xpu.return\"() : () -> ()\n}) : () -> ()\n"),
        (Everywhere, "\"xpu.kernel\"() <{sym_name = \"k\", function_type = i32, workgroup_size = array<i32: 1, 1, 1>}> ({\n  \"xpu.return\"() : () -> ()\n}) : () -> ()\n"),
        (Everywhere, "\"xpu.kernel\"() <{sym_name = 3 : i32, function_type = () -> (), workgroup_size = array<i32: 1, 1, 1>}> ({\n  \"xpu.return\"() : () -> ()\n}) : () -> ()\n"),
        (Everywhere, "\"xpu.kernel\"() <{sym_name = \"k\", function_type = () -> (), workgroup_size = array<i32: 1, 1, 1>, arg_attrs = [{}, {}]}> ({\n  \"xpu.return\"() : () -> ()\n}) : () -> ()\n"),
        (Everywhere, "\"xpu.kernel\"() <{sym_name = \"k\", function_type = () -> (), workgroup_size = array<i32: 1, 1, 1>}> ({\n}) : () -> ()\n"),
    ]) },
    Category { name: "casts", maker: Bodies(&[
        (Everywhere, "%u = xpu.sign_cast %c : i32 to ui64"),
        (Everywhere, "%u = xpu.sign_cast %c : i32 to f32"),
        (Everywhere, "%u = xpu.sign_cast %f : f32 to ui32"),
        (Everywhere, "%b = xpu.reinterpret %m : memref<?xi32> to tensor<?xi8>"),
        (Everywhere, "%b = xpu.reinterpret %m : memref<?xi32> to memref<?xi8, 3>"),
        (Everywhere, "%b = xpu.reinterpret %c : i32 to memref<?xi8>"),
        (Everywhere, "%b = xpu.reinterpret %m : memref<?xi32> to memref<?x?xi8>"),
        (Free, "%b = xpu.reinterpret %m : memref<?xi32> to memref<?xi7>"),
    ]) },
    Category { name: "brackets", maker: Bodies(&[
        (Everywhere, "}"),
        (Everywhere, "{"),
        (Everywhere, "%o = xpu.atomic_load %m[%z : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z]] : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] scope(device)) : memref<?xi32>"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] : memref<?xi32"),
        (Everywhere, "%o = xpu.atomic_load %m[%z] : memref<?xi32>>"),
    ]) },
    Category { name: "aliases and resources", maker: Files(&[
        (Everywhere, "#a = #a\nfunc.func private @f() attributes {x = #a}\n"),
        (Everywhere, "!t = !t\nfunc.func private @f(!t)\n"),
        (Everywhere, "#a = [#b]\n#b = [#a]\nfunc.func private @f() attributes {x = #a}\n"),
        (Everywhere, "func.func private @f() attributes {x = dense<\"0xZZ\"> : tensor<1xi8>}\n"),
        (Everywhere, "func.func private @f() attributes {x = dense<[1, 2]> : tensor<3xi8>}\n"),
        (Everywhere, "func.func private @f()\n{-# dialect_resources: { builtin: { r: \"0x\" #-}\n"),
        (Everywhere, "func.func private @f() attributes {x = loc(\"a\":1:}\n"),
    ]) },
    Category { name: "odd nesting of modules", maker: Files(&[
        (Free, "gpu.module @a [#nvvm.target, #rocdl.target] {\n  gpu.func @k() kernel {\n    gpu.return\n  }\n}\n"),
        (Free, "gpu.module @a {\n  xpu.kernel @k() workgroup_size(1, 1, 1) {\n    xpu.return\n  }\n}\n"),
        (Free, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  xpu.kernel @inner() workgroup_size(1, 1, 1) {\n    xpu.return\n  }\n  xpu.return\n}\n"),
        (Free, "xpu.kernel @k() workgroup_size(1, 1, 1) {\n  builtin.module {\n  }\n  xpu.return\n}\n"),
        (Free, "xpu.fence ordering(seq_cst)\n"),
        (Free, "func.func @f() {\n  xpu.fence ordering(seq_cst) scope(system)\n  return\n}\n"),
    ]) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_line_gives_threads_and_arguments() {
        let made = file(&(Launch, "// run: 4 zeros:16xi32 1:i32\nmodule {}\n"));
        assert_eq!((made.threads, made.arguments.len()), (4, 2));
        let made = file(&(Launch, "module {}\n"));
        assert_eq!((made.threads, made.arguments.len()), (1, 0));
    }

    #[test]
    fn a_body_stands_in_a_kernel() {
        let text = String::from_utf8(body(&(Free, "a\nb")).text).unwrap();
        assert!(text.starts_with("xpu.kernel @k("));
        assert!(text.ends_with("  a\n  b\n  xpu.return\n}\n"));
    }

    #[test]
    fn no_row_stands_twice() {
        let mut seen = std::collections::HashSet::new();
        for category in CATEGORIES {
            let (Files(rows) | Bodies(rows)) = category.maker else {
                continue;
            };
            for row in rows {
                assert!(seen.insert(row.1), "{}: {}", category.name, row.1);
            }
        }
    }
}
