//! The cells of the matrix, and a kernel for each.

use std::fmt::{self, Write as _};

/// Element types.
pub(crate) const TYPES: [&str; 8] = ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"];
/// Where an element lives.
pub(crate) const STORAGES: [&str; 3] = ["global", "shared", "private"];
/// Scopes, narrow to wide.
pub(crate) const SCOPES: [&str; 5] = ["workitem", "subgroup", "workgroup", "device", "system"];
/// Orderings.
pub(crate) const ORDERINGS: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];

const INTEGER_KINDS: [&str; 12] = [
    "add",
    "sub",
    "and",
    "or",
    "xor",
    "xchg",
    "smin",
    "smax",
    "umin",
    "umax",
    "uinc_wrap",
    "udec_wrap",
];
const FLOAT_KINDS: [&str; 7] = [
    "xchg", "fadd", "fsub", "fmin", "fmax", "fminimum", "fmaximum",
];

/// What an operation does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Load,
    Store,
    Update,
    Cas,
    Fence,
}

/// One operation with all its clauses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// A kind of `atomic_rmw`, `cas`, `load`, `store` or `fence`.
    pub(crate) op: &'static str,
    pub(crate) access: Access,
    /// Empty for a fence.
    pub(crate) ty: &'static str,
    /// Global for a fence.
    pub(crate) storage: &'static str,
    pub(crate) scope: &'static str,
    pub(crate) ordering: &'static str,
    /// Of a `cas`; else as the ordering.
    pub(crate) failure: &'static str,
    /// Whether something uses the result.
    pub(crate) used: bool,
    /// `denormals(flush)`
    pub(crate) flush: bool,
    /// Whether it goes through a pointer to global memory in place of a memref.
    pub(crate) pointer: bool,
}

impl fmt::Display for Cell {
    /// The name of its kernel.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            op,
            storage,
            scope,
            ordering,
            failure,
            ..
        } = self;
        write!(f, "{op}_{storage}_{scope}_{ordering}")?;
        if self.access == Access::Cas {
            write!(f, "_else_{failure}")?;
        }
        f.write_str(if self.used { "_used" } else { "_unused" })?;
        f.write_str(if self.flush { "_flush" } else { "" })?;
        f.write_str(if self.pointer { "_pointer" } else { "" })
    }
}

/// Whether the dialect takes an ordering on an access.
pub(crate) fn takes(access: Access, ordering: &str) -> bool {
    match access {
        Access::Load => matches!(ordering, "relaxed" | "acquire" | "seq_cst"),
        Access::Store => matches!(ordering, "relaxed" | "release" | "seq_cst"),
        Access::Update | Access::Cas => true,
        Access::Fence => ordering != "relaxed",
    }
}

/// Whether the dialect takes a failure ordering beside an ordering: not one that writes, and not one
/// that is stronger.
pub(crate) fn takes_failure(ordering: &str, failure: &str) -> bool {
    match failure {
        "relaxed" => true,
        "acquire" => matches!(ordering, "acquire" | "acq_rel" | "seq_cst"),
        "seq_cst" => ordering == "seq_cst",
        _ => false,
    }
}

/// The bits of an element.
pub(crate) fn width(ty: &str) -> u32 {
    ty.trim_start_matches(['b', 'f', 'i']).parse().unwrap()
}

/// Every legal cell on a type.
pub(crate) fn of_type(ty: &'static str) -> Vec<Cell> {
    let kinds: &[&str] = if ty.starts_with('i') {
        &INTEGER_KINDS
    } else {
        &FLOAT_KINDS
    };
    let mut ops: Vec<(&str, Access)> = kinds.iter().map(|kind| (*kind, Access::Update)).collect();
    ops.extend([
        ("cas", Access::Cas),
        ("load", Access::Load),
        ("store", Access::Store),
    ]);
    let mut cells = Vec::new();
    for (op, access) in ops {
        for storage in STORAGES {
            for scope in SCOPES {
                for ordering in ORDERINGS.into_iter().filter(|one| takes(access, one)) {
                    let failures = ORDERINGS.into_iter().filter(|one| match access {
                        Access::Cas => takes_failure(ordering, one),
                        _ => *one == ordering,
                    });
                    for failure in failures {
                        for used in [true, false] {
                            for flush in [false, true] {
                                let can_flush = matches!(op, "fadd" | "fsub");
                                if (flush && !can_flush) || (used && access == Access::Store) {
                                    continue;
                                }
                                let cell = Cell {
                                    op,
                                    access,
                                    ty,
                                    storage,
                                    scope,
                                    ordering,
                                    failure,
                                    used,
                                    flush,
                                    pointer: false,
                                };
                                cells.push(cell);
                            }
                        }
                    }
                }
            }
        }
    }
    cells
}

/// Every legal cell of global memory on a type, through a pointer.
pub(crate) fn through_pointers(ty: &'static str) -> Vec<Cell> {
    let global = of_type(ty)
        .into_iter()
        .filter(|cell| cell.storage == "global");
    global
        .map(|cell| Cell {
            pointer: true,
            ..cell
        })
        .collect()
}

/// Every legal fence.
pub(crate) fn fences() -> Vec<Cell> {
    let one = |scope, ordering| Cell {
        op: "fence",
        access: Access::Fence,
        ty: "",
        storage: "global",
        scope,
        ordering,
        failure: ordering,
        used: false,
        flush: false,
        pointer: false,
    };
    let orderings = ORDERINGS
        .into_iter()
        .filter(|one| takes(Access::Fence, one));
    orderings
        .flat_map(|ordering| SCOPES.map(|scope| one(scope, ordering)))
        .collect()
}

