//! `llvm.cmpxchg` as the `xpu.cas` that it is, for as long as the loop around it is looked at.
//!
//! Where the loop is raised, the swap goes with it; where it stays, the swap is put back as it was.

use super::shape::{Found, Loop, find};
use super::{Refusal, exchange, swap};
use xpu_dialect::axes::{Ordering, Scope};
use xpu_dialect::ir::{Builder, Op, Value};
use xpu_dialect::types;
use xpu_dialect::views::Cas;
use xpu_targets::LLVM_SYNCSCOPES;

/// The operation.
pub(crate) const NAME: &str = "llvm.cmpxchg";

/// LLVM's numbers of orderings (`mlir::LLVM::AtomicOrdering`).
const ORDERINGS: &[(i64, Ordering)] = &[
    (2, Ordering::Relaxed),
    (4, Ordering::Acquire),
    (5, Ordering::Release),
    (6, Ordering::AcqRel),
    (7, Ordering::SeqCst),
];

/// An `xpu.cas` in the place of an `llvm.cmpxchg`.
struct StandIn<'c> {
    cas: Cas<'c>,
    /// Whether it has succeeded, where that is asked.
    success: Option<Op<'c>>,
    /// What it stands for, each with the operation that follows.
    removed: Vec<(Op<'c>, Op<'c>)>,
    /// What the swap takes meanwhile, so that it uses nothing of the loop, and what it took.
    held: Vec<(Op<'c>, Value<'c>)>,
    /// The operands that used what is removed, and what they were.
    moved: Vec<(Op<'c>, usize, Value<'c>)>,
}

/// What a swap says.
struct Clauses {
    ordering: Ordering,
    failure: Ordering,
    scope: Scope,
}

/// Replaces the loop around an `llvm.cmpxchg`, which [`find`] has found.
///
/// # Errors
///
/// Where it is no single operation: why. Everything is as it was then.
pub(crate) fn exchange_llvm(op: Op<'_>) -> Result<(), Refusal> {
    let stand_in = StandIn::of(op)?;
    let done = match find(stand_in.cas.op()) {
        Found::Loop(around) => stand_in
            .ends(&around, is_set(op, "weak"))
            .and_then(|()| exchange(&around, stand_in.cas)),
        Found::Nothing | Found::Other(..) => unreachable!("the loop around it has been found"),
    };
    match done {
        Ok(()) => {
            let removed = stand_in.removed.into_iter().rev().map(|(op, _)| op);
            let held = stand_in.held.into_iter().map(|(op, _)| op);
            removed.chain(held).for_each(Op::erase);
            Ok(())
        }
        Err(refusal) => {
            stand_in.put_back(op);
            Err(refusal)
        }
    }
}

