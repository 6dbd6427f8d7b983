//! Thousands of operations on five addresses, of which those of small elements share words.
//!
//! In tight loops, one for each processor, which start together: a processor that takes groups of
//! short kernels one after the other is often through before the next has begun. The data and the
//! oracle are those of `tests/matrix.rs`, which has a work-item for each operation.

use std::collections::BTreeSet;

use xpu_dialect::axes::Kind;
use xpu_test_support::matrix::{self, ADDRESSES, Case, GROUPS};

use crate::launch::{Buffer, compile, launch, report};
use crate::together::{WAIT, start, workers};

/// Launches of each tight loop.
const ROUNDS: usize = 3;

#[test]
fn every_kind_has_cases() {
    let tried: BTreeSet<&str> = matrix::cases().iter().map(|case| case.kind).collect();
    let kinds = Kind::ALL.iter().map(|kind| kind.name());
    assert_eq!(tried, kinds.chain(["cas"]).collect());
}

#[test]
fn tight_loops() {
    let cases: Vec<Case> = matrix::cases()
        .into_iter()
        .filter(|case| !case.shared && case.name.ends_with("acq_rel"))
        .collect();
    let mut findings = Vec::new();
    for of_type in cases.chunk_by(|one, next| one.ty == next.ty) {
        let text: String = of_type.iter().map(tight).collect();
        let compiled = compile(&format!("tight-{}", of_type[0].ty.name), &text);
        for case in of_type {
            let data = case.data(GROUPS);
            for round in 0..ROUNDS {
                let mut buffers = vec![start()];
                buffers.extend(
                    [&data.memory, &data.values, &data.expected, &data.old]
                        .map(|bits| Buffer::new(case.ty, bits.clone())),
                );
                let outcome = launch(&compiled, &case.name, workers(), &mut buffers)
                    .and_then(|()| case.check(&data, &buffers[1].bits, &buffers[4].bits));
                if let Err(problem) = outcome {
                    findings.push(format!("{}, round {round}: {problem}", case.name));
                }
            }
        }
    }
    report("tight loops", cases.len() * ROUNDS, &findings);
}

/// The kernel of a case for a few work-items, each of which does what many would.
fn tight(case: &Case) -> String {
    let Case { name, kind, ty, .. } = case;
    let (kind, ty) = (*kind, ty.name);
    let buffer = format!("memref<?x{ty}>");
    let (operation, ordering) = match kind {
        "cas" => ("xpu.cas %e".to_string(), "acq_rel"),
        kind => (format!("xpu.atomic_rmw {kind}"), "relaxed"),
    };
    let separator = if kind == "cas" { "," } else { "" };
    format!(
        "xpu.kernel @{name}(%start: memref<2xi32>, %m: {buffer}, %values: {buffer}, \
         %expected: {buffer}, %out: {buffer}) workgroup_size(1, 1, 1) {{{WAIT}  \
         %addresses = arith.constant {ADDRESSES} : index\n  \
         %n = memref.dim %values, %c0 : {buffer}\n  \
         scf.for %i = %me to %n step %workers {{\n    \
         %a = arith.remui %i, %addresses : index\n    \
         %v = memref.load %values[%i] : {buffer}\n    \
         %e = memref.load %expected[%i] : {buffer}\n    \
         %old = {operation}{separator} %v, %m[%a] ordering({ordering}) : {buffer}\n    \
         memref.store %old, %out[%i] : {buffer}\n  }}\n  xpu.return\n}}\n"
    )
}
