//! What functions for the CPU know of their work-item: its ids, as the runtime's `Group` and three
//! numbers say them.

use crate::cpu_kernels::load_field;
use std::collections::{HashMap, HashSet};
use xpu_dialect::Context;
use xpu_dialect::ir::{Block, Builder, Location, Op, Type, Value};
use xpu_dialect::types;
use xpu_dialect::views::Barrier;

// Byte offsets in the runtime's `Group`.
const GROUP_ID: i64 = 0;
const GROUP_COUNT: i64 = 24;
const GROUP_SIZE: i64 = 48;

/// Functions and kernels of a module, by what they do themselves or in what they call.
pub(crate) struct Needs<'c> {
    /// Those that ask for ids or meet at barriers.
    pub(crate) item: HashSet<&'c str>,
    /// Those that meet at barriers.
    pub(crate) barrier: HashSet<&'c str>,
}

impl<'c> Needs<'c> {
    /// Looks at every function of a module.
    pub(crate) fn of(module: Op<'c>) -> Self {
        let mut callers: HashMap<&str, Vec<&str>> = HashMap::new();
        let (mut item, mut barrier) = (Vec::new(), Vec::new());
        for function in module.children() {
            let Some(name) = function.symbol_name() else {
                continue;
            };
            for op in function.descendants() {
                if is_barrier(op) {
                    barrier.push(name);
                    item.push(name);
                } else if is_id(op) {
                    item.push(name);
                } else if let Some(callee) = callee(op) {
                    callers.entry(callee).or_default().push(name);
                }
            }
        }
        Self {
            item: with_callers(item, &callers),
            barrier: with_callers(barrier, &callers),
        }
    }
}

/// Functions, and all that call them, at any depth.
fn with_callers<'c>(
    mut pending: Vec<&'c str>,
    callers: &HashMap<&'c str, Vec<&'c str>>,
) -> HashSet<&'c str> {
    let mut found = HashSet::new();
    while let Some(name) = pending.pop() {
        if found.insert(name) {
            pending.extend(callers.get(name).into_iter().flatten());
        }
    }
    found
}

/// The function that an operation calls.
pub(crate) fn callee(op: Op<'_>) -> Option<&str> {
    op.is("func.call")
        .then(|| op.attribute("callee").and_then(types::symbol_value))
        .flatten()
}

/// Whether it is a barrier, ours or upstream's.
pub(crate) fn is_barrier(op: Op<'_>) -> bool {
    Barrier::of(op).is_some() || op.is("gpu.barrier")
}

fn is_id(op: Op<'_>) -> bool {
    op.is(GLOBAL_ID) || IDS.iter().any(|name| op.is(name))
}

/// What a function takes to know its work-item.
#[derive(Clone, Copy)]
pub(crate) struct WorkItem<'c> {
    /// Points at the runtime's `Group`.
    pub(crate) group: Value<'c>,
    local: [Value<'c>; 3],
}

impl<'c> WorkItem<'c> {
    /// The types of the arguments.
    pub(crate) fn types(context: &'c Context) -> [Type<'c>; 4] {
        let word = types::integer(context, 64);
        [types::llvm_pointer(context, 0), word, word, word]
    }

    /// Adds the arguments to a function's entry block.
    pub(crate) fn add_to(context: &'c Context, entry: Block<'c>, location: Location<'c>) -> Self {
        let [group, words @ ..] = Self::types(context);
        Self {
            group: entry.add_argument(group, location),
            local: words.map(|word| entry.add_argument(word, location)),
        }
    }

    /// The arguments.
    pub(crate) fn values(self) -> [Value<'c>; 4] {
        let [x, y, z] = self.local;
        [self.group, x, y, z]
    }
}

/// The ids of a work-item, each made once, where the function starts.
pub(crate) struct Ids<'c> {
    builder: Builder<'c>,
    item: WorkItem<'c>,
    /// The workgroup size, where it is known.
    size: Option<Vec<i32>>,
    known: [Option<Value<'c>>; 12],
}

/// The operation that asks for the place in the launch, which is made of the others.
const GLOBAL_ID: &str = "gpu.global_id";

/// The operations that ask for ids, in the order of [`Ids::known`], three dimensions each.
const IDS: [&str; 4] = [
    "gpu.thread_id",
    "gpu.block_id",
    "gpu.grid_dim",
    "gpu.block_dim",
];

impl<'c> Ids<'c> {
    /// The ids that a function asks for, made at a place in its entry block.
    pub(crate) fn new(builder: Builder<'c>, item: WorkItem<'c>, size: Option<Vec<i32>>) -> Self {
        Self {
            builder,
            item,
            size,
            known: [None; 12],
        }
    }

    fn get(&mut self, family: usize, dimension: usize) -> Value<'c> {
        let at = family * 3 + dimension;
        if let Some(value) = self.known[at] {
            return value;
        }
        let context = self.builder.context();
        let load = |base: i64| {
            let at = base + dimension as i64 * 8;
            load_field(
                self.builder,
                self.item.group,
                at,
                types::integer(context, 64),
            )
        };
        let word = match (family, &self.size) {
            (0, _) => self.item.local[dimension],
            (1, _) => load(GROUP_ID),
            (2, _) => load(GROUP_COUNT),
            (_, Some(size)) => {
                let extent = i64::from(size[dimension]);
                self.builder
                    .llvm_integer(types::integer(context, 64), extent)
            }
            (_, None) => load(GROUP_SIZE),
        };
        let value = self.builder.unrealized_cast(word, types::index(context));
        self.known[at] = Some(value);
        value
    }
}

/// Replaces ids by what the group says, and returns by those of LLVM.
pub(crate) fn lower_ids<'c>(function: Op<'c>, mut ids: Ids<'c>) {
    // Values are made first: the builder's place is before an operation that may be an id itself.
    let mut replaced = Vec::new();
    for op in function.descendants() {
        let is_global = op.is(GLOBAL_ID);
        let family = IDS.iter().position(|name| op.is(name));
        if family.is_none() && !is_global && !op.is("gpu.return") {
            continue;
        }
        let dimension = match op
            .attribute("dimension")
            .map(|one| one.to_string())
            .as_deref()
        {
            Some("#gpu<dim y>") => 1,
            Some("#gpu<dim z>") => 2,
            _ => 0,
        };
        let parts = match family {
            Some(family) => vec![ids.get(family, dimension)],
            None if is_global => [1, 3, 0].map(|family| ids.get(family, dimension)).to_vec(),
            None => Vec::new(),
        };
        replaced.push((op, parts));
    }
    for (op, parts) in replaced {
        let builder = Builder::before(op);
        match parts.as_slice() {
            [] => {
                builder.op("llvm.return").build();
                op.erase();
            }
            [group, size, local] => {
                let index = types::index(builder.context());
                let first = builder.value("arith.muli", &[*group, *size], index);
                op.replace_with(&[builder.value("arith.addi", &[first, *local], index)]);
            }
            values => op.replace_with(values),
        }
    }
}
