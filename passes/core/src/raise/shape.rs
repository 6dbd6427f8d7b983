//! The loop around a compare-and-swap: an `scf.while`, or blocks of `cf` that go round.
//!
//! Both have the same parts. What runs in a turn is one block without branches; it ends with the
//! question whether to turn again. Between two turns there may be a second block, which hands values
//! on.

use super::Refusal;
use std::collections::HashMap;
use xpu_dialect::ir::{Block, Op, Value};
use xpu_dialect::types;

/// A value that a loop carries from turn to turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried<'c> {
    /// What it is called in a turn.
    pub(crate) value: Value<'c>,
    /// What it is in the first turn.
    pub(crate) first: Value<'c>,
    /// What it is in the next turn.
    pub(crate) next: Value<'c>,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop<'c> {
    /// What runs in a turn.
    pub(crate) turn: Block<'c>,
    /// What runs between two turns.
    pub(crate) between: Option<Block<'c>>,
    /// What is carried.
    pub(crate) carried: Vec<Carried<'c>>,
    /// The condition at the end of a turn.
    pub(crate) condition: Value<'c>,
    /// What the condition is where the loop turns again.
    pub(crate) again_if: bool,
    /// How it is written.
    pub(crate) form: Form<'c>,
    /// Names that values of a turn have between two turns.
    handed: HashMap<Value<'c>, Value<'c>>,
}

/// How a loop is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<'c> {
    /// As `scf.while`.
    While(Op<'c>),
    /// As blocks.
    Blocks {
        /// The terminator that leads into it.
        entry: Op<'c>,
        /// The place among the entry's successors.
        edge: usize,
        /// The place of the way out among the successors of the turn's terminator.
        exit: usize,
    },
}

