//! The proof that tables are total, disjoint, live and sound.

use std::fmt;

use crate::axes::{Access, Kind, Ordering, Scope, Storage};
use crate::cells::{FormCell, OrderCell, Row, ScopeCell};
use crate::features::{Feature, FeatureSet};
use crate::op::Op;
use crate::table::{
    Carrier, CrossRow, Effect, FormRow, How, OrderHow, OrderRow, Own, ScopeHow, ScopeRow, Tables,
};
use crate::target::Target;

/// Something wrong with a target's tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No row claims a cell.
    Gap {
        /// The table.
        table: &'static str,
        /// The cell.
        cell: String,
        /// What the chip has.
        features: String,
    },
    /// Two rows claim one cell.
    Double {
        /// The table.
        table: &'static str,
        /// The cell.
        cell: String,
        /// What the chip has.
        features: String,
        /// The rows.
        rows: [String; 2],
    },
    /// A row claims no cell of any chip.
    Dead {
        /// The table.
        table: &'static str,
        /// The row.
        row: String,
    },
    /// What a row says cannot be.
    Unsound {
        /// The table.
        table: &'static str,
        /// A cell that shows it.
        cell: String,
        /// What is wrong.
        why: &'static str,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gap {
                table,
                cell,
                features,
            } => {
                write!(
                    f,
                    "{table}: no row claims '{cell}' of a chip with {features}"
                )
            }
            Self::Double {
                table,
                cell,
                features,
                rows: [first, second],
            } => {
                write!(
                    f,
                    "{table}: '{cell}' of a chip with {features} is claimed by {first} and by {second}"
                )
            }
            Self::Dead { table, row } => write!(f, "{table}: {row} claims no cell"),
            Self::Unsound { table, cell, why } => write!(f, "{table}: '{cell}': {why}"),
        }
    }
}

impl Tables {
    /// Everything that is wrong with the tables. That what rows say holds together is looked at
    /// only once every cell has its one row.
    pub fn check(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        self.walk(self.form, &mut faults);
        self.walk(self.scope, &mut faults);
        self.walk(self.order, &mut faults);
        if let Some(clamp) = self.clamp {
            self.walk(clamp, &mut faults);
        }
        self.walk(self.cross, &mut faults);
        if faults.is_empty() {
            for storage in Storage::ALL.iter().copied() {
                let here = self
                    .form
                    .iter()
                    .filter(|row| row.storages.contains(storage));
                for target in self.targets(here) {
                    check_forms(&target, storage, &mut faults);
                }
            }
            for target in self.targets(self.scope) {
                check_scopes(&target, &mut faults);
            }
            for order in [Some(self.order), self.clamp].into_iter().flatten() {
                let tables = Self { order, ..*self };
                for target in tables.targets(order) {
                    check_orders(&target, &mut faults);
                }
            }
            self.check_crosses(&mut faults);
        }
        faults
    }

