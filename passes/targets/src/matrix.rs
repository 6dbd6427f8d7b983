//! Prints a target's tables as Markdown.

use std::fmt::Write as _;

use crate::axes::{Ordering, Storage, StorageSet, Ty};
use crate::cells::{OrderCell, Row, ScopeCell};
use crate::features::Needs;
use crate::op::Op;
use crate::table::{
    Effect, FormRow, Guard, How, NOT_LLVM, OrderHow, OrderRow, Own, Repair, ScopeHow, ScopeRow,
    ScopeWord, Steps, Subnormals, Tables,
};
use crate::target::Target;

const LEGEND: &str = "\
N native instruction; G guarded: native where exact, else a CAS loop; T integer trick; R rewritten to another operation; \
L CAS loop; P plain load, operation, store; x rejected; blank: the operation does not take the type.\n";

impl Target {
    /// The matrix of this chip: an op × type grid for each storage, then the rows that hold on it.
    pub fn print_matrix(&self) -> String {
        let mut out = format!("# {self}\n\n{}\n\n{LEGEND}", self.tables().notes);
        grids(&mut out, &[(String::new(), self.clone())]);
        rows(&mut out, self.tables(), |needs| {
            needs.met_by(self.features())
        });
        weakened(&mut out, self);
        out
    }
}

impl Tables {
    /// The page of the target in `docs/matrix`: grids for each set of features that chips have,
    /// then every row.
    pub fn print_page(&self) -> String {
        let mut out = format!(
            "<!-- Written by `cargo xtask bless`; do not edit. -->\n# {}\n\n{}\n\n{LEGEND}",
            self.name, self.notes
        );
        let targets = self.chips.feature_sets().into_iter();
        let targets = targets.map(|(chips, set)| (chips, Target::with_tables(*self, set)));
        let targets: Vec<_> = targets.collect();
        grids(&mut out, &targets);
        rows(&mut out, self, |_| true);
        if let Some((_, target)) = targets.first() {
            weakened(&mut out, target);
        }
        out
    }
}

/// One grid for each storage and set of chips; those with equal grids share one.
fn grids(out: &mut String, targets: &[(String, Target)]) {
    let mut grids: Vec<(String, Vec<(Storage, &str)>)> = Vec::new();
    for storage in Storage::ALL {
        for (chips, target) in targets {
            let grid = grid(target, *storage);
            match grids.iter_mut().find(|(known, _)| *known == grid) {
                Some((_, places)) => places.push((*storage, chips)),
                None => grids.push((grid, vec![(*storage, chips)])),
            }
        }
    }
    for (grid, places) in grids {
        let titles = StorageSet::ALL.iter().filter_map(|storage| {
            let here = places.iter().filter(|(place, _)| *place == storage);
            let chips: Vec<&str> = here.map(|(_, chips)| *chips).collect();
            match chips.len() {
                0 => None,
                all if all == targets.len() => Some(storage.name().to_owned()),
                _ => Some(format!("{storage} ({})", chips.join(", "))),
            }
        });
        let titles = titles.collect::<Vec<_>>().join(", ");
        push(out, format_args!("\n## Storage: {titles}\n\n{grid}"));
    }
}

fn grid(target: &Target, storage: Storage) -> String {
    let letter = |op, ty| match target.form(op, ty, storage) {
        Ok(row) => row.how.letter().to_string(),
        Err(_) => String::new(),
    };
    let heads = ["op"].into_iter().chain(Ty::ALL.iter().map(|ty| ty.name()));
    let line = |op: Op| {
        let letters = Ty::ALL.iter().map(|ty| letter(op, *ty));
        [op.name().to_owned()].into_iter().chain(letters).collect()
    };
    table(
        heads.map(str::to_owned).collect(),
        Op::all().map(line).collect(),
    )
}

