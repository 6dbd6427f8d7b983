//! `xpu-legalize-atomics`: rewrites scopes and orderings to those that the target has.
//!
//! Requires: that every atomic and fence has a scope and an ordering, and that each `gpu.module`
//! with some names its target; code in no `gpu.module` is for the CPU. Guarantees: the target has
//! every scope and ordering that is left, as its tables say. Does not: touch kinds and types
//! (`xpu-expand-atomics`).
//!
//! What becomes stronger, at a cost, is a remark at the operation; what becomes weaker is a warning
//! that names what is lost. With `strict`, both are errors. CPU and NVPTX have all scopes and
//! orderings, so that nothing changes there. Vulkan has neither a total order nor the host:
//!
//! ```mlir
//! %a = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(system) : memref<?xi32>
//! // becomes, with two warnings
//! %a = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
//! ```
//!
//! The option `ordering-policy` is for frontends that expect of Vulkan what others of its compilers
//! do: `clamp` makes relaxed acq_rel too (acquire on a load, release on a store), which is a change.
//!
//! Refuses: an operation without a scope or an ordering, naming the pass that assigns it; what the
//! target's tables refuse; and a policy that the target does not have.

use crate::atomic::Access;
use crate::{axes, target};
use xpu_dialect::axes::{Ordering, Scope, Storage};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::passes::{OptionInfo, OptionValue, OptionValues, PassInfo};
use xpu_dialect::views::Cas;
use xpu_targets::{Legal, Note, Severity, Target};

const STRICT: &str = "strict";
const CLAMP: &str = "clamp";

/// What becomes of orderings, its default first.
pub(crate) const ORDERING_POLICY: OptionInfo = OptionInfo {
    name: "ordering-policy",
    description: "native keeps relaxed; clamp makes relaxed and seq_cst alike acq_rel, on Vulkan \
                  only",
    value: OptionValue::OneOf(crate::pipelines::ORDERING_POLICIES),
};

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-legalize-atomics",
    summary: "Rewrite scopes and orderings to those that the target has",
    options: &[
        OptionInfo {
            name: STRICT,
            description: "refuse what the target does in a stronger or weaker way than asked",
            value: OptionValue::Flag,
        },
        ORDERING_POLICY,
    ],
    dialects: &["xpu"],
    run,
};

fn run(root: Op<'_>, options: &OptionValues<'_>) -> Result<(), Reported> {
    let strict = options.flag(STRICT);
    let of: fn(Op<'_>) -> Result<Target, Reported> = match options.text(ORDERING_POLICY.name) {
        CLAMP => clamped,
        _ => target::of,
    };
    let mut targets = target::PerModule::new(of);
    let mut outcome = Ok(());
    for access in Access::all(root) {
        let done = targets
            .get(access.op())
            .and_then(|target| legalize(access, target, strict));
        outcome = done.and(outcome);
    }
    outcome
}

