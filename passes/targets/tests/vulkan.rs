//! The Vulkan tables against `expect/vulkan.txt`, which was written from the specifications of
//! SPIR-V and Vulkan and not from the tables.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail loudly too"
)]

mod expected;

use expected::{names, typed_ops};
use xpu_targets::{
    Access, Carrier, Cell, CrossRow, Denormals, Fault, FormRow, How, Kind, Needs, Op, OrderHow,
    OrderRow, Ordering, Rewrite, Scope, ScopeHow, ScopeRow, Signalling, Storage, Subnormals, Sync,
    Tables, Target, Ty, ZeroRule, vulkan,
};

const EXPECTED: &str = include_str!("../expect/vulkan.txt");
const COLUMNS: [&str; 8] = [
    "plain",
    "int64",
    "buffers",
    "workgroup",
    "lavapipe",
    "H200",
    "all",
    "lone_f64",
];

fn section(name: &str) -> Vec<Vec<&'static str>> {
    expected::section(EXPECTED, name)
}

fn tables() -> Tables {
    expected::tables("vulkan")
}

/// The tables as they are for each target of the file, with its column.
fn targets(tables: Tables) -> Vec<(usize, Target)> {
    let line = |line: Vec<&str>| {
        let column = COLUMNS.iter().position(|column| *column == line[0]);
        let features = Target::parse(line[1]).unwrap().features();
        (column.unwrap(), Target::with_tables(tables, features))
    };
    section("targets").into_iter().map(line).collect()
}

/// A form in the notation of the file.
fn form_text(target: &Target, how: How, ty: Ty, storage: Storage) -> String {
    let carrier = |carrier: Carrier| carrier.ty(ty);
    let stem = |kind: Kind| match target.form(kind.into(), ty.integer(), storage).unwrap().how {
        How::Native(instr) => instr.text(ty.integer()),
        other => format!("{other:?}"),
    };
    match how {
        How::Native(instr) if instr.bits => format!("B:{}", instr.text(ty)),
        How::Native(instr) => format!("N:{}", instr.text(ty)),
        How::Guarded {
            native, fallback, ..
        } => format!("G:{}/{}", native.text(ty), carrier(fallback)),
        How::IntTrick(trick) => format!("T:{}/{}", stem(trick.positive), stem(trick.negative)),
        How::Rewrite(Rewrite::AddOfNegated) => "R:add".to_owned(),
        How::Rewrite(Rewrite::FaddOfNegated) => "R:fadd".to_owned(),
        How::Rewrite(Rewrite::WholeWord) => "R:word".to_owned(),
        How::CasLoop(loops) => format!("L:{}", carrier(loops)),
        How::Plain => "P".to_owned(),
        How::Reject(why) => refusal(why),
    }
}

/// The name that the file has for a refusal which tells to add those features, and no others.
fn refusal(why: &str) -> String {
    let added = why
        .split_once("add ',")
        .and_then(|(_, rest)| rest.split_once('\''));
    let added = added.map_or("", |(features, _)| features);
    let named = |feature: &str| why.contains(&format!("'{}'", feature.trim_start_matches('+')));
    let lines = section("refusals");
    let known = lines.iter().find(|line| line[1] == added);
    match known {
        Some(line) if added.split(',').all(named) => format!("x:{}", line[0]),
        _ => format!("x:{why}"),
    }
}

type Compare<'a> = &'a mut dyn FnMut(String, &[&str], &str);

/// What differs from the file, one line each.
fn differences(tables: Tables) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: String, want: &[&str], got: &str| match want {
        [want] if *want == got => {}
        [want] => found.push(format!(
            "{what}: the specifications say {want}, the table {got}"
        )),
        [] => found.push(format!("{what}: the file is silent, the table says {got}")),
        more => found.push(format!("{what}: the file says {more:?}")),
    };
    forms(tables, &mut compare);
    scopes(tables, &mut compare);
    orders(tables, &mut compare);
    found
}

