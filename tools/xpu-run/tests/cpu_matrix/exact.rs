//! Each operation once on each pair of special values, in global, workgroup and private memory: the
//! kernels of `xpu_test_support::exact`.

use xpu_test_support::Type;
use xpu_test_support::exact::{Cell, Data, cells};

use crate::launch::{compile, launch, report};

#[test]
fn integers() {
    Type::SIGNLESS.into_iter().for_each(check);
}

#[test]
fn integers_with_signs() {
    Type::SIGNED.into_iter().for_each(check);
}

#[test]
fn floats() {
    Type::FLOATS.into_iter().for_each(check);
}

#[track_caller]
fn check(ty: Type) {
    let cells = cells(ty);
    let text: String = cells.iter().map(Cell::text).collect();
    let compiled = compile(&format!("exact-{}", ty.name), &text);
    let data = Data::new(ty);
    let mut findings = Vec::new();
    for cell in &cells {
        let mut buffers = data.buffers();
        let outcome = launch(&compiled, &cell.name, data.groups(), &mut buffers)
            .and_then(|()| data.check(cell, &buffers));
        findings.extend(outcome.err().map(|why| format!("{}: {why}", cell.name)));
    }
    report(&format!("kernels on {}", ty.name), cells.len(), &findings);
}
