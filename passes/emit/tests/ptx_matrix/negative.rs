//! That the judge can say no: right kernels, broken one way each.

use crate::cells::{Access, Cell};
use crate::forms::{self, Expected};
use crate::{judge, ptx};

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

const ADD: &str = "
    ld.param.b64 %rd1, [p0];
    ld.param.b32 %r1, [p1];
    atom.acq_rel.gpu.global.add.u32 %r2, [%rd1], %r1;
    st.global.b32 [%rd2], %r2;
    ret;";

const SEQ_CST: &str = "
    fence.sc.gpu;
    atom.acquire.gpu.global.add.u32 %r2, [%rd1], %r1;
    st.global.b32 [%rd2], %r2;
    ret;";

const LOOP: &str = "
    ld.relaxed.gpu.global.b32 %r1, [%rd1];
$L__BB0_1:
    add.rn.f32 %r2, %r1, %r4;
    atom.acq_rel.gpu.global.cas.b32 %r3, [%rd1], %r1, %r2;
    setp.ne.b32 %p1, %r3, %r1;
    mov.b32 %r1, %r3;
    @%p1 bra $L__BB0_1;
    st.global.b32 [%rd2], %r3;
    ret;";

const WORD_CAS: &str = "
    and.b64 %rd1, %rd3, -4;
    ld.acquire.gpu.global.b32 %r1, [%rd1];
$L__BB0_1:
    and.b32 %r5, %r1, %r6;
    setp.ne.b32 %p1, %r5, %r7;
    @%p1 bra $L__BB0_2;
    or.b32 %r2, %r1, %r8;
    atom.acq_rel.gpu.global.cas.b32 %r3, [%rd1], %r1, %r2;
    setp.ne.b32 %p2, %r3, %r1;
    mov.b32 %r1, %r3;
    @%p2 bra $L__BB0_1;
$L__BB0_2:
    st.global.b8 [%rd2], %r1;
    ret;";

const SHARED: &str = "
    st.shared.b32 [%rd1], %r1;
    bar.sync 0;
    atom.release.cta.shared.add.u32 %r2, [%rd1], %r1;
    bar.sync 0;
    ld.shared.b32 %r3, [%rd1];
    st.global.b32 [%rd2], %r3;
    st.global.b32 [%rd4], %r2;
    ret;";

/// What is said of a kernel with a part replaced.
fn said(cell: &Cell, right: &str, part: &str, by: &str) -> String {
    assert!(right.contains(part), "{part} is in the kernel");
    let text = right.replacen(part, by, 1);
    let lines: Vec<&str> = text.lines().collect();
    match ptx::kernel("k", &lines) {
        Ok(kernel) => judge::weaknesses(cell, &kernel).join("; "),
        Err(error) => error,
    }
}

#[track_caller]
fn check(cell: &Cell, right: &str, breaks: &[(&str, &str, &str)]) {
    assert_eq!(said(cell, right, "", ""), "", "the right kernel");
    for (part, by, complaint) in breaks {
        let got = said(cell, right, part, by);
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
        ADD,
        &[
            ("acq_rel.gpu", "acquire.gpu", "a path that does not release"),
            ("acq_rel.gpu", "release.gpu", "a path that does not acquire"),
            (
                "atom.acq_rel.gpu.global",
                "atom.global",
                "a path that does not acquire; a path that does not release",
            ),
            ("acq_rel.gpu", "acq_rel.cta", "narrower scope"),
            (".global.add", ".add", "generic address"),
            (".global.add", ".shared.add", "not in global memory"),
            (
                "atom.acq_rel.gpu.global.add.u32 %r2,",
                "red.release.gpu.global.add.u32",
                "reads nothing",
            ),
            (
                "atom.acq_rel.gpu.global.add.u32 %r2, [%rd1], %r1",
                "ld.global.b32 %r2, [%rd1]",
                "is weak",
            ),
            (
                "atom.acq_rel.gpu.global.add.u32 %r2, [%rd1], %r1",
                "ld.acquire.gpu.global.b32 %r2, [%rd1]",
                "does not write",
            ),
            (
                "atom.acq_rel.gpu.global.add.u32 %r2, [%rd1], %r1",
                "mov.b32 %r2, %r1",
                "a path without the access",
            ),
            (
                "ld.param.b32 %r1, [p1]",
                "ld.global.b32 %r1, [%rd1]",
                "is weak",
            ),
            (
                "ld.param.b32 %r1, [p1]",
                "cvta.to.global.u64 %rd1, %rd5",
                "an address whose space is known",
            ),
            (
                "ld.param.b32 %r1, [p1]",
                "ld.volatile.global.b32 %r1, [%rd1]",
                "not understood",
            ),
            ("ld.param.b32 %r1, [p1]", "trap", "not understood"),
            ("ld.param.b32 %r1, [p1]", "call.uni f, ()", "not understood"),
        ],
    );
}

