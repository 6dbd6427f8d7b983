//! `FORM`: how an operation on a type in a storage is done.

use crate::axes::{Kind, StorageSet, Ty, TySet};
use crate::features::Needs;
use crate::op::{Op, OpSet};

/// One row of `FORM`.
#[derive(Debug, Clone, Copy)]
pub struct FormRow {
    /// The operations it claims.
    pub ops: OpSet,
    /// The types it claims, where the operation takes them.
    pub types: TySet,
    /// The storages it claims.
    pub storages: StorageSet,
    /// The chips it is for.
    pub needs: Needs,
    /// How the operation is done.
    pub how: How,
    /// What that costs.
    pub cost: Cost,
    /// The meaning left open by `fmin` and `fmax`: there just where the row claims one of them.
    pub min_max: Option<MinMax>,
    /// Where it is said.
    pub spec: &'static str,
}

impl FormRow {
    /// A row at the cost that its form usually has.
    pub const fn new(
        ops: OpSet,
        types: TySet,
        storages: StorageSet,
        needs: Needs,
        how: How,
        spec: &'static str,
    ) -> Self {
        Self {
            ops,
            types,
            storages,
            needs,
            how,
            cost: how.usual_cost(),
            min_max: None,
            spec,
        }
    }

    /// The row at another cost.
    pub const fn cost(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// The row with what `fmin` and `fmax` mean in it.
    pub const fn min_max(self, zeros: ZeroRule, signalling: Signalling) -> Self {
        Self {
            min_max: Some(MinMax {
                zeros,
                signalling,
                subnormals: Subnormals::Kept,
            }),
            ..self
        }
    }

    /// The row where `fmin` and `fmax` may make zeros of subnormals.
    pub const fn may_flush(self) -> Self {
        let min_max = match self.min_max {
            Some(rule) => Some(MinMax {
                subnormals: Subnormals::MayFlush,
                ..rule
            }),
            None => None,
        };
        Self { min_max, ..self }
    }
}

/// How an operation is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// One instruction, or one LLVM atomic that the back end gets right.
    Native(Instr),
    /// The instruction where the guard holds, the fallback where it does not.
    Guarded {
        /// The instruction.
        native: Instr,
        /// When it is exact.
        guard: Guard,
        /// What is done else.
        fallback: Carrier,
    },
    /// Integer minimum and maximum on the bits of the float.
    IntTrick(IntTrick),
    /// Another operation of the dialect, whose own cell then counts.
    Rewrite(Rewrite),
    /// A compare-and-swap loop on that carrier; its first read is an atomic load.
    CasLoop(Carrier),
    /// Plain load, operation, store: no other work-item can tell.
    Plain,
    /// Refused, for that reason.
    Reject(&'static str),
}

impl How {
    pub(crate) const fn usual_cost(self) -> Cost {
        match self {
            Self::Plain => Cost::Plain,
            Self::Native(_) => Cost::Native,
            Self::Guarded { .. } => Cost::Guarded,
            Self::IntTrick(_) => Cost::Trick,
            Self::CasLoop(_) => Cost::Loop,
            Self::Rewrite(_) => Cost::Rewritten,
            Self::Reject(_) => Cost::None,
        }
    }

    /// The letter in a printed grid.
    pub const fn letter(self) -> char {
        match self {
            Self::Native(_) => 'N',
            Self::Guarded { .. } => 'G',
            Self::IntTrick(_) => 'T',
            Self::Rewrite(_) => 'R',
            Self::CasLoop(_) => 'L',
            Self::Plain => 'P',
            Self::Reject(_) => 'x',
        }
    }

    /// The strategy in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native(_) => "native",
            Self::Guarded { .. } => "guarded",
            Self::IntTrick(_) => "integer trick",
            Self::Rewrite(_) => "rewrite",
            Self::CasLoop(_) => "CAS loop",
            Self::Plain => "plain",
            Self::Reject(_) => "rejected",
        }
    }
}

/// The cost class of a cell, cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cost {
    /// No atomic at all.
    Plain,
    /// One atomic instruction.
    Native,
    /// One atomic instruction after a test, seldom a loop.
    Guarded,
    /// One atomic instruction, seldom a second one.
    Trick,
    /// One instruction where the result is unused, else a loop that the back end writes.
    LoopIfUsed,
    /// A loop, ours or the back end's.
    Loop,
    /// That of the operation it becomes.
    Rewritten,
    /// It is refused.
    None,
}

impl Cost {
    /// The class in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Native => "native",
            Self::Guarded => "guarded",
            Self::Trick => "trick",
            Self::LoopIfUsed => "loop if used",
            Self::Loop => "loop",
            Self::Rewritten => "as rewritten",
            Self::None => "-",
        }
    }
}

/// An instruction: its operation and type, without what scope, ordering and storage add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instr {
    /// The name; `{w}` stands for the width of the type.
    pub stem: &'static str,
    /// Whether the operands go through the integer of the same width.
    pub bits: bool,
    /// Whether it works on the aligned 32-bit word around a 16-bit float, as two of them; the other
    /// one is given what changes no number: -0 to a sum.
    pub packed: bool,
}

impl Instr {
    /// The instruction on that type.
    pub fn text(&self, ty: Ty) -> String {
        self.stem.replace("{w}", &ty.bits().to_string())
    }
}

/// [`How::Native`] on operands of the operation's own type.
pub const fn native(stem: &'static str) -> How {
    How::Native(Instr {
        stem,
        bits: false,
        packed: false,
    })
}

