//! `xpu-assign-scope`: gives each atomic and fence that has no scope one.
//!
//! Requires: nothing. Guarantees: every atomic and fence has a scope. Does not: change a scope that
//! is there.
//!
//! An atomic gets the widest scope that its memory has: the workgroup for workgroup memory, the
//! work-item for private memory, the device for everything else. A pointer has the memory of its address
//! space, and one without a space that of what it comes from, where that can be seen. A fence, which has no memory, gets
//! the device.
//!
//! ```mlir
//! %a = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
//! %b = xpu.atomic_rmw add %v, %s[%i] : memref<64xi32, #gpu.address_space<workgroup>>
//! // becomes
//! %a = xpu.atomic_rmw add %v, %m[%i] scope(device) : memref<?xi32>
//! %b = xpu.atomic_rmw add %v, %s[%i] scope(workgroup) : memref<64xi32, #gpu.address_space<workgroup>>
//! ```
//!
//! Refuses nothing.

use crate::atomic::Access;
use xpu_dialect::axes::{Scope, Storage};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::passes::{OptionValues, PassInfo};

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-assign-scope",
    summary: "Give each atomic and fence without a scope that of its memory",
    options: &[],
    dialects: &["xpu"],
    run,
};

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    for access in Access::all(root) {
        if access.scope().is_none() {
            access.set_scope(widest(access.storage()));
        }
    }
    Ok(())
}

/// The scope of all who can see the storage.
fn widest(storage: Option<Storage>) -> Scope {
    match storage {
        None | Some(Storage::Global | Storage::Generic) => Scope::Device,
        Some(Storage::Workgroup) => Scope::Workgroup,
        Some(Storage::Private) => Scope::WorkItem,
    }
}
