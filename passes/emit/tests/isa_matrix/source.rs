//! A kernel for each cell.
//!
//! Before the operation stands a plain store, after it a plain load, each of 128 bits, which nothing
//! else in the kernel has: an ordering shows in what stands between them. The load's value goes out in
//! 96 bits.

use crate::cells::{Access, Cell};
use std::fmt::{self, Write as _};

/// The plain store.
pub(crate) const BEFORE: [&str; 2] = ["global_store_dwordx4", "global_store_b128"];
/// The plain load.
pub(crate) const AFTER: [&str; 2] = ["global_load_dwordx4", "global_load_b128"];

/// The kernels of some cells.
pub(crate) fn source(cells: &[Cell]) -> String {
    let mut text = String::new();
    for cell in cells {
        kernel(&mut text, cell).unwrap();
    }
    text
}

fn kernel(text: &mut String, cell: &Cell) -> fmt::Result {
    let ty = if cell.access == Access::Fence {
        "i32"
    } else {
        cell.ty
    };
    let (memory, argument, made) = match cell.storage {
        "shared" => (
            format!("memref<64x{ty}, #gpu.address_space<workgroup>>"),
            false,
            "xpu.shared",
        ),
        "private" => (format!("memref<64x{ty}>"), false, "memref.alloca()"),
        _ => (format!("memref<64x{ty}>"), true, ""),
    };
    let argument = if argument {
        format!("%m: {memory}, ")
    } else {
        String::new()
    };
    writeln!(
        text,
        "xpu.kernel @{cell}({argument}%i: index, %j: index, %v: {ty}, %w: {ty}, %out: memref<64x{ty}>, \
         %before: memref<64xi32>, %after: memref<64xi32>, %sum: memref<64xi32>, %c: i32) \
         workgroup_size(64, 1, 1) {{
           %t = xpu.global_id x
           %b = vector.broadcast %c : i32 to vector<4xi32>"
    )?;
    if !made.is_empty() {
        writeln!(text, "%m = {made} : {memory}")?;
        writeln!(text, "memref.store %w, %m[%j] : {memory}")?;
    }
    writeln!(
        text,
        "vector.store %b, %before[%t] : memref<64xi32>, vector<4xi32>"
    )?;
    operation(text, cell, &memory)?;
    writeln!(
        text,
        "%a = vector.load %after[%t] : memref<64xi32>, vector<4xi32>
           %r = vector.reduction <add>, %a : vector<4xi32> into i32
           %s = vector.broadcast %r : i32 to vector<3xi32>
           vector.store %s, %sum[%t] : memref<64xi32>, vector<3xi32>"
    )?;
    if !made.is_empty() {
        writeln!(text, "%x = memref.load %m[%i] : {memory}")?;
        writeln!(text, "memref.store %x, %out[%j] : memref<64x{ty}>")?;
    }
    if cell.used {
        writeln!(text, "memref.store %old, %out[%t] : memref<64x{ty}>")?;
    }
    text.write_str("xpu.return\n}\n")
}

fn operation(text: &mut String, cell: &Cell, memory: &str) -> fmt::Result {
    let mut clauses = format!("ordering({}) scope({})", cell.ordering, cell.scope);
    if cell.access == Access::Cas {
        clauses += &format!(" failure({})", cell.failure);
    }
    if cell.flush {
        clauses += " denormals(flush)";
    }
    match cell.access {
        Access::Update => writeln!(
            text,
            "%old = xpu.atomic_rmw {} %v, %m[%t] {clauses} : {memory}",
            cell.op
        ),
        Access::Cas => writeln!(text, "%old = xpu.cas %v, %w, %m[%t] {clauses} : {memory}"),
        Access::Load => writeln!(text, "%old = xpu.atomic_load %m[%t] {clauses} : {memory}"),
        Access::Store => writeln!(text, "xpu.atomic_store %v, %m[%t] {clauses} : {memory}"),
        Access::Fence => writeln!(text, "xpu.fence {clauses}"),
    }
}

/// A group of several waves meets behind the plain store.
pub(crate) const BARRIER: &str = "
xpu.kernel @barrier(%before: memref<256xi32>, %c: i32, %out: memref<256xi32>) workgroup_size(256, 1, 1) {
  %t = xpu.local_id x
  %b = vector.broadcast %c : i32 to vector<4xi32>
  vector.store %b, %before[%t] : memref<256xi32>, vector<4xi32>
  xpu.barrier
  memref.store %c, %out[%t] : memref<256xi32>
  xpu.return
}
";

/// The same cells in global memory, with a plain store of the group's behind each, and nothing before.
pub(crate) fn alone(cells: &[Cell]) -> String {
    let mut text = String::new();
    for cell in cells {
        kernel_alone(&mut text, cell).unwrap();
    }
    text
}

fn kernel_alone(text: &mut String, cell: &Cell) -> fmt::Result {
    let memory = "memref<256xi32>";
    writeln!(
        text,
        "xpu.kernel @{cell}(%m: {memory}, %v: i32, %w: i32, %out: {memory}) workgroup_size(256, 1, 1) {{
           %t = xpu.local_id x"
    )?;
    operation(text, cell, memory)?;
    let last = if cell.used { "%old" } else { "%v" };
    writeln!(
        text,
        "memref.store {last}, %out[%t] : {memory}\nxpu.return\n}}"
    )
}