/// [`How::Native`] on the bits of the operands, as integers.
pub const fn native_bits(stem: &'static str) -> How {
    How::Native(Instr {
        stem,
        bits: true,
        packed: false,
    })
}

/// [`How::Native`] on two 16-bit floats at once.
pub const fn native_packed(stem: &'static str) -> How {
    How::Native(Instr {
        stem,
        bits: false,
        packed: true,
    })
}

/// When the instruction of [`How::Guarded`] is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The operand's bits without the sign, as an unsigned integer, are at least this: large,
    /// infinite or NaN.
    MagnitudeBitsAtLeast(u64),
}

/// What a compare-and-swap loop swaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// The integer of the element's width.
    SameWidth,
    /// The aligned 32-bit word around the element, whose other bytes the loop puts back as it read
    /// them.
    Word32,
}

impl Carrier {
    /// The type of the swap for an element of that type.
    pub const fn ty(self, element: Ty) -> Ty {
        match self {
            Self::SameWidth => element.integer(),
            Self::Word32 => Ty::I32,
        }
    }

    /// The carrier in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SameWidth => "the integer of the same width",
            Self::Word32 => "the 32-bit word",
        }
    }
}

/// `fmin` or `fmax` by integer operations on the float's bits.
///
/// A NaN operand stands for the identity, so that the operation still orders. Then one integer
/// operation, chosen by the sign bit of the operand, is right unless memory held a NaN of the sign
/// in `defeated_by`: that NaN stays, the returned old value shows it, and a compare-and-swap
/// repairs it and gives the old value to return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntTrick {
    /// For an operand whose sign bit is clear.
    pub positive: Kind,
    /// For an operand whose sign bit is set.
    pub negative: Kind,
    /// Which NaN in memory the integer operation leaves there.
    pub defeated_by: NanSign,
    /// What is done about that NaN.
    pub repair: Repair,
}

/// How an operation is done that a NaN in memory defeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// By a compare-and-swap loop.
    Loop,
    /// By one compare-and-swap, and by the integer operation once more where memory changed before it. If
    /// others put a second such NaN there in between, that one stays, as if it had come after the operation.
    Once,
}

/// The sign bit of a NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NanSign {
    /// Clear.
    Positive,
    /// Set.
    Negative,
}

/// [`How::IntTrick`] for `fmin`.
pub const FMIN_BY_INTEGERS: How = How::IntTrick(IntTrick {
    positive: Kind::Smin,
    negative: Kind::Umax,
    defeated_by: NanSign::Negative,
    repair: Repair::Loop,
});

/// [`How::IntTrick`] for `fmax`.
pub const FMAX_BY_INTEGERS: How = How::IntTrick(IntTrick {
    positive: Kind::Smax,
    negative: Kind::Umin,
    defeated_by: NanSign::Positive,
    repair: Repair::Loop,
});

/// [`How::IntTrick`] without a loop.
pub const fn repaired_once(how: How) -> How {
    match how {
        How::IntTrick(trick) => How::IntTrick(IntTrick {
            repair: Repair::Once,
            ..trick
        }),
        other => other,
    }
}

/// What an operation is rewritten to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewrite {
    /// `sub` as `add` of the negated operand.
    AddOfNegated,
    /// `fsub` as `fadd` of the negated operand.
    FaddOfNegated,
    /// `and`, `or`, `xor` as themselves on the aligned 32-bit word around the element, with bits
    /// for the other bytes that leave them alone: ones for `and`, zeros for the others; a load as
    /// the load of that word.
    WholeWord,
}

impl Rewrite {
    /// The cell that `op` on `ty` becomes.
    pub const fn to(self, op: Op, ty: Ty) -> (Op, Ty) {
        match self {
            Self::AddOfNegated => (Op::Rmw(Kind::Add), ty),
            Self::FaddOfNegated => (Op::Rmw(Kind::Fadd), ty),
            Self::WholeWord => (op, Ty::I32),
        }
    }

    /// The rewrite in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AddOfNegated => "add of the negated operand",
            Self::FaddOfNegated => "fadd of the negated operand",
            Self::WholeWord => "the same on the 32-bit word, other bytes left alone",
        }
    }
}

/// What `fmin` and `fmax` leave open and a cell settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinMax {
    /// Which zero wins.
    pub zeros: ZeroRule,
    /// What becomes of a signalling NaN in memory.
    pub signalling: Signalling,
    /// What becomes of subnormals.
    pub subnormals: Subnormals,
}

/// What `fmin` and `fmax` do with subnormals, operand or in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subnormals {
    /// They compare as the numbers that they are, and are stored as they are.
    Kept,
    /// They may compare as zeros, and be stored as zeros.
    MayFlush,
}

/// Which of two zeros `fmin` and `fmax` choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZeroRule {
    /// -0 is less than +0.
    OrderedZeros,
    /// Either may win.
    EitherZero,
}

impl ZeroRule {
    /// The rule in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OrderedZeros => "-0 < +0",
            Self::EitherZero => "either zero",
        }
    }
}

/// What `fmin` and `fmax` do with a signalling NaN in memory when the operand is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signalling {
    /// It is ignored as any NaN: the operand is stored.
    Ignored,
    /// It becomes a quiet NaN, and the operand is lost.
    Quieted,
    /// Either may happen.
    Either,
}

impl Signalling {
    /// The rule in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ignored => "signalling NaN ignored",
            Self::Quieted => "signalling NaN quieted",
            Self::Either => "signalling NaN ignored or quieted",
        }
    }
}
