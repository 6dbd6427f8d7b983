//! What each target does with scoped, ordered atomics, as data.
//!
//! A target is one file with four short tables: `FORM` (operation × type × storage), `SCOPE`,
//! `ORDER` (ordering × access), and `CROSS` for what those three, put together, would get wrong.
//! Rows hold sets and data. Every cell has exactly one row: [`Tables::check`] proves it for every
//! set of features. Passes, diagnostics, documentation and device tests ask the same rows, through
//! [`Target`].
//!
//! This crate knows nothing of MLIR, and passes know nothing of targets but what they ask here.
//!
//! **Adding a target**: its file, with its tables; its line in [`TARGETS`]; a page in
//! `docs/matrix`, by `cargo xtask bless`. The walk names every cell that is still missing.
#![forbid(unsafe_code)]

mod amdgpu;
mod axes;
mod cells;
mod check;
mod cpu;
mod features;
mod generic;
mod kernel_ops;
mod legal;
mod matrix;
mod nvptx;
mod op;
mod table;
mod target;
pub mod vulkan;

pub use axes::{
    Access, AccessSet, Denormals, DenormalsSet, Kind, KindSet, Memory, MemorySet, Ordering,
    OrderingSet, Outcome, OutcomeSet, Scope, ScopeSet, Storage, StorageSet, Ty, TySet, UnknownName,
};
pub use cells::Cell;
pub use check::Fault;
pub use features::{Chips, Feature, FeatureSet, Generation, NamedChip, Needs, ParseError, Version};
pub use kernel_ops::{KernelOpHow, SubgroupNumber};
pub use legal::{Legal, Note, Severity, Verdict};
pub use op::{Op, OpSet};
pub use table::{
    AS_ASKED, Carrier, Cost, CrossRow, Effect, FMAX_BY_INTEGERS, FMIN_BY_INTEGERS, FormRow, Guard,
    How, Instr, IntTrick, LLVM_SYNCSCOPES, LoopOrder, MinMax, NOT_LLVM, NanSign, OrderHow,
    OrderRow, Own, Repair, Rewrite, ScopeHow, ScopeRow, ScopeWord, Signalling, Steps, Subnormals,
    Tables, Words, ZeroRule, fenced, native, native_bits, native_packed, own, repaired_once,
};
pub use target::{CellError, Ordered, Plan, Sync, TARGETS, Target};