fn forms(tables: Tables, compare: Compare<'_>) {
    let (form, flush, min_max) = (section("form"), section("flush"), section("min_max"));
    for (column, target) in targets(tables) {
        for (op, ty) in typed_ops() {
            for storage in Storage::ALL.iter().copied() {
                let what = format!("{} {op} {ty} {storage}", COLUMNS[column]);
                let wanted = |lines: &[Vec<&'static str>]| -> Vec<&'static str> {
                    let here = lines.iter().filter(|line| {
                        names(line[0], op.name())
                            && names(line[1], ty.name())
                            && names(line[2], storage.name())
                    });
                    here.map(|line| line[3 + column]).collect()
                };
                let plan = |denormals| {
                    let cell = Cell::new(op, ty, storage, Scope::Workgroup, Ordering::Relaxed);
                    target.plan(Cell { denormals, ..cell }).unwrap()
                };
                let kept = plan(Denormals::Keep);
                let kept_text = form_text(&target, kept.how, ty, storage);
                compare(what.clone(), &wanted(&form), &kept_text);

                let flushed = form_text(&target, plan(Denormals::Flush).how, ty, storage);
                let mut want = wanted(&flush);
                if want.is_empty() {
                    want.push(&kept_text);
                }
                compare(format!("{what} flush"), &want, &flushed);

                let want = wanted(&min_max);
                if names("fmin,fmax", op.name()) {
                    let rule = kept.min_max.map_or("-".to_owned(), |rule| {
                        let zeros = match rule.zeros {
                            ZeroRule::OrderedZeros => "ordered",
                            ZeroRule::EitherZero => "either",
                        };
                        let signalling = match rule.signalling {
                            Signalling::Ignored => "ignored",
                            Signalling::Quieted => "quieted",
                            Signalling::Either => "either",
                        };
                        let subnormals = match rule.subnormals {
                            Subnormals::Kept => "kept",
                            Subnormals::MayFlush => "may_flush",
                        };
                        format!("{zeros},{signalling},{subnormals}")
                    });
                    compare(format!("{what} min_max"), &want, &rule);
                }
            }
        }
    }
}

fn scopes(tables: Tables, compare: Compare<'_>) {
    let lines = section("scope");
    let models = [
        "vulkan:1.3",
        "vulkan:1.3,-vulkan_memory_model_device_scope",
        "vulkan:1.1,-vulkan_memory_model",
    ];
    for (column, model) in models.into_iter().enumerate() {
        let target = Target::with_tables(tables, Target::parse(model).unwrap().features());
        for storage in Storage::ALL {
            for scope in Scope::ALL {
                let got = match target.scope(*scope, *storage).how {
                    ScopeHow::Plain => "plain".to_owned(),
                    ScopeHow::Exact(word) if word.isa.to_lowercase() == scope.name() => {
                        vulkan::scope_number(*scope)
                            .map_or("none".to_owned(), |number| number.to_string())
                    }
                    ScopeHow::Exact(word) => word.isa.to_owned(),
                    ScopeHow::Weaken { to, .. } => format!("weaken:{to}"),
                    ScopeHow::Change { to, .. } => format!("change:{to}"),
                    ScopeHow::Reject(why) if why.contains("'vulkan_memory_model_device_scope'") => {
                        "x".to_owned()
                    }
                    ScopeHow::Reject(why) => why.to_owned(),
                    ScopeHow::Free { .. } => "free".to_owned(),
                };
                let here = |line: &&Vec<&str>| {
                    names(line[0], scope.name()) && names(line[1], storage.name())
                };
                let want = lines.iter().filter(here).map(|line| line[2 + column]);
                compare(
                    format!("{model} {scope} {storage}"),
                    &want.collect::<Vec<_>>(),
                    &got,
                );
            }
        }
    }
}

fn orders(tables: Tables, compare: Compare<'_>) {
    let lines = section("order");
    let plain = Target::with_tables(tables, Target::parse("vulkan:1.3").unwrap().features());
    let clamped = plain.clamped().unwrap();
    for (column, target) in [plain, clamped].into_iter().enumerate() {
        for access in Access::ALL {
            let orderings = Ordering::ALL.iter();
            for ordering in orderings.filter(|ordering| access.allows(**ordering)) {
                let got = match target.order(*ordering, *access).unwrap().how {
                    OrderHow::Exact(_) => {
                        let Sync::Ordered(ordered) = sync(&target, *access, *ordering) else {
                            panic!("{access} {ordering} is plain");
                        };
                        assert_eq!((ordered.lead, ordered.trail), (None, None));
                        format!("{:#x}", vulkan::semantics(ordered.own, false, true))
                    }
                    OrderHow::Weaken { to, .. } => format!("weaken:{to}"),
                    OrderHow::Change { to, .. } => format!("change:{to}"),
                    OrderHow::Reject(why) => format!("x:{why}"),
                };
                let here =
                    |line: &&Vec<&str>| line[0] == access.name() && line[1] == ordering.name();
                let want = lines.iter().filter(here).map(|line| line[2 + column]);
                compare(
                    format!("{access} {ordering} {}", ["native", "clamp"][column]),
                    &want.collect::<Vec<_>>(),
                    &got,
                );
            }
        }
    }
}

fn sync(target: &Target, access: Access, ordering: Ordering) -> Sync {
    let op = match access {
        Access::Load => Op::Load,
        Access::Store => Op::Store,
        Access::Rmw => Op::Rmw(Kind::Add),
        Access::Cas => Op::Cas,
        Access::Fence => return target.fence(ordering, Scope::Device).unwrap(),
    };
    let cell = Cell::new(op, Ty::I32, Storage::Global, Scope::Device, ordering);
    target.plan(cell).unwrap().sync
}

#[test]
fn tables_say_what_the_specifications_say() {
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
        let cross: &[CrossRow] = Vec::leak(cross);
        let found = differences(Tables { cross, ..whole });
        assert!(!found.is_empty(), "nothing misses row {} of CROSS", row + 1);
    }
}

