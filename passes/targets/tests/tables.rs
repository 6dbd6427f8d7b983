//! Every table is total, disjoint, live and sound, and the walk that says so catches every change
//! of a row.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

use xpu_targets::{
    AS_ASKED, Access, AccessSet, Effect, Fault, FormRow, How, Kind, Needs, Op, OpSet, OrderRow,
    Ordering, OrderingSet, Scope, ScopeHow, Storage, TARGETS, Tables, Ty, native, own,
};

fn texts(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(Fault::to_string).collect()
}

#[test]
fn tables_are_sound() {
    for tables in TARGETS {
        let faults = tables.check();
        assert!(
            faults.is_empty(),
            "{}: {}",
            tables.name,
            texts(&faults).join("\n")
        );
    }
}

fn without<R: Copy>(rows: &[R], row: usize) -> &'static [R] {
    let mut rows = rows.to_vec();
    rows.remove(row);
    Vec::leak(rows)
}

fn doubled<R: Copy>(rows: &[R], row: usize) -> &'static [R] {
    let mut rows = rows.to_vec();
    rows.push(rows[row]);
    Vec::leak(rows)
}

fn with<R: Copy>(rows: &[R], row: usize, change: impl Fn(R) -> R) -> &'static [R] {
    let mut rows = rows.to_vec();
    rows[row] = change(rows[row]);
    Vec::leak(rows)
}

fn has_gap(tables: Tables, name: &str) -> bool {
    let faults = tables.check();
    faults
        .iter()
        .any(|fault| matches!(fault, Fault::Gap { table, .. } if *table == name))
}

fn has_double(tables: Tables, name: &str, pair: [usize; 2]) -> bool {
    let starts = pair.map(|row| format!("row {} (", row + 1));
    tables.check().iter().any(|fault| match fault {
        Fault::Double { table, rows, .. } => {
            *table == name && (0..2).all(|index| rows[index].starts_with(&starts[index]))
        }
        Fault::Gap { .. } | Fault::Dead { .. } | Fault::Unsound { .. } => false,
    })
}

#[test]
fn removed_row_leaves_a_gap() {
    for whole in TARGETS.iter().map(|tables| Tables {
        cross: &[],
        ..**tables
    }) {
        for row in 0..whole.form.len() {
            let form = without(whole.form, row);
            assert!(
                has_gap(Tables { form, ..whole }, "FORM"),
                "{} FORM {row}",
                whole.name
            );
        }
        for row in 0..whole.scope.len() {
            let scope = without(whole.scope, row);
            assert!(
                has_gap(Tables { scope, ..whole }, "SCOPE"),
                "{} SCOPE {row}",
                whole.name
            );
        }
        for row in 0..whole.order.len() {
            let order = without(whole.order, row);
            assert!(
                has_gap(Tables { order, ..whole }, "ORDER"),
                "{} ORDER {row}",
                whole.name
            );
        }
    }
}

#[test]
fn doubled_row_claims_twice() {
    for whole in TARGETS.iter().map(|tables| **tables) {
        for row in 0..whole.cross.len() {
            let cross = doubled(whole.cross, row);
            assert!(has_double(
                Tables { cross, ..whole },
                "CROSS",
                [row, whole.cross.len()]
            ));
        }
        let whole = Tables {
            cross: &[],
            ..whole
        };
        for row in 0..whole.form.len() {
            let form = doubled(whole.form, row);
            assert!(has_double(
                Tables { form, ..whole },
                "FORM",
                [row, whole.form.len()]
            ));
        }
        for row in 0..whole.scope.len() {
            let scope = doubled(whole.scope, row);
            assert!(has_double(
                Tables { scope, ..whole },
                "SCOPE",
                [row, whole.scope.len()]
            ));
        }
        for row in 0..whole.order.len() {
            let order = doubled(whole.order, row);
            assert!(has_double(
                Tables { order, ..whole },
                "ORDER",
                [row, whole.order.len()]
            ));
        }
    }
}

fn nvptx() -> Tables {
    **TARGETS
        .iter()
        .find(|tables| tables.name == "nvptx")
        .unwrap()
}

/// The first row of `FORM` that claims that cell.
fn form_row(op: Op, ty: Ty, storage: Storage) -> usize {
    let claims = |row: &FormRow| {
        row.ops.contains(op) && row.types.contains(ty) && row.storages.contains(storage)
    };
    nvptx().form.iter().position(claims).unwrap()
}

fn order_row(ordering: Ordering, access: Access) -> usize {
    let claims = |row: &OrderRow| row.orderings.contains(ordering) && row.accesses.contains(access);
    nvptx().order.iter().position(claims).unwrap()
}

#[test]
fn faults_name_cell_and_rows() {
    let whole = nvptx();
    let row = form_row(Op::Rmw(Kind::Fadd), Ty::Bf16, Storage::Global);
    let gap = Tables {
        form: without(whole.form, row),
        ..whole
    }
    .check();
    let want = "FORM: no row claims 'fadd bf16 global' of a chip with bf16_add";
    assert_eq!(texts(&gap)[0], want);

    let form = with(whole.form, row, |row| FormRow {
        needs: Needs::NOTHING,
        ..row
    });
    let double = Tables { form, ..whole }.check();
    let want = format!(
        "FORM: 'fadd bf16 global' of a chip with no features is claimed by row {} (fadd | bf16 | global shared) \
         and by row {} (fadd | bf16 | global shared | no bf16_add)",
        row + 1,
        row + 2
    );
    assert_eq!(texts(&double)[0], want);
}

