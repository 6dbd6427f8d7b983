//! The NVPTX tables against `expect/nvptx.txt`, which was written from the PTX ISA and not from the
//! tables.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail loudly too"
)]

mod expected;

use expected::{names, typed_ops};
use xpu_targets::{
    Access, Carrier, Cell, Denormals, How, Kind, Op, Ordered, Ordering, Outcome, Rewrite, Scope,
    Signalling, Storage, Sync, Tables, Target, Ty, ZeroRule,
};

const EXPECTED: &str = include_str!("../expect/nvptx.txt");
const CHIPS: [&str; 4] = ["sm_70", "sm_75", "sm_80", "sm_90"];

fn section(name: &str) -> Vec<Vec<&'static str>> {
    expected::section(EXPECTED, name)
}

fn tables() -> Tables {
    expected::tables("nvptx")
}

/// The tables as they are for that chip, whatever `tables` say.
fn target(tables: Tables, chip: &str) -> Target {
    let features = Target::parse(&format!("nvptx:{chip}")).unwrap().features();
    Target::with_tables(tables, features)
}

/// A form in the notation of the file.
fn form_text(target: &Target, how: How, ty: Ty, storage: Storage) -> String {
    let carrier = |carrier: Carrier| carrier.ty(ty);
    let stem = |kind: Kind| match target.form(kind.into(), ty.integer(), storage).unwrap().how {
        How::Native(instr) => instr.text(ty.integer()),
        other => format!("{other:?}"),
    };
    match how {
        How::Native(instr) => format!("N:{}", instr.text(ty)),
        How::Guarded {
            native, fallback, ..
        } => {
            format!("G:{}/{}", native.text(ty), carrier(fallback))
        }
        How::IntTrick(trick) => format!("T:{}/{}", stem(trick.positive), stem(trick.negative)),
        How::Rewrite(Rewrite::AddOfNegated) => "R:add".to_owned(),
        How::Rewrite(Rewrite::FaddOfNegated) => "R:fadd".to_owned(),
        How::Rewrite(Rewrite::WholeWord) => "R:word".to_owned(),
        How::CasLoop(loops) => format!("L:{}", carrier(loops)),
        How::Plain => "P".to_owned(),
        How::Reject(why) => format!("x:{why}"),
    }
}

/// What differs from the file, one line each.
fn differences(tables: Tables) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: String, want: &[&str], got: &str| match want {
        [want] if *want == got => {}
        [want] => found.push(format!("{what}: the PTX ISA says {want}, the table {got}")),
        [] => found.push(format!("{what}: the file is silent, the table says {got}")),
        more => found.push(format!("{what}: the file says {more:?}")),
    };
    forms(tables, &mut compare);
    scopes_and_orders(&target(tables, "sm_70"), &mut compare);
    opcodes(&target(tables, "sm_90"), &mut compare);
    found
}

type Compare<'a> = &'a mut dyn FnMut(String, &[&str], &str);

fn forms(tables: Tables, compare: Compare<'_>) {
    let (form, flush, min_max) = (section("form"), section("flush"), section("min_max"));
    for (column, chip) in CHIPS.into_iter().enumerate() {
        let target = target(tables, chip);
        for (op, ty) in typed_ops() {
            for storage in Storage::ALL.iter().copied() {
                let what = format!("{chip} {op} {ty} {storage}");
                let here = |line: &&Vec<&str>| {
                    names(line[0], op.name())
                        && names(line[1], ty.name())
                        && names(line[2], storage.name())
                };
                let plan = |denormals| {
                    let cell = Cell::new(op, ty, storage, Scope::Device, Ordering::Relaxed);
                    target.plan(Cell { denormals, ..cell }).unwrap()
                };
                let kept = plan(Denormals::Keep);
                let kept_text = form_text(&target, kept.how, ty, storage);
                let want: Vec<&str> = form
                    .iter()
                    .filter(here)
                    .map(|line| line[3 + column])
                    .collect();
                compare(what.clone(), &want, &kept_text);

                let flushed = form_text(&target, plan(Denormals::Flush).how, ty, storage);
                let mut want: Vec<&str> = flush.iter().filter(here).map(|line| line[3]).collect();
                if want.is_empty() {
                    want.push(&kept_text);
                }
                compare(format!("{what} flush"), &want, &flushed);

                let want = min_max
                    .iter()
                    .filter(here)
                    .map(|line| format!("{} {}", line[3], line[4]));
                let want: Vec<String> = want.collect();
                if let Some(rule) = kept.min_max.filter(|_| names("fmin,fmax", op.name())) {
                    let zeros = match rule.zeros {
                        ZeroRule::OrderedZeros => "ordered",
                        ZeroRule::EitherZero => "either",
                    };
                    let signalling = match rule.signalling {
                        Signalling::Ignored => "ignored",
                        Signalling::Quieted => "quieted",
                        Signalling::Either => "either",
                    };
                    let want: Vec<&str> = want.iter().map(String::as_str).collect();
                    compare(
                        format!("{what} min_max"),
                        &want,
                        &format!("{zeros} {signalling}"),
                    );
                } else {
                    assert!(want.is_empty(), "{what}: no rule");
                }
            }
        }
    }
}