    /// The target with every set of features that tells between the rows.
    fn targets<'r, R: Row>(&self, rows: impl IntoIterator<Item = &'r R>) -> Vec<Target> {
        let named = rows.into_iter().map(|row| row.needs().named());
        let named = named.fold(FeatureSet::NONE, FeatureSet::or);
        let sets = self.chips.sets_of(named).into_iter();
        sets.map(|set| Target::with_tables(*self, set)).collect()
    }

    /// Visits every cell of one table for every set of the features that decide about it.
    fn walk<R: Row>(&self, rows: &[R], faults: &mut Vec<Fault>) {
        let table = R::TABLE;
        if rows.is_empty() && !R::TOTAL {
            return;
        }
        let mut alive = vec![false; rows.len()];
        let mut claiming: Vec<usize> = Vec::new();
        for cell in R::cells() {
            claiming.clear();
            claiming.extend((0..rows.len()).filter(|row| rows[*row].claims(cell)));
            let named = claiming.iter().fold(FeatureSet::NONE, |named, row| {
                named.or(rows[*row].needs().named())
            });
            for features in named.subsets() {
                let met = |row: &&usize| rows[**row].needs().met_by(features);
                let mut claimed = false;
                for row in claiming.iter().filter(met) {
                    claimed = true;
                    alive[*row] = true;
                    let earlier = claiming
                        .iter()
                        .filter(met)
                        .take_while(|earlier| *earlier < row);
                    for earlier in earlier.filter(|earlier| rows[**earlier].clashes(&rows[*row])) {
                        faults.push(Fault::Double {
                            table,
                            cell: cell.to_string(),
                            features: words(features, self.features),
                            rows: [*earlier, *row].map(|row| self.describe(rows, row)),
                        });
                    }
                }
                if R::TOTAL && !claimed {
                    let features = words(features, self.features);
                    faults.push(Fault::Gap {
                        table,
                        cell: cell.to_string(),
                        features,
                    });
                }
            }
        }
        for (row, alive) in alive.into_iter().enumerate() {
            let needs = rows[row].needs();
            let sets = self.chips.sets_of(needs.named());
            if !alive || !sets.into_iter().any(|set| needs.met_by(set)) {
                faults.push(Fault::Dead {
                    table,
                    row: self.describe(rows, row),
                });
            }
        }
    }

    fn describe<R: Row>(&self, rows: &[R], row: usize) -> String {
        format!("row {} ({})", row + 1, rows[row].describe(self.features))
    }

    /// A row of `CROSS` must change something, and must not speak of plain cells.
    fn check_crosses(&self, faults: &mut Vec<Fault>) {
        let targets: Vec<_> = self
            .chips
            .feature_sets()
            .into_iter()
            .map(|(_, set)| Target::with_tables(*self, set))
            .collect();
        let cells = CrossRow::cells();
        for (index, row) in self.cross.iter().enumerate() {
            let mut changes = false;
            for target in targets
                .iter()
                .filter(|target| row.needs.met_by(target.features()))
            {
                for cell in cells.iter().filter(|cell| row.claims(**cell)) {
                    let Ok(form) = target.form(cell.op, cell.ty, cell.storage) else {
                        continue;
                    };
                    if target.scope(cell.scope, cell.storage).how == ScopeHow::Plain {
                        let (table, why) = (CrossRow::TABLE, "the scope makes it plain");
                        faults.push(Fault::Unsound {
                            table,
                            cell: cell.to_string(),
                            why,
                        });
                        return;
                    }
                    changes |= match row.effect {
                        Effect::Form(how) => how != form.how,
                        Effect::Text(_) => matches!(form.how, How::Native(_)),
                        Effect::Attributes(_) => target
                            .plan(*cell)
                            .is_ok_and(|plan| matches!(plan.how, How::Native(_))),
                    };
                }
            }
            if !changes {
                let row = self.describe(self.cross, index);
                faults.push(Fault::Dead {
                    table: CrossRow::TABLE,
                    row,
                });
            }
        }
    }
}

fn words(features: FeatureSet, list: &[Feature]) -> String {
    match features.names(list) {
        none if none.is_empty() => "no features".to_owned(),
        names => names.join(" and "),
    }
}

/// What the forms stand on is there, and `fmin` and `fmax` say what they mean.
fn check_forms(target: &Target, storage: Storage, faults: &mut Vec<Fault>) {
    let cells = FormRow::cells().into_iter();
    for cell @ FormCell(op, ty, _) in cells.filter(|cell| cell.2 == storage) {
        let why = target
            .form(op, ty, storage)
            .ok()
            .and_then(|row| form_fault(target, cell, row));
        if let Some(why) = why {
            faults.push(Fault::Unsound {
                table: FormRow::TABLE,
                cell: cell.to_string(),
                why,
            });
        }
    }
}