/// Neighbours that exchange their forms show.
#[test]
fn exchanged_forms_show() {
    let whole = tables();
    for row in 1..whole.form.len() {
        let mut form: Vec<FormRow> = whole.form.to_vec();
        if form[row].how == form[row - 1].how {
            continue;
        }
        (form[row].how, form[row - 1].how) = (form[row - 1].how, form[row].how);
        let mut found = false;
        let tables = Tables {
            form: Vec::leak(form),
            ..whole
        };
        forms(tables, &mut |_, want, got| found |= want != [got]);
        assert!(
            found,
            "nothing shows that rows {row} and {} were exchanged",
            row + 1
        );
    }
}

/// Rows of scopes and orderings that exchange what they do show.
#[test]
fn exchanged_scopes_and_orders_show() {
    let whole = tables();
    let shows = |tables: Tables| {
        let mut found = false;
        let mut compare = |_: String, want: &[&str], got: &str| found |= want != [got];
        scopes(tables, &mut compare);
        orders(tables, &mut compare);
        found
    };
    for row in 1..whole.scope.len() {
        let mut scope: Vec<ScopeRow> = whole.scope.to_vec();
        if scope[row].how != scope[row - 1].how {
            (scope[row].how, scope[row - 1].how) = (scope[row - 1].how, scope[row].how);
            let scope = Vec::leak(scope);
            assert!(shows(Tables { scope, ..whole }), "SCOPE {row}");
        }
    }
    let exchanged = |rows: &[OrderRow], row: usize| -> Option<&'static [OrderRow]> {
        let mut rows = rows.to_vec();
        (rows[row].how, rows[row - 1].how) = (rows[row - 1].how, rows[row].how);
        (rows[row].how != rows[row - 1].how).then(|| &*Vec::leak(rows))
    };
    for row in 1..whole.order.len() {
        let order = exchanged(whole.order, row);
        assert!(
            order.is_none_or(|order| shows(Tables { order, ..whole })),
            "ORDER {row}"
        );
    }
    let clamp = whole.clamp.unwrap();
    for row in 1..clamp.len() {
        let clamp = exchanged(clamp, row);
        assert!(
            clamp.is_none() || shows(Tables { clamp, ..whole }),
            "CLAMP {row}"
        );
    }
}

/// The walk looks at the orderings of the policy too.
#[test]
fn a_row_of_the_policy_that_is_missing_is_a_gap() {
    let whole = tables();
    let rows = whole.clamp.unwrap();
    for row in 0..rows.len() {
        let mut rows = rows.to_vec();
        rows.remove(row);
        let clamp: Option<&[OrderRow]> = Some(Vec::leak(rows));
        let faults = Tables { clamp, ..whole }.check();
        let is_gap = |fault: &Fault| matches!(fault, Fault::Gap { table, .. } if *table == "ORDER");
        assert!(faults.iter().any(is_gap), "CLAMP {row}");
    }
}

