//! The kernels of this program's own tests, to be compiled.

use std::path::Path;

use xpu_test_support::exact::{self, Cell, Place};
use xpu_test_support::{Source, Type, litmus, matrix};

/// The name of the kernel that fills memory, and of its file.
pub(crate) const FILL: &str = "fill";

const FILL_TEXT: &str = "\
xpu.kernel @fill(%m: memref<?xi32>, %value: i32, %n: i32) workgroup_size(256, 1, 1) {
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    memref.store %value, %m[%i] : memref<?xi32>
  }
  xpu.return
}
";

/// Writes them, those of a part in a folder of its own.
///
/// # Errors
/// If it cannot.
pub(crate) fn write(folder: &Path) -> std::io::Result<()> {
    let write = |part: &str, sources: &[Source]| {
        let folder = folder.join(part);
        std::fs::create_dir_all(&folder)?;
        sources.iter().try_for_each(|source| {
            std::fs::write(folder.join(format!("{}.mlir", source.name)), &source.text)
        })
    };
    let exact: Vec<Source> = exact::types()
        .map(|ty| Source {
            name: exact_name(ty),
            text: exact_cells(ty).iter().map(Cell::text).collect(),
        })
        .collect();
    let mut tests = litmus::sources();
    tests.push(Source {
        name: FILL.to_owned(),
        text: FILL_TEXT.to_owned(),
    });
    write("matrix", &matrix::sources())?;
    write("exact", &exact)?;
    write("litmus", &tests)
}

/// The name of the file with special values of a type.
pub(crate) fn exact_name(ty: Type) -> String {
    format!("exact_{}", ty.name)
}

/// Its kernels, but those on a work-item's own memory, which no other can tell from any other
/// variable.
pub(crate) fn exact_cells(ty: Type) -> Vec<Cell> {
    let all = exact::cells(ty).into_iter();
    all.filter(|cell| cell.place != Place::Private).collect()
}
