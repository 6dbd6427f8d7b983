//! Puts the single operation in the place of a loop.

use super::Refusal;
use super::rebuilt::Rebuilt;
use super::shape::{Branch, Form, Loop, segments};
use super::swap::{self, Swap, is_pure, keeps_width};
use crate::body_kind;
use xpu_dialect::axes::Kind;
use xpu_dialect::ir::{Block, Builder, Location, Op, Type, Value};
use xpu_dialect::types::{self, MemRef};
use xpu_dialect::views::{AtomicRmw, Cas};

/// What is done to the element.
struct Update<'c> {
    kind: Kind,
    operand: Value<'c>,
    memref: Value<'c>,
    indices: Vec<Value<'c>>,
}

/// A value of the loop that is used behind it, and what it becomes.
struct Given<'c> {
    value: Value<'c>,
    becomes: Value<'c>,
}

/// Replaces the loop around a swap.
///
/// # Errors
///
/// Where it is no single operation: why. Nothing has been changed then.
pub(crate) fn exchange<'c>(around: &Loop<'c>, cas: Cas<'c>) -> Result<(), Refusal> {
    let swap = swap::check(around, cas)?;
    let old_ops = around.turn.ops();
    let anchor = match around.form {
        Form::While(op) => op,
        Form::Blocks { .. } => old_ops[0],
    };
    // Before anything is made, so that only what was there lies between.
    let first = swap.first.filter(|load| is_guess(*load, around));
    let mut rebuilt = Rebuilt::new(around, &swap, anchor);
    let found = given(around, &rebuilt).and_then(|given| {
        let update = update(&mut rebuilt, &swap)?;
        Ok((given, update))
    });
    let (given, update) = match found {
        Ok(found) => found,
        Err(refusal) => {
            rebuilt.discard();
            return Err(refusal);
        }
    };
    let old = single(&rebuilt, cas, around.op(cas.op()), &update);
    replace(around, &old_ops, &given);
    rebuilt.finish(old);
    remove_guess(first);
    Ok(())
}

/// The kind, the operand and the element of the update.
fn update<'c>(rebuilt: &mut Rebuilt<'c, '_>, swap: &Swap<'c>) -> Result<Update<'c>, Refusal> {
    let cas = swap.cas;
    let memref = rebuilt.get(cas.memref())?;
    let indices: Vec<_> = cas
        .indices()
        .into_iter()
        .map(|index| rebuilt.get(index))
        .collect::<Result<_, _>>()?;
    if indices
        .iter()
        .chain([&memref])
        .any(|value| rebuilt.depends(*value))
    {
        return Err(Refusal::new(
            "which element it swaps depends on the value that it read",
        ));
    }
    let desired = rebuilt.get(cas.desired())?;
    if !rebuilt.depends(desired) {
        let kind = Kind::Xchg;
        return Ok(Update {
            kind,
            operand: desired,
            memref,
            indices,
        });
    }
    let new = rebuilt.uncast(desired);
    let seen = rebuilt.seen_as(new.ty());
    let (kind, operand) = body_kind::recognise(seen, new)
        .map_err(|why| Refusal::new(format!("what it stores is none of the kinds: {why}")))?;
    // The old value may have been looked at in other types, too.
    if rebuilt.depends(operand) {
        return Err(Refusal::new(
            "what it stores is none of the kinds: it computes more on the value that it read than \
             one operation",
        ));
    }
    let element = cas.result_old().ty();
    if types::is_float(element) == types::is_float(new.ty()) {
        let operand = rebuilt.cast(operand, element);
        return Ok(Update {
            kind,
            operand,
            memref,
            indices,
        });
    }
    let memref = seen_with(rebuilt, memref, new.ty())?;
    Ok(Update {
        kind,
        operand,
        memref,
        indices,
    })
}

