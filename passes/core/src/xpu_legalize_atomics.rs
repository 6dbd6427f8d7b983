//! `xpu-legalize-atomics`: rewrites scopes and orderings to those that the target has.
//!
//! Requires: that every atomic and fence has a scope and an ordering, and that each `gpu.module`
//! with some names its target; code in no `gpu.module` is for the CPU. Guarantees: the target has
//! every scope and ordering that is left, as its tables say. Does not: touch kinds and types
//! (`xpu-expand-atomics`).
//!
//! What becomes stronger, at a cost, is a remark at the operation; what becomes weaker is a warning
//! that names what is lost. With `strict`, both are errors. CPU and NVPTX have all scopes and
//! orderings, so that nothing changes there. On a target that had no scope below the workgroup:
//!
//! ```mlir
//! %a = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(subgroup) : memref<?xi32>
//! // becomes
//! %a = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(workgroup) : memref<?xi32>
//! ```
//!
//! Refuses: an operation without a scope or an ordering, naming the pass that assigns it; and what
//! the target's tables refuse.

use crate::atomic::Access;
use crate::{axes, target};
use xpu_dialect::axes::{Ordering, Scope, Storage};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::passes::{OptionInfo, OptionValue, OptionValues, PassInfo};
use xpu_dialect::views::Cas;
use xpu_targets::{Legal, Note, Severity, Target};

const STRICT: &str = "strict";

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-legalize-atomics",
    summary: "Rewrite scopes and orderings to those that the target has",
    options: &[OptionInfo {
        name: STRICT,
        description: "refuse what the target does in a stronger or weaker way than asked",
        value: OptionValue::Flag,
    }],
    dialects: &["xpu"],
    run,
};

fn run(root: Op<'_>, options: &OptionValues<'_>) -> Result<(), Reported> {
    let strict = options.flag(STRICT);
    let mut targets = target::PerModule::new(target::of);
    let mut outcome = Ok(());
    for access in Access::all(root) {
        let done = targets
            .get(access.op())
            .and_then(|target| legalize(access, target, strict));
        outcome = done.and(outcome);
    }
    outcome
}

/// Rewrites the clauses of one operation.
fn legalize(access: Access<'_>, target: &Target, strict: bool) -> Result<(), Reported> {
    let scope = access.assigned_scope()?;
    let ordering = access.assigned_ordering()?;
    let legal = legal(access, table_access(access), ordering, scope, target)?;
    let mut outcome = say(access.op(), &legal.notes, target, strict);
    if let Access::Cas(cas) = access {
        outcome = legalize_failure(cas, scope, target, strict).and(outcome);
    }
    access.set_scope(dialect_scope(legal.scope));
    access.set_ordering(dialect_ordering(legal.ordering));
    outcome
}

/// Rewrites the ordering of a failed comparison, which is a load.
fn legalize_failure(
    cas: Cas<'_>,
    scope: Scope,
    target: &Target,
    strict: bool,
) -> Result<(), Reported> {
    let access = Access::Cas(cas);
    let failure = access.assigned_failure()?;
    let legal = legal(access, xpu_targets::Access::Load, failure, scope, target)?;
    // What there is to say about the scope has been said.
    let notes: Vec<Note> = legal
        .notes
        .into_iter()
        .filter(|note| note.clause == "ordering")
        .map(|note| Note {
            clause: "failure ordering",
            ..note
        })
        .collect();
    cas.set_failure(dialect_ordering(legal.ordering));
    say(cas.op(), &notes, target, strict)
}

/// What the target's tables make of an ordering and a scope.
fn legal(
    access: Access<'_>,
    of: xpu_targets::Access,
    ordering: Ordering,
    scope: Scope,
    target: &Target,
) -> Result<Legal, Reported> {
    // A fence has no memory; the tables want the widest for it.
    let storage = axes::storage(access.storage().unwrap_or(Storage::Global));
    target
        .legalize(axes::ordering(ordering), axes::scope(scope), of, storage)
        .map_err(|error| access.op().error(&error.to_string()))
}

/// Tells the user what differs from what was asked.
fn say(op: Op<'_>, notes: &[Note], target: &Target, strict: bool) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for note in notes {
        let text = format!("{note} (target '{target}')");
        match note.verdict.severity(strict) {
            Severity::Remark => op.remark(&text),
            Severity::Warning => op.warning(&text),
            Severity::Error => outcome = Err(op.error(&text)),
        }
    }
    outcome
}

fn table_access(access: Access<'_>) -> xpu_targets::Access {
    match access {
        Access::Rmw(_) => xpu_targets::Access::Rmw,
        Access::Cas(_) => xpu_targets::Access::Cas,
        Access::Load(_) => xpu_targets::Access::Load,
        Access::Store(_) => xpu_targets::Access::Store,
        Access::Fence(_) => xpu_targets::Access::Fence,
    }
}

fn dialect_ordering(ordering: xpu_targets::Ordering) -> Ordering {
    Ordering::from_name(ordering.name()).expect("the dialect and the tables share names")
}

fn dialect_scope(scope: xpu_targets::Scope) -> Scope {
    Scope::from_name(scope.name()).expect("the dialect and the tables share names")
}