impl<'c> StandIn<'c> {
    fn of(op: Op<'c>) -> Result<Self, Refusal> {
        let [pointer, expected, desired] = op.operands()[..] else {
            unreachable!("'{NAME}' has three operands");
        };
        let clauses = clauses(op, expected)?;
        let parts: Vec<(Op<'c>, i64)> = op
            .result(0)
            .uses()
            .into_iter()
            .map(|(user, _)| part(user).map(|position| (user, position)))
            .collect::<Option<_>>()
            .ok_or_else(|| {
                Refusal::new(
                    "its swap's pair of old value and success is used as a whole; take it apart by \
                     'llvm.extractvalue'",
                )
            })?;
        let builder = Builder::before(op);
        let number = |number: i32| types::i32_attribute(op.context(), number);
        let cas = builder
            .op(Cas::NAME)
            .operands(&[expected, desired, pointer])
            .attribute("ordering", number(clauses.ordering.number()))
            .attribute("failure", number(clauses.failure.number()))
            .attribute("scope", number(clauses.scope.number()))
            .result(expected.ty())
            .build();
        let Some(cas) = Cas::of(cas) else {
            unreachable!("it has just been made");
        };
        let old = cas.result_old();
        let success = parts.iter().any(|(_, position)| *position == 1).then(|| {
            builder
                .op("arith.cmpi")
                .operands(&[old, expected])
                .attribute("predicate", types::i64_attribute(op.context(), 0))
                .result(types::integer(op.context(), 1))
                .build()
        });
        let mut stand_in = Self {
            cas,
            success,
            removed: Vec::new(),
            held: Vec::new(),
            moved: Vec::new(),
        };
        for (user, position) in parts {
            let new = match success {
                Some(success) if position == 1 => success.result(0),
                _ => old,
            };
            let taken = user.result(0);
            for (user, operand) in taken.uses() {
                user.set_operand(operand, new);
                stand_in.moved.push((user, operand, taken));
            }
            stand_in.remove(user);
        }
        stand_in.remove(op);
        for (at, operand) in op.operands().into_iter().enumerate() {
            let source = nothing(stand_in.cas.op(), operand);
            op.set_operand(at, source.result(0));
            stand_in.held.push((source, operand));
        }
        // In the order in which they stood: what is used before what uses it.
        stand_in.removed.reverse();
        Ok(stand_in)
    }

    fn remove(&mut self, op: Op<'c>) {
        let Some(next) = op.next() else {
            unreachable!("a terminator follows");
        };
        op.detach();
        self.removed.push((op, next));
    }

    /// A weak swap may fail although it found what it expected: the bits do not tell.
    fn ends(&self, around: &Loop<'c>, is_weak: bool) -> Result<(), Refusal> {
        let asked = swap::question(around).0.defining_op();
        if is_weak && (asked.is_none() || asked != self.success) {
            return Err(Refusal::new(
                "its swap is weak, so that it may fail although it found what it expected, and the \
                 loop does not ask for its success; let it end on the second value of the swap",
            ));
        }
        Ok(())
    }

    fn put_back(self, op: Op<'c>) {
        for (at, (source, operand)) in self.held.into_iter().enumerate() {
            op.set_operand(at, operand);
            source.erase();
        }
        // The first of them was removed last.
        for (op, next) in &self.removed {
            next.insert_before(*op);
        }
        for (user, operand, taken) in &self.moved {
            user.set_operand(*operand, *taken);
        }
        if let Some(success) = self.success {
            success.erase();
        }
        self.cas.op().erase();
    }
}

/// Something of the type of a value, in no block.
fn nothing<'c>(at: Op<'c>, value: Value<'c>) -> Op<'c> {
    Builder::before(at)
        .op("builtin.unrealized_conversion_cast")
        .result(value.ty())
        .detached()
}

/// Which of the pair an operation takes out.
fn part(user: Op<'_>) -> Option<i64> {
    let position = user.attribute("position")?;
    let position = types::i64_array_value(position)?;
    match position[..] {
        [position] if user.is("llvm.extractvalue") => Some(position),
        _ => None,
    }
}

/// What the swap says, in xpu's words.
fn clauses(op: Op<'_>, expected: Value<'_>) -> Result<Clauses, Refusal> {
    let width = types::integer_parts(expected.ty()).map(|(width, _)| width);
    let Some(bytes @ (1 | 2 | 4 | 8)) = width.map(|width| width.div_ceil(8)) else {
        return Err(Refusal::new(format!(
            "its swap is of type '{}'; xpu's are of i8, i16, i32 and i64",
            expected.ty()
        )));
    };
    if is_set(op, "volatile_") {
        return Err(Refusal::new(
            "its swap is volatile, so that each try counts; make it another",
        ));
    }
    let alignment = op.attribute("alignment").and_then(types::integer_value);
    if alignment.is_some_and(|alignment| alignment < i64::from(bytes)) {
        return Err(Refusal::new(
            "its swap is aligned to less than its size, which xpu's are not",
        ));
    }
    let ordering = |name| {
        let number = op.attribute(name).and_then(types::integer_value);
        let row = ORDERINGS.iter().find(|(known, _)| Some(*known) == number);
        row.map(|(_, ordering)| *ordering)
            .ok_or_else(|| Refusal::new("its swap has an ordering that xpu has not"))
    };
    let (success, failure) = (ordering("success_ordering")?, ordering("failure_ordering")?);
    if !failure.fits_failure_of(success) {
        return Err(Refusal::new(format!(
            "its swap orders more where it fails ({}) than where it succeeds ({}); make the failure \
             monotonic, or the success stronger",
            failure.name(),
            success.name()
        )));
    }
    let said = op.attribute("syncscope").and_then(types::string_value);
    let known = LLVM_SYNCSCOPES
        .iter()
        .find(|(word, _)| *word == said.unwrap_or_default());
    let Some((_, scope)) = known else {
        return Err(Refusal::new(format!(
            "its swap has the syncscope '{}', which is none of xpu's scopes",
            said.unwrap_or_default()
        )));
    };
    let scope = Scope::ALL
        .iter()
        .find(|one| crate::axes::scope(**one) == *scope);
    let Some(scope) = scope else {
        unreachable!("the dialect has the tables' scopes");
    };
    Ok(Clauses {
        ordering: success,
        failure,
        scope: *scope,
    })
}

fn is_set(op: Op<'_>, name: &str) -> bool {
    op.attribute(name).is_some()
}
