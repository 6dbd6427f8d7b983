//! Loops around a swap that stand in the source, on targets where fences order loops: the ordering
//! of the swap becomes fences around the loop, as in [`super::fences`].
//!
//! That is as strong where the loop accesses no other memory: what comes before the loop comes before
//! its swaps, and what comes after it after them. Other loops are left as they are.

use crate::atomic::Access;
use crate::target::PerModule;
use xpu_dialect::axes::{Ordering, Storage};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op};
use xpu_dialect::types;
use xpu_targets::{LoopOrder, Target};

/// Orders loops by fences, where the target wants that.
///
/// # Errors
///
/// Where a swap has no ordering or scope yet.
pub(crate) fn order_loops<'c>(
    root: Op<'c>,
    targets: &mut PerModule<'c, Target>,
) -> Result<(), Reported> {
    for access in Access::all(root) {
        let Access::Cas(cas) = access else {
            continue;
        };
        let turns = cas.op().parent().filter(|op| op.is("scf.while"));
        let Some(turns) = turns.filter(|turns| accesses_nothing_else(*turns)) else {
            continue;
        };
        let is_private = access.storage() == Some(Storage::Private);
        if is_private || targets.get(cas.op())?.tables().loops == LoopOrder::Swap {
            continue;
        }
        let (success, failure) = (access.assigned_ordering()?, access.assigned_failure()?);
        let scope = access.assigned_scope()?;
        let fence = |builder: Builder<'c>, ordering: Ordering| {
            let number = |number| types::i32_attribute(builder.context(), number);
            builder
                .op("xpu.fence")
                .attribute("ordering", number(ordering.number()))
                .attribute("scope", number(scope.number()))
                .build();
        };
        if success.releases() {
            fence(Builder::before(turns), Ordering::Release);
        }
        if success.acquires() || failure.acquires() {
            fence(Builder::after(turns), Ordering::Acquire);
        }
        let relaxed = types::i32_attribute(root.context(), Ordering::Relaxed.number());
        access.set_ordering(Ordering::Relaxed);
        cas.op().set_attribute("failure", relaxed);
    }
    Ok(())
}

/// Whether one swap is all that a loop does but compute.
fn accesses_nothing_else(turns: Op<'_>) -> bool {
    let mut swaps = 0;
    let computes = turns.descendants().into_iter().all(|op| {
        let name = op.name();
        swaps += usize::from(name == "xpu.cas");
        name == "xpu.cas"
            || name.starts_with("arith.")
            || name.starts_with("math.")
            || name.starts_with("scf.")
    });
    computes && swaps == 1
}