/// The memref with other elements of the same width.
fn seen_with<'c>(
    rebuilt: &Rebuilt<'c, '_>,
    memref: Value<'c>,
    element: Type<'c>,
) -> Result<Value<'c>, Refusal> {
    let has_elements =
        |value: Value<'c>| MemRef::of(value.ty()).is_some_and(|memref| memref.element == element);
    if let Some(cast) = memref.defining_op().filter(|op| keeps_width(*op))
        && has_elements(cast.operand(0))
    {
        return Ok(cast.operand(0));
    }
    match MemRef::of(memref.ty()) {
        Some(layout) if layout.is_identity && layout.rank() > 0 => {
            let ty = types::memref(element, &layout.shape, layout.space);
            Ok(rebuilt.place().value("xpu.reinterpret", &[memref], ty))
        }
        // A pointer leads to whatever the operation takes.
        None => Ok(memref),
        Some(_) => Err(Refusal::new(format!(
            "it computes on '{element}', and a memref of type '{}' cannot be seen as one of such \
             elements, for want of the identity layout and of a dimension; swap elements of type \
             '{element}'",
            memref.ty()
        ))),
    }
}

/// What is used behind the loop.
fn given<'c>(around: &Loop<'c>, rebuilt: &Rebuilt<'c, '_>) -> Result<Vec<Given<'c>>, Refusal> {
    let mut given = Vec::new();
    let mut add = |value: Value<'c>, of: Value<'c>| {
        let becomes = rebuilt.get(of)?;
        given.push(Given { value, becomes });
        Ok(())
    };
    match around.form {
        Form::While(op) => {
            let passed = around
                .turn
                .terminator()
                .map(Op::operands)
                .unwrap_or_default();
            for (result, passed) in op.results().into_iter().zip(passed.into_iter().skip(1)) {
                if result.has_uses() {
                    add(result, passed)?;
                }
            }
        }
        Form::Blocks { exit, .. } => {
            for value in values(around) {
                if value
                    .uses()
                    .iter()
                    .any(|(user, _)| is_behind(around, *user))
                {
                    add(value, value)?;
                }
            }
            for value in way_out(around, exit).values {
                if around.makes(value) {
                    add(value, value)?;
                }
            }
        }
    }
    Ok(given)
}

/// The values that blocks of a loop make.
fn values<'c>(around: &Loop<'c>) -> Vec<Value<'c>> {
    let blocks = [Some(around.turn), around.between];
    blocks
        .into_iter()
        .flatten()
        .flat_map(|block| {
            let results = block.ops().into_iter().flat_map(Op::results);
            block.arguments().into_iter().chain(results)
        })
        .collect()
}

/// Whether an operation is outside of the blocks of a loop.
fn is_behind<'c>(around: &Loop<'c>, user: Op<'c>) -> bool {
    !user.block().is_some_and(|block| around.has(block))
}

/// The way out of a loop of blocks.
fn way_out<'c>(around: &Loop<'c>, exit: usize) -> Branch<'c> {
    match around.turn.terminator() {
        Some(end) => Branch::of(end, exit),
        None => unreachable!("the turn of a loop has a terminator: its shape was found by it"),
    }
}

/// The operation; the old value.
fn single<'c>(
    rebuilt: &Rebuilt<'c, '_>,
    cas: Cas<'c>,
    at: Op<'c>,
    update: &Update<'c>,
) -> Value<'c> {
    let builder = rebuilt.place();
    let context = builder.context();
    let number = |number: i32| types::i32_attribute(context, number);
    let mut op = builder
        .op(AtomicRmw::NAME)
        .operands(&[update.operand, update.memref])
        .operands(&update.indices)
        .attribute("kind", number(update.kind.number()))
        .optional_attribute("ordering", cas.ordering().map(|one| number(one.number())))
        .optional_attribute("scope", cas.scope().map(|one| number(one.number())));
    for (name, value) in cas.op().discardable_attributes() {
        op = op.attribute(name, value);
    }
    let op = op.result(update.operand.ty()).build();
    let from = [cas.op().location(), at.location()];
    let metadata = types::string_attribute(context, "xpu-raise-cas-loops");
    op.set_location(match from {
        [one, other] if one == other => one,
        _ => Location::fused(context, &from, metadata),
    });
    op.result(0)
}

