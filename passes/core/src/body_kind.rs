//! Which kind of read-modify-write a computation is: from the value that was read to the value that
//! is stored.
//!
//! [`recognise`] reads `arith` as frontends write it:
//!
//! | stored, where `x` is the value that was read | kind |
//! | --- | --- |
//! | what does not depend on `x` | `xchg` |
//! | `addi`, `andi`, `ori`, `xori`, `minsi`, `maxsi`, `minui`, `maxui` of `x` and `v`, either way round | `add`, …, `umax` |
//! | `subi x, v` | `sub` |
//! | `select (cmpi P x, v)` between `x` and `v`, `P` any of the eight inequalities, either way round | `smin`, `smax`, `umin`, `umax` |
//! | `select (cmpi uge x, v), 0, x + 1` | `uinc_wrap` |
//! | `select ((x == 0) or (cmpi ugt x, v)), v, x - 1`, and `minui v, x - 1` | `udec_wrap` |
//! | `addf`, `minnumf`, `maxnumf`, `minimumf`, `maximumf` of `x` and `v`, either way round | `fadd`, `fmin`, `fmax`, `fminimum`, `fmaximum` |
//! | `subf x, v` | `fsub` |
//! | `select (cmpf P x, v)` between `x` and `v`, with `fastmath<nnan, nsz>` on the comparison | `fmin`, `fmax` |
//!
//! `x - 1` may be `x + -1`, comparisons may be turned over or negated with the results exchanged. In
//! each, `v` must not depend on `x`. Overflow and fast-math flags give leave to do more than was
//! written, and are dropped.
//!
//! Floats that are chosen by `cmpf` without the flags are no kind: `x < v ? x : v` stores `v` where
//! either is a NaN, so that a NaN of `v` replaces a number, which `fmin` would not do, and a NaN of
//! `x` is replaced, which `fminimum` would not do.

use crate::expand::arith::{Compare, constant};
use std::collections::HashSet;
use std::fmt;
use xpu_dialect::axes::Kind;
use xpu_dialect::ir::{Block, Op, Value};
use xpu_dialect::types;

/// Why a computation is none of the kinds, in words that follow "because".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Why(String);

impl fmt::Display for Why {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The kind and its operand of the computation that stores `new` where it read `seen`.
///
/// The operand may be computed beside `new`: [`needed_within`] names what has to move with it. It
/// does not depend on `seen`; whether it is the same each time that a loop turns, the caller must
/// ask where it is one.
///
/// # Errors
///
/// Where it is none of the kinds: why.
pub(crate) fn recognise<'c>(seen: Value<'c>, new: Value<'c>) -> Result<(Kind, Value<'c>), Why> {
    if new == seen {
        return Err(Why("it stores the value that it read".to_string()));
    }
    if !depends(new, seen) {
        return Ok((Kind::Xchg, new));
    }
    let body = Body { seen };
    let op = new
        .defining_op()
        .ok_or_else(|| Why("it stores a value that the old one chooses by branches".to_string()))?;
    let (kind, operand) = body.kind(op)?;
    if depends(operand, seen) {
        return Err(Why(format!(
            "both operands of '{}' depend on the value that it read",
            op.name()
        )));
    }
    Ok((kind, operand))
}

/// The operations of a block that a value needs, in order.
pub(crate) fn needed_within<'c>(value: Value<'c>, block: Block<'c>) -> Vec<Op<'c>> {
    let needed = backwards(value).1;
    let mut ops = block.ops();
    ops.retain(|op| needed.contains(op));
    ops
}

/// Whether a value is computed from another.
fn depends<'c>(value: Value<'c>, on: Value<'c>) -> bool {
    backwards(value).0.contains(&on)
}

/// What a value is computed from, itself included, also by what regions of operations use; block
/// arguments are where it ends.
fn backwards<'c>(value: Value<'c>) -> (HashSet<Value<'c>>, HashSet<Op<'c>>) {
    let (mut values, mut ops) = (HashSet::new(), HashSet::new());
    let mut next = vec![value];
    while let Some(value) = next.pop() {
        if !values.insert(value) {
            continue;
        }
        let Some(op) = value.defining_op() else {
            continue;
        };
        if ops.insert(op) {
            next.extend(op.descendants().into_iter().flat_map(Op::operands));
        }
    }
    (values, ops)
}

/// Operations of two operands that are kinds: the name, the kind, whether the operands may be
/// exchanged.
const BINARY: &[(&str, Kind, bool)] = &[
    ("arith.addf", Kind::FAdd, true),
    ("arith.addi", Kind::Add, true),
    ("arith.andi", Kind::And, true),
    ("arith.maximumf", Kind::FMaximum, true),
    ("arith.maxnumf", Kind::FMax, true),
    ("arith.maxsi", Kind::SMax, true),
    ("arith.maxui", Kind::UMax, true),
    ("arith.minimumf", Kind::FMinimum, true),
    ("arith.minnumf", Kind::FMin, true),
    ("arith.minsi", Kind::SMin, true),
    ("arith.minui", Kind::UMin, true),
    ("arith.ori", Kind::Or, true),
    ("arith.subf", Kind::FSub, false),
    ("arith.subi", Kind::Sub, false),
    ("arith.xori", Kind::Xor, true),
];