#[test]
fn dead_rows_are_found() {
    let whole = nvptx();
    let mut form = whole.form.to_vec();
    let (ops, types) = (
        OpSet::rmw(&[Kind::Fadd]),
        xpu_targets::TySet::of(&[Ty::I32]),
    );
    let everywhere = xpu_targets::StorageSet::ALL;
    form.push(FormRow::new(
        ops,
        types,
        everywhere,
        Needs::NOTHING,
        native("x"),
        "none",
    ));
    let faults = texts(
        &Tables {
            form: Vec::leak(form),
            ..whole
        }
        .check(),
    );
    let want = format!(
        "FORM: row {} (fadd | i32 | all) claims no cell",
        whole.form.len() + 1
    );
    assert_eq!(faults, [want]);
}

/// Wrong rows that are total and disjoint all the same.
#[test]
fn unsound_rows_are_found() {
    let whole = nvptx();
    let form = |op, ty, storage, change: &dyn Fn(FormRow) -> FormRow| Tables {
        form: with(whole.form, form_row(op, ty, storage), change),
        ..whole
    };
    let order = |ordering, access, how| Tables {
        order: with(whole.order, order_row(ordering, access), |row| OrderRow {
            how,
            ..row
        }),
        ..whole
    };
    let (global, private) = (Storage::Global, Storage::Private);
    let (fmin, smin) = (Op::Rmw(Kind::Fmin), Op::Rmw(Kind::Smin));
    let lossy_scope = with(whole.scope, 4, |row| xpu_targets::ScopeRow {
        how: match whole.scope[3].how {
            ScopeHow::Exact(word) => ScopeHow::Free {
                word,
                gives: Scope::Device,
                why: "",
            },
            other => other,
        },
        ..row
    });
    let idle = with(whole.cross, whole.cross.len() - 1, |row| {
        xpu_targets::CrossRow {
            effect: Effect::Form(whole.form[form_row(Kind::Fadd.into(), Ty::F32, global)].how),
            ..row
        }
    });
    let cases = [
        (
            form(fmin, Ty::F32, global, &|row| FormRow {
                min_max: None,
                ..row
            }),
            "must say which zero",
        ),
        (
            form(smin, Ty::I32, global, &|row| FormRow {
                how: How::Plain,
                ..row
            }),
            "others see",
        ),
        (
            form(smin, Ty::I32, private, &|row| FormRow {
                how: native("x"),
                ..row
            }),
            "not plain",
        ),
        (
            form(smin, Ty::I32, global, &|row| FormRow {
                how: How::Reject("no"),
                ..row
            }),
            "trick has no native",
        ),
        (
            form(Op::Cas, Ty::I32, global, &|row| FormRow {
                how: How::Reject("no"),
                ..row
            }),
            "loop has no native",
        ),
        (
            form(Kind::Add.into(), Ty::I32, global, &|row| FormRow {
                how: How::Reject("no"),
                ..row
            }),
            "leads nowhere",
        ),
        (
            order(Ordering::SeqCst, Access::Load, own(Ordering::Acquire)),
            "nothing is sequentially",
        ),
        (
            order(Ordering::SeqCst, Access::Store, own(Ordering::Relaxed)),
            "nothing releases",
        ),
        (
            order(Ordering::Acquire, Access::Fence, own(Ordering::Release)),
            "nothing acquires",
        ),
        (
            Tables {
                scope: lossy_scope,
                ..whole
            },
            "narrower scope",
        ),
        (
            Tables {
                cross: idle,
                ..whole
            },
            "claims no cell",
        ),
    ];
    for (tables, why) in cases {
        let faults = texts(&tables.check());
        assert!(
            faults.iter().any(|fault| fault.contains(why)),
            "{why}: {faults:?}"
        );
    }
}

/// A row that leads from one ordering to another must land on one that the target has, on the right
/// side.
#[test]
fn legalization_must_lead_somewhere() {
    use xpu_targets::OrderHow::{Change, Weaken};
    let whole = nvptx();
    let (seq_cst, rest) = (OrderingSet::of(&[Ordering::SeqCst]), OrderingSet::ALL);
    let order = |how| {
        let row = |orderings, how| OrderRow {
            orderings,
            accesses: AccessSet::ALL,
            needs: Needs::NOTHING,
            how,
            spec: "none",
        };
        Tables {
            order: Vec::leak(vec![
                row(rest.without(seq_cst), AS_ASKED),
                row(seq_cst, how),
            ]),
            ..whole
        }
    };
    let (to, why, loses) = (Ordering::AcqRel, "", "");
    // acq_rel is no ordering of a load.
    assert!(
        texts(&order(Weaken { to, loses }).check())
            .iter()
            .all(|text| !text.contains("rmw"))
    );
    assert!(texts(&order(Weaken { to, loses }).check())[0].contains("seq_cst load"));
    assert!(
        texts(&order(Change { to, why }).check())
            .iter()
            .any(|text| text.contains("seq_cst rmw"))
    );
}
