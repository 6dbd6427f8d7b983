//! The conditions under which a loop around a swap is an update of one element, whatever is computed.

use super::Refusal;
use super::shape::Loop;
use crate::atomic::Access;
use crate::expand::arith::{Compare, constant};
use std::collections::HashSet;
use xpu_dialect::axes::Ordering;
use xpu_dialect::ir::{Op, Value};
use xpu_dialect::types;
use xpu_dialect::views::{AtomicLoad, Cas};

/// A swap that is tried until it succeeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swap<'c> {
    /// The swap.
    pub(crate) cas: Cas<'c>,
    /// The value that it expects, under its first name.
    pub(crate) seen: Value<'c>,
    /// The read that the loop starts from.
    pub(crate) first: Option<Op<'c>>,
}

/// Operations outside of `arith`, `math` and `index` that have no effect and no regions.
const PURE: &[&str] = &[
    "gpu.block_dim",
    "gpu.block_id",
    "gpu.global_id",
    "gpu.grid_dim",
    "gpu.thread_id",
    "ub.poison",
    "xpu.global_id",
    "xpu.group_count",
    "xpu.group_id",
    "xpu.local_id",
    "xpu.reinterpret",
    "xpu.sign_cast",
    "xpu.workgroup_size",
];

/// Whether an operation only computes.
pub(super) fn is_pure(op: Op<'_>) -> bool {
    let name = op.name();
    let is_of = |dialect: &str| name.starts_with(dialect);
    ["arith.", "math.", "index."].into_iter().any(is_of) || PURE.contains(&name)
}

/// A value without the casts that keep its bits.
pub(super) fn uncast<'c>(around: &Loop<'c>, value: Value<'c>) -> Value<'c> {
    let mut value = around.in_turn(value);
    let mut met = HashSet::new();
    while let Some(op) = value
        .defining_op()
        .filter(|op| is_cast(*op) && met.insert(*op))
    {
        value = around.in_turn(op.operand(0));
    }
    value
}

/// Whether an operation gives the bits of its operand another type.
pub(super) fn is_cast(op: Op<'_>) -> bool {
    op.is("arith.bitcast") || op.is("xpu.sign_cast")
}

/// Checks everything but what is computed.
pub(super) fn check<'c>(around: &Loop<'c>, cas: Cas<'c>) -> Result<Swap<'c>, Refusal> {
    let loads = effects(around, cas)?;
    let seen = expected(around, cas, &loads)?;
    condition(around, cas, seen)?;
    for load in &loads {
        same_element(cas, *load)?;
    }
    let carried = around.carried.iter().find(|one| one.value == seen);
    let first = carried
        .and_then(|one| uncast(around, one.first).defining_op())
        .filter(|op| is_load(*op));
    if let Some(load) = first {
        same_element(cas, load)?;
    }
    failure(cas)?;
    Ok(Swap { cas, seen, first })
}

fn is_load(op: Op<'_>) -> bool {
    op.is("memref.load") || op.is("llvm.load") || op.is(AtomicLoad::NAME)
}

/// The reads of a loop, which may have no other effect but its swap.
fn effects<'c>(around: &Loop<'c>, cas: Cas<'c>) -> Result<Vec<Op<'c>>, Refusal> {
    let mut loads = Vec::new();
    for op in around.ops() {
        if op == cas.op() || is_pure(op) {
            continue;
        }
        if op.is(Cas::NAME) {
            return Err(Refusal::new("it swaps more than once in a turn"));
        }
        if !is_load(op) {
            return Err(Refusal::new(format!(
                "it does more in a turn than to compute and swap: '{}'; move that out of the loop",
                op.name()
            )));
        }
        loads.push(op);
    }
    Ok(loads)
}

/// What the swap expects: the last value that was read, by the swap before or by a load.
fn expected<'c>(around: &Loop<'c>, cas: Cas<'c>, loads: &[Op<'c>]) -> Result<Value<'c>, Refusal> {
    let seen = uncast(around, cas.expected());
    let is_read = |value: Value<'c>| {
        value == cas.result_old() || value.defining_op().is_some_and(|op| loads.contains(&op))
    };
    let carried = around.carried.iter().find(|one| one.value == seen);
    let next = carried.map(|one| uncast(around, one.next));
    let waits = match next {
        Some(next) => next == seen,
        None => !around.makes(seen),
    };
    if waits {
        return Err(Refusal::new(
            "it expects the same value in every turn, so that it waits for that value, as a lock \
             does, where the single operation does not wait",
        ));
    }
    if is_read(next.unwrap_or(seen)) {
        return Ok(seen);
    }
    Err(Refusal::new(
        "it expects a value that is not the one read last; carry the result of the swap into the \
         next turn",
    ))
}

/// What is asked at the end of a turn, without negations, and what it is where the loop turns again.
pub(super) fn question<'c>(around: &Loop<'c>) -> (Value<'c>, bool) {
    let (mut condition, mut again_if) = (around.in_turn(around.condition), around.again_if);
    while let Some(other) = negated(condition) {
        (condition, again_if) = (around.in_turn(other), !again_if);
    }
    (condition, again_if)
}

