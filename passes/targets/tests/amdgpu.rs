//! The AMDGPU tables against `expect/amdgpu.txt`, which was written from the ISA documents and not from
//! the tables.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail loudly too"
)]

mod expected;

use expected::{names, typed_ops};
use xpu_targets::{
    Access, Carrier, Cell, Denormals, Effect, Guard, How, Kind, Memory, Op, Ordered, Ordering,
    Outcome, Rewrite, Scope, Signalling, Storage, Sync, Tables, Target, Ty, ZeroRule,
};

const EXPECTED: &str = include_str!("../expect/amdgpu.txt");

/// Chips, and the column of their forms.
const CHIPS: [(&str, usize); 10] = [
    ("gfx906", 0),
    ("gfx908", 1),
    ("gfx90a", 2),
    ("gfx942", 3),
    ("gfx950", 3),
    ("gfx1030", 4),
    ("gfx1100", 5),
    ("gfx1151", 5),
    ("gfx1200", 6),
    ("gfx1201", 6),
];
const COLUMNS: [&str; 7] = [
    "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200",
];

fn section(name: &str) -> Vec<Vec<&'static str>> {
    expected::section(EXPECTED, name)
}

fn tables() -> Tables {
    expected::tables("amdgpu")
}

/// The tables as they are for that chip, whatever `tables` say.
fn target(tables: Tables, chip: &str) -> Target {
    let features = Target::parse(&format!("amdgpu:{chip}")).unwrap().features();
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
        How::Native(instr) if instr.packed => format!("W:{}", instr.text(ty)),
        How::Native(instr) => format!("N:{}", instr.text(ty)),
        // 2^-101 has the exponent 127 - 101 and no fraction.
        How::Guarded {
            native,
            guard: Guard::MagnitudeBitsAtLeast(bits),
            fallback,
        } if bits == (127 - 101) << 23 => {
            format!("G:{}/{}", native.text(ty), carrier(fallback))
        }
        How::IntTrick(trick) => format!("T:{}/{}", stem(trick.positive), stem(trick.negative)),
        How::Rewrite(Rewrite::AddOfNegated) => "R:add".to_owned(),
        How::Rewrite(Rewrite::FaddOfNegated) => "R:fadd".to_owned(),
        How::Rewrite(Rewrite::WholeWord) => "R:word".to_owned(),
        How::CasLoop(loops) => format!("L:{}", carrier(loops)),
        How::Plain => "P".to_owned(),
        other => format!("{other:?}"),
    }
}

type Compare<'a> = &'a mut dyn FnMut(String, &[&str], &str);

/// What differs from the file, one line each.
fn differences(tables: Tables) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: String, want: &[&str], got: &str| match want {
        [want] if *want == got => {}
        [want] => found.push(format!("{what}: the file says {want}, the table {got}")),
        [] => found.push(format!("{what}: the file is silent, the table says {got}")),
        more => found.push(format!("{what}: the file says {more:?}")),
    };
    forms(tables, &mut compare);
    attributes(tables, &mut compare);
    for (chip, column) in CHIPS {
        scopes(&target(tables, chip), (chip, column), &mut compare);
    }
    orders(&target(tables, "gfx1100"), &mut compare);
    found
}

fn forms(tables: Tables, compare: Compare<'_>) {
    let sections = ["form", "host", "flush", "unused", "min_max"].map(section);
    let [form, host, flush, unused, min_max] = &sections;
    for (chip, column) in CHIPS {
        let target = target(tables, chip);
        let as_chip = COLUMNS[column];
        for (op, ty) in typed_ops() {
            for storage in Storage::ALL.iter().copied() {
                let what = format!("{chip} {op} {ty} {storage}");
                let width = ty.bits().to_string();
                let here = |line: &&Vec<&str>| {
                    names(line[0], op.name())
                        && names(line[1], ty.name())
                        && names(line[2], storage.name())
                };
                let of_chip = |line: &&Vec<&str>| here(line) && names(line[3], as_chip);
                let base = Cell::new(op, ty, storage, Scope::Device, Ordering::Relaxed);
                let text =
                    |cell: Cell| form_text(&target, target.plan(cell).unwrap().how, ty, storage);
                let filled = |text: &str| text.replace("{w}", &width);
                let kept: Vec<String> = form
                    .iter()
                    .filter(here)
                    .map(|line| filled(line[3 + column]))
                    .collect();
                let mut check = |cell: Cell, special: Vec<String>| {
                    let want = if special.is_empty() { &kept } else { &special };
                    let want: Vec<&str> = want.iter().map(String::as_str).collect();
                    compare(format!("{what}: {cell}"), &want, &text(cell));
                };
                check(base, Vec::new());
                let memory = Memory::HostVisible;
                for denormals in Denormals::ALL.iter().copied() {
                    for outcome in Outcome::ALL.iter().copied() {
                        let cell = Cell {
                            denormals,
                            outcome,
                            ..base
                        };
                        let elsewhere = host.iter().filter(here);
                        check(
                            Cell { memory, ..cell },
                            elsewhere.map(|line| filled(line[3])).collect(),
                        );
                        let flushed = flush
                            .iter()
                            .filter(of_chip)
                            .filter(|_| denormals == Denormals::Flush)
                            .map(|line| line[4 + usize::from(outcome == Outcome::Unused)]);
                        let mut special: Vec<String> = flushed.map(str::to_owned).collect();
                        if outcome == Outcome::Unused {
                            let lines = unused.iter().filter(of_chip);
                            special.extend(lines.map(|line| line[4].to_owned()));
                        }
                        check(cell, special);
                    }
                }

                if let Some(rule) = target.plan(base).unwrap().min_max
                    && names("fmin,fmax", op.name())
                {
                    let zeros = match rule.zeros {
                        ZeroRule::OrderedZeros => "ordered",
                        ZeroRule::EitherZero => "either",
                    };
                    let signalling = match rule.signalling {
                        Signalling::Ignored => "ignored",
                        Signalling::Quieted => "quieted",
                        Signalling::Either => "either",
                    };
                    // The first line that speaks of it.
                    let want = min_max.iter().find(of_chip);
                    let want: Vec<String> = want
                        .iter()
                        .map(|line| format!("{} {}", line[4], line[5]))
                        .collect();
                    let want: Vec<&str> = want.iter().map(String::as_str).collect();
                    compare(
                        format!("{what} min_max"),
                        &want,
                        &format!("{zeros} {signalling}"),
                    );
                }
            }
        }
    }
}

