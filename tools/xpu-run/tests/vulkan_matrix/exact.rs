//! Each operation once on each pair of special values of a float: the kernels of
//! `xpu_test_support::exact`.

use xpu_runtime::Device;
use xpu_test_support::Type;
use xpu_test_support::exact::{Cell, Data, cells};

use crate::launch::{Features, compile, device, report};

#[test]
fn native() {
    check(Features::Native);
}

#[test]
fn emulated() {
    check(Features::Least);
}

#[track_caller]
fn check(features: Features) {
    let device = device();
    let target = features.target(&device);
    let (mut tried, mut findings) = (0, Vec::new());
    for ty in Type::FLOATS {
        let cells = cells(ty);
        let text: String = cells.iter().map(Cell::text).collect();
        let compiled = compile(&format!("exact-{}", ty.name), &text, &target);
        let data = Data::new(ty);
        for cell in &cells {
            let kernel = compiled.manifest.kernel(&cell.name).unwrap();
            let mut buffers = data.buffers();
            let outcome = device
                .load(&compiled.manifest, kernel, &compiled.image)
                .and_then(|program| {
                    let entry = (&compiled.manifest, kernel);
                    let groups = data.groups();
                    xpu_test_support::launch(&device, entry, &program, groups, &mut buffers)
                })
                .map_err(|error| error.to_string())
                .and_then(|()| data.check(cell, &buffers));
            findings.extend(outcome.err().map(|why| format!("{}: {why}", cell.name)));
        }
        tried += cells.len();
    }
    report("kernels", tried, &findings);
}
