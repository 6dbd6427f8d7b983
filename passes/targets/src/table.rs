//! The shape of a target's tables. Rows hold sets and data, and nothing that decides.
//!
//! There is no fall-through and no priority: for every feature set, every cell of `FORM`, `SCOPE`
//! and `ORDER` is claimed by exactly one row, and no two rows of `CROSS` change the same thing of
//! one cell. [`Tables::check`] proves it.
//!
//! [`Tables::check`]: crate::Tables::check

mod cross;
mod form;
mod order;
mod scope;

pub use cross::{CrossRow, Effect};
pub use form::{
    Carrier, Cost, FMAX_BY_INTEGERS, FMIN_BY_INTEGERS, FormRow, Guard, How, Instr, IntTrick,
    MinMax, NanSign, Repair, Rewrite, Signalling, Subnormals, ZeroRule, native, native_bits,
    native_packed, repaired_once,
};
pub use order::{AS_ASKED, OrderHow, OrderRow, Own, Steps, fenced, own};
pub use scope::{LLVM_SYNCSCOPES, NOT_LLVM, ScopeHow, ScopeRow, ScopeWord};

use crate::axes::Ordering;
use crate::features::{Chips, Feature};

/// All that is written down about one target.
#[derive(Debug, Clone, Copy)]
pub struct Tables {
    /// The target's name, before the colon.
    pub name: &'static str,
    /// How its chips are named.
    pub chips: Chips,
    /// Its features, for printing.
    pub features: &'static [Feature],
    /// How it writes each ordering.
    pub words: Words,
    /// What orders a compare-and-swap loop.
    pub loops: LoopOrder,
    /// op × type × storage.
    pub form: &'static [FormRow],
    /// scope × storage.
    pub scope: &'static [ScopeRow],
    /// ordering × access.
    pub order: &'static [OrderRow],
    /// What replaces `order` under the ordering policy `clamp`, which makes acq_rel of relaxed and
    /// seq_cst alike; `None` where there is no such policy.
    pub clamp: Option<&'static [OrderRow]>,
    /// Where the three above, put together, would be wrong.
    pub cross: &'static [CrossRow],
    /// Why programs have no pointers and what would work, where they have none.
    pub no_pointers: Option<&'static str>,
    /// What the printed matrix says before its tables.
    pub notes: &'static str,
}

/// What orders a compare-and-swap loop that stands for one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopOrder {
    /// The swap, with the ordering of the operation.
    Swap,
    /// A release fence before the loop and an acquire fence after it, at the scope of the operation; the
    /// swap is relaxed. As strong, and done once however often the loop goes round.
    Fences,
}

/// A target's word for each ordering, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// [`Ordering::Relaxed`].
    pub relaxed: &'static str,
    /// [`Ordering::Acquire`].
    pub acquire: &'static str,
    /// [`Ordering::Release`].
    pub release: &'static str,
    /// [`Ordering::AcqRel`].
    pub acq_rel: &'static str,
    /// [`Ordering::SeqCst`].
    pub seq_cst: &'static str,
}

impl Words {
    /// The word for that ordering.
    pub const fn of(&self, ordering: Ordering) -> &'static str {
        match ordering {
            Ordering::Relaxed => self.relaxed,
            Ordering::Acquire => self.acquire,
            Ordering::Release => self.release,
            Ordering::AcqRel => self.acq_rel,
            Ordering::SeqCst => self.seq_cst,
        }
    }
}
