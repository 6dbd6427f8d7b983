//! Whether a kernel gives at least what its cell asks for, whatever form it takes.
//!
//! By the memory consistency model of the PTX ISA, on every path through the operation:
//!
//! - acquire: the last access is `.acquire` or `.acq_rel`, or a fence comes after it;
//! - release: it is `.release` or `.acq_rel`, or a fence comes before it;
//! - sequential consistency: a `fence.sc` comes before it, and it acquires where it reads;
//! - each of these, and each other access to the element, is strong, names the state space, and has a
//!   scope no narrower than asked.
//!
//! The last access of a path is the one that does the operation: those before it are guesses, or
//! instructions that turned out to have changed nothing.

use crate::cells::{Access, Cell, ORDERINGS, SCOPES};
use crate::ptx::{Instruction, Kernel, Memory};
use std::collections::BTreeSet;

/// What is weaker in the kernel than asked, or cannot be told not to be.
pub(crate) fn weaknesses(cell: &Cell, kernel: &Kernel) -> Vec<String> {
    let mut found = branches_on_floats(kernel);
    if cell.storage == "private" || cell.scope == "workitem" {
        found.extend(communicates(kernel));
    } else if cell.access == Access::Fence {
        found.extend(paths(cell, kernel));
    } else {
        found.extend(
            kernel
                .instructions
                .iter()
                .filter_map(|one| wrong_access(cell, kernel, one)),
        );
        found.extend(paths(cell, kernel));
    }
    found
}

/// The narrowest PTX scope that is wide enough.
fn scope_word(scope: &str) -> &'static str {
    match scope {
        "subgroup" | "workgroup" => "cta",
        "device" => "gpu",
        _ => "sys",
    }
}

fn width(scope: Option<&str>) -> usize {
    ["cta", "gpu", "sys"]
        .iter()
        .position(|one| Some(*one) == scope)
        .map_or(0, |at| at + 1)
}

fn is_wide_enough(cell: &Cell, memory: &Memory) -> bool {
    debug_assert!(SCOPES.contains(&cell.scope) && ORDERINGS.contains(&cell.ordering));
    width(memory.scope) >= width(Some(scope_word(cell.scope)))
}

/// What others could take part in, where nobody does.
fn communicates(kernel: &Kernel) -> Vec<String> {
    let strong = kernel
        .instructions
        .iter()
        .filter_map(|one| one.memory.as_ref())
        .filter(|one| one.is_strong());
    strong
        .map(|one| format!("{} where no other work-item takes part", one.text()))
        .collect()
}

/// An access that is not as strong, as wide or as definite as it must be.
fn wrong_access(cell: &Cell, kernel: &Kernel, instruction: &Instruction) -> Option<String> {
    if instruction.opcode.starts_with("cvta") {
        return Some(format!(
            "{} of an address whose space is known",
            instruction.opcode
        ));
    }
    let memory = instruction.memory.as_ref()?;
    let text = memory.text();
    if memory.op == "fence" {
        return None;
    }
    if memory.space == Some("param") {
        return None;
    }
    if memory.space.is_none() {
        return Some(format!("{text} has a generic address"));
    }
    if !memory.is_strong() {
        // The value that went out, and in shared memory what was there before and after.
        let allowed = match (cell.storage, memory.op, memory.space) {
            (_, "st", Some("global")) => true,
            ("shared", "ld" | "st", Some("shared")) => !is_between_barriers(kernel, instruction),
            _ => false,
        };
        return (!allowed).then(|| format!("{text} is weak"));
    }
    if memory.space != Some(cell.storage) {
        return Some(format!("{text} is not in {} memory", cell.storage));
    }
    if !is_wide_enough(cell, memory) {
        return Some(format!("{text} has a narrower scope than '{}'", cell.scope));
    }
    let reads = cell.used || matches!(cell.ordering, "acquire" | "acq_rel" | "seq_cst");
    (memory.op == "red" && reads).then(|| format!("{text} reads nothing"))
}

fn is_between_barriers(kernel: &Kernel, instruction: &Instruction) -> bool {
    let histories = histories(None, kernel);
    let at = kernel
        .instructions
        .iter()
        .position(|one| std::ptr::eq(one, instruction));
    at.is_some_and(|at| histories[at].iter().any(|history| history.barriers == 1))
}

/// What is known at a point of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct History {
    barriers: u8,
    /// The strongest fence so far.
    fence: Fence,
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Fence {
    #[default]
    None,
    AcqRel,
    Sc,
}

/// The last access of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Last {
    reads: bool,
    writes: bool,
    acquires: bool,
    releases: bool,
    is_sc: bool,
}

/// What may be known before each instruction, and behind the last one.
fn histories(cell: Option<&Cell>, kernel: &Kernel) -> Vec<BTreeSet<History>> {
    let count = kernel.instructions.len();
    let mut known = vec![BTreeSet::new(); count + 1];
    let mut pending = vec![(0, History::default())];
    while let Some((at, history)) = pending.pop() {
        if !known[at].insert(history) || at == count {
            continue;
        }
        let after = step(cell, &kernel.instructions[at], history);
        pending.extend(
            kernel
                .successors(at)
                .into_iter()
                .map(|to| (to.unwrap_or(count), after)),
        );
    }
    known
}

