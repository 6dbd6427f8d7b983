//! Every atomic operation on every type under contention, compiled for AMD chips and run on the
//! emulator: a few hundred work-items on five addresses, of which those of small elements share words.
//!
//! Each kernel of `xpu_test_support::matrix` runs in one of the forms that its operation has, each with
//! another seed and every other one with weak memory: on the chips in turn, or with `XPU_MATRIX=full` on
//! every chip. Without the emulator, which `cargo xtask
//! setup` installs, there is nothing to run on, and the test says so.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use xpu_dialect::{Context, context, diagnostic};
use xpu_emit::{Compiled, GpuOptions, compile_for_amdgpu};
use xpu_runtime::Device;
use xpu_runtime_amdgpu::{AmdgpuDevice, MemoryModel, Settings};
use xpu_test_support::do_all;
use xpu_test_support::matrix::{Case, cases, sources_of};

/// The chips that the emulator knows, one of each family.
const CHIPS: [&str; 3] = ["gfx1100", "gfx1151", "gfx942"];
/// In how many forms there is an operation.
const FORMS: usize = 4;
/// Groups of a launch: several waves each.
const GROUPS: usize = 2;

/// The emulator that the environment names, or the one that is installed.
fn emulator() -> Option<Settings> {
    Settings::from_environment().ok().or_else(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let python = root.join("target/emulator/bin/python");
        python.exists().then(|| Settings {
            command: vec![
                python.into_os_string(),
                root.join("runtime/amdgpu-emulator").into_os_string(),
            ],
            seed: 0,
            memory: MemoryModel::Strong,
        })
    })
}

#[test]
fn contended() {
    contend(&cases());
}

/// Through pointers, each operation on one type, the types in turn.
#[test]
fn contended_through_pointers() {
    let cases: Vec<Case> = cases().iter().filter_map(Case::through_pointer).collect();
    let mut operations: BTreeMap<(&str, bool), Vec<&[Case]>> = BTreeMap::new();
    for forms in cases.chunks(FORMS) {
        let operation = (forms[0].kind, forms[0].shared);
        operations.entry(operation).or_default().push(forms);
    }
    let mut chosen: Vec<Case> = operations
        .values()
        .enumerate()
        .flat_map(|(turn, types)| types[turn % types.len()].to_vec())
        .collect();
    chosen.sort_by(|one, other| one.source.cmp(&other.source));
    contend(&chosen);
}

fn contend(all: &[Case]) {
    let required = std::env::var("XPU_REQUIRE").unwrap_or_default();
    let Some(settings) = emulator() else {
        assert!(
            !required.contains("amdgpu"),
            "the emulator is not installed"
        );
        eprintln!("skipped: the emulator is not installed; run `cargo xtask setup`");
        return;
    };
    let chosen: Vec<(usize, &Case)> = all
        .chunks(FORMS)
        .map(|forms| forms.len())
        .scan(0, |at, count| {
            let start = *at;
            *at += count;
            Some(start)
        })
        .enumerate()
        .map(|(turn, start)| (turn, &all[start + turn % FORMS]))
        .collect();
    let operation = |case: &Case| (case.kind, case.ty.name, case.shared);
    let operations: BTreeSet<_> = all.iter().map(operation).collect();
    let tried: BTreeSet<_> = chosen.iter().map(|(_, case)| operation(case)).collect();
    assert_eq!(tried, operations);

    let is_full = std::env::var("XPU_MATRIX").is_ok_and(|wanted| wanted == "full");
    let runs_on = |turn: usize, chip: usize| is_full || turn % CHIPS.len() == chip;
    let sources = sources_of(all);
    let jobs: Vec<(usize, usize)> = (0..CHIPS.len())
        .flat_map(|chip| (0..sources.len()).map(move |source| (chip, source)))
        .collect();
    do_all(&jobs, |(chip, source)| {
        let mine: Vec<&(usize, &Case)> = chosen
            .iter()
            .filter(|(turn, case)| case.source == sources[*source].name && runs_on(*turn, *chip))
            .collect();
        run(&settings, *chip, &sources[*source].name, &mine)
    });
}

/// Runs the cases of one source on one chip; what is wrong.
fn run(settings: &Settings, chip: usize, source: &str, cases: &[&(usize, &Case)]) -> Vec<String> {
    let name = CHIPS[chip];
    let text: String = cases.iter().map(|(_, case)| case.text()).collect();
    let compiled = compile(source, &text, name);
    let mut findings = Vec::new();
    for (turn, case) in cases {
        let device = AmdgpuDevice::new(Settings {
            seed: (turn * CHIPS.len() + chip) as u64,
            memory: if (turn + chip).is_multiple_of(2) {
                MemoryModel::Strong
            } else {
                MemoryModel::Weak
            },
            ..settings.clone()
        });
        let kernel = compiled.manifest.kernel(&case.name).unwrap();
        let outcome = device
            .load(&compiled.manifest, kernel, &compiled.image)
            .map_err(|error| error.to_string())
            .and_then(|program| {
                case.run_groups(&device, (&compiled.manifest, kernel), &program, GROUPS)
            });
        findings.extend(
            outcome
                .err()
                .map(|why| format!("{name} {}: {why}", case.name)),
        );
    }
    findings
}

fn compile(name: &str, text: &str, chip: &str) -> Compiled {
    let compile = |context: &Context| {
        compile_for_amdgpu(context, text.as_bytes(), name, chip, GpuOptions::default())
    };
    let context = context::new();
    diagnostic::print_to_stderr(&context, name, text.as_bytes());
    compile(&context).unwrap()
}
