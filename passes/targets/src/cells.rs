//! The cells of the four tables, and which row claims which. Lookup and check both go through here.

use std::fmt;

use crate::axes::{Access, Denormals, Memory, Ordering, Outcome, Scope, Storage, Ty};
use crate::features::{Feature, Needs};
use crate::op::Op;
use crate::table::{CrossRow, Effect, FormRow, OrderRow, ScopeRow};

/// One atomic operation, as far as targets can tell it from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The operation.
    pub op: Op,
    /// The element's type.
    pub ty: Ty,
    /// Where the element lives.
    pub storage: Storage,
    /// Whether that is only one of two: the address is generic, and leads to global or to workgroup
    /// memory.
    pub is_generic: bool,
    /// The scope.
    pub scope: Scope,
    /// The ordering; for a `cas` the join of its two.
    pub ordering: Ordering,
    /// Whether the read shows.
    pub outcome: Outcome,
    /// What happens to subnormals.
    pub denormals: Denormals,
    /// What is promised about the memory.
    pub memory: Memory,
}

impl Cell {
    /// The cell of an operation whose result is used, that keeps subnormals, on memory of the
    /// device.
    pub const fn new(op: Op, ty: Ty, storage: Storage, scope: Scope, ordering: Ordering) -> Self {
        Self {
            op,
            ty,
            storage,
            is_generic: false,
            scope,
            ordering,
            outcome: Outcome::Used,
            denormals: Denormals::Keep,
            memory: Memory::DeviceLocal,
        }
    }

    /// Where the element lives, in a word.
    pub const fn storage_name(&self) -> &'static str {
        if self.is_generic {
            "generic"
        } else {
            self.storage.name()
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            op,
            ty,
            scope,
            ordering,
            outcome,
            denormals,
            memory,
            ..
        } = self;
        let storage = self.storage_name();
        write!(
            f,
            "{op} {ty} {storage} {scope} {ordering} {outcome} {denormals} {memory}"
        )
    }
}

/// A cell of `FORM`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormCell(pub(crate) Op, pub(crate) Ty, pub(crate) Storage);

/// A cell of `SCOPE`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScopeCell(pub(crate) Scope, pub(crate) Storage);

/// A cell of `ORDER`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrderCell(pub(crate) Ordering, pub(crate) Access);

impl fmt::Display for FormCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.0, self.1, self.2)
    }
}

impl fmt::Display for ScopeCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

impl fmt::Display for OrderCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

/// A row of one of the four tables.
pub(crate) trait Row: Copy + 'static {
    /// What the table has cells of.
    type Cell: Copy + fmt::Display;
    /// The table's name.
    const TABLE: &'static str;
    /// Whether every cell needs a row.
    const TOTAL: bool = true;

    /// Every cell of the table.
    fn cells() -> Vec<Self::Cell>;
    /// Whether the row claims the cell on chips that it is for.
    fn claims(&self, cell: Self::Cell) -> bool;
    /// The chips it is for.
    fn needs(&self) -> Needs;
    /// Whether the two rows may not claim one cell.
    fn clashes(&self, _other: &Self) -> bool {
        true
    }
    /// What the row claims, in words.
    fn describe(&self, features: &[Feature]) -> String;
}

/// The operations and the types that they take.
pub(crate) fn typed_ops() -> impl Iterator<Item = (Op, Ty)> {
    let pairs = Op::all().flat_map(|op| Ty::ALL.iter().map(move |ty| (op, *ty)));
    pairs.filter(|(op, ty)| op.takes(*ty))
}

fn with_needs(text: String, needs: Needs, features: &[Feature]) -> String {
    match needs.text(features) {
        none if none.is_empty() => text,
        needs => format!("{text} | {needs}"),
    }
}

impl Row for FormRow {
    type Cell = FormCell;
    const TABLE: &'static str = "FORM";

    fn cells() -> Vec<FormCell> {
        let on = |(op, ty)| {
            Storage::ALL
                .iter()
                .map(move |storage| FormCell(op, ty, *storage))
        };
        typed_ops().flat_map(on).collect()
    }

    fn claims(&self, FormCell(op, ty, storage): FormCell) -> bool {
        self.ops.contains(op) && self.types.contains(ty) && self.storages.contains(storage)
    }

