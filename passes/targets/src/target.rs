//! A target with its chip, and what can be asked about it.

use std::fmt;
use std::str::FromStr;

use crate::axes::{Access, Kind, Ordering, Scope, Storage, Ty};
use crate::cells::{Cell, FormCell, OrderCell, Row, ScopeCell};
use crate::features::{Chip, FeatureSet, ParseError};
use crate::generic;
use crate::op::Op;
use crate::table::{
    Cost, CrossRow, Effect, FormRow, How, MinMax, OrderHow, OrderRow, Own, ScopeHow, ScopeRow,
    ScopeWord, Tables,
};

/// Every target there is. Adding one is a file with its tables and a line here.
pub const TARGETS: &[&Tables] = &[
    &crate::cpu::TABLES,
    &crate::nvptx::TABLES,
    &crate::vulkan::TABLES,
    &crate::amdgpu::TABLES,
];

/// A target and its chip.
///
/// ```
/// use xpu_targets::{Kind, Op, Storage, Target, Ty};
/// let target = Target::parse("nvptx:sm_90")?;
/// let row = target.form(Op::Rmw(Kind::Fadd), Ty::Bf16, Storage::Global)?;
/// assert_eq!(row.how.letter(), 'N');
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Target {
    tables: Tables,
    name: String,
    chip: Chip,
}

/// The question has no answer in any table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellError {
    /// `min` or `max`, whose sign is still open.
    UnresolvedSign(Kind),
    /// The operation does not take the type.
    Type(Op, Ty),
    /// The access does not take the ordering.
    Ordering(Access, Ordering),
    /// The target has that scope or ordering only after legalization.
    NotLegal {
        /// The scope asked for.
        scope: Scope,
        /// The ordering asked for.
        ordering: Ordering,
    },
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnresolvedSign(kind) => {
                write!(
                    f,
                    "'{kind}' has no sign yet; run 'xpu-resolve-signedness' first"
                )
            }
            Self::Type(op, ty) => write!(f, "'{op}' does not take '{ty}'"),
            Self::Ordering(access, ordering) => {
                write!(f, "a {access} cannot have ordering '{ordering}'")
            }
            Self::NotLegal { scope, ordering } => {
                write!(
                    f,
                    "the target lacks scope '{scope}' or ordering '{ordering}'; run 'xpu-legalize-atomics' first"
                )
            }
        }
    }
}

impl std::error::Error for CellError {}

/// How an access or a fence is ordered with other work-items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// Nobody else takes part: plain accesses; a fence binds the compiler only.
    Plain,
    /// Steps at a scope.
    Ordered(Ordered),
}

/// The steps of an ordered access or fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ordered {
    /// A fence before.
    pub lead: Option<Ordering>,
    /// The semantics of the access or fence itself.
    pub own: Ordering,
    /// A fence after.
    pub trail: Option<Ordering>,
    /// The scope of all of them, as the target writes it.
    pub word: ScopeWord,
}

/// All that the tables say about one cell.
#[derive(Debug, Clone)]
pub struct Plan {
    /// How the operation is done, after `CROSS` and plain scopes.
    pub how: How,
    /// What that costs, fences aside.
    pub cost: Cost,
    /// How it is ordered.
    pub sync: Sync,
    /// The opcode to write as target text, where LLVM's own atomic would be wrong.
    pub text: Option<&'static str>,
    /// The attributes that let LLVM's back end use the instruction.
    pub attributes: &'static [&'static str],
    /// What `fmin` and `fmax` mean here.
    pub min_max: Option<MinMax>,
    /// The row of `FORM`.
    pub form: &'static FormRow,
    /// The row of `SCOPE`.
    pub scope: &'static ScopeRow,
    /// The row of `ORDER`.
    pub order: &'static OrderRow,
    /// The rows of `CROSS`.
    pub crossed: Vec<&'static CrossRow>,
}

