//! `SCOPE`: what a target makes of a scope.

use crate::axes::{Scope, ScopeSet, StorageSet};
use crate::features::Needs;

/// One row of `SCOPE`. A fence, which has no storage, asks for global.
#[derive(Debug, Clone, Copy)]
pub struct ScopeRow {
    /// The scopes it claims.
    pub scopes: ScopeSet,
    /// The storages it claims.
    pub storages: StorageSet,
    /// The chips it is for.
    pub needs: Needs,
    /// What the target makes of the scope.
    pub how: ScopeHow,
    /// Where it is said.
    pub spec: &'static str,
}

/// What a target makes of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeHow {
    /// The target has it, under that word.
    Exact(ScopeWord),
    /// The target gives a wider scope, which costs no more than the one asked for: exact, and not a
    /// change.
    Free {
        /// The word.
        word: ScopeWord,
        /// The scope it gives.
        gives: Scope,
        /// Why it is free.
        why: &'static str,
    },
    /// No other work-item takes part: plain accesses, and a fence that binds the compiler only.
    Plain,
    /// Legalize writes another, wider scope, which costs or loses something.
    Change {
        /// The scope it writes.
        to: Scope,
        /// What it costs.
        why: &'static str,
    },
    /// Legalize writes a narrower scope.
    Weaken {
        /// The scope it writes.
        to: Scope,
        /// What is lost.
        loses: &'static str,
    },
    /// Refused, for that reason.
    Reject(&'static str),
}

/// How a scope is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScopeWord {
    /// In the target's own text.
    pub isa: &'static str,
    /// As LLVM's `syncscope`; empty for LLVM's default, the system; [`NOT_LLVM`] where code does not
    /// go through LLVM.
    pub llvm: &'static str,
    /// Whether a release is a release fence, a wait for all that the work-item stored, and an access or
    /// fence without the release side. LLVM's own waits for too little there.
    pub waits: bool,
}

/// LLVM's `syncscope`s, of any target, and the scopes that they are (LLVM LangRef, atomics; AMDGPUUsage,
/// memory scopes; NVPTXUsage). Those that order one address space only are none.
pub const LLVM_SYNCSCOPES: &[(&str, Scope)] = &[
    ("", Scope::System),
    ("agent", Scope::Device),
    ("block", Scope::Workgroup),
    ("device", Scope::Device),
    ("singlethread", Scope::Workitem),
    ("wavefront", Scope::Subgroup),
    ("workgroup", Scope::Workgroup),
];

/// In place of a [`ScopeWord::llvm`]: code for the target does not go through LLVM.
pub const NOT_LLVM: &str = "-";

#[cfg(test)]
mod tests {
    use super::{LLVM_SYNCSCOPES, ScopeHow};
    use crate::axes::{Scope, Storage};
    use crate::target::TARGETS;

    #[test]
    fn words_of_gpus_mean_the_same_the_other_way_round() {
        let rows = TARGETS
            .iter()
            .filter(|tables| tables.chips.parse(tables.name, None).is_err())
            .flat_map(|tables| tables.scope);
        let mut seen = 0;
        for row in rows.filter(|row| row.storages.contains(Storage::Global)) {
            let ScopeHow::Exact(word) = row.how else {
                continue;
            };
            for scope in Scope::ALL
                .iter()
                .filter(|scope| row.scopes.contains(**scope))
            {
                if word.llvm != super::NOT_LLVM {
                    assert!(
                        LLVM_SYNCSCOPES.contains(&(word.llvm, *scope)),
                        "{}",
                        word.llvm
                    );
                    seen += 1;
                }
            }
        }
        assert!(seen >= 6);
    }
}
