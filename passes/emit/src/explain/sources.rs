//! The operations that are explained, each at a place of its own.
//!
//! Locations lead from the source through every pass and LLVM to the emitted text, so each of these
//! operations needs one that nothing else has. Those that share theirs, or have none that line
//! information can say, are given another.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use xpu_dialect::diagnostic::{self, FilePosition};
use xpu_dialect::ir::{Location, Module, Op};

/// LLVM keeps no larger column.
const LAST_COLUMN: u32 = 65535;

/// The file of operations that are in none.
const NOWHERE: &str = "<unknown>";

/// Operations of upstream that become ours.
pub(super) const CONVERTED: &[&str] = &["memref.atomic_rmw", "memref.generic_atomic_rmw"];

const EXPLAINED: &[&str] = &[
    "xpu.atomic_rmw",
    "xpu.cas",
    "xpu.atomic_load",
    "xpu.atomic_store",
    "xpu.fence",
    "xpu.barrier",
    "gpu.barrier",
];

/// Whether an operation is explained, upstream's atomics aside.
pub(super) fn is_explained(op: Op<'_>) -> bool {
    EXPLAINED.contains(&op.name())
}

/// A place as line information says it. Of a path, only the last part: the rest may be told apart
/// from it, or left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Key {
    pub(super) fn new(path: &str, line: u32, column: u32) -> Self {
        let name = Path::new(path).file_name();
        Self {
            file: name.map_or(path.to_string(), |name| name.to_string_lossy().into_owned()),
            line,
            column,
        }
    }

    fn at(position: &FilePosition) -> Self {
        Self::new(&position.file, position.line, position.column)
    }

    /// The place of an operation.
    pub(super) fn of(op: Op<'_>) -> Option<Self> {
        diagnostic::file_position(op.location()).map(|position| Self::at(&position))
    }
}

/// An operation of the source.
#[derive(Clone, Debug)]
pub(super) struct SourceOp {
    /// Where the emitted text has it.
    pub(super) key: Key,
    /// Where it was written.
    pub(super) position: Option<FilePosition>,
    /// Its name.
    pub(super) name: String,
}

/// The operations that are explained, in order, each at its own place from now on.
pub(super) fn mark(module: &Module<'_>) -> Vec<SourceOp> {
    let ops = module.op().descendants();
    let positions: Vec<Option<FilePosition>> = ops
        .iter()
        .map(|op| diagnostic::file_position(op.location()))
        .collect();
    let mut counts: HashMap<Key, u32> = HashMap::new();
    for position in positions.iter().flatten() {
        *counts.entry(Key::at(position)).or_default() += 1;
    }
    let mut free = Free {
        taken: counts.keys().cloned().collect(),
        next: HashMap::new(),
    };
    let mut found = Vec::new();
    for (op, position) in ops.into_iter().zip(positions) {
        if !is_explained(op) && !CONVERTED.contains(&op.name()) {
            continue;
        }
        let own = position.as_ref().map(Key::at).filter(|key| {
            counts.get(key) == Some(&1) && key.line > 0 && (1..=LAST_COLUMN).contains(&key.column)
        });
        let key = own.unwrap_or_else(|| {
            let (path, key) = free.place(position.as_ref());
            let (line, column) = (key.line as usize, key.column as usize);
            op.set_location(Location::new(op.context(), &path, line, column));
            key
        });
        let name = op.name().to_string();
        found.push(SourceOp {
            key,
            position,
            name,
        });
    }
    found
}

/// Places that nothing has.
struct Free {
    taken: HashSet<Key>,
    /// The column of each line to try next.
    next: HashMap<(String, u32), u32>,
}

impl Free {
    /// A place in the same line, or else in a file of its own; with the file's path.
    fn place(&mut self, near: Option<&FilePosition>) -> (String, Key) {
        let near = near.filter(|position| position.line > 0);
        let same_line = near.and_then(|position| {
            let key = self.in_line(&position.file, position.line)?;
            Some((position.file.clone(), key))
        });
        same_line
            .or_else(|| {
                let mut lines = 1..=u32::MAX;
                lines.find_map(|line| {
                    let key = self.in_line(NOWHERE, line)?;
                    Some((NOWHERE.to_string(), key))
                })
            })
            .unwrap_or_else(|| unreachable!("a file has lines enough"))
    }

    fn in_line(&mut self, path: &str, line: u32) -> Option<Key> {
        let next = self.next.entry((path.to_string(), line)).or_insert(1);
        while *next <= LAST_COLUMN {
            let key = Key::new(path, line, *next);
            *next += 1;
            if self.taken.insert(key.clone()) {
                return Some(key);
            }
        }
        None
    }
}