/// Any form of equal strength is right.
#[test]
fn fences_in_place_of_semantics() {
    let around = ADD.replace("atom.acq_rel.gpu", "fence.acq_rel.gpu;\natom.relaxed.gpu");
    let around = around.replace("    st.global", "    fence.acq_rel.sys;\n    st.global");
    check(
        &CELL,
        &around,
        &[
            (
                "fence.acq_rel.gpu",
                "fence.acq_rel.cta",
                "a path that does not release",
            ),
            (
                "fence.acq_rel.sys",
                "fence.acq_rel.cta",
                "a path that does not acquire",
            ),
            ("fence.acq_rel.gpu;", "", "a path that does not release"),
        ],
    );
}

#[test]
fn sequential_consistency() {
    let cell = Cell {
        ordering: "seq_cst",
        ..CELL
    };
    let late = "atom.acq_rel.gpu.global.add.u32 %r2, [%rd1], %r1;\nfence.sc.gpu;";
    check(
        &cell,
        SEQ_CST,
        &[
            ("fence.sc.gpu;", "", "a path without fence.sc"),
            ("fence.sc", "fence.acq_rel", "a path without fence.sc"),
            ("fence.sc.gpu", "fence.sc.cta", "a path without fence.sc"),
            (
                "atom.acquire",
                "atom.relaxed",
                "a path that does not acquire",
            ),
            (
                "fence.sc.gpu;\n    atom.acquire.gpu.global.add.u32 %r2, [%rd1], %r1;",
                late,
                "a path without fence.sc",
            ),
            ("fence.sc.gpu", "membar.gl", "not understood"),
        ],
    );
}

#[test]
fn loops() {
    check(
        &CELL,
        LOOP,
        &[
            ("ld.relaxed.gpu.global", "ld.global", "is weak"),
            ("ld.relaxed.gpu", "ld.relaxed.cta", "narrower scope"),
            (
                "acq_rel.gpu.global.cas",
                "acquire.gpu.global.cas",
                "a path that does not release",
            ),
            ("setp.ne.b32", "setp.neu.f32", "a branch on setp.neu.f32"),
            (
                "    add.rn",
                "    @%p1 bra $L__BB0_9;\n    add.rn",
                "no label",
            ),
            ("    st.global", "$L__BB0_2:\n    st.global", ""),
            (
                "    add.rn.f32 %r2, %r1, %r4;",
                "    @%p3 bra $L__BB0_1;",
                "nothing sets %p3",
            ),
        ],
    );
    let skips = LOOP.replace(
        "    add.rn",
        "    setp.ne.b32 %p3, %r1, 0;\n    @%p3 bra $L__BB0_2;\n    add.rn",
    );
    let skips = skips.replace("    st.global", "$L__BB0_2:\n    st.global");
    assert!(said(&CELL, &skips, "", "").contains("a path that does not write"));
}