    fn needs(&self) -> Needs {
        self.needs
    }

    fn describe(&self, features: &[Feature]) -> String {
        let text = format!("{} | {} | {}", self.ops, self.types, self.storages);
        with_needs(text, self.needs, features)
    }
}

impl Row for ScopeRow {
    type Cell = ScopeCell;
    const TABLE: &'static str = "SCOPE";

    fn cells() -> Vec<ScopeCell> {
        let on = |scope: &Scope| {
            let scope = *scope;
            Storage::ALL
                .iter()
                .map(move |storage| ScopeCell(scope, *storage))
        };
        Scope::ALL
            .iter()
            .flat_map(|scope| on(scope).collect::<Vec<_>>())
            .collect()
    }

    fn claims(&self, ScopeCell(scope, storage): ScopeCell) -> bool {
        self.scopes.contains(scope) && self.storages.contains(storage)
    }

    fn needs(&self) -> Needs {
        self.needs
    }

    fn describe(&self, features: &[Feature]) -> String {
        with_needs(
            format!("{} | {}", self.scopes, self.storages),
            self.needs,
            features,
        )
    }
}

impl Row for OrderRow {
    type Cell = OrderCell;
    const TABLE: &'static str = "ORDER";

    fn cells() -> Vec<OrderCell> {
        let with = |ordering: &Ordering| {
            let allowed = Access::ALL.iter().filter(|access| access.allows(*ordering));
            allowed
                .map(|access| OrderCell(*ordering, *access))
                .collect::<Vec<_>>()
        };
        Ordering::ALL.iter().flat_map(with).collect()
    }

    fn claims(&self, OrderCell(ordering, access): OrderCell) -> bool {
        self.orderings.contains(ordering) && self.accesses.contains(access)
    }

    fn needs(&self) -> Needs {
        self.needs
    }

    fn describe(&self, features: &[Feature]) -> String {
        with_needs(
            format!("{} | {}", self.orderings, self.accesses),
            self.needs,
            features,
        )
    }
}

impl Row for CrossRow {
    type Cell = Cell;
    const TABLE: &'static str = "CROSS";
    const TOTAL: bool = false;

    fn cells() -> Vec<Cell> {
        let mut cells = Vec::new();
        for FormCell(op, ty, storage) in FormRow::cells() {
            for OrderCell(ordering, _) in OrderRow::cells()
                .into_iter()
                .filter(|cell| cell.1 == op.access())
            {
                for scope in Scope::ALL {
                    let cell = Cell::new(op, ty, storage, *scope, ordering);
                    for outcome in Outcome::ALL {
                        for denormals in Denormals::ALL {
                            cells.extend(Memory::ALL.iter().map(|memory| Cell {
                                outcome: *outcome,
                                denormals: *denormals,
                                memory: *memory,
                                ..cell
                            }));
                        }
                    }
                }
            }
        }
        cells
    }

    fn claims(&self, cell: Cell) -> bool {
        self.ops.contains(cell.op)
            && self.types.contains(cell.ty)
            && self.storages.contains(cell.storage)
            && self.scopes.contains(cell.scope)
            && self.orderings.contains(cell.ordering)
            && self.outcomes.contains(cell.outcome)
            && self.denormals.contains(cell.denormals)
            && self.memories.contains(cell.memory)
    }

    fn needs(&self) -> Needs {
        self.needs
    }

    fn clashes(&self, other: &Self) -> bool {
        match (self.effect, other.effect) {
            (Effect::Form(_), Effect::Form(_))
            | (Effect::Text(_), Effect::Text(_))
            | (Effect::Attributes(_), Effect::Attributes(_)) => true,
            (Effect::Form(_) | Effect::Text(_) | Effect::Attributes(_), _) => false,
        }
    }

    fn describe(&self, features: &[Feature]) -> String {
        let text = format!(
            "{} | {} | {} | {} | {} | {} | {} | {}",
            self.ops,
            self.types,
            self.storages,
            self.scopes,
            self.orderings,
            self.outcomes,
            self.denormals,
            self.memories
        );
        with_needs(text, self.needs, features)
    }
}
