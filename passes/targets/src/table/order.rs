//! `ORDER`: what a target makes of an ordering.

use crate::axes::{AccessSet, Ordering, OrderingSet};
use crate::features::Needs;

/// One row of `ORDER`.
#[derive(Debug, Clone, Copy)]
pub struct OrderRow {
    /// The orderings it claims, where the access allows them.
    pub orderings: OrderingSet,
    /// The accesses it claims.
    pub accesses: AccessSet,
    /// The chips it is for.
    pub needs: Needs,
    /// What the target makes of the ordering.
    pub how: OrderHow,
    /// Where it is said.
    pub spec: &'static str,
}

/// What a target makes of an ordering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderHow {
    /// These steps give it, or more at no cost.
    Exact(Steps),
    /// Legalize writes another, stronger ordering, which costs or loses something.
    Change {
        /// The ordering it writes.
        to: Ordering,
        /// What it costs.
        why: &'static str,
    },
    /// Legalize writes a weaker ordering.
    Weaken {
        /// The ordering it writes.
        to: Ordering,
        /// What is lost.
        loses: &'static str,
    },
    /// Refused, for that reason.
    Reject(&'static str),
}

/// The steps of an ordered access, all at its scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// A fence before the access.
    pub lead: Option<Ordering>,
    /// The access's own semantics.
    pub own: Own,
    /// A fence after the access.
    pub trail: Option<Ordering>,
}

/// The semantics of the access itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// Those asked for.
    Asked,
    /// These.
    Is(Ordering),
}

/// The access says the ordering itself.
pub const AS_ASKED: OrderHow = OrderHow::Exact(Steps {
    lead: None,
    own: Own::Asked,
    trail: None,
});

/// The access has these semantics, whatever was asked.
pub const fn own(own: Ordering) -> OrderHow {
    OrderHow::Exact(Steps {
        lead: None,
        own: Own::Is(own),
        trail: None,
    })
}

/// A fence, then the access with these semantics.
pub const fn fenced(lead: Ordering, own: Ordering) -> OrderHow {
    OrderHow::Exact(Steps {
        lead: Some(lead),
        own: Own::Is(own),
        trail: None,
    })
}