#[test]
fn compare_and_swap_of_a_word() {
    let cell = Cell {
        op: "cas",
        access: Access::Cas,
        ty: "i8",
        failure: "acquire",
        ..CELL
    };
    check(
        &cell,
        WORD_CAS,
        &[
            ("ld.acquire", "ld.relaxed", "a path that does not acquire"),
            (
                "atom.acq_rel",
                "atom.acquire",
                "a path that does not release",
            ),
            (
                "atom.acq_rel",
                "atom.release",
                "a path that does not acquire",
            ),
        ],
    );
    let relaxed = Cell {
        failure: "relaxed",
        ..cell
    };
    assert_eq!(said(&relaxed, WORD_CAS, "ld.acquire", "ld.relaxed"), "");
    let strict = Cell {
        ordering: "seq_cst",
        failure: "seq_cst",
        ..cell
    };
    assert!(
        said(
            &strict,
            WORD_CAS,
            "atom.acq_rel",
            "fence.sc.gpu;\natom.acquire"
        )
        .contains("without fence.sc")
    );
}

#[test]
fn shared_memory() {
    let cell = Cell {
        storage: "shared",
        scope: "workgroup",
        ordering: "release",
        failure: "release",
        ..CELL
    };
    check(
        &cell,
        SHARED,
        &[
            (
                "release.cta.shared",
                "relaxed.cta.shared",
                "a path that does not release",
            ),
            (
                "release.cta.shared",
                "release.cta.global",
                "not in shared memory",
            ),
            ("    bar.sync 0;\n    ld", "    ld", "is weak"),
            (
                "    atom",
                "    ld.shared.b32 %r4, [%rd1];\n    atom",
                "is weak",
            ),
            (
                "    bar.sync 0;\n    atom.release.cta.shared.add.u32 %r2, [%rd1], %r1;",
                "    atom.release.cta.shared.add.u32 %r2, [%rd1], %r1;\n    bar.sync 0;",
                "other side of a barrier",
            ),
        ],
    );
}

#[test]
fn memory_of_one_work_item() {
    let private = Cell {
        storage: "private",
        ..CELL
    };
    let alone = Cell {
        scope: "workitem",
        ..CELL
    };
    let plain = "ld.local.b32 %r1, [%rd1];\nst.local.b32 [%rd1], %r2;\nret;";
    for cell in [private, alone] {
        check(
            &cell,
            plain,
            &[
                ("ld.local", "ld.relaxed.gpu.global", "no other work-item"),
                (
                    "st.local.b32 [%rd1]",
                    "red.relaxed.gpu.global.add.u32 [%rd1]",
                    "no other work-item",
                ),
                ("ret", "fence.acq_rel.cta;\nret", "no other work-item"),
            ],
        );
    }
}

/// The exact form is looked at as well: stronger is right, but not what was written down.
#[test]
fn forms_are_exact() {
    let expected = Expected::read();
    let form = expected.form(&CELL, 3).unwrap();
    assert_eq!(form, "one:add.u32");
    let differences = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        forms::differences(&CELL, &form, &ptx::kernel("k", &lines).unwrap(), &expected).join("; ")
    };
    assert_eq!(differences(ADD), "");
    for (part, by) in [
        ("acq_rel.gpu", "acq_rel.sys"),
        ("add.u32", "add.s32"),
        ("    atom", "    fence.acq_rel.gpu;\n    atom"),
        (
            "atom.acq_rel.gpu.global.add.u32 %r2, [%rd1], %r1",
            "atom.acq_rel.gpu.global.cas.b32 %r2, [%rd1], %r1, %r3",
        ),
    ] {
        assert_ne!(
            differences(&ADD.replace(part, by)),
            "",
            "'{part}' as '{by}'"
        );
    }
    assert!(differences(LOOP).contains("want"));
    let looped = Cell {
        op: "fminimum",
        ty: "f32",
        ..CELL
    };
    let form = expected.form(&looped, 0).unwrap();
    let differences = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        forms::differences(
            &looped,
            &form,
            &ptx::kernel("k", &lines).unwrap(),
            &expected,
        )
        .join("; ")
    };
    assert_eq!(differences(LOOP), "");
    assert!(
        differences(&LOOP.replace("%p1, %r3, %r1", "%p1, %r3, %r2")).contains("nothing compares")
    );
    assert!(differences(&LOOP.replace("@%p1 bra $L__BB0_1;", "")).contains("in no loop"));
}