fn step(cell: Option<&Cell>, instruction: &Instruction, mut history: History) -> History {
    if instruction.is_barrier() {
        history.barriers = history.barriers.saturating_add(1);
        return history;
    }
    let memory = instruction
        .memory
        .as_ref()
        .filter(|memory| memory.is_strong());
    let (Some(cell), Some(memory)) = (cell, memory) else {
        return history;
    };
    if !is_wide_enough(cell, memory) {
        return history;
    }
    if memory.op == "fence" {
        let fence = if memory.semantics == Some("sc") {
            Fence::Sc
        } else {
            Fence::AcqRel
        };
        history.fence = history.fence.max(fence);
        if let Some(last) = &mut history.last {
            last.acquires = true;
        }
        return history;
    }
    history.last = Some(Last {
        reads: memory.op != "st" && memory.op != "red",
        writes: memory.op != "ld",
        acquires: matches!(memory.semantics, Some("acquire" | "acq_rel")),
        releases: matches!(memory.semantics, Some("release" | "acq_rel"))
            || history.fence >= Fence::AcqRel,
        is_sc: history.fence == Fence::Sc,
    });
    history
}

fn acquires(ordering: &str) -> bool {
    matches!(ordering, "acquire" | "acq_rel" | "seq_cst")
}

fn releases(ordering: &str) -> bool {
    matches!(ordering, "release" | "acq_rel" | "seq_cst")
}

/// What is missing at the end of some path.
fn paths(cell: &Cell, kernel: &Kernel) -> BTreeSet<String> {
    let histories = histories(Some(cell), kernel);
    let ends = &histories[kernel.instructions.len()];
    let mut found: BTreeSet<String> = ends.iter().flat_map(|end| missing(cell, end)).collect();
    if ends.is_empty() {
        found.insert("no path leads out of it".to_string());
    }
    let strays = kernel
        .instructions
        .iter()
        .zip(&histories)
        .filter(|(one, _)| one.memory.as_ref().is_some_and(Memory::is_strong));
    let wanted = u8::from(cell.storage == "shared");
    for (instruction, known) in strays {
        if known.iter().any(|history| history.barriers != wanted) {
            found.insert(format!(
                "{} is on the other side of a barrier",
                instruction.opcode
            ));
        }
    }
    found
}

fn missing(cell: &Cell, end: &History) -> Vec<String> {
    let mut found = Vec::new();
    let mut want = |holds: bool, what: &str| {
        if !holds {
            found.push(what.to_string());
        }
    };
    if cell.access == Access::Fence {
        let needed = if cell.ordering == "seq_cst" {
            Fence::Sc
        } else {
            Fence::AcqRel
        };
        want(end.fence >= needed, "a path without the fence");
        return found;
    }
    let Some(last) = end.last else {
        want(false, "a path without the access");
        return found;
    };
    // A read that ends a compare-and-swap found another value than was expected.
    let fails = cell.access == Access::Cas && !last.writes;
    let ordering = if fails { cell.failure } else { cell.ordering };
    let (reads, writes) = match cell.access {
        Access::Load => (true, false),
        Access::Store => (false, true),
        Access::Update => (cell.used, true),
        Access::Cas => (true, !fails),
        Access::Fence => (false, false),
    };
    want(last.reads || !reads, "a path that does not read");
    want(last.writes || !writes, "a path that does not write");
    want(
        last.acquires || !acquires(ordering) || cell.access == Access::Store,
        "a path that does not acquire",
    );
    want(
        last.releases || !releases(ordering) || !writes,
        "a path that does not release",
    );
    want(
        last.is_sc || ordering != "seq_cst",
        "a path without fence.sc before the access",
    );
    found
}

/// Branches that a comparison of floats decides: a loop that ends by one never does on a NaN.
fn branches_on_floats(kernel: &Kernel) -> Vec<String> {
    let mut found = Vec::new();
    for branch in kernel.instructions.iter().filter(|one| one.is_branch()) {
        let Some(guard) = &branch.guard else { continue };
        let mut pending = vec![guard.clone()];
        let mut seen = BTreeSet::new();
        while let Some(predicate) = pending.pop() {
            if !seen.insert(predicate.clone()) {
                continue;
            }
            let mut definitions = kernel.definitions(&predicate).peekable();
            if definitions.peek().is_none() {
                found.push(format!("nothing sets {predicate}"));
            }
            for one in definitions {
                let ty = one.opcode.rsplit('.').next().unwrap_or("");
                if one.opcode.starts_with("setp.") {
                    if !matches!(
                        ty,
                        "b16" | "b32" | "b64" | "s16" | "s32" | "s64" | "u16" | "u32" | "u64"
                    ) {
                        found.push(format!("a branch on {}", one.opcode));
                    }
                } else if ty == "pred" {
                    let operands = one
                        .operands
                        .iter()
                        .skip(1)
                        .filter(|operand| operand.starts_with('%'));
                    pending.extend(operands.cloned());
                } else {
                    found.push(format!("a branch on {}", one.opcode));
                }
            }
        }
    }
    found
}