fn scopes_and_orders(target: &Target, compare: Compare<'_>) {
    let (scopes, orders) = (section("scope"), section("order"));
    let words = target.tables().words;
    let fence = |ordering| format!("fence.{} ", words.of(ordering));
    for storage in Storage::ALL {
        for scope in Scope::ALL {
            let op = Op::Rmw(Kind::Add);
            let cell = Cell::new(op, Ty::I32, *storage, *scope, Ordering::Relaxed);
            let got = match target.plan(cell).unwrap().sync {
                Sync::Plain => "plain".to_owned(),
                Sync::Ordered(Ordered { word, .. }) => format!(".{}", word.isa),
            };
            let here =
                |line: &&Vec<&str>| names(line[0], scope.name()) && names(line[1], storage.name());
            let want: Vec<&str> = scopes.iter().filter(here).map(|line| line[2]).collect();
            compare(format!("{scope} {storage}"), &want, &got);
        }
    }
    for access in Access::ALL {
        for ordering in Ordering::ALL
            .iter()
            .filter(|ordering| access.allows(**ordering))
        {
            let cell = |op| Cell::new(op, Ty::I32, Storage::Global, Scope::System, *ordering);
            let plan = |op| target.plan(cell(op)).unwrap().sync;
            let (opcode, sync) = match access {
                Access::Load => ("ld", plan(Op::Load)),
                Access::Store => ("st", plan(Op::Store)),
                Access::Rmw => ("atom", plan(Op::Rmw(Kind::Add))),
                Access::Cas => ("atom", plan(Op::Cas)),
                Access::Fence => ("fence", target.fence(*ordering, Scope::System).unwrap()),
            };
            let Sync::Ordered(Ordered {
                lead, own, trail, ..
            }) = sync
            else {
                panic!("{access} {ordering} is plain");
            };
            let lead = lead.map(fence).unwrap_or_default();
            let trail = trail.map(fence).unwrap_or_default();
            let got = format!("{lead}{opcode}.{} {trail}", words.of(own));
            let here = |line: &&Vec<&str>| line[0] == access.name() && line[1] == ordering.name();
            let want: Vec<String> = orders
                .iter()
                .filter(here)
                .map(|line| line[2..].join(" "))
                .collect();
            let want: Vec<&str> = want.iter().map(String::as_str).collect();
            compare(format!("{access} {ordering}"), &want, got.trim_end());
        }
    }
}

/// Who writes the native instruction, for every type that has one on the newest chip.
fn opcodes(target: &Target, compare: Compare<'_>) {
    let lines = section("opcode");
    for (op, ty) in typed_ops() {
        let names_op = |field: &str| match (field, op) {
            ("rmw", Op::Rmw(_)) => true,
            ("rmw_but_xchg", Op::Rmw(kind)) => kind != Kind::Xchg,
            _ => field == op.name(),
        };
        let scopes = Scope::ALL.iter().filter(|scope| **scope != Scope::Workitem);
        for scope in scopes {
            for ordering in Ordering::ALL
                .iter()
                .filter(|ordering| op.access().allows(**ordering))
            {
                for outcome in Outcome::ALL {
                    let cell = Cell::new(op, ty, Storage::Global, *scope, *ordering);
                    let plan = target
                        .plan(Cell {
                            outcome: *outcome,
                            ..cell
                        })
                        .unwrap();
                    if !matches!(plan.how, How::Native(_) | How::Guarded { .. }) {
                        assert_eq!(plan.text, None);
                        continue;
                    }
                    let got = match plan.text {
                        Some(opcode) => format!("text:{opcode}"),
                        None => "llvm".to_owned(),
                    };
                    let here = |line: &&Vec<&str>| {
                        names_op(line[0])
                            && names(line[1], ordering.name())
                            && names(line[2], scope.name())
                            && names(line[3], outcome.name())
                    };
                    let want: Vec<&str> = lines.iter().filter(here).map(|line| line[4]).collect();
                    compare(
                        format!("{op} {ty} {scope} {ordering} {outcome}"),
                        &want,
                        &got,
                    );
                }
            }
        }
    }
}

#[test]
fn tables_say_what_the_isa_says() {
    let found = differences(tables());
    assert!(
        found.is_empty(),
        "{} differences:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// Totality cannot miss a row of `CROSS`; this does.
#[test]
fn every_cross_row_is_missed() {
    let whole = tables();
    for row in 0..whole.cross.len() {
        let mut cross = whole.cross.to_vec();
        cross.remove(row);
        let found = differences(Tables {
            cross: Vec::leak(cross),
            ..whole
        });
        assert!(!found.is_empty(), "nothing misses row {} of CROSS", row + 1);
    }
}

/// Neighbours that exchange their forms show.
#[test]
fn exchanged_forms_show() {
    let whole = tables();
    for row in 1..whole.form.len() {
        let mut form = whole.form.to_vec();
        (form[row].how, form[row - 1].how) = (form[row - 1].how, form[row].how);
        let mut found = form[row].how == form[row - 1].how;
        forms(
            Tables {
                form: Vec::leak(form),
                ..whole
            },
            &mut |_, want, got| {
                found |= want != [got];
            },
        );
        assert!(
            found,
            "nothing shows that rows {row} and {} were exchanged",
            row + 1
        );
    }
}