/// Removes the loop; what used its values uses what they become.
fn replace<'c>(around: &Loop<'c>, old_ops: &[Op<'c>], given: &[Given<'c>]) {
    match around.form {
        Form::While(op) => {
            for one in given {
                one.value.replace_all_uses_with(one.becomes);
            }
            op.erase();
        }
        Form::Blocks { entry, edge, exit } => {
            let behind = |value: Value<'c>| {
                given
                    .iter()
                    .find(|one| one.value == value)
                    .map_or(value, |one| one.becomes)
            };
            let out = way_out(around, exit);
            let location = old_ops[old_ops.len() - 1].location();
            for one in given {
                for (user, operand) in one.value.uses() {
                    if is_behind(around, user) {
                        user.set_operand(operand, one.becomes);
                    }
                }
            }
            let values: Vec<_> = out.values.iter().map(|value| behind(*value)).collect();
            remove(around, old_ops);
            Builder::at_end(entry.context(), around.turn, location)
                .op("cf.br")
                .operands(&values)
                .successors(&[out.to])
                .build();
            enter_without_values(entry, edge, around.turn);
        }
    }
}

/// Removes the operations of a loop of blocks, and the block between two turns.
fn remove<'c>(around: &Loop<'c>, old_ops: &[Op<'c>]) {
    if let Some(end) = old_ops.last() {
        end.erase();
    }
    if let Some(between) = around.between {
        between.erase();
    }
    for op in old_ops.iter().rev().skip(1) {
        op.erase();
    }
}

/// Takes the values away that a branch hands to a block, which carries nothing any more.
fn enter_without_values<'c>(entry: Op<'c>, edge: usize, block: Block<'c>) {
    for at in (0..block.arguments().len()).rev() {
        block.erase_argument(at);
    }
    let way = Branch::of(entry, edge);
    let (start, count) = (way.start, way.values.len());
    if count == 0 {
        return;
    }
    let mut operands = entry.operands();
    operands.drain(start..start + count);
    let mut sizes = segments(entry);
    if let Some(size) = sizes.get_mut(edge + 1) {
        *size = 0;
    }
    let sizes: Vec<i32> = sizes
        .iter()
        .filter_map(|size| i32::try_from(*size).ok())
        .collect();
    let context = entry.context();
    let sizes = types::i32_array_attribute(context, &sizes);
    let is_conditional = entry.is("cf.cond_br");
    let mut op = Builder::before(entry)
        .op(entry.name())
        .operands(&operands)
        .successors(&entry.successors())
        .optional_attribute("operandSegmentSizes", is_conditional.then_some(sizes))
        .optional_attribute("branch_weights", entry.attribute("branch_weights"));
    for (name, value) in entry.discardable_attributes() {
        op = op.attribute(name, value);
    }
    op.build();
    entry.erase();
}

/// Whether the read before a loop may go with it: nobody else uses it, and nothing that it could
/// order stands between the two. (The operation then orders at least as much, at that very place.)
fn is_guess<'c>(load: Op<'c>, around: &Loop<'c>) -> bool {
    let end = match around.form {
        Form::While(op) => op,
        Form::Blocks { entry, .. } => entry,
    };
    if swap::is_atomic(load) {
        let between = std::iter::successors(load.next(), |op| op.next());
        let mut between = between.skip_while(|op| is_pure(*op) || op.is("memref.load"));
        if between.next() != Some(end) {
            return false;
        }
    }
    true
}

/// Removes the read before a loop where nothing uses it any more, with the casts of what it read.
fn remove_guess(load: Option<Op<'_>>) {
    let mut ops: Vec<Op<'_>> = load.into_iter().collect();
    while let Some(op) = ops.last().copied() {
        match op.result(0).uses()[..] {
            [] => {
                op.erase();
                ops.pop();
            }
            [(user, _), ..] if swap::is_cast(user) && !ops.contains(&user) => ops.push(user),
            _ => return,
        }
    }
}