/// The kernels of some cells.
pub(crate) fn source(cells: &[Cell]) -> String {
    let mut text = String::new();
    for cell in cells {
        kernel(&mut text, cell).unwrap();
    }
    text
}

/// In shared and private memory, the element is written before and read after, so that the memory is
/// not found to be without a purpose. Barriers mark where the operation is among these.
fn kernel(text: &mut String, cell: &Cell) -> fmt::Result {
    let Cell { ty, .. } = cell;
    if cell.access == Access::Fence {
        return fence(text, cell);
    }
    let (memory, argument, marker) = match cell.storage {
        "global" if cell.pointer => (
            format!("!llvm.ptr<1>, {ty}"),
            "%m: !llvm.ptr<1>, ".to_string(),
            "",
        ),
        "global" => (
            format!("memref<64x{ty}>"),
            format!("%m: memref<64x{ty}>, "),
            "",
        ),
        "shared" => (
            format!("memref<64x{ty}, #gpu.address_space<workgroup>>"),
            String::new(),
            "xpu.barrier\n",
        ),
        _ => (format!("memref<64x{ty}>"), String::new(), ""),
    };
    writeln!(
        text,
        "xpu.kernel @{cell}({argument}%i: index, %j: index, %v: {ty}, %w: {ty}, %out: memref<64x{ty}>) workgroup_size(32, 1, 1) {{"
    )?;
    match cell.storage {
        "global" => {}
        "shared" => writeln!(text, "%m = xpu.shared : {memory}")?,
        _ => writeln!(text, "%m = memref.alloca() : {memory}")?,
    }
    if !argument.is_empty() {
        operation(text, cell, &memory)?;
    } else {
        writeln!(text, "memref.store %w, %m[%j] : {memory}\n{marker}")?;
        operation(text, cell, &memory)?;
        writeln!(
            text,
            "{marker}%x = memref.load %m[%j] : {memory}\nmemref.store %x, %out[%j] : memref<64x{ty}>"
        )?;
    }
    if cell.used {
        writeln!(text, "memref.store %old, %out[%i] : memref<64x{ty}>")?;
    }
    text.write_str("xpu.return\n}\n")
}

fn operation(text: &mut String, cell: &Cell, memory: &str) -> fmt::Result {
    let clauses = clauses(cell);
    let place = if cell.pointer { "%p" } else { "%m[%i]" };
    if cell.pointer {
        writeln!(
            text,
            "%n = arith.index_cast %i : index to i64
             %p = llvm.getelementptr %m[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, {}",
            cell.ty
        )?;
    }
    match cell.access {
        Access::Update => writeln!(
            text,
            "%old = xpu.atomic_rmw {} %v, {place} {clauses} : {memory}",
            cell.op
        ),
        Access::Cas => writeln!(text, "%old = xpu.cas %v, %w, {place} {clauses} : {memory}"),
        Access::Load => writeln!(text, "%old = xpu.atomic_load {place} {clauses} : {memory}"),
        Access::Store => writeln!(text, "xpu.atomic_store %v, {place} {clauses} : {memory}"),
        Access::Fence => Ok(()),
    }
}

fn clauses(cell: &Cell) -> String {
    let mut text = format!("ordering({}) scope({})", cell.ordering, cell.scope);
    if cell.access == Access::Cas {
        text += &format!(" failure({})", cell.failure);
    }
    if cell.flush {
        text += " denormals(flush)";
    }
    text
}

/// Two stores that would be one without the fence between them.
fn fence(text: &mut String, cell: &Cell) -> fmt::Result {
    let Cell {
        scope, ordering, ..
    } = cell;
    writeln!(
        text,
        "xpu.kernel @{cell}(%m: memref<?xi32>, %i: index, %v: i32, %w: i32) workgroup_size(32, 1, 1) {{
           memref.store %v, %m[%i] : memref<?xi32>
           xpu.fence ordering({ordering}) scope({scope})
           memref.store %w, %m[%i] : memref<?xi32>
           xpu.return
         }}"
    )
}

/// Clauses that the dialect must refuse: operations that are written with them, each in a function.
pub(crate) fn illegal() -> Vec<String> {
    let memory = "memref<?xi32>";
    let mut ops = Vec::new();
    for ordering in ORDERINGS {
        if !takes(Access::Load, ordering) {
            ops.push(format!(
                "%0 = xpu.atomic_load %m[%i] ordering({ordering}) scope(device) : {memory}"
            ));
        }
        if !takes(Access::Store, ordering) {
            ops.push(format!(
                "xpu.atomic_store %v, %m[%i] ordering({ordering}) scope(device) : {memory}"
            ));
        }
        if !takes(Access::Fence, ordering) {
            ops.push(format!("xpu.fence ordering({ordering}) scope(device)"));
        }
        for failure in ORDERINGS
            .into_iter()
            .filter(|one| !takes_failure(ordering, one))
        {
            ops.push(format!(
                "%0 = xpu.cas %v, %v, %m[%i] ordering({ordering}) failure({failure}) scope(device) : {memory}"
            ));
        }
    }
    let function =
        |op| format!("func.func @f(%m: {memory}, %i: index, %v: i32) {{\n{op}\nreturn\n}}");
    ops.iter().map(function).collect()
}
