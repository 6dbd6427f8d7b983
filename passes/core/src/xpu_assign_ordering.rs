//! `xpu-assign-ordering`: gives each atomic that has no ordering one.
//!
//! Requires: with `default=target`, that each `gpu.module` with atomics names its target.
//! Guarantees: every atomic has an ordering, and every `xpu.cas` a failure ordering. Does not:
//! change an ordering that is there.
//!
//! The option `default` says the ordering of a read-modify-write, acq_rel where it is not given. A
//! load gets the acquiring half of it, a store the releasing half. `target` means acq_rel on Vulkan
//! and relaxed elsewhere. A failed comparison only reads, so it gets what a load would.
//!
//! ```mlir
//! %a = xpu.atomic_load %m[%i] : memref<?xi32>
//! %b = xpu.cas %a, %v, %m[%i] : memref<?xi32>
//! // becomes
//! %a = xpu.atomic_load %m[%i] ordering(acquire) : memref<?xi32>
//! %b = xpu.cas %a, %v, %m[%i] ordering(acq_rel) failure(acquire) : memref<?xi32>
//! ```
//!
//! Refuses: a `failure` that the ordering it gives is too weak for.

use crate::atomic::Access;
use crate::target;
use xpu_dialect::axes::Ordering;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::passes::{OptionInfo, OptionValue, OptionValues, PassInfo};
use xpu_dialect::views::Cas;

const DEFAULT: &str = "default";

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-assign-ordering",
    summary: "Give each atomic without an ordering the default one",
    options: &[OptionInfo {
        name: DEFAULT,
        description: "acq_rel, relaxed or seq_cst; target is acq_rel on Vulkan and relaxed \
                      elsewhere",
        value: OptionValue::OneOf(crate::pipelines::ORDERINGS),
    }],
    dialects: &["xpu"],
    run,
};

fn run(root: Op<'_>, options: &OptionValues<'_>) -> Result<(), Reported> {
    // The one value that is no ordering is `target`.
    let fixed = Ordering::from_name(options.text(DEFAULT));
    let mut of_target = target::PerModule::new(usual_ordering);
    let mut outcome = Ok(());
    for access in Access::all(root) {
        let assigned = match (access.ordering(), fixed) {
            (Some(ordering), _) | (None, Some(ordering)) => Ok(ordering),
            (None, None) => of_target.get(access.op()).copied(),
        };
        let done = assigned.and_then(|ordering| assign(access, ordering, options.text(DEFAULT)));
        outcome = done.and(outcome);
    }
    outcome
}

/// What code for an operation's target usually says.
fn usual_ordering(op: Op<'_>) -> Result<Ordering, Reported> {
    Ok(if target::is_vulkan(op)? {
        Ordering::AcqRel
    } else {
        Ordering::Relaxed
    })
}

/// Writes what is absent.
fn assign(access: Access<'_>, ordering: Ordering, option: &str) -> Result<(), Reported> {
    if access.ordering().is_none() {
        access.set_ordering(match access {
            Access::Rmw(_) | Access::Cas(_) | Access::Fence(_) => ordering,
            Access::Load(_) => ordering.on_load(),
            Access::Store(_) => ordering.on_store(),
        });
        if let Access::Cas(cas) = access {
            check_failure(cas, ordering, option)?;
        }
    }
    if let Access::Cas(cas) = access
        && cas.failure().is_none()
    {
        cas.set_failure(ordering.on_load());
    }
    Ok(())
}

/// The verifier could only say that the two orderings clash, not where one of them is from.
fn check_failure(cas: Cas<'_>, ordering: Ordering, option: &str) -> Result<(), Reported> {
    match cas.failure() {
        Some(failure) if !failure.fits_failure_of(ordering) => Err(cas.op().error(&format!(
            "failure ordering '{}' is stronger than ordering '{}', which the op has not been \
             written with but gets from 'xpu-assign-ordering{{default={option}}}'; write an \
             ordering that is as strong",
            failure.name(),
            ordering.name(),
        ))),
        Some(_) | None => Ok(()),
    }
}
