//! Every kind of read-modify-write on every type, under contention, on the CPU: the kernels that the
//! GPU runs in `xpu-device-tests`, with the same oracle.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

use xpu_emit::{CpuOptions, compile_for_cpu};
use xpu_runtime::Device;
use xpu_runtime_cpu::{CpuDevice, Settings};
use xpu_test_support::matrix::{Case, cases, sources_of};

#[test]
fn every_kind_on_every_type() {
    run(&cases());
}

#[test]
fn every_kind_on_every_type_through_pointers() {
    let cases: Vec<Case> = cases().iter().filter_map(Case::through_pointer).collect();
    run(&cases);
}

fn run(cases: &[Case]) {
    let device = CpuDevice::new(Settings {
        threads: 4,
        ..Settings::default()
    });
    let mut failures = Vec::new();
    for source in sources_of(cases) {
        let context = xpu_dialect::context::new();
        let compiled = compile_for_cpu(
            &context,
            source.text.as_bytes(),
            &source.name,
            CpuOptions::default(),
        )
        .unwrap();
        for case in cases.iter().filter(|case| case.source == source.name) {
            let kernel = compiled.manifest.kernel(&case.name).unwrap();
            let program = device
                .load(&compiled.manifest, kernel, &compiled.image)
                .unwrap();
            if let Err(why) = case.run(&device, (&compiled.manifest, kernel), &program) {
                failures.push(format!("{}: {why}", case.name));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