/// The target of an operation under the policy `clamp`.
fn clamped(op: Op<'_>) -> Result<Target, Reported> {
    let target = target::of(op)?;
    target.clamped().ok_or_else(|| {
        op.error(&format!(
            "target '{target}' has no ordering policy '{CLAMP}'; leave 'ordering-policy' at 'native'"
        ))
    })
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

/// Rewrites the ordering of a failed comparison.
fn legalize_failure(
    cas: Cas<'_>,
    scope: Scope,
    target: &Target,
    strict: bool,
) -> Result<(), Reported> {
    let legal = legal_failure(cas, scope, target)?;
    cas.set_failure(dialect_ordering(legal.ordering));
    say(cas.op(), &legal.notes, target, strict)
}

/// What becomes of the ordering of a failed comparison, which is a load.
fn legal_failure(cas: Cas<'_>, scope: Scope, target: &Target) -> Result<Legal, Reported> {
    let access = Access::Cas(cas);
    let failure = access.assigned_failure()?;
    let mut legal = legal(access, xpu_targets::Access::Load, failure, scope, target)?;
    // What there is to say about the scope has been said.
    legal.notes.retain(|note| note.clause == "ordering");
    for note in &mut legal.notes {
        note.clause = "failure ordering";
    }
    Ok(legal)
}

/// What legalization has to say about an operation.
pub(crate) fn notes(access: Access<'_>, target: &Target) -> Result<Vec<Note>, Reported> {
    let scope = access.assigned_scope()?;
    let ordering = access.assigned_ordering()?;
    let mut notes = legal(access, table_access(access), ordering, scope, target)?.notes;
    if let Access::Cas(cas) = access {
        notes.extend(legal_failure(cas, scope, target)?.notes);
    }
    Ok(notes)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};
    use xpu_dialect::{context, ir::Module};
    use xpu_targets::{
        AS_ASKED, AccessSet, FeatureSet, Needs, OrderHow, OrderRow, OrderingSet, ScopeHow,
        ScopeRow, ScopeSet, StorageSet,
    };

    const ALL: Needs = Needs::NOTHING;
    const SPEC: &str = "made up";

    const fn scopes(scopes: &'static [xpu_targets::Scope], how: ScopeHow) -> ScopeRow {
        let scopes = ScopeSet::of(scopes);
        ScopeRow {
            scopes,
            storages: StorageSet::ALL,
            needs: ALL,
            how,
            spec: SPEC,
        }
    }

    const fn orders(orderings: &'static [xpu_targets::Ordering], how: OrderHow) -> OrderRow {
        let orderings = OrderingSet::of(orderings);
        OrderRow {
            orderings,
            accesses: AccessSet::ALL,
            needs: ALL,
            how,
            spec: SPEC,
        }
    }

    const SCOPE: &[ScopeRow] = {
        use xpu_targets::Scope::{Device, Subgroup, System, Workgroup, Workitem};
        const WORD: ScopeHow = ScopeHow::Exact(xpu_targets::ScopeWord {
            isa: "",
            llvm: "",
            waits: false,
        });
        &[
            scopes(&[Workitem], ScopeHow::Reject("nobody is alone")),
            scopes(
                &[Subgroup],
                ScopeHow::Change {
                    to: Workgroup,
                    why: "it takes longer",
                },
            ),
            scopes(&[Workgroup, Device], WORD),
            scopes(
                &[System],
                ScopeHow::Weaken {
                    to: Device,
                    loses: "the host",
                },
            ),
        ]
    };

    const ORDER: &[OrderRow] = {
        use xpu_targets::Access::Load;
        use xpu_targets::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
        const RMW: AccessSet = AccessSet::ALL.without(LOAD);
        const LOAD: AccessSet = AccessSet::of(&[Load]);
        const LOSES: &str = "the total order";
        &[
            orders(&[Relaxed, Acquire, AcqRel], AS_ASKED),
            orders(
                &[Release],
                OrderHow::Change {
                    to: AcqRel,
                    why: "there is one fence",
                },
            ),
            OrderRow {
                accesses: RMW,
                ..orders(
                    &[SeqCst],
                    OrderHow::Weaken {
                        to: AcqRel,
                        loses: LOSES,
                    },
                )
            },
            OrderRow {
                accesses: LOAD,
                ..orders(
                    &[SeqCst],
                    OrderHow::Weaken {
                        to: Acquire,
                        loses: LOSES,
                    },
                )
            },
        ]
    };

    /// The operation after legalization on a made-up target, and what was said.
    fn legalized(text: &str, strict: bool) -> (Option<String>, Vec<String>) {
        let cpu = Target::parse("cpu").unwrap();
        let tables = xpu_targets::Tables {
            scope: SCOPE,
            order: ORDER,
            ..*cpu.tables()
        };
        let target = Target::with_tables(tables, FeatureSet::NONE);

        let context = context::new();
        let said = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&said);
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.lock()
                .unwrap()
                .push(format!("{:?}: {diagnostic}", diagnostic.severity()));
            true
        });
        let text = format!("func.func @f(%m: memref<i32>, %v: i32) {{ {text} return }}");
        let module = Module::parse(&context, &text).unwrap();
        let access = Access::all(module.op())[0];
        let outcome = legalize(access, &target, strict);
        assert!(module.op().verifies());
        let clauses = |text: String| text[text.find("ordering").unwrap()..].to_string();
        let written = outcome.is_ok().then(|| clauses(access.op().to_string()));
        let said = said.lock().unwrap().clone();
        (written, said)
    }

    #[track_caller]
    fn check(text: &str, written: &str, said: &[&str]) {
        let (ok, remarks) = legalized(text, false);
        assert_eq!(ok.as_deref(), Some(written));
        assert_eq!(remarks, said);
        let (refused, errors) = legalized(text, true);
        assert_eq!(
            refused.is_none(),
            !said.is_empty(),
            "strict takes only what was asked"
        );
        assert!(
            errors.iter().all(|error| error.starts_with("Error")),
            "{errors:?}"
        );
        assert_eq!(errors.len(), said.len());
    }

    #[test]
    fn what_the_target_has_stays() {
        check(
            "xpu.fence ordering(acquire) scope(device)",
            "ordering(acquire) scope(device)",
            &[],
        );
    }

    #[test]
    fn a_stronger_clause_is_a_remark() {
        check(
            "xpu.fence ordering(release) scope(subgroup)",
            "ordering(acq_rel) scope(workgroup)",
            &[
                "Remark: 'xpu.fence' op scope 'subgroup' becomes the stronger 'workgroup': it \
                 takes longer (target 'cpu')",
                "Remark: 'xpu.fence' op ordering 'release' becomes the stronger 'acq_rel': there \
                 is one fence (target 'cpu')",
            ],
        );
    }

    #[test]
    fn a_weaker_clause_is_a_warning_that_names_the_loss() {
        check(
            "xpu.fence ordering(acquire) scope(system)",
            "ordering(acquire) scope(device)",
            &[
                "Warning: 'xpu.fence' op scope 'system' becomes the weaker 'device', losing the \
               host (target 'cpu')",
            ],
        );
    }

    #[test]
    fn both_orderings_of_a_cas_are_rewritten_and_its_scope_is_told_once() {
        check(
            "%0 = xpu.cas %v, %v, %m[] ordering(seq_cst) failure(seq_cst) scope(system) : memref<i32>",
            "ordering(acq_rel) failure(acquire) scope(device) : memref<i32>",
            &[
                "Warning: 'xpu.cas' op scope 'system' becomes the weaker 'device', losing the host \
                 (target 'cpu')",
                "Warning: 'xpu.cas' op ordering 'seq_cst' becomes the weaker 'acq_rel', losing the \
                 total order (target 'cpu')",
                "Warning: 'xpu.cas' op failure ordering 'seq_cst' becomes the weaker 'acquire', \
                 losing the total order (target 'cpu')",
            ],
        );
    }

    #[test]
    fn what_is_refused_is_an_error() {
        let (written, said) = legalized("xpu.fence ordering(acquire) scope(workitem)", false);
        assert_eq!(written, None);
        let error = "Error: 'xpu.fence' op scope 'workitem' is not possible: nobody is alone \
                     (target 'cpu')";
        assert_eq!(said, [error]);
    }
}
