//! The operations that have cells: every resolved kind of read-modify-write, compare-and-swap, load
//! and store.

use std::fmt;

use crate::axes::{Access, Kind, KindSet, Ty};

/// An atomic operation on one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// `xpu.atomic_rmw` of that kind.
    Rmw(Kind),
    /// `xpu.cas`.
    Cas,
    /// `xpu.atomic_load`.
    Load,
    /// `xpu.atomic_store`.
    Store,
}

impl Op {
    /// Every operation that has cells; `min` and `max` have none.
    pub fn all() -> impl Iterator<Item = Self> {
        let kinds = Kind::ALL
            .iter()
            .filter(|kind| !matches!(kind, Kind::Min | Kind::Max));
        kinds
            .map(|kind| Self::Rmw(*kind))
            .chain([Self::Cas, Self::Load, Self::Store])
    }

    /// The name in the textual form, without the dialect.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rmw(kind) => kind.name(),
            Self::Cas => "cas",
            Self::Load => "atomic_load",
            Self::Store => "atomic_store",
        }
    }

    /// Whether the dialect verifies the operation on that type.
    pub const fn takes(self, ty: Ty) -> bool {
        match self {
            Self::Rmw(kind) => kind.takes(ty),
            Self::Cas | Self::Load | Self::Store => true,
        }
    }

    /// How orderings see the operation.
    pub const fn access(self) -> Access {
        match self {
            Self::Rmw(_) => Access::Rmw,
            Self::Cas => Access::Cas,
            Self::Load => Access::Load,
            Self::Store => Access::Store,
        }
    }

    /// The operation with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|op| op.name() == name)
    }
}

impl From<Kind> for Op {
    fn from(kind: Kind) -> Self {
        Self::Rmw(kind)
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpSet {
    kinds: KindSet,
    accesses: u8,
}

const CAS: u8 = 1;
const LOAD: u8 = 2;
const STORE: u8 = 4;

impl OpSet {
    /// Every read-modify-write.
    pub const RMW: Self = Self {
        kinds: KindSet::ALL.without(KindSet::of(&[Kind::Min, Kind::Max])),
        accesses: 0,
    };
    /// Compare-and-swap.
    pub const CAS: Self = Self {
        kinds: KindSet::of(&[]),
        accesses: CAS,
    };
    /// Load.
    pub const LOAD: Self = Self {
        kinds: KindSet::of(&[]),
        accesses: LOAD,
    };
    /// Store.
    pub const STORE: Self = Self {
        kinds: KindSet::of(&[]),
        accesses: STORE,
    };
    /// Every operation.
    pub const ALL: Self = Self::RMW.or(Self::CAS).or(Self::LOAD).or(Self::STORE);

    /// The read-modify-writes of these kinds.
    pub const fn rmw(kinds: &[Kind]) -> Self {
        Self {
            kinds: KindSet::of(kinds),
            accesses: 0,
        }
    }

    /// The operations of either set.
    pub const fn or(self, other: Self) -> Self {
        Self {
            kinds: self.kinds.or(other.kinds),
            accesses: self.accesses | other.accesses,
        }
    }

    /// The operations of this set that are not in the other.
    pub const fn without(self, other: Self) -> Self {
        Self {
            kinds: self.kinds.without(other.kinds),
            accesses: self.accesses & !other.accesses,
        }
    }

    /// Whether the operation is in the set.
    pub const fn contains(self, op: Op) -> bool {
        match op {
            Op::Rmw(kind) => self.kinds.contains(kind),
            Op::Cas => self.accesses & CAS != 0,
            Op::Load => self.accesses & LOAD != 0,
            Op::Store => self.accesses & STORE != 0,
        }
    }

    /// The operations of the set.
    pub fn iter(self) -> impl Iterator<Item = Op> {
        Op::all().filter(move |op| self.contains(*op))
    }
}

impl fmt::Display for OpSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ALL => f.write_str("all"),
            Self::RMW => f.write_str("every rmw"),
            _ if Self::RMW.without(*self).iter().count() == 1 && self.accesses == 0 => {
                write!(f, "every rmw but {}", Self::RMW.without(*self))
            }
            _ => {
                let names: Vec<_> = self.iter().map(Op::name).collect();
                f.write_str(&names.join(" "))
            }
        }
    }
}
