//! Every kind on every type under contention.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;
use xpu_test_support::Report;
use xpu_test_support::matrix::{self, Case, GROUP, GROUPS};

use crate::driver::{Bits, Gpu, Module};
use crate::images;

/// Runs all cases `rounds` times.
pub(crate) fn run(gpu: &Gpu, folder: &Path, rounds: usize, report: &mut Report) {
    let (mut passed, mut failed) = (0, Vec::new());
    let mut modules: BTreeMap<String, Option<Module>> = BTreeMap::new();
    let mut by_type: BTreeMap<&str, usize> = BTreeMap::new();
    for case in matrix::cases() {
        let module = modules.entry(case.source.clone()).or_insert_with(|| {
            images::load(gpu, folder, &case.source)
                .map_err(|why| report.fail(&format!("{}: {why}", case.source)))
                .ok()
        });
        let result = match module {
            Some(module) => (0..rounds).try_for_each(|_| run_case(gpu, module, &case)),
            None => Err("its module does not load".to_owned()),
        };
        match result {
            Ok(()) => {
                passed += 1;
                *by_type.entry(case.ty.name).or_default() += 1;
            }
            Err(why) => {
                report.fail(&format!("{}: {why}", case.name));
                failed.push(json!({ "kernel": case.name, "why": why }));
            }
        }
    }
    let items = GROUP * GROUPS;
    report.line(&format!(
        "contention: {passed} kernels right, {} wrong; {items} work-items, {rounds} launches of each",
        failed.len()
    ));
    report.keep(
        "contention",
        json!({ "passed": passed, "failed": failed, "items": items, "rounds": rounds, "passed_by_type": by_type }),
    );
}

fn run_case(gpu: &Gpu, module: &Module, case: &Case) -> Result<(), String> {
    let data = case.data(GROUPS);
    let run = || {
        let kernel = gpu.kernel(module, &case.name)?;
        let mut buffers = Vec::new();
        let mut arguments = Vec::new();
        for elements in [&data.memory, &data.values, &data.expected, &data.old] {
            let buffer = gpu.upload(&case.ty.write(elements))?;
            arguments.extend([buffer.argument(), Bits(elements.len() as u64)]);
            buffers.push(buffer);
        }
        gpu.launch(kernel, GROUPS as u32, GROUP as u32, &arguments)?;
        Ok((
            case.ty.read(&buffers[0].read()?),
            case.ty.read(&buffers[3].read()?),
        ))
    };
    let (memory, old) = run().map_err(|error: crate::driver::DriverError| error.to_string())?;
    case.check(&data, &memory, &old)
}
