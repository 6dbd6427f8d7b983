//! `CROSS`: where the other tables, put together, would be wrong.

use crate::axes::{DenormalsSet, MemorySet, OrderingSet, OutcomeSet, ScopeSet, StorageSet, TySet};
use crate::features::Needs;
use crate::op::OpSet;
use crate::table::How;

/// One row of `CROSS`: cells where the other tables, put together, would be wrong.
#[derive(Debug, Clone, Copy)]
pub struct CrossRow {
    /// The operations it claims.
    pub ops: OpSet,
    /// The types it claims.
    pub types: TySet,
    /// The storages it claims.
    pub storages: StorageSet,
    /// The scopes it claims.
    pub scopes: ScopeSet,
    /// The orderings it claims.
    pub orderings: OrderingSet,
    /// The outcomes it claims.
    pub outcomes: OutcomeSet,
    /// The treatments of subnormals it claims.
    pub denormals: DenormalsSet,
    /// The memories it claims.
    pub memories: MemorySet,
    /// The chips it is for.
    pub needs: Needs,
    /// What it changes.
    pub effect: Effect,
    /// Why the other tables are wrong there.
    pub why: &'static str,
    /// Where it is said.
    pub spec: &'static str,
}

impl CrossRow {
    /// A row that claims every cell, to be narrowed.
    pub const fn everywhere(effect: Effect, why: &'static str, spec: &'static str) -> Self {
        Self {
            ops: OpSet::ALL,
            types: TySet::ALL,
            storages: StorageSet::ALL,
            scopes: ScopeSet::ALL,
            orderings: OrderingSet::ALL,
            outcomes: OutcomeSet::ALL,
            denormals: DenormalsSet::ALL,
            memories: MemorySet::ALL,
            needs: Needs::NOTHING,
            effect,
            why,
            spec,
        }
    }
}

/// What a row of `CROSS` changes. Two rows may claim one cell where their effects are of different
/// variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The form.
    Form(How),
    /// The native instruction is written as target text with this opcode, as LLVM's own would be
    /// wrong. It says nothing where the form has no native instruction.
    Text(&'static str),
    /// LLVM's atomic has these attributes of MLIR's, without which its back end would not use the
    /// native instruction: they say what is promised. They say nothing where the form has no native
    /// instruction.
    Attributes(&'static [&'static str]),
}