/// What is computed from one value.
struct Body<'c> {
    seen: Value<'c>,
}

impl<'c> Body<'c> {
    fn kind(&self, op: Op<'c>) -> Result<(Kind, Value<'c>), Why> {
        if op.is("arith.select") {
            return self.select(op);
        }
        if let Some(limit) = self.minimum_with_decrement(op) {
            return Ok((Kind::UDecWrap, limit));
        }
        let Some((name, kind, commutes)) = BINARY.iter().find(|(name, ..)| op.is(name)) else {
            return Err(Why(format!(
                "'{}' on the value that it read is none of the kinds",
                op.name()
            )));
        };
        let (left, right) = (op.operand(0), op.operand(1));
        if left == self.seen {
            Ok((*kind, right))
        } else if right != self.seen {
            Err(Why(format!(
                "it computes more on the value that it read than one '{name}'"
            )))
        } else if *commutes {
            Ok((*kind, left))
        } else {
            Err(Why(format!(
                "the value that it read is subtracted by '{name}' from the other"
            )))
        }
    }

    /// `minui(v, x - 1)`: where `x` is 0 the difference is the largest of all.
    fn minimum_with_decrement(&self, op: Op<'c>) -> Option<Value<'c>> {
        if !op.is("arith.minui") {
            return None;
        }
        let (left, right) = (op.operand(0), op.operand(1));
        if self.is_step(right, -1) {
            Some(left)
        } else if self.is_step(left, -1) {
            Some(right)
        } else {
            None
        }
    }

    fn select(&self, op: Op<'c>) -> Result<(Kind, Value<'c>), Why> {
        let (condition, then, otherwise) = (op.operand(0), op.operand(1), op.operand(2));
        if let Some(compare) = condition.defining_op()
            && compare.is("arith.cmpf")
        {
            return self.choice_of_floats(compare, then, otherwise);
        }
        Condition::of(condition)
            .map(|condition| Choice {
                condition,
                then,
                otherwise,
            })
            .and_then(|choice| {
                self.minimum_or_maximum(choice)
                    .or_else(|| self.up(choice))
                    .or_else(|| self.up(choice.turned()))
                    .or_else(|| self.down(choice))
                    .or_else(|| self.down(choice.turned()))
            })
            .ok_or_else(|| {
                Why(
                    "its 'arith.select' is no minimum, maximum, uinc_wrap or udec_wrap of the \
                     value that it read"
                        .to_string(),
                )
            })
    }

    /// `x < v ? x : v` and its relatives.
    fn minimum_or_maximum(&self, choice: Choice<'c>) -> Option<(Kind, Value<'c>)> {
        let other = self.other(choice.then, choice.otherwise)?;
        let Condition::One(test) = choice.condition else {
            return None;
        };
        use Compare::{
            SignedGreater, SignedGreaterOrEqual, SignedLess, SignedLessOrEqual, UnsignedGreater,
            UnsignedGreaterOrEqual, UnsignedLess, UnsignedLessOrEqual,
        };
        let keeps = choice.then == self.seen;
        match (test.of(self.seen, other)?, keeps) {
            (SignedLess | SignedLessOrEqual, true)
            | (SignedGreater | SignedGreaterOrEqual, false) => Some((Kind::SMin, other)),
            (SignedGreater | SignedGreaterOrEqual, true)
            | (SignedLess | SignedLessOrEqual, false) => Some((Kind::SMax, other)),
            (UnsignedLess | UnsignedLessOrEqual, true)
            | (UnsignedGreater | UnsignedGreaterOrEqual, false) => Some((Kind::UMin, other)),
            (UnsignedGreater | UnsignedGreaterOrEqual, true)
            | (UnsignedLess | UnsignedLessOrEqual, false) => Some((Kind::UMax, other)),
            _ => None,
        }
    }

    /// `x >= v ? 0 : x + 1`, unsigned.
    fn up(&self, choice: Choice<'c>) -> Option<(Kind, Value<'c>)> {
        let Condition::One(test) = choice.condition else {
            return None;
        };
        let limit = self.other(test.left, test.right)?;
        let wraps = test.of(self.seen, limit)? == Compare::UnsignedGreaterOrEqual;
        (wraps && constant(choice.then)? == 0 && self.is_step(choice.otherwise, 1))
            .then_some((Kind::UIncWrap, limit))
    }

    /// `x == 0 || x > v ? v : x - 1`, unsigned.
    fn down(&self, choice: Choice<'c>) -> Option<(Kind, Value<'c>)> {
        let Condition::Any(first, second) = choice.condition else {
            return None;
        };
        let limit = choice.then;
        let ends = |test: Test<'c>| {
            self.other(test.left, test.right).is_some_and(|other| {
                test.of(self.seen, other) == Some(Compare::Equal) && constant(other) == Some(0)
            })
        };
        let above = |test: Test<'c>| test.of(self.seen, limit) == Some(Compare::UnsignedGreater);
        let wraps = ends(first) && above(second) || ends(second) && above(first);
        (wraps && self.is_step(choice.otherwise, -1)).then_some((Kind::UDecWrap, limit))
    }

