//! `xpu-converge-loops`: keeps what a wave does in a loop over an atomic in that loop, on AMD chips.
//!
//! The lanes of a wave go in step there: one that has left a loop waits until all have. In
//!
//! ```text
//! while (!done) { if (cas(lock, 0, 1) == 0) { …; lock = 0; done = true; } }
//! ```
//!
//! LLVM sees that whoever has the lock leaves the loop, and moves what the lock guards, and the unlocking,
//! behind it. Then the winner waits for the others, and they for the lock, for ever.
//!
//! Requires: functions in LLVM's dialect; run it last. Guarantees: where a loop ends by what an atomic or a
//! call in it gives, has ways that meet again and more than one write, `llvm.amdgcn.wave.barrier` stands
//! before each branch out of it. That is no instruction, but LLVM lets no path go around it. Does not: move
//! what the source has behind the loop, nor touch other loops, such as those around one compare-and-swap.
//!
//! ```mlir
//! llvm.cond_br %lost, ^again, ^end
//! // becomes
//! llvm.call_intrinsic "llvm.amdgcn.wave.barrier"() : () -> ()
//! llvm.cond_br %lost, ^again, ^end
//! ```

use crate::target;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Block, Builder, Op, Value};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types;

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-converge-loops",
    summary: "Keep what a wave does in a loop over an atomic in that loop, on AMD chips",
    options: &[],
    dialects: &["llvm"],
    run,
};

const WAVE_BARRIER: &str = "llvm.amdgcn.wave.barrier";

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    for module in target::gpu_modules(root) {
        if target::is_amd(module) {
            let ops = module.descendants();
            for function in ops.into_iter().filter(|op| op.is("llvm.func")) {
                Graph::of(function).converge();
            }
        }
    }
    Ok(())
}

/// The blocks of a function, numbered in their order.
struct Graph<'c> {
    blocks: Vec<Block<'c>>,
    numbers: HashMap<usize, usize>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
}

