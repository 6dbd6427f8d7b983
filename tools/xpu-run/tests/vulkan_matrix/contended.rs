//! Thousands of operations on five addresses, of which those of small elements share words: the
//! kernels of `xpu_test_support::matrix`, each in one of the forms that its operation has.

use std::collections::BTreeSet;

use xpu_runtime::Device;
use xpu_test_support::matrix::{Case, cases, sources};

use crate::launch::{Features, compile, device, report};

/// In how many forms there is an operation.
const FORMS: usize = 4;

#[test]
fn native() {
    check(Features::Native, 0);
}

#[test]
fn emulated() {
    check(Features::Least, 1);
}

/// Every kind on every type in global and workgroup memory, in a form each that is taken in turn,
/// beginning with number `first`.
#[track_caller]
fn check(features: Features, first: usize) {
    let device = device();
    let target = features.target(&device);
    let all = cases();
    let chosen: Vec<&Case> = all
        .chunks(FORMS)
        .enumerate()
        .map(|(turn, forms)| &forms[(first + turn) % FORMS])
        .collect();
    let operation = |case: &Case| (case.kind, case.ty.name, case.shared);
    let operations: BTreeSet<_> = all.iter().map(operation).collect();
    let tried: BTreeSet<_> = chosen.iter().map(|case| operation(case)).collect();
    assert_eq!(tried, operations);

    let mut findings = Vec::new();
    for source in sources() {
        let cases = || chosen.iter().filter(|case| case.source == source.name);
        let text: String = cases().map(|case| case.text()).collect();
        let compiled = compile(&source.name, &text, &target);
        for case in cases() {
            let kernel = compiled.manifest.kernel(&case.name).unwrap();
            let outcome = device
                .load(&compiled.manifest, kernel, &compiled.image)
                .map_err(|error| error.to_string())
                .and_then(|program| case.run(&device, (&compiled.manifest, kernel), &program));
            findings.extend(outcome.err().map(|why| format!("{}: {why}", case.name)));
        }
    }
    report("kernels", chosen.len(), &findings);
}