fn form_fault(target: &Target, cell: FormCell, row: &FormRow) -> Option<&'static str> {
    let FormCell(op, ty, storage) = cell;
    let native = |op, ty| {
        let form = target.form(op, ty, storage);
        form.is_ok_and(|row| matches!(row.how, How::Native(_)))
    };
    let loops =
        |carrier: Carrier| native(Op::Cas, carrier.ty(ty)) && native(Op::Load, carrier.ty(ty));
    let (fmin, fmax) = (Op::Rmw(Kind::Fmin), Op::Rmw(Kind::Fmax));
    let is_min_max = op == fmin || op == fmax;

    if storage == Storage::Private && row.how != How::Plain {
        return Some("private storage is not plain");
    }
    if row.min_max.is_some() && !row.ops.contains(fmin) && !row.ops.contains(fmax) {
        return Some("only fmin and fmax have a zero rule");
    }
    if is_min_max && row.min_max.is_none() && !matches!(row.how, How::Rewrite(_) | How::Reject(_)) {
        return Some("fmin and fmax must say which zero wins and what a signalling NaN does");
    }
    match row.how {
        How::Native(_) | How::Reject(_) => None,
        How::Plain => {
            (storage != Storage::Private).then_some("plain, though others see the storage")
        }
        How::CasLoop(carrier)
        | How::Guarded {
            fallback: carrier, ..
        } => (!loops(carrier)).then_some("the loop has no native cas or load to stand on"),
        How::IntTrick(_) if !is_min_max => Some("the trick is for fmin and fmax only"),
        How::IntTrick(trick) => {
            let steps = [trick.positive, trick.negative].map(Op::Rmw);
            let stands = loops(Carrier::SameWidth)
                && steps.into_iter().all(|step| native(step, ty.integer()));
            (!stands).then_some("the trick has no native integer operations or cas to stand on")
        }
        How::Rewrite(rewrite) => {
            let (op, ty) = rewrite.to(op, ty);
            match target.form(op, ty, storage).map(|row| row.how) {
                Err(_) | Ok(How::Rewrite(_) | How::Reject(_)) => Some("the rewrite leads nowhere"),
                Ok(_) => None,
            }
        }
    }
}

/// A scope is never narrowed in silence, and legalization ends at one that the target has.
fn check_scopes(target: &Target, faults: &mut Vec<Fault>) {
    for cell @ ScopeCell(scope, storage) in ScopeRow::cells() {
        let has = |to| {
            matches!(
                target.scope(to, storage).how,
                ScopeHow::Exact(_) | ScopeHow::Free { .. }
            )
        };
        let why = match target.scope(scope, storage).how {
            ScopeHow::Free { gives, .. } if !gives.includes(scope) => "gives a narrower scope",
            ScopeHow::Plain if storage != Storage::Private && scope != Scope::Workitem => {
                "plain, though others take part"
            }
            ScopeHow::Change { to, .. } if !to.includes(scope) || !has(to) => {
                "must change to a wider scope that the target has"
            }
            ScopeHow::Weaken { to, .. } if to.includes(scope) || !has(to) => {
                "must weaken to a narrower scope that the target has"
            }
            _ => continue,
        };
        faults.push(Fault::Unsound {
            table: ScopeRow::TABLE,
            cell: cell.to_string(),
            why,
        });
    }
}

/// An ordering is never weakened in silence, and legalization ends at one that the target has.
fn check_orders(target: &Target, faults: &mut Vec<Fault>) {
    for cell @ OrderCell(ordering, access) in OrderRow::cells() {
        let Ok(row) = target.order(ordering, access) else {
            continue;
        };
        let has = |to| {
            target
                .order(to, access)
                .is_ok_and(|row| matches!(row.how, OrderHow::Exact(_)))
        };
        let why = match row.how {
            OrderHow::Exact(steps) => {
                let own = match steps.own {
                    Own::Asked => ordering,
                    Own::Is(own) => own,
                };
                let lead = steps.lead.unwrap_or(Ordering::Relaxed);
                let trail = steps.trail.unwrap_or(Ordering::Relaxed);
                if !access.allows(own) {
                    "the access cannot have these semantics"
                } else if ordering.acquires()
                    && access != Access::Store
                    && !own.join(trail).acquires()
                {
                    "nothing acquires"
                } else if ordering.releases()
                    && access != Access::Load
                    && !own.join(lead).releases()
                {
                    "nothing releases"
                } else if !own.join(lead).join(trail).at_least(ordering)
                    && ordering == Ordering::SeqCst
                {
                    "nothing is sequentially consistent"
                } else {
                    continue;
                }
            }
            OrderHow::Change { to, .. } if !to.at_least(ordering) || !has(to) => {
                "must change to a stronger ordering that the target has"
            }
            OrderHow::Weaken { to, .. } if to.at_least(ordering) || !has(to) => {
                "must weaken to a weaker ordering that the target has"
            }
            _ => continue,
        };
        faults.push(Fault::Unsound {
            table: OrderRow::TABLE,
            cell: cell.to_string(),
            why,
        });
    }
}
