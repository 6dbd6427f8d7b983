//! That the comparison can say no: right kernels, broken one way each.

use crate::cells::{Access, Cell};
use crate::forms::{self, Expected};
use crate::isa;

const CELL: Cell = Cell {
    op: "add",
    access: Access::Update,
    ty: "i32",
    storage: "global",
    scope: "device",
    ordering: "acq_rel",
    failure: "acq_rel",
    used: true,
    flush: false,
    pointer: false,
};

const GFX11: &str = "
    global_store_b128 v[0:1], v[2:5], off
    s_waitcnt_vscnt null, 0x0
    global_atomic_add_u32 v6, v[0:1], v6, off glc
    s_waitcnt vmcnt(0)
    buffer_gl1_inv
    buffer_gl0_inv
    global_load_b128 v[0:3], v[4:5], off";

const GFX942: &str = "
    global_store_dwordx4 v[0:1], v[2:5], off
    buffer_wbl2 sc1
    s_waitcnt vmcnt(0)
    global_atomic_add v6, v[0:1], v6, off sc0
    s_waitcnt vmcnt(0)
    buffer_inv sc1
    global_load_dwordx4 v[0:3], v[4:5], off";

const LOOP: &str = "
    global_store_b128 v[0:1], v[2:5], off
    global_load_b32 v6, v[0:1], off glc
    s_waitcnt_vscnt null, 0x0
.LBB0_1:
    global_atomic_cmpswap_b32 v6, v[0:1], v[6:7], off glc
    s_waitcnt vmcnt(0)
    buffer_gl1_inv
    buffer_gl0_inv
    v_cmp_eq_u32_e32 vcc_lo, v6, v7
    s_cbranch_execnz .LBB0_1
    global_load_b128 v[0:3], v[4:5], off";

const CHOICE: &str = "
    global_store_dwordx4 v[0:1], v[2:5], off
    buffer_wbl2 sc1
    s_waitcnt vmcnt(0)
    s_cbranch_vccz .LBB0_1
    global_atomic_smin v6, v[0:1], v6, off sc0
    s_branch .LBB0_2
.LBB0_1:
    global_atomic_umax v6, v[0:1], v6, off sc0
.LBB0_2:
    s_waitcnt vmcnt(0)
.LBB0_3:
    buffer_wbl2 sc1
    s_waitcnt vmcnt(0)
    global_atomic_cmpswap v6, v[0:1], v[6:7], off sc0
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32_e32 vcc, v6, v7
    s_cbranch_execz .LBB0_4
    buffer_wbl2 sc1
    s_waitcnt vmcnt(0)
    s_cbranch_vccz .LBB0_5
    global_atomic_smin v6, v[0:1], v6, off sc0
    s_branch .LBB0_4
.LBB0_5:
    global_atomic_umax v6, v[0:1], v6, off sc0
.LBB0_4:
    s_waitcnt vmcnt(0)
    global_load_dwordx4 v[0:3], v[4:5], off";

/// What is said of a kernel with a part replaced.
fn said(cell: &Cell, chip: &str, column: usize, right: &str, part: &str, by: &str) -> String {
    assert!(right.contains(part), "{part} is in the kernel");
    let text = right.replacen(part, by, 1);
    let lines: Vec<&str> = text.lines().collect();
    let kernel = isa::kernel("k", &lines);
    let expected = Expected::read(chip, column);
    let form = expected.form(cell).unwrap();
    forms::differences(cell, &form, &kernel, &expected).join("; ")
}

#[track_caller]
fn check(cell: &Cell, chip: (&str, usize), right: &str, breaks: &[(&str, &str, &str)]) {
    let (chip, column) = chip;
    assert_eq!(
        said(cell, chip, column, right, "", ""),
        "",
        "the right kernel"
    );
    for (part, by, complaint) in breaks {
        let got = said(cell, chip, column, right, part, by);
        assert!(
            got.contains(complaint),
            "'{part}' as '{by}': '{complaint}' is not in '{got}'"
        );
    }
}

#[test]
fn one_instruction() {
    check(
        &CELL,
        ("gfx1100", 5),
        GFX11,
        &[
            (
                "    buffer_gl1_inv\n",
                "",
                "want [\"buffer_gl1_inv\", \"buffer_gl0_inv\"] behind",
            ),
            (
                "    buffer_gl0_inv\n",
                "",
                "want [\"buffer_gl1_inv\", \"buffer_gl0_inv\"] behind",
            ),
            (
                "buffer_gl1_inv",
                "buffer_gl1_inv\nbuffer_gl1_inv",
                "3 cache operations, not 2",
            ),
            (
                "s_waitcnt_vscnt null, 0x0",
                "",
                "an earlier store is not waited for",
            ),
            (
                "s_waitcnt_vscnt null, 0x0",
                "s_waitcnt_vscnt null, 0x1",
                "an earlier store is not waited for",
            ),
            (
                "s_waitcnt vmcnt(0)",
                "",
                "global_atomic_add_u32 is not waited for",
            ),
            (
                "global_atomic_add_u32",
                "global_atomic_sub_u32",
                "global_atomic_sub_u32 is not wanted",
            ),
            (
                "global_atomic_add_u32",
                "flat_atomic_add_u32",
                "of an address whose space is known",
            ),
            ("off glc", "off", "with {}"),
        ],
    );
}

