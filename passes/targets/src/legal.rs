//! Which scope and ordering a target has, and what `xpu-legalize-atomics` writes instead.

use std::fmt;

use crate::axes::{Access, Ordering, Scope, Storage};
use crate::table::{OrderHow, ScopeHow};
use crate::target::{CellError, Target};

/// A legal scope and ordering, and how they differ from those asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Legal {
    /// The ordering to write.
    pub ordering: Ordering,
    /// The scope to write.
    pub scope: Scope,
    /// The differences; empty where there is none.
    pub notes: Vec<Note>,
}

/// One difference between what was asked and what is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// What kind of difference.
    pub verdict: Verdict,
    /// The clause: `ordering` or `scope`.
    pub clause: &'static str,
    /// What was asked.
    pub asked: &'static str,
    /// What is given; the same as asked where it is refused.
    pub given: &'static str,
    /// What it costs or loses, or why it is refused.
    pub why: &'static str,
}

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Stronger than asked, at a cost.
    Change,
    /// Weaker than asked.
    Weaken,
    /// Not possible.
    Reject,
}

/// How loud a difference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// For those who ask.
    Remark,
    /// For everybody.
    Warning,
    /// Compilation stops.
    Error,
}

impl Verdict {
    /// How loud it is; `strict` takes nothing but what was asked.
    pub const fn severity(self, strict: bool) -> Severity {
        match self {
            Self::Change if !strict => Severity::Remark,
            Self::Weaken if !strict => Severity::Warning,
            Self::Change | Self::Weaken | Self::Reject => Severity::Error,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            verdict,
            clause,
            asked,
            given,
            why,
        } = self;
        match verdict {
            Verdict::Change => write!(
                f,
                "{clause} '{asked}' becomes the stronger '{given}': {why}"
            ),
            Verdict::Weaken => write!(
                f,
                "{clause} '{asked}' becomes the weaker '{given}', losing {why}"
            ),
            Verdict::Reject => write!(f, "{clause} '{asked}' is not possible: {why}"),
        }
    }
}

impl Target {
    /// What `xpu-legalize-atomics` makes of an access's clauses. A fence asks for
    /// [`Storage::Global`]; the failure ordering of a `cas` is that of a load.
    ///
    /// # Errors
    /// Where the access does not take the ordering.
    pub fn legalize(
        &self,
        ordering: Ordering,
        scope: Scope,
        access: Access,
        storage: Storage,
    ) -> Result<Legal, CellError> {
        let order_row = self.order(ordering, access)?;
        let mut legal = Legal {
            ordering,
            scope,
            notes: Vec::new(),
        };

        let (asked, clause) = (scope.name(), "scope");
        match self.scope(scope, storage).how {
            // No other work-item takes part, so no ordering is lost either.
            ScopeHow::Plain => return Ok(legal),
            ScopeHow::Exact(_) | ScopeHow::Free { .. } => {}
            ScopeHow::Change { to, why } => {
                legal.scope = to;
                legal.note(Verdict::Change, clause, asked, to.name(), why);
            }
            ScopeHow::Weaken { to, loses } => {
                legal.scope = to;
                legal.note(Verdict::Weaken, clause, asked, to.name(), loses);
            }
            ScopeHow::Reject(why) => legal.note(Verdict::Reject, clause, asked, asked, why),
        }

        let (asked, clause) = (ordering.name(), "ordering");
        match order_row.how {
            OrderHow::Exact(_) => {}
            OrderHow::Change { to, why } => {
                legal.ordering = to;
                legal.note(Verdict::Change, clause, asked, to.name(), why);
            }
            OrderHow::Weaken { to, loses } => {
                legal.ordering = to;
                legal.note(Verdict::Weaken, clause, asked, to.name(), loses);
            }
            OrderHow::Reject(why) => legal.note(Verdict::Reject, clause, asked, asked, why),
        }
        Ok(legal)
    }
}

impl Legal {
    fn note(
        &mut self,
        verdict: Verdict,
        clause: &'static str,
        asked: &'static str,
        given: &'static str,
        why: &'static str,
    ) {
        self.notes.push(Note {
            verdict,
            clause,
            asked,
            given,
            why,
        });
    }

    /// The loudest of the notes, `None` where there is none.
    pub fn severity(&self, strict: bool) -> Option<Severity> {
        let severities = self.notes.iter().map(|note| note.verdict.severity(strict));
        severities.max_by_key(|severity| *severity as u8)
    }
}