impl<'c> Graph<'c> {
    fn of(function: Op<'c>) -> Self {
        let blocks: Vec<Block<'c>> = function
            .regions()
            .into_iter()
            .flat_map(|region| region.blocks())
            .collect();
        let keys = blocks.iter().map(|block| key(*block));
        let numbers: HashMap<usize, usize> = keys.zip(0..).collect();
        let after = |block: &Block<'c>| {
            let terminator = block.terminator();
            let blocks = terminator.map_or_else(Vec::new, Op::successors);
            let known = blocks
                .into_iter()
                .filter_map(|one| numbers.get(&key(one)).copied());
            known.collect()
        };
        let successors: Vec<Vec<usize>> = blocks.iter().map(after).collect();
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (from, list) in successors.iter().enumerate() {
            for to in list {
                predecessors[*to].push(from);
            }
        }
        Self {
            blocks,
            numbers,
            successors,
            predecessors,
        }
    }

    fn converge(&self) {
        let mut ends = BTreeSet::new();
        for (header, latches) in self.back_edges() {
            let body = self.body(header, &latches);
            let leaves =
                |block: &usize| self.successors[*block].iter().any(|to| !body.contains(to));
            let exits: Vec<usize> = body.iter().copied().filter(leaves).collect();
            let guards = self.has_merge(&body) && self.writes(&body) > 1;
            if guards && self.ends_by_atomic(&body, &exits) {
                ends.extend(exits);
            }
        }
        for end in ends {
            if let Some(terminator) = self.blocks[end].terminator() {
                insert_barrier(terminator);
            }
        }
    }

    /// The headers of loops, each with the blocks that go back to it.
    fn back_edges(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut seen = vec![false; self.blocks.len()];
        let mut on_path = vec![false; self.blocks.len()];
        // Each block on the path, with the successor that is next.
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !self.blocks.is_empty() {
            path.push((0, 0));
            (seen[0], on_path[0]) = (true, true);
        }
        while let Some((block, next)) = path.last_mut() {
            let from = *block;
            let Some(to) = self.successors[from].get(*next).copied() else {
                on_path[from] = false;
                path.pop();
                continue;
            };
            *next += 1;
            if on_path[to] {
                found.entry(to).or_default().push(from);
            } else if !seen[to] {
                (seen[to], on_path[to]) = (true, true);
                path.push((to, 0));
            }
        }
        found
    }

    /// The blocks of a loop.
    fn body(&self, header: usize, latches: &[usize]) -> BTreeSet<usize> {
        let mut body = BTreeSet::from([header]);
        let mut pending = latches.to_vec();
        while let Some(block) = pending.pop() {
            if body.insert(block) {
                pending.extend(&self.predecessors[block]);
            }
        }
        body
    }

    fn ways_to(&self, block: usize, body: &BTreeSet<usize>) -> Vec<usize> {
        let ways = self.predecessors[block].iter().copied();
        ways.filter(|from| body.contains(from)).collect()
    }

    fn has_merge(&self, body: &BTreeSet<usize>) -> bool {
        body.iter()
            .any(|block| self.ways_to(*block, body).len() > 1)
    }

    fn writes(&self, body: &BTreeSet<usize>) -> usize {
        let ops = body.iter().flat_map(|at| self.blocks[*at].ops());
        ops.filter(|op| is_write(*op)).count()
    }

    /// Whether what an atomic or a call of the loop gives decides, in the end, that the loop goes on.
    fn ends_by_atomic(&self, body: &BTreeSet<usize>, exits: &[usize]) -> bool {
        let mut pending: Vec<Value<'c>> =
            exits.iter().filter_map(|at| self.condition(*at)).collect();
        let mut seen = HashSet::new();
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            if let Some(op) = value.defining_op() {
                if !self.number(op.block()).is_some_and(|at| body.contains(&at)) {
                    continue;
                }
                if is_atomic(op) {
                    return true;
                }
                pending.extend(op.operands());
            } else if let Some((block, at)) = value.as_block_argument() {
                let number = self.number(Some(block)).filter(|at| body.contains(at));
                let Some(number) = number else { continue };
                let ways = self.ways_to(number, body);
                for way in &ways {
                    pending.extend(self.passed(*way, at));
                }
                if ways.len() > 1 {
                    pending.extend(body.iter().filter_map(|at| self.condition(*at)));
                }
            }
        }
        false
    }

    fn number(&self, block: Option<Block<'c>>) -> Option<usize> {
        self.numbers.get(&key(block?)).copied()
    }

    /// What decides where a block goes on.
    fn condition(&self, block: usize) -> Option<Value<'c>> {
        let terminator = self.blocks[block].terminator()?;
        (terminator.successors().len() > 1 && terminator.operand_count() > 0)
            .then(|| terminator.operand(0))
    }

    /// What a block may pass for an argument of the next one.
    fn passed(&self, block: usize, at: usize) -> Vec<Value<'c>> {
        let Some(terminator) = self.blocks[block].terminator() else {
            return Vec::new();
        };
        let operands = terminator.operands();
        match operands.get(at) {
            Some(one) if terminator.successors().len() == 1 => vec![*one],
            _ => operands,
        }
    }
}

fn key(block: Block<'_>) -> usize {
    block.to_raw().ptr as usize
}

fn is_write(op: Op<'_>) -> bool {
    matches!(
        op.name(),
        "llvm.atomicrmw" | "llvm.call" | "llvm.cmpxchg" | "llvm.store"
    )
}

/// Whether other lanes may change what an operation gives.
fn is_atomic(op: Op<'_>) -> bool {
    let is_ordered = || {
        let ordering = op.attribute("ordering").and_then(types::integer_value);
        ordering.is_some_and(|number| number != 0)
    };
    match op.name() {
        "llvm.cmpxchg" | "llvm.atomicrmw" | "llvm.call" => true,
        "llvm.load" => is_ordered(),
        _ => false,
    }
}

fn insert_barrier(before: Op<'_>) {
    let builder = Builder::before(before);
    let context = builder.context();
    builder
        .op("llvm.call_intrinsic")
        .attribute("intrin", types::string_attribute(context, WAVE_BARRIER))
        .attribute("op_bundle_sizes", types::i32_array_attribute(context, &[]))
        .attribute(
            "operandSegmentSizes",
            types::i32_array_attribute(context, &[0, 0]),
        )
        .build();
}