/// A soundness fault of a set of features that no page shows is found all the same.
#[test]
fn every_set_of_features_is_looked_at() {
    let whole = tables();
    let mut form: Vec<FormRow> = whole.form.to_vec();
    let op = Op::Rmw(Kind::Fminimum);
    let row = form.iter_mut().find(|row| {
        row.ops.contains(op)
            && row.types.contains(Ty::F64)
            && row.storages.contains(Storage::Global)
    });
    // A loop needs 64-bit integer atomics, which a target may lack though it has f64.
    row.unwrap().needs = Needs::NOTHING;
    let form = Vec::leak(form);
    let faults = Tables { form, ..whole }.check();
    assert!(!faults.is_empty());
}

#[test]
fn names_are_printed_in_one_way() {
    let printed = |text: &str| Target::parse(text).unwrap().to_string();
    assert_eq!(printed("vulkan:1.3"), "vulkan:1.3");
    let two = "vulkan:1.2,+shader_int64,+shader_float64";
    assert_eq!(printed(two), two);
    assert_eq!(
        printed("vulkan:1.2,+shader_float64,+shader_int64,+shader_int64"),
        two
    );
    assert_eq!(
        printed("vulkan:1.1,+vulkan_memory_model,+shader_int8,-shader_int8"),
        "vulkan:1.1"
    );
    let bare = Target::parse("vulkan:1.1,-vulkan_memory_model").unwrap();
    assert_eq!(bare.chip(), Some("1.1,-vulkan_memory_model"));
    assert!(!bare.has("vulkan_memory_model") && bare.has("vulkan_memory_model_device_scope"));
    assert!(!bare.has("shader_int64") && !bare.has("no_such_feature"));
    assert!(Target::parse(two).unwrap().has("shader_int64"));
}

#[test]
fn wrong_names_say_what_is_near() {
    let cases = [
        (
            "vulkan",
            "target 'vulkan' needs a chip, for example 'vulkan:1.3'",
        ),
        (
            "vulkan:1.0",
            "unknown version '1.0' of target 'vulkan'; known versions are 1.1, 1.2, 1.3",
        ),
        (
            "vulkan:",
            "unknown version '' of target 'vulkan'; known versions are 1.1, 1.2, 1.3",
        ),
        (
            "vulkan:1.3,shader_int64",
            "feature 'shader_int64' of target 'vulkan' has no sign; write '+shader_int64' where it is there, \
             '-shader_int64' where it is not",
        ),
        (
            "vulkan:1.3,+shader_int46",
            "target 'vulkan' has no feature 'shader_int46'; did you mean shader_int64, shader_int8, shader_int16?",
        ),
        (
            "vulkan:1.3,+buffer_float32_atomic_add",
            "target 'vulkan' has no feature 'buffer_float32_atomic_add'; did you mean \
             shader_buffer_float32_atomic_add?",
        ),
        (
            "vulkan:1.3,-shaderInt64",
            "target 'vulkan' has no feature 'shaderInt64'; did you mean shader_int64?",
        ),
    ];
    for (text, want) in cases {
        assert_eq!(Target::parse(text).unwrap_err().to_string(), want);
    }
    let far = Target::parse("vulkan:1.3,+fast").unwrap_err().to_string();
    assert!(far.contains("shader_int64, ") && far.contains(", vulkan_memory_model, "));
}

/// The two weakenings, and nothing else, are counted in the matrix; other targets have none.
#[test]
fn weakenings_are_counted_apart() {
    let matrix = |text: &str| Target::parse(text).unwrap().print_matrix();
    let vulkan = matrix("vulkan:1.3");
    assert!(vulkan.contains("\n## Weakened: 7\n"), "{vulkan}");
    for line in [
        "| seq_cst, load  ",
        "| seq_cst, store ",
        "| seq_cst, rmw   ",
        "| seq_cst, cas   ",
        "| seq_cst, fence ",
        "| system, global ",
        "| system, shared ",
    ] {
        assert!(vulkan.contains(line), "{line}: {vulkan}");
    }
    for other in ["cpu", "nvptx:sm_90"] {
        assert!(matrix(other).contains("\n## Weakened: 0\n"), "{other}");
    }
}