fn rows(out: &mut String, tables: &Tables, holds: impl Fn(Needs) -> bool) {
    let needs = |needs: Needs| needs.text(tables.features);

    let form = tables
        .form
        .iter()
        .filter(|row| holds(row.needs))
        .map(|row| {
            vec![
                row.ops.to_string(),
                row.types.to_string(),
                row.storages.to_string(),
                needs(row.needs),
                form_text(row),
                row.cost.name().to_owned(),
                row.spec.to_owned(),
            ]
        });
    let heads = heads(&["ops", "types", "storages", "needs", "how", "cost", "source"]);
    push(
        out,
        format_args!("\n## Form\n\n{}", table(heads, form.collect())),
    );

    let scope = tables
        .scope
        .iter()
        .filter(|row| holds(row.needs))
        .map(|row| {
            let (scopes, storages) = (row.scopes.to_string(), row.storages.to_string());
            vec![
                scopes,
                storages,
                needs(row.needs),
                scope_text(row.how),
                row.spec.to_owned(),
            ]
        });
    let heads = self::heads(&["scopes", "storages", "needs", "becomes", "source"]);
    push(
        out,
        format_args!("\n## Scope\n\n{}", table(heads, scope.collect())),
    );

    let order = |rows: &[OrderRow]| {
        let rows = rows.iter().filter(|row| holds(row.needs)).map(|row| {
            let (orderings, accesses) = (row.orderings.to_string(), row.accesses.to_string());
            vec![
                orderings,
                accesses,
                needs(row.needs),
                order_text(tables, row.how),
                row.spec.to_owned(),
            ]
        });
        let heads = self::heads(&["orderings", "accesses", "needs", "becomes", "source"]);
        table(heads, rows.collect())
    };
    push(out, format_args!("\n## Order\n\n{}", order(tables.order)));
    if let Some(clamp) = tables.clamp {
        let title = "Order under the policy `clamp`";
        push(out, format_args!("\n## {title}\n\n{}", order(clamp)));
    }

    let cross = tables
        .cross
        .iter()
        .filter(|row| holds(row.needs))
        .map(|row| {
            vec![
                row.ops.to_string(),
                row.types.to_string(),
                row.storages.to_string(),
                row.scopes.to_string(),
                row.orderings.to_string(),
                row.outcomes.to_string(),
                row.denormals.to_string(),
                row.memories.to_string(),
                needs(row.needs),
                effect_text(row.effect),
                row.why.to_owned(),
                row.spec.to_owned(),
            ]
        });
    let heads = self::heads(&[
        "ops",
        "types",
        "storages",
        "scopes",
        "orderings",
        "result",
        "denormals",
        "memory",
        "needs",
        "effect",
        "why",
        "source",
    ]);
    push(
        out,
        format_args!("\n## Cross\n\n{}", table(heads, cross.collect())),
    );
}

/// The cells of `ORDER` and `SCOPE` that give less than was asked, counted.
fn weakened(out: &mut String, target: &Target) {
    let mut lines = Vec::new();
    for OrderCell(ordering, access) in OrderRow::cells() {
        let how = target.order(ordering, access).map(|row| row.how);
        if let Ok(OrderHow::Weaken { to, loses }) = how {
            let cell = format!("{ordering}, {access}");
            lines.push(vec![cell, to.to_string(), loses.to_owned()]);
        }
    }
    for ScopeCell(scope, storage) in ScopeRow::cells() {
        if let ScopeHow::Weaken { to, loses } = target.scope(scope, storage).how {
            let cell = format!("{scope}, {storage}");
            lines.push(vec![cell, to.to_string(), loses.to_owned()]);
        }
    }
    let count = lines.len();
    let table = table(heads(&["asked", "given", "loses"]), lines);
    push(out, format_args!("\n## Weakened: {count}\n\n{table}"));
}

fn form_text(row: &FormRow) -> String {
    let text = how_text(row.how);
    // A rule on a row of every operation speaks of fmin and fmax; say so.
    let Some(rule) = row.min_max else {
        return text;
    };
    let (zeros, signalling) = (rule.zeros.name(), rule.signalling.name());
    let subnormals = match rule.subnormals {
        Subnormals::Kept => "",
        Subnormals::MayFlush => ", subnormals may become zeros",
    };
    match row.how {
        How::Plain => format!("{text}; fmin and fmax: {zeros}, {signalling}{subnormals}"),
        _ => format!("{text}; {zeros}, {signalling}{subnormals}"),
    }
}