/// The loop must go on exactly where the swap has not succeeded, which its bits tell.
fn condition<'c>(around: &Loop<'c>, cas: Cas<'c>, seen: Value<'c>) -> Result<(), Refusal> {
    let (condition, again_if) = question(around);
    let old = cas.result_old();
    let compares = |op: Op<'c>| {
        let (left, right) = (uncast(around, op.operand(0)), uncast(around, op.operand(1)));
        (left, right) == (old, seen) || (left, right) == (seen, old)
    };
    match condition.defining_op() {
        Some(op) if op.is("arith.cmpf") && compares(op) => Err(Refusal::new(
            "it compares floats to see whether the swap has succeeded: a NaN is unequal to itself, \
             so that it would never end on one, and -0 equals +0, so that it would end without \
             having stored; compare the bits, by 'arith.bitcast' and 'arith.cmpi'",
        )),
        Some(op) if op.is("arith.cmpi") && compares(op) => {
            let differs = match Compare::of(op) {
                Some(Compare::Equal) => false,
                Some(Compare::NotEqual) => true,
                _ => return Err(undecided()),
            };
            if differs == again_if {
                return Ok(());
            }
            Err(Refusal::new(
                "it goes on where the swap has succeeded, and ends where it has failed",
            ))
        }
        _ => Err(undecided()),
    }
}

fn undecided() -> Refusal {
    Refusal::new(
        "something else than the success of the swap decides whether it ends, such as a bound on \
         its turns or a test before the swap, so that it may end without having stored; let it end \
         exactly where the bits of the old value are those that were expected",
    )
}

/// What an i1 is the negation of.
fn negated(value: Value<'_>) -> Option<Value<'_>> {
    let op = value.defining_op().filter(|op| op.is("arith.xori"))?;
    let is_true = |value: Value<'_>| constant(value).is_some_and(|value| value != 0);
    if is_true(op.operand(1)) {
        Some(op.operand(0))
    } else {
        is_true(op.operand(0)).then(|| op.operand(1))
    }
}

/// A read must be of the element that is swapped, and may not order more than the operation will.
fn same_element(cas: Cas<'_>, load: Op<'_>) -> Result<(), Refusal> {
    let (memref, indices) = match Access::of(load) {
        Some(access) => (load.operand(0), access.indices()),
        None => (load.operand(0), load.operands().split_off(1)),
    };
    let are_same = |(one, two): (&Value<'_>, &Value<'_>)| {
        one == two || constant(*one).is_some_and(|value| constant(*two) == Some(value))
    };
    let is_same = row(memref) == row(cas.memref())
        && types::bit_width(load.result(0).ty()) == types::bit_width(cas.result_old().ty())
        && indices.iter().zip(&cas.indices()).all(are_same);
    if !is_same {
        return Err(Refusal::new(
            "it reads another element than it swaps; read the element itself, through the same \
             memref and indices ('-cse' makes equal ones the same)",
        ));
    }
    let Some(read) = AtomicLoad::of(load) else {
        // A read that is atomic and relaxed orders nothing; the operation reads at the swap's scope.
        let hint = ["nontemporal", "ordering", "volatile_"]
            .into_iter()
            .find(|name| load.attribute(name).is_some_and(is_set) && !orders_nothing(load, name));
        return hint.map_or(Ok(()), |hint| {
            Err(Refusal::new(format!(
                "it reads in a way ('{hint}') that the single operation has no place for; read \
                 plainly, or by 'xpu.atomic_load'"
            )))
        });
    };
    if read.scope() != cas.scope() {
        return Err(Refusal::new(
            "its read and its swap have different scopes; write the same on both, or run \
             'xpu-assign-scope' first",
        ));
    }
    let is_covered = match (read.ordering(), cas.ordering()) {
        (Some(Ordering::Relaxed), _) | (None, None) => true,
        (Some(read), Some(swap)) => read.fits_failure_of(swap),
        (None, Some(swap)) => swap == Ordering::SeqCst,
        (Some(_), None) => false,
    };
    if is_covered {
        return Ok(());
    }
    let name = |ordering: Option<Ordering>| ordering.map_or("absent", Ordering::name);
    Err(Refusal::new(format!(
        "its read orders more than its swap does: the read's ordering is {}, the swap's is {}; make \
         the read relaxed, which is enough for a guess, or the swap stronger",
        name(read.ordering()),
        name(cas.ordering())
    )))
}

/// LLVM's numbers of orderings: 0 is that of a load that is not atomic, 1 unordered, 2 monotonic.
fn orders_nothing(load: Op<'_>, name: &str) -> bool {
    let number = load.attribute("ordering").and_then(types::integer_value);
    name == "ordering" && number.is_some_and(|number| (0..=2).contains(&number))
}

/// Whether a read is atomic, so that a fence behind it may order something by it.
pub(super) fn is_atomic(load: Op<'_>) -> bool {
    load.is(AtomicLoad::NAME)
        || load.is("llvm.load") && load.attribute("ordering").is_some_and(is_set)
}

fn is_set(attribute: xpu_dialect::ir::Attribute<'_>) -> bool {
    types::integer_value(attribute).is_none_or(|value| value != 0)
}

/// The memref that casts to elements of the same width were made from: the same indices name the same
/// bytes in both.
fn row(memref: Value<'_>) -> Value<'_> {
    let mut memref = memref;
    while let Some(op) = memref.defining_op().filter(|op| keeps_width(*op)) {
        memref = op.operand(0);
    }
    memref
}

/// Whether it is an `xpu.reinterpret` to elements of the same width.
pub(super) fn keeps_width(op: Op<'_>) -> bool {
    let width = |value: Value<'_>| {
        types::MemRef::of(value.ty()).and_then(|memref| types::bit_width(memref.element))
    };
    op.is("xpu.reinterpret") && width(op.operand(0)) == width(op.result(0))
}

/// The ordering of a failed swap is at most the reading half of that of a success, which the dialect
/// verifies where both are there.
fn failure(cas: Cas<'_>) -> Result<(), Refusal> {
    match (cas.ordering(), cas.failure()) {
        (None, Some(failure)) if failure != Ordering::Relaxed => Err(Refusal::new(format!(
            "its swap has an ordering where it fails ({}) and none yet where it succeeds; write \
             'ordering', or run 'xpu-assign-ordering' first",
            failure.name()
        ))),
        _ => Ok(()),
    }
}
