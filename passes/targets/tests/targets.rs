//! Names of targets, lookups, and legality.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail loudly too"
)]

use xpu_targets::{
    AS_ASKED, Access, AccessSet, Cell, CellError, Chips, Cost, Denormals, Feature, FeatureSet,
    Generation, How, Kind, Needs, Op, OrderHow, OrderRow, Ordering, OrderingSet, Outcome, Scope,
    ScopeHow, ScopeRow, ScopeSet, ScopeWord, Severity, Storage, StorageSet, Sync, TARGETS, Tables,
    Target, Ty,
};

fn target(text: &str) -> Target {
    Target::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn names_parse() {
    let bf16 = |text: &str| {
        target(text)
            .form(Kind::Fadd.into(), Ty::Bf16, Storage::Global)
            .unwrap()
            .how
            .letter()
    };
    for chip in [
        "sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89",
    ] {
        assert_eq!(bf16(&format!("nvptx:{chip}")), 'L', "{chip}");
    }
    for chip in [
        "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_101", "sm_103", "sm_103f", "sm_110",
        "sm_120", "sm_120a", "sm_121", "sm_150",
    ] {
        assert_eq!(bf16(&format!("nvptx:{chip}")), 'N', "{chip}");
    }
    let sm_70 = target("nvptx:sm_70");
    assert_eq!((sm_70.name(), sm_70.chip()), ("nvptx", Some("sm_70")));
    assert_eq!(
        (sm_70.llvm_features(), sm_70.to_string()),
        ("+ptx63", "nvptx:sm_70".to_owned())
    );
    assert_eq!(target("nvptx:sm_90").llvm_features(), "");
    assert_eq!((target("cpu").name(), target("cpu").chip()), ("cpu", None));
}

#[test]
fn wrong_names_say_what_is_wrong() {
    let cases = [
        (
            "gpu",
            "unknown target 'gpu'; known targets are cpu, nvptx, vulkan, amdgpu",
        ),
        (
            "",
            "unknown target ''; known targets are cpu, nvptx, vulkan, amdgpu",
        ),
        (
            "cpu:znver4",
            "target 'cpu' takes no chip, but 'znver4' was given",
        ),
        (
            "nvptx",
            "target 'nvptx' needs a chip, for example 'nvptx:sm_90'",
        ),
        (
            "nvptx:sm_60",
            "chip 'sm_60' is older than 'sm_70', the oldest supported: scoped and ordered atomics need the PTX \
             memory model, which starts there",
        ),
    ];
    for (text, want) in cases {
        assert_eq!(Target::parse(text).unwrap_err().to_string(), want);
    }
    let unknown = [
        "",
        "gfx1100",
        "sm_",
        "sm_7",
        "sm_070",
        "sm_7000",
        "sm_90b",
        "sm_90f",
        "sm_80a",
        "sm_9x",
        "sm_90aa",
        "sm_+9",
        "SM_90",
        "sm_90 ",
        "sm_九十",
    ];
    for chip in unknown {
        let want = format!("unknown chip '{chip}' of target 'nvptx'; write, for example, 'sm_90'");
        let error = Target::parse(&format!("nvptx:{chip}")).unwrap_err();
        assert_eq!(error.to_string(), want);
    }
}

#[test]
fn questions_without_answer_say_why() {
    let cpu = target("cpu");
    let min = cpu
        .form(Op::Rmw(Kind::Min), Ty::I32, Storage::Global)
        .unwrap_err();
    assert_eq!(
        min.to_string(),
        "'min' has no sign yet; run 'xpu-resolve-signedness' first"
    );
    let fadd = cpu
        .form(Op::Rmw(Kind::Fadd), Ty::I32, Storage::Global)
        .unwrap_err();
    assert_eq!(fadd.to_string(), "'fadd' does not take 'i32'");
    let load = cpu.order(Ordering::Release, Access::Load).unwrap_err();
    assert_eq!(load.to_string(), "a load cannot have ordering 'release'");
}

#[test]
fn plain_wins_over_everything() {
    for tables in TARGETS {
        let features = tables.chips.feature_sets()[0].1;
        let target = Target::with_tables(**tables, features);
        for (scope, storage) in [
            (Scope::Workitem, Storage::Global),
            (Scope::Device, Storage::Private),
        ] {
            let fmin = Op::Rmw(Kind::Fmin);
            let cell = Cell::new(fmin, Ty::F32, storage, scope, Ordering::SeqCst);
            let outcome = Outcome::Unused;
            let plan = target.plan(Cell { outcome, ..cell }).unwrap();
            assert_eq!(
                (plan.how, plan.cost, plan.sync),
                (How::Plain, Cost::Plain, Sync::Plain)
            );
            assert_eq!(plan.text, None);
            assert!(plan.min_max.is_some());
        }
        assert_eq!(
            target.fence(Ordering::SeqCst, Scope::Workitem),
            Ok(Sync::Plain)
        );
    }
}

#[test]
fn plan_puts_the_tables_together() {
    let sm_90 = target("nvptx:sm_90");
    let cell = Cell::new(
        Op::Rmw(Kind::Fadd),
        Ty::F32,
        Storage::Global,
        Scope::System,
        Ordering::Release,
    );
    let kept = sm_90.plan(cell).unwrap();
    assert_eq!(
        (kept.how.letter(), kept.cost, kept.text),
        ('G', Cost::Guarded, Some("atom"))
    );
    let (denormals, outcome) = (Denormals::Flush, Outcome::Unused);
    let flushed = sm_90
        .plan(Cell {
            denormals,
            outcome,
            ..cell
        })
        .unwrap();
    assert_eq!(
        (flushed.how.letter(), flushed.cost, flushed.text),
        ('N', Cost::Native, Some("red"))
    );
    assert_eq!(flushed.crossed.len(), 2);
    let Sync::Ordered(ordered) = flushed.sync else {
        panic!("plain")
    };
    assert_eq!((ordered.own, ordered.word.isa), (Ordering::Release, "sys"));
}

#[test]
fn nothing_changes_on_cpu_and_nvptx() {
    for text in ["cpu", "nvptx:sm_70", "nvptx:sm_90"] {
        let target = target(text);
        for access in Access::ALL {
            for ordering in Ordering::ALL
                .iter()
                .filter(|ordering| access.allows(**ordering))
            {
                for scope in Scope::ALL {
                    for storage in Storage::ALL {
                        let legal = target
                            .legalize(*ordering, *scope, *access, *storage)
                            .unwrap();
                        assert_eq!((legal.ordering, legal.scope), (*ordering, *scope));
                        assert_eq!(legal.severity(true), None);
                    }
                }
            }
        }
    }
}

/// A target in the likeness of Vulkan: it weakens, it changes, it refuses, and its features decide
/// about scopes.
fn pale() -> Tables {
    const SUBGROUPS: Feature = Feature::new(0, "subgroup_scope");
    const SEEN: StorageSet = StorageSet::ALL.without(StorageSet::of(&[Storage::Private]));
    const OWN: StorageSet = StorageSet::of(&[Storage::Private]);
    let word = |isa| {
        ScopeHow::Exact(ScopeWord {
            isa,
            llvm: "",
            waits: false,
        })
    };
    let scope = |scopes: &[Scope], storages, needs, how| ScopeRow {
        scopes: ScopeSet::of(scopes),
        storages,
        needs,
        how,
        spec: "none",
    };
    let order = |orderings: OrderingSet, accesses: &[Access], how| OrderRow {
        orderings,
        accesses: AccessSet::of(accesses),
        needs: Needs::NOTHING,
        how,
        spec: "none",
    };
    let generation = |from, features| Generation {
        from,
        features,
        llvm_features: "",
        spec: "none",
    };
    let seq_cst = OrderingSet::of(&[Ordering::SeqCst]);
    let weaken = |to| OrderHow::Weaken {
        to,
        loses: "the total order",
    };
    let cpu = **TARGETS.iter().find(|tables| tables.name == "cpu").unwrap();
    Tables {
        name: "pale",
        chips: Chips::Numbered {
            prefix: "1.",
            generations: Vec::leak(vec![
                generation(10, FeatureSet::NONE),
                generation(11, FeatureSet::of(&[SUBGROUPS])),
            ]),
            suffixes: &[],
            oldest: "none",
        },
        features: Vec::leak(vec![SUBGROUPS]),
        scope: Vec::leak(vec![
            scope(&[Scope::Workitem], SEEN, Needs::NOTHING, ScopeHow::Plain),
            scope(
                &[Scope::Subgroup],
                SEEN,
                Needs::has(SUBGROUPS),
                word("Subgroup"),
            ),
            scope(
                &[Scope::Subgroup],
                SEEN,
                Needs::lacks(SUBGROUPS),
                ScopeHow::Change {
                    to: Scope::Workgroup,
                    why: "the fences are dearer",
                },
            ),
            scope(&[Scope::Workgroup], SEEN, Needs::NOTHING, word("Workgroup")),
            scope(&[Scope::Device], SEEN, Needs::NOTHING, word("Device")),
            scope(
                &[Scope::System],
                StorageSet::of(&[Storage::Global]),
                Needs::NOTHING,
                ScopeHow::Weaken {
                    to: Scope::Device,
                    loses: "the host and other devices",
                },
            ),
            scope(
                &[Scope::System],
                StorageSet::of(&[Storage::Shared]),
                Needs::NOTHING,
                ScopeHow::Reject("no one else sees it; write scope(workgroup)"),
            ),
            scope(Scope::ALL, OWN, Needs::NOTHING, ScopeHow::Plain),
        ]),
        order: Vec::leak(vec![
            order(OrderingSet::ALL.without(seq_cst), Access::ALL, AS_ASKED),
            order(seq_cst, &[Access::Load], weaken(Ordering::Acquire)),
            order(seq_cst, &[Access::Store], weaken(Ordering::Release)),
            order(
                seq_cst,
                &[Access::Rmw, Access::Cas, Access::Fence],
                weaken(Ordering::AcqRel),
            ),
        ]),
        ..cpu
    }
}

#[test]
fn legalization_weakens_changes_and_refuses_aloud() {
    let tables = pale();
    assert_eq!(tables.check(), []);
    let rich = Target::with_tables(tables, tables.chips.feature_sets()[1].1);
    let poor = Target::with_tables(tables, FeatureSet::NONE);
    let legalize = |target: &Target, ordering, scope, access, storage| {
        let legal = target.legalize(ordering, scope, access, storage).unwrap();
        let notes: Vec<_> = legal.notes.iter().map(ToString::to_string).collect();
        (
            legal.ordering,
            legal.scope,
            notes,
            legal.severity(false),
            legal.severity(true),
        )
    };

    let (ordering, scope, notes, mild, strict) = legalize(
        &rich,
        Ordering::SeqCst,
        Scope::System,
        Access::Load,
        Storage::Global,
    );
    assert_eq!((ordering, scope), (Ordering::Acquire, Scope::Device));
    assert_eq!(
        notes,
        [
            "scope 'system' becomes the weaker 'device', losing the host and other devices",
            "ordering 'seq_cst' becomes the weaker 'acquire', losing the total order",
        ]
    );
    assert_eq!(
        (mild, strict),
        (Some(Severity::Warning), Some(Severity::Error))
    );

    let subgroup = (
        Ordering::Relaxed,
        Scope::Subgroup,
        Access::Rmw,
        Storage::Global,
    );
    let ask = |target| legalize(target, subgroup.0, subgroup.1, subgroup.2, subgroup.3);
    assert_eq!(
        ask(&rich),
        (Ordering::Relaxed, Scope::Subgroup, vec![], None, None)
    );
    let (_, scope, notes, mild, strict) = ask(&poor);
    assert_eq!(scope, Scope::Workgroup);
    assert_eq!(
        notes,
        ["scope 'subgroup' becomes the stronger 'workgroup': the fences are dearer"]
    );
    assert_eq!(
        (mild, strict),
        (Some(Severity::Remark), Some(Severity::Error))
    );

    let (_, _, notes, mild, _) = legalize(
        &rich,
        Ordering::Relaxed,
        Scope::System,
        Access::Rmw,
        Storage::Shared,
    );
    assert_eq!(
        notes,
        ["scope 'system' is not possible: no one else sees it; write scope(workgroup)"]
    );
    assert_eq!(mild, Some(Severity::Error));

    let private = legalize(
        &rich,
        Ordering::SeqCst,
        Scope::System,
        Access::Rmw,
        Storage::Private,
    );
    assert_eq!(
        private,
        (Ordering::SeqCst, Scope::System, vec![], None, None)
    );
}

#[test]
fn plan_refuses_what_is_not_legal() {
    let target = Target::with_tables(pale(), FeatureSet::NONE);
    let (scope, ordering) = (Scope::Subgroup, Ordering::Relaxed);
    let cell = Cell::new(
        Op::Rmw(Kind::Add),
        Ty::I32,
        Storage::Global,
        scope,
        ordering,
    );
    assert_eq!(
        target.plan(cell).unwrap_err(),
        CellError::NotLegal { scope, ordering }
    );
}