impl Target {
    /// Reads `cpu`, `nvptx:sm_90` or `vulkan:1.3,+shader_int64`.
    ///
    /// # Errors
    /// Where the target or the chip is unknown, missing, not wanted, or too old.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let (name, chip) = match text.split_once(':') {
            Some((name, chip)) => (name, Some(chip)),
            None => (text, None),
        };
        let Some(tables) = TARGETS.iter().find(|tables| tables.name == name) else {
            let known = TARGETS.iter().map(|tables| tables.name).collect();
            return Err(ParseError::UnknownTarget {
                text: name.to_owned(),
                known,
            });
        };
        let chip = tables.chips.parse(tables.name, chip)?;
        let name = match &chip.name {
            Some(chip) => format!("{}:{chip}", tables.name),
            None => tables.name.to_owned(),
        };
        Ok(Self {
            tables: **tables,
            name,
            chip,
        })
    }

    /// A target with other tables than those in [`TARGETS`], which should have passed
    /// [`Tables::check`].
    pub fn with_tables(tables: Tables, features: FeatureSet) -> Self {
        let chip = Chip {
            name: None,
            features,
            llvm_features: "",
        };
        Self {
            tables,
            name: tables.name.to_owned(),
            chip,
        }
    }

    /// The target's name, without the chip.
    pub fn name(&self) -> &'static str {
        self.tables.name
    }

    /// The chip's name, as it was given; features after a version are in the order of the target's
    /// list, each once.
    pub fn chip(&self) -> Option<&str> {
        self.chip.name.as_deref()
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Whether a program may have pointers.
    ///
    /// # Errors
    /// Why not, and what would work.
    pub fn pointers(&self) -> Result<(), &'static str> {
        self.tables.no_pointers.map_or(Ok(()), Err)
    }

    /// What the chip has.
    pub fn features(&self) -> FeatureSet {
        self.chip.features
    }

    /// The target with the ordering policy `clamp`, which makes acq_rel of relaxed and seq_cst
    /// alike; `None` where the target has no such policy.
    pub fn clamped(&self) -> Option<Self> {
        let order = self.tables.clamp?;
        let tables = Tables {
            order,
            ..self.tables
        };
        Some(Self {
            tables,
            ..self.clone()
        })
    }

    /// Whether the chip has the feature of that name.
    pub fn has(&self, feature: &str) -> bool {
        let mut known = self.tables.features.iter();
        known.any(|known| known.name == feature && self.has_all(FeatureSet::of(&[*known])))
    }

    fn has_all(&self, features: FeatureSet) -> bool {
        self.chip.features.includes(features)
    }

    /// What LLVM must be told beside the chip's name (as in `-mattr`) for the rows to hold; often
    /// nothing.
    pub fn llvm_features(&self) -> &'static str {
        self.chip.llvm_features
    }

    /// The one row that claims the cell on this chip.
    fn row<R: Row>(&self, rows: &'static [R], cell: R::Cell) -> &'static R {
        let row = rows
            .iter()
            .find(|row| row.needs().met_by(self.chip.features) && row.claims(cell));
        row.expect("tables are total: Tables::check")
    }

    /// How the operation is done, other axes aside. [`Self::plan`] tells all.
    ///
    /// # Errors
    /// Where the operation does not take the type.
    pub fn form(&self, op: Op, ty: Ty, storage: Storage) -> Result<&'static FormRow, CellError> {
        match op {
            Op::Rmw(kind @ (Kind::Min | Kind::Max)) => Err(CellError::UnresolvedSign(kind)),
            _ if !op.takes(ty) => Err(CellError::Type(op, ty)),
            _ => Ok(self.row(self.tables.form, FormCell(op, ty, storage))),
        }
    }

    /// What the scope becomes. A fence, which has no storage, asks for [`Storage::Global`].
    pub fn scope(&self, scope: Scope, storage: Storage) -> &'static ScopeRow {
        self.row(self.tables.scope, ScopeCell(scope, storage))
    }

    /// What the ordering becomes.
    ///
    /// # Errors
    /// Where the access does not take the ordering.
    pub fn order(
        &self,
        ordering: Ordering,
        access: Access,
    ) -> Result<&'static OrderRow, CellError> {
        if access.allows(ordering) {
            Ok(self.row(self.tables.order, OrderCell(ordering, access)))
        } else {
            Err(CellError::Ordering(access, ordering))
        }
    }

    /// The rows of `CROSS` that claim the cell, at most one for each kind of effect.
    pub fn cross(&self, cell: Cell) -> impl Iterator<Item = &'static CrossRow> {
        let features = self.chip.features;
        let rows = self.tables.cross.iter();
        rows.filter(move |row| row.needs.met_by(features) && row.claims(cell))
    }

    /// How a fence of that ordering and scope is done.
    ///
    /// # Errors
    /// Where the ordering is relaxed, or not legal on this target.
    pub fn fence(&self, ordering: Ordering, scope: Scope) -> Result<Sync, CellError> {
        let order = self.order(ordering, Access::Fence)?;
        sync(self.scope(scope, Storage::Global), order, scope, ordering)
    }

    /// All that the tables say about a cell.
    ///
    /// # Errors
    /// Where the operation does not take the type or ordering, or where scope or ordering are not
    /// legal on this target.
    pub fn plan(&self, cell: Cell) -> Result<Plan, CellError> {
        if cell.is_generic {
            return generic::plan(self, cell);
        }
        let form = self.form(cell.op, cell.ty, cell.storage)?;
        let order = self.order(cell.ordering, cell.op.access())?;
        let scope = self.scope(cell.scope, cell.storage);
        let mut plan = Plan {
            how: form.how,
            cost: form.cost,
            sync: sync(scope, order, cell.scope, cell.ordering)?,
            text: None,
            attributes: &[],
            min_max: form.min_max,
            form,
            scope,
            order,
            crossed: Vec::new(),
        };
        if plan.sync == Sync::Plain {
            // What the dialect itself means, done with plain accesses.
            let private = self.form(cell.op, cell.ty, Storage::Private)?;
            return Ok(Plan {
                how: How::Plain,
                cost: Cost::Plain,
                min_max: private.min_max,
                ..plan
            });
        }
        plan.crossed = self.cross(cell).collect();
        for row in &plan.crossed {
            match row.effect {
                Effect::Form(how) => (plan.how, plan.cost) = (how, how.usual_cost()),
                Effect::Text(opcode) => plan.text = Some(opcode),
                Effect::Attributes(names) => plan.attributes = names,
            }
        }
        if !matches!(plan.how, How::Native(_) | How::Guarded { .. }) {
            plan.text = None;
            plan.attributes = &[];
        }
        Ok(plan)
    }
}

/// Puts a legal scope and a legal ordering together.
fn sync(
    scope: &ScopeRow,
    order: &OrderRow,
    asked_scope: Scope,
    asked: Ordering,
) -> Result<Sync, CellError> {
    let word = match scope.how {
        ScopeHow::Plain => return Ok(Sync::Plain),
        ScopeHow::Exact(word) | ScopeHow::Free { word, .. } => Some(word),
        ScopeHow::Change { .. } | ScopeHow::Weaken { .. } | ScopeHow::Reject(_) => None,
    };
    match (word, order.how) {
        (Some(word), OrderHow::Exact(steps)) => {
            let own = match steps.own {
                Own::Asked => asked,
                Own::Is(ordering) => ordering,
            };
            Ok(Sync::Ordered(Ordered {
                lead: steps.lead,
                own,
                trail: steps.trail,
                word,
            }))
        }
        _ => Err(CellError::NotLegal {
            scope: asked_scope,
            ordering: asked,
        }),
    }
}

impl FromStr for Target {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}