fn how_text(how: How) -> String {
    let detail = match how {
        How::Native(instr) if instr.bits => format!("`{}` on the bits", instr.stem),
        How::Native(instr) if instr.packed => format!("`{}` on the 32-bit word", instr.stem),
        How::Native(instr) => format!("`{}`", instr.stem),
        How::Guarded {
            native,
            guard: Guard::MagnitudeBitsAtLeast(bits),
            fallback,
        } => format!(
            "`{}` if the operand's magnitude bits are at least {bits:#x}, else a CAS loop on {}",
            native.stem,
            fallback.name()
        ),
        How::IntTrick(trick) => {
            let repair = match trick.repair {
                Repair::Loop => "",
                Repair::Once => "; no loop repairs a NaN",
            };
            format!(
                "{} if the operand's sign is clear, else {}{repair}",
                trick.positive, trick.negative
            )
        }
        How::Rewrite(rewrite) => rewrite.name().to_owned(),
        How::CasLoop(carrier) => carrier.name().to_owned(),
        How::Plain => return how.name().to_owned(),
        How::Reject(why) => why.to_owned(),
    };
    format!("{}: {detail}", how.name())
}

fn scope_text(how: ScopeHow) -> String {
    match how {
        ScopeHow::Exact(word) => word_text(word),
        ScopeHow::Free { word, gives, why } => {
            format!("{} (gives {gives} for free: {why})", word_text(word))
        }
        ScopeHow::Plain => "plain".to_owned(),
        ScopeHow::Change { to, why } => format!("changed to {to}: {why}"),
        ScopeHow::Weaken { to, loses } => format!("weakened to {to}: {loses}"),
        ScopeHow::Reject(why) => format!("rejected: {why}"),
    }
}

fn word_text(ScopeWord { isa, llvm, waits }: ScopeWord) -> String {
    let llvm = match llvm {
        NOT_LLVM => return format!("`{isa}`"),
        "" => "no `syncscope`".to_owned(),
        name => format!("`syncscope(\"{name}\")`"),
    };
    let waits = if waits {
        "; a release is a fence and a wait for stores"
    } else {
        ""
    };
    if isa.is_empty() {
        format!("{llvm}{waits}")
    } else {
        format!("`.{isa}`, {llvm}{waits}")
    }
}

fn order_text(tables: &Tables, how: OrderHow) -> String {
    match how {
        OrderHow::Exact(steps) => steps_text(tables, steps),
        OrderHow::Change { to, why } => format!("changed to {to}: {why}"),
        OrderHow::Weaken { to, loses } => format!("weakened to {to}: {loses}"),
        OrderHow::Reject(why) => format!("rejected: {why}"),
    }
}

fn steps_text(tables: &Tables, Steps { lead, own, trail }: Steps) -> String {
    let fence = |ordering: Ordering| format!("fence `{}`", tables.words.of(ordering));
    let own = match own {
        Own::Asked => "as asked".to_owned(),
        Own::Is(ordering) => format!("`{}`", tables.words.of(ordering)),
    };
    let steps = [lead.map(fence), Some(own), trail.map(fence)];
    steps
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", then ")
}

fn effect_text(effect: Effect) -> String {
    match effect {
        Effect::Form(how) => how_text(how),
        Effect::Text(opcode) => format!("written as target text with `{opcode}`"),
        Effect::Attributes(names) => format!("told to LLVM: `{}`", names.join("`, `")),
    }
}

fn heads(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A Markdown table with its columns aligned; columns that are empty throughout are left out.
fn table(heads: Vec<String>, lines: Vec<Vec<String>>) -> String {
    if lines.is_empty() {
        return "Nothing.\n".to_owned();
    }
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let columns: Vec<(usize, usize)> = (0..heads.len())
        .filter_map(|column| Some((column, width(column).filter(|width| *width > 0)?)))
        .map(|(column, width)| (column, width.max(heads[column].len()).max(3)))
        .collect();
    let mut out = String::new();
    let mut push_line = |cells: &dyn Fn(usize, usize) -> String| {
        for (column, width) in &columns {
            push(&mut out, format_args!("| {} ", cells(*column, *width)));
        }
        out.push_str("|\n");
    };
    push_line(&|column, width| format!("{:width$}", heads[column]));
    push_line(&|_, width| "-".repeat(width));
    for line in &lines {
        push_line(&|column, width| format!("{:width$}", line[column]));
    }
    out
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes everything");
}