    /// A choice between floats by a comparison of them.
    fn choice_of_floats(
        &self,
        compare: Op<'c>,
        then: Value<'c>,
        otherwise: Value<'c>,
    ) -> Result<(Kind, Value<'c>), Why> {
        let no_kind = || Why("its choice by 'arith.cmpf' is no minimum or maximum".to_string());
        let other = self.other(then, otherwise).ok_or_else(no_kind)?;
        let (left, right) = (compare.operand(0), compare.operand(1));
        if self.other(left, right) != Some(other) {
            return Err(no_kind());
        }
        let predicate = compare
            .attribute("predicate")
            .and_then(types::integer_value);
        let less = match predicate {
            // olt, ole, ult, ule
            Some(4 | 5 | 11 | 12) => true,
            // ogt, oge, ugt, uge
            Some(2 | 3 | 9 | 10) => false,
            _ => return Err(no_kind()),
        };
        let (kind, number, propagating) = if less == (then == left) {
            (Kind::FMin, "arith.minnumf", "arith.minimumf")
        } else {
            (Kind::FMax, "arith.maxnumf", "arith.maximumf")
        };
        if !(has_flag(compare, "nnan") && has_flag(compare, "nsz")) {
            return Err(Why(format!(
                "its choice by 'arith.cmpf' differs from '{number}' and '{propagating}' where one \
                 is a NaN or both are zeros; use one of these, or say 'fastmath<nnan,nsz>' on the \
                 comparison"
            )));
        }
        Ok((kind, other))
    }

    /// The other of two values, one of which is the value that was read.
    fn other(&self, one: Value<'c>, two: Value<'c>) -> Option<Value<'c>> {
        if one == self.seen {
            Some(two)
        } else {
            (two == self.seen).then_some(one)
        }
    }

    /// Whether it is the value that was read, plus this.
    fn is_step(&self, value: Value<'c>, by: i64) -> bool {
        let Some(op) = value.defining_op() else {
            return false;
        };
        match op.name() {
            "arith.addi" => self
                .other(op.operand(0), op.operand(1))
                .is_some_and(|other| constant(other) == Some(by)),
            "arith.subi" => op.operand(0) == self.seen && constant(op.operand(1)) == Some(-by),
            _ => false,
        }
    }
}

/// A select of integers.
#[derive(Clone, Copy)]
struct Choice<'c> {
    condition: Condition<'c>,
    then: Value<'c>,
    otherwise: Value<'c>,
}

impl Choice<'_> {
    /// The same choice by the opposite condition.
    fn turned(self) -> Self {
        Self {
            condition: self.condition.negated(),
            then: self.otherwise,
            otherwise: self.then,
        }
    }
}

/// A comparison of integers, or two that are joined.
#[derive(Clone, Copy)]
enum Condition<'c> {
    One(Test<'c>),
    Any(Test<'c>, Test<'c>),
    All(Test<'c>, Test<'c>),
}

impl<'c> Condition<'c> {
    fn of(value: Value<'c>) -> Option<Self> {
        let op = value.defining_op()?;
        let test = |at: usize| Test::at(op.operand(at).defining_op()?);
        match op.name() {
            "arith.ori" => Some(Self::Any(test(0)?, test(1)?)),
            "arith.andi" => Some(Self::All(test(0)?, test(1)?)),
            _ => Test::at(op).map(Self::One),
        }
    }

    fn negated(self) -> Self {
        match self {
            Self::One(test) => Self::One(test.negated()),
            Self::Any(first, second) => Self::All(first.negated(), second.negated()),
            Self::All(first, second) => Self::Any(first.negated(), second.negated()),
        }
    }
}

/// An `arith.cmpi`.
#[derive(Clone, Copy)]
struct Test<'c> {
    predicate: Compare,
    left: Value<'c>,
    right: Value<'c>,
}

impl<'c> Test<'c> {
    fn at(op: Op<'c>) -> Option<Self> {
        Some(Self {
            predicate: Compare::of(op)?,
            left: op.operand(0),
            right: op.operand(1),
        })
    }

    /// The predicate of the comparison of these two, in this order.
    fn of(self, left: Value<'c>, right: Value<'c>) -> Option<Compare> {
        if (self.left, self.right) == (left, right) {
            return Some(self.predicate);
        }
        ((self.left, self.right) == (right, left)).then(|| self.predicate.swapped())
    }

    fn negated(self) -> Self {
        Self {
            predicate: self.predicate.negated(),
            ..self
        }
    }
}

/// Whether an operation has one of the flags of `fastmath`.
fn has_flag(op: Op<'_>, flag: &str) -> bool {
    let Some(flags) = op.attribute("fastmath") else {
        return false;
    };
    let text = flags.to_string();
    let inner = text.split(['<', '>']).nth(1).unwrap_or_default();
    inner
        .split(',')
        .any(|one| one.trim() == flag || one.trim() == "fast")
}