/// What is around a swap.
pub(crate) enum Found<'c> {
    /// No loop.
    Nothing,
    /// A loop that is none of the shapes, to be reported at this operation.
    Other(Op<'c>, Refusal),
    /// A loop.
    Loop(Loop<'c>),
}

/// Looks for the loop around a swap.
pub(crate) fn find(swap: Op<'_>) -> Found<'_> {
    let Some(block) = swap.block() else {
        return Found::Nothing;
    };
    match swap.parent() {
        Some(parent) if parent.is("scf.while") => structured(parent, block),
        Some(parent) => match blocks(swap, parent, block) {
            Found::Nothing if is_branch(parent) => beneath_branches(parent),
            found => found,
        },
        None => Found::Nothing,
    }
}

impl<'c> Loop<'c> {
    /// Whether a value is made in it.
    pub(crate) fn makes(&self, value: Value<'c>) -> bool {
        let block = match value.as_block_argument() {
            Some((block, _)) => Some(block),
            None => value.defining_op().and_then(Op::block),
        };
        block.is_some_and(|block| self.has(block))
    }

    /// Whether a block is part of it.
    pub(crate) fn has(&self, block: Block<'c>) -> bool {
        block == self.turn || self.between == Some(block)
    }

    /// The value of a turn that goes by this name between two turns.
    pub(crate) fn in_turn(&self, value: Value<'c>) -> Value<'c> {
        self.handed.get(&value).copied().unwrap_or(value)
    }

    /// Its operations, without the terminators.
    pub(crate) fn ops(&self) -> Vec<Op<'c>> {
        let blocks = std::iter::once(self.turn).chain(self.between);
        blocks
            .flat_map(|block| {
                let mut ops = block.ops();
                ops.pop();
                ops
            })
            .collect()
    }

    /// Where a remark on it stands.
    pub(crate) fn op(&self, swap: Op<'c>) -> Op<'c> {
        match self.form {
            Form::While(op) => op,
            Form::Blocks { .. } => swap,
        }
    }
}

fn is_branch(op: Op<'_>) -> bool {
    ["scf.if", "scf.index_switch", "scf.execute_region"].contains(&op.name())
}

/// A swap on a branch, which is of interest where a loop is around the branches.
fn beneath_branches(mut op: Op<'_>) -> Found<'_> {
    while let Some(parent) = op.parent() {
        if parent.is("scf.while") {
            let why = "it swaps on a branch only, so that a turn may store nothing, where the single \
                       operation always stores; use the operation itself if it may";
            return Found::Other(parent, Refusal::new(why));
        }
        if !is_branch(parent) {
            break;
        }
        op = parent;
    }
    Found::Nothing
}

fn structured<'c>(op: Op<'c>, block: Block<'c>) -> Found<'c> {
    let (before, after) = (op.region(0), op.region(1));
    let (Some(turn), Some(between)) = (before.first(), after.first()) else {
        return Found::Nothing;
    };
    if block != turn {
        let why = "it asks whether to go on before it swaps, so that it may end without storing \
                   anything, where the single operation always stores; swap in the first region, \
                   and let the swap alone decide";
        return Found::Other(op, Refusal::new(why));
    }
    let (Some(condition), Some(end)) = (turn.terminator(), between.terminator()) else {
        return Found::Nothing;
    };
    let mut passed = condition.operands();
    let condition = passed.remove(0);
    let values = turn.arguments().into_iter();
    let carried = values.zip(op.operands()).zip(end.operands());
    Found::Loop(Loop {
        turn,
        between: Some(between),
        carried: carried
            .map(|((value, first), next)| Carried { value, first, next })
            .collect(),
        condition,
        again_if: true,
        form: Form::While(op),
        handed: between.arguments().into_iter().zip(passed).collect(),
    })
}

/// Blocks of a region: one that goes back to itself, or to one that does nothing but go back to it.
fn blocks<'c>(swap: Op<'c>, parent: Op<'c>, turn: Block<'c>) -> Found<'c> {
    let region = parent.regions().into_iter();
    let Some(region) = region
        .map(|region| region.blocks())
        .find(|blocks| blocks.contains(&turn))
    else {
        return Found::Nothing;
    };
    if !goes_round(turn) {
        return Found::Nothing;
    }
    let other = |why: &str| Found::Other(swap, Refusal::new(why));
    let Some(end) = turn.terminator().filter(|end| end.is("cf.cond_br")) else {
        return other(
            "it does not end a turn with the question whether the swap has succeeded, in \
             'cf.cond_br'; let the block that swaps go back to itself where it has not",
        );
    };
    let ways = [Branch::of(end, 0), Branch::of(end, 1)];
    let back = |way: &Branch<'c>| {
        if way.to == turn {
            return Some((None, way.values.clone()));
        }
        let end = way.to.terminator().filter(|end| end.is("cf.br"))?;
        let is_alone = edges(&region, way.to).len() == 1;
        let back = Branch::of(end, 0);
        (is_alone && back.to == turn).then_some((Some(way.to), back.values))
    };
    let ((between, next), handed, again_if, exit) = match (back(&ways[0]), back(&ways[1])) {
        (Some(back), None) => (back, &ways[0], true, 1),
        (None, Some(back)) => (back, &ways[1], false, 0),
        _ => {
            return other(
                "its turns have more than the block that swaps; let that block go back to itself \
                 where the swap has failed, and leave where it has succeeded",
            );
        }
    };
    let entries: Vec<_> = edges(&region, turn)
        .into_iter()
        .filter(|(op, _)| *op != end && op.block() != between)
        .collect();
    let [(entry, edge)] = entries[..] else {
        return other("it is entered in more than one place; give it a block before it");
    };
    if !(entry.is("cf.br") || entry.is("cf.cond_br")) {
        return other("it is not entered by 'cf.br'; give it a block before it");
    }
    let first = Branch::of(entry, edge).values.into_iter();
    let carried = turn.arguments().into_iter().zip(first).zip(next);
    let names = between.map(Block::arguments).unwrap_or_default();
    Found::Loop(Loop {
        turn,
        between,
        carried: carried
            .map(|((value, first), next)| Carried { value, first, next })
            .collect(),
        condition: end.operand(0),
        again_if,
        form: Form::Blocks { entry, edge, exit },
        handed: names.into_iter().zip(handed.values.clone()).collect(),
    })
}

/// Whether a block comes back to itself.
fn goes_round<'c>(block: Block<'c>) -> bool {
    let next = |block: Block<'c>| block.terminator().map(Op::successors).unwrap_or_default();
    let mut reached: Vec<Block<'c>> = Vec::new();
    let mut pending = next(block);
    while let Some(one) = pending.pop() {
        if one == block {
            return true;
        }
        if !reached.contains(&one) {
            reached.push(one);
            pending.extend(next(one));
        }
    }
    false
}

/// The terminators that lead to a block, each with the place among its successors.
fn edges<'c>(blocks: &[Block<'c>], to: Block<'c>) -> Vec<(Op<'c>, usize)> {
    let ends = blocks.iter().filter_map(|block| block.terminator());
    ends.flat_map(|end| {
        let successors = end.successors().into_iter().enumerate();
        successors.filter_map(move |(place, block)| (block == to).then_some((end, place)))
    })
    .collect()
}

/// One way that a `cf.br` or `cf.cond_br` takes.
#[derive(Clone, Debug)]
pub(crate) struct Branch<'c> {
    /// Where to.
    pub(crate) to: Block<'c>,
    /// With which values.
    pub(crate) values: Vec<Value<'c>>,
    /// The place of the first of them among the operands.
    pub(crate) start: usize,
}

impl<'c> Branch<'c> {
    /// The way to this successor.
    pub(crate) fn of(end: Op<'c>, place: usize) -> Self {
        let (start, count) = match segments(end)[..] {
            [_, first, _] if place == 0 => (1, first),
            [_, first, second] => (1 + first, second),
            _ => (0, end.operand_count()),
        };
        Self {
            to: end.successors()[place],
            values: end.operands()[start..start + count].to_vec(),
            start,
        }
    }
}

/// How many operands a `cf.cond_br` has of each sort: the condition, and the values of both ways.
pub(super) fn segments(end: Op<'_>) -> Vec<usize> {
    let sizes = end
        .attribute("operandSegmentSizes")
        .and_then(types::i32_array_value)
        .unwrap_or_default();
    sizes
        .into_iter()
        .map(|size| usize::try_from(size).unwrap_or_default())
        .collect()
}
