//! An operation that is expanded, checked and taken apart.

use super::place::Place;
use crate::atomic::{self, Access};
use crate::xpu_expand_atomics::flushes_by_kernel;
use crate::{axes, memory};
use xpu_dialect::axes::{Kind, Ordering, Storage};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types::{self, Sign};
use xpu_targets::{Cell, Denormals, Outcome, Plan, Target, Ty};

/// What an operation does to its element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What<'c> {
    /// `xpu.atomic_rmw` with this operand.
    Rmw(Kind, Value<'c>),
    /// `xpu.cas`
    Cas {
        /// What the element is compared with.
        expected: Value<'c>,
        /// What is written where they are equal.
        desired: Value<'c>,
        /// The ordering where they are not.
        failure: Ordering,
    },
    /// `xpu.atomic_load`
    Load,
    /// `xpu.atomic_store` of this value.
    Store(Value<'c>),
}

/// An access to an element that is expanded.
#[derive(Clone, Debug)]
pub(crate) struct Site<'c> {
    /// The operation.
    pub(crate) op: Op<'c>,
    /// What it does.
    pub(crate) what: What<'c>,
    /// Where.
    pub(crate) place: Place<'c>,
    /// The type of the element.
    pub(crate) element: Type<'c>,
    /// The type as the tables name it.
    pub(crate) ty: Ty,
    /// Its ordering.
    pub(crate) ordering: Ordering,
    denormals: Denormals,
}

impl<'c> Site<'c> {
    /// Takes an access apart; `None` for a fence, which accesses no element.
    ///
    /// # Errors
    ///
    /// Where it has no scope or ordering yet.
    pub(crate) fn of(access: Access<'c>) -> Result<Option<Self>, Reported> {
        let Some(memref) = access.memref() else {
            return Ok(None);
        };
        let op = access.op();
        let what = match access {
            Access::Rmw(rmw) => What::Rmw(rmw.kind(), rmw.value()),
            Access::Cas(cas) => What::Cas {
                expected: cas.expected(),
                desired: cas.desired(),
                failure: access.assigned_failure()?,
            },
            Access::Load(_) => What::Load,
            Access::Store(store) => What::Store(store.value()),
            Access::Fence(_) => return Ok(None),
        };
        let denormals = match access {
            Access::Rmw(rmw) if atomic::flushes_denormals(rmw) || flushes_by_kernel(rmw) => {
                Denormals::Flush
            }
            _ => Denormals::Keep,
        };
        let unknown = || op.error("has an element type that the tables do not know");
        let element = access.element().ok_or_else(unknown)?;
        Ok(Some(Self {
            op,
            what,
            place: Place {
                memref,
                indices: access.indices(),
                scope: access.assigned_scope()?,
            },
            element,
            ty: atomic::table_type(element).ok_or_else(unknown)?,
            ordering: access.assigned_ordering()?,
            denormals,
        }))
    }

    /// What the target's tables say about it.
    ///
    /// # Errors
    ///
    /// Where scope or ordering are not legal on the target, or the sign is not resolved.
    pub(crate) fn plan(&self, target: &Target) -> Result<Plan, Reported> {
        let plan = target
            .plan(self.cell())
            .map_err(|error| self.op.error(&format!("{error} (target '{target}')")))?;
        match types::integer_parts(self.element) {
            Some((_, Sign::Signed | Sign::Unsigned)) => Err(self.op.error(&format!(
                "element type '{}' has a sign; run 'xpu-resolve-signedness' first",
                self.element
            ))),
            Some((_, Sign::Signless)) | None => Ok(plan),
        }
    }

    /// The cell of the tables that it is.
    pub(crate) fn cell(&self) -> Cell {
        // The ordering of a failed comparison is never stronger than the reading half of the other
        // (the dialect verifies it), so the other is the join of the two.
        Cell {
            op: self.table_op(),
            ty: self.ty,
            storage: axes::storage(self.place.memref.storage()),
            is_generic: self.place.memref.storage() == Storage::Generic,
            scope: axes::scope(self.place.scope),
            ordering: axes::ordering(self.ordering),
            // Whether a later fence acquires through the read is not seen from here. On targets where
            // that counts, no form depends on it.
            outcome: if self.is_used() || !matches!(self.what, What::Rmw(..)) {
                Outcome::Used
            } else {
                Outcome::Unused
            },
            denormals: self.denormals,
            memory: memory::promise(self.place.memref, self.place.scope),
        }
    }

    fn table_op(&self) -> xpu_targets::Op {
        match self.what {
            What::Rmw(kind, _) => xpu_targets::Op::Rmw(axes::kind(kind)),
            What::Cas { .. } => xpu_targets::Op::Cas,
            What::Load => xpu_targets::Op::Load,
            What::Store(_) => xpu_targets::Op::Store,
        }
    }

    /// Whether something uses the result.
    pub(super) fn is_used(&self) -> bool {
        self.op.results().iter().any(|result| result.has_uses())
    }

    /// Replaces the operation by what was made for its results; there may be nothing where nothing
    /// uses them.
    pub(super) fn replace_with(&self, values: &[Value<'c>]) {
        if self.is_used() {
            self.op.replace_with(values);
        } else {
            self.op.erase();
        }
    }

    /// Before the operation.
    pub(super) fn builder(&self) -> Builder<'c> {
        Builder::before(self.op)
    }

    /// The error of a row that refuses.
    pub(super) fn refuse(&self, target: &Target, reason: &str) -> Reported {
        self.op.error(&format!(
            "'{}' on '{}' in {} memory is not possible on target '{target}': {reason}",
            self.table_op(),
            self.ty,
            self.cell().storage_name()
        ))
    }

    /// The error of a form that makes no sense for the operation.
    pub(super) fn nonsense(&self, form: &str) -> Reported {
        self.op.error(&format!(
            "internal error: the tables want {form} for '{}' on '{}', which cannot do it",
            self.table_op(),
            self.ty
        ))
    }
}