#[test]
fn cache_policies() {
    check(
        &CELL,
        ("gfx942", 3),
        GFX942,
        &[
            (
                "buffer_wbl2 sc1",
                "buffer_wbl2 sc0",
                "want [\"buffer_wbl2+sc1\"] before",
            ),
            (
                "buffer_wbl2 sc1",
                "buffer_wbl2 sc0 sc1",
                "want [\"buffer_wbl2+sc1\"] before",
            ),
            (
                "buffer_inv sc1",
                "buffer_inv sc0",
                "want [\"buffer_inv+sc1\"] behind",
            ),
            ("off sc0", "off sc0 sc1", "with {\"sc0\", \"sc1\"}"),
        ],
    );
}

#[test]
fn loops() {
    let cell = Cell {
        op: "fminimum",
        ty: "f32",
        ..CELL
    };
    check(
        &cell,
        ("gfx1100", 5),
        LOOP,
        &[
            (
                "global_load_b32 v6, v[0:1], off glc",
                "global_load_b32 v6, v[0:1], off",
                "with {}",
            ),
            ("global_load_b32 v6, v[0:1], off glc", "", "0 times"),
            ("v_cmp_eq_u32_e32", "v_cmp_eq_f32_e32", "ends the loop"),
            ("s_cbranch_execnz .LBB0_1", "", "no loop"),
            ("    buffer_gl0_inv\n", "", "behind"),
        ],
    );
}

/// Alternatives may have one release before them, but not in one of them.
#[test]
fn choices() {
    let cell = Cell {
        op: "fmin",
        ty: "f32",
        ordering: "release",
        ..CELL
    };
    check(
        &cell,
        ("gfx942", 3),
        CHOICE,
        &[
            (
                "    buffer_wbl2 sc1\n    s_waitcnt vmcnt(0)\n    s_cbranch_vccz .LBB0_1\n",
                "    s_cbranch_vccz .LBB0_1\n    buffer_wbl2 sc1\n    s_waitcnt vmcnt(0)\n",
                "want [\"buffer_wbl2+sc1\"] before, got []",
            ),
            (
                "    buffer_wbl2 sc1\n    s_waitcnt vmcnt(0)\n    s_cbranch",
                "    s_cbranch",
                "want [\"buffer_wbl2+sc1\"] before, got []",
            ),
            (
                "s_cbranch_execz .LBB0_4",
                "s_cbranch_execz .LBB0_3",
                "global_atomic_cmpswap is in a loop",
            ),
        ],
    );
}

#[test]
fn nobody_takes_part() {
    let cell = Cell {
        scope: "workitem",
        ..CELL
    };
    let right = "global_load_b32 v0, v[0:1], off\nglobal_store_b32 v[0:1], v0, off";
    check(
        &cell,
        ("gfx1100", 5),
        right,
        &[
            (
                "global_load_b32",
                "global_atomic_add_u32",
                "in a plain cell",
            ),
            (
                "global_load_b32 v0, v[0:1], off",
                "buffer_gl0_inv",
                "in a plain cell",
            ),
        ],
    );
}

#[test]
fn fences() {
    let cell = Cell {
        op: "fence",
        access: Access::Fence,
        ty: "",
        used: false,
        ..CELL
    };
    let right = GFX942.replace(
        "    global_atomic_add v6, v[0:1], v6, off sc0\n    s_waitcnt vmcnt(0)\n",
        "",
    );
    check(
        &cell,
        ("gfx942", 3),
        &right,
        &[
            (
                "buffer_wbl2 sc1",
                "",
                "want [\"buffer_wbl2+sc1\", \"buffer_inv+sc1\"]",
            ),
            (
                "buffer_inv sc1",
                "",
                "want [\"buffer_wbl2+sc1\", \"buffer_inv+sc1\"]",
            ),
            ("s_waitcnt vmcnt(0)", "", "the store is not waited for"),
        ],
    );
}

const GUARDED: &str = "
    v_and_b32_e32 v3, 0x7fffffff, v6
    v_cmpx_gt_u32_e32 0xd000000, v3
    s_cbranch_execz .LBB0_2
    global_load_b32 v6, v[0:1], off glc
.LBB0_1:
    global_atomic_cmpswap_b32 v6, v[0:1], v[6:7], off glc
    v_cmp_eq_u32_e32 vcc_lo, v6, v7
    s_cbranch_execnz .LBB0_1
.LBB0_2:
    global_atomic_add_f32 v6, v[0:1], v6, off glc
    global_load_b128 v[0:3], v[4:5], off";

#[test]
fn guarded_instructions() {
    let cell = Cell {
        op: "fadd",
        ty: "f32",
        ordering: "relaxed",
        ..CELL
    };
    check(
        &cell,
        ("gfx1100", 5),
        GUARDED,
        &[
            ("0xd000000", "0xc000000", "nothing compares the operand"),
            (
                "v_cmpx_gt_u32_e32",
                "v_cmpx_gt_f32_e32",
                "nothing compares the operand",
            ),
            (
                "global_atomic_add_f32 v6, v[0:1], v6, off glc",
                "",
                "0 times [\"global_atomic_add_f32\"]",
            ),
            ("    s_cbranch_execnz .LBB0_1\n", "", "no loop"),
        ],
    );
    let unguarded = GUARDED.split_once(".LBB0_2:").unwrap().1;
    let got = said(&cell, "gfx1100", 5, unguarded, "", "");
    assert!(
        got.contains("0 times [\"global_atomic_cmpswap_b32\"]"),
        "{got}"
    );
}