/// LLVM is told of just those native updates that it would make a loop of.
fn attributes(tables: Tables, compare: Compare<'_>) {
    const PROMISES: &str = "rocdl.no_fine_grained_memory rocdl.no_remote_memory";
    const FLUSHING: &str =
        "rocdl.no_fine_grained_memory rocdl.no_remote_memory rocdl.ignore_denormal_mode";
    let told = section("told");
    for (chip, _) in CHIPS {
        let target = target(tables, chip);
        for (op, ty) in typed_ops() {
            for storage in [Storage::Global, Storage::Shared] {
                for denormals in Denormals::ALL.iter().copied() {
                    for memory in Memory::ALL.iter().copied() {
                        for outcome in Outcome::ALL.iter().copied() {
                            let cell = Cell::new(op, ty, storage, Scope::Device, Ordering::Relaxed);
                            let cell = Cell {
                                denormals,
                                memory,
                                outcome,
                                ..cell
                            };
                            let plan = target.plan(cell).unwrap();
                            let silent = told.iter().any(|line| names(line[0], op.name()));
                            let is_native = matches!(plan.how, How::Native(_));
                            let flushes = matches!(chip, "gfx908" | "gfx90a")
                                && op == Op::Rmw(Kind::Fadd)
                                && ty == Ty::F32;
                            let want = if silent
                                || !is_native
                                || storage == Storage::Shared
                                || memory == Memory::HostVisible
                            {
                                ""
                            } else if flushes {
                                FLUSHING
                            } else {
                                PROMISES
                            };
                            compare(
                                format!("{chip} {cell} is told"),
                                &[want],
                                &plan.attributes.join(" "),
                            );
                        }
                    }
                }
            }
        }
    }
}

/// LLVM's word for each scope, and where a release waits by itself.
fn scopes(target: &Target, (chip, column): (&str, usize), compare: Compare<'_>) {
    let scopes = section("scope");
    for storage in Storage::ALL {
        for scope in Scope::ALL {
            let op = Op::Rmw(Kind::Add);
            let cell = Cell::new(op, Ty::I32, *storage, *scope, Ordering::Relaxed);
            let got = match target.plan(cell).unwrap().sync {
                Sync::Plain => "plain".to_owned(),
                Sync::Ordered(Ordered { word, .. }) => {
                    let name = if word.llvm.is_empty() { "-" } else { word.llvm };
                    let waits = if word.waits { "+wait" } else { "" };
                    format!("{name}{waits}")
                }
            };
            let here =
                |line: &&Vec<&str>| names(line[0], scope.name()) && names(line[1], storage.name());
            let lines = scopes.iter().filter(here);
            let want: Vec<&str> = lines.map(|line| line[2 + column]).collect();
            compare(format!("{chip} {scope} {storage}"), &want, &got);
        }
    }
}

/// Every ordering is LLVM's own.
fn orders(target: &Target, compare: Compare<'_>) {
    for access in Access::ALL {
        for ordering in Ordering::ALL
            .iter()
            .filter(|ordering| access.allows(**ordering))
        {
            let cell = |op| Cell::new(op, Ty::I32, Storage::Global, Scope::System, *ordering);
            let plan = |op| target.plan(cell(op)).unwrap().sync;
            let sync = match access {
                Access::Load => plan(Op::Load),
                Access::Store => plan(Op::Store),
                Access::Rmw => plan(Op::Rmw(Kind::Add)),
                Access::Cas => plan(Op::Cas),
                Access::Fence => target.fence(*ordering, Scope::System).unwrap(),
            };
            let Sync::Ordered(Ordered {
                lead, own, trail, ..
            }) = sync
            else {
                panic!("{access} {ordering} is plain");
            };
            assert_eq!((lead, trail), (None, None), "{access} {ordering}");
            compare(
                format!("{access} {ordering}"),
                &[ordering.name()],
                own.name(),
            );
        }
    }
}

#[test]
fn tables_say_what_the_isa_says() {
    let found = differences(tables());
    let some: Vec<&str> = found.iter().take(40).map(String::as_str).collect();
    assert!(
        found.is_empty(),
        "{} differences:\n{}",
        found.len(),
        some.join("\n")
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

/// No promise that the memory of the host would break is ever told.
#[test]
fn no_promise_is_made_for_the_host() {
    for row in tables().cross {
        if let Effect::Attributes(_) = row.effect {
            assert!(!row.memories.contains(Memory::HostVisible), "{row:?}");
        }
    }
}

#[test]
fn unknown_chips_are_told_the_known() {
    for chip in ["gfx900", "gfx1010", "gfx11", "sm_90", "GFX1100", ""] {
        let error = Target::parse(&format!("amdgpu:{chip}")).unwrap_err();
        let known: Vec<&str> = CHIPS.iter().map(|(chip, _)| *chip).collect();
        let want = format!(
            "unknown chip '{chip}' of target 'amdgpu'; known chips are {}",
            known.join(", ")
        );
        assert_eq!(error.to_string(), want);
    }
}
