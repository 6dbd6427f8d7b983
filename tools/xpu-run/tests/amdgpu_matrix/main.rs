//! Every atomic operation on every type under contention, compiled for AMD chips and run on the
//! emulator: a few hundred work-items on five addresses, of which those of small elements share words.
//!
//! Each operation of `xpu_test_support::matrix` runs on gfx1100, gfx942 and gfx1151, in one of the forms that
//! it has, with two seeds, and with weak memory on every other chip; on gfx1200 every third does. With
//! `XPU_MATRIX=full` all run on all chips, with ten seeds. Without the emulator, which `cargo xtask setup`
//! installs, there is nothing to run on, and the test says so.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

mod launches;

use std::collections::BTreeMap;

use launches::Trial;
use xpu_dialect::{Context, context, diagnostic};
use xpu_emit::{Compiled, GpuOptions, compile_for_amdgpu};
use xpu_test_support::do_all;
use xpu_test_support::matrix::{Case, cases, sources_of};

/// The chips that the emulator knows, one of each family.
const CHIPS: [&str; 4] = ["gfx1100", "gfx942", "gfx1151", "gfx1200"];
/// The chips that every operation runs on; the rest have every so many, if not all.
const ALWAYS: usize = 3;
const SOME: usize = 3;
/// In how many forms there is an operation.
const FORMS: usize = 4;
/// Groups of a launch: several waves each.
const GROUPS: usize = 2;
/// Seeds of each launch.
const SEEDS: u64 = 2;
/// The same, where all is to be tried.
const MANY_SEEDS: u64 = 10;

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
    if !xpu_test_support::emulator::is_installed() {
        return;
    }
    let operation = |case: &Case| (case.kind, case.ty.name, case.shared);
    for forms in all.chunks(FORMS) {
        assert!(
            forms
                .iter()
                .all(|form| operation(form) == operation(&forms[0]))
        );
    }
    let is_full = std::env::var("XPU_MATRIX").is_ok_and(|wanted| wanted == "full");
    let seeds = if is_full { MANY_SEEDS } else { SEEDS };
    let sources = sources_of(all);
    let jobs: Vec<(usize, &str)> = (0..CHIPS.len())
        .flat_map(|chip| sources.iter().map(move |source| (chip, &*source.name)))
        .collect();
    do_all(&jobs, |(chip, source)| {
        let operations = all.chunks(FORMS).enumerate();
        let of_source = operations.filter(|(_, forms)| forms[0].source == *source);
        let runs = |turn: usize| is_full || *chip < ALWAYS || turn.is_multiple_of(SOME);
        // Another form on each chip.
        let cases: Vec<(usize, &Case)> = of_source
            .filter(|(turn, _)| runs(*turn))
            .map(|(turn, forms)| (turn, &forms[(turn + chip) % forms.len()]))
            .collect();
        run(*chip, source, &cases, seeds)
    });
}

/// Runs cases of one source on one chip; what is wrong.
fn run(chip: usize, source: &str, cases: &[(usize, &Case)], seeds: u64) -> Vec<String> {
    let name = CHIPS[chip];
    let text: String = cases.iter().map(|(_, case)| case.text()).collect();
    let compiled = compile(source, &text, name);
    let trials: Vec<Trial<'_>> = cases
        .iter()
        .flat_map(|(turn, case)| {
            let first = (turn * CHIPS.len() + chip) as u64 * seeds;
            let kernel = compiled.manifest.kernel(&case.name).unwrap();
            let memory = ["strong", "weak"][(turn + chip) % 2];
            (first..first + seeds).map(move |seed| Trial {
                case,
                kernel,
                seed,
                memory,
            })
        })
        .collect();
    let findings = launches::run(&compiled.image, &trials, GROUPS);
    let named = findings.into_iter().map(|what| format!("{name} {what}"));
    named.collect()
}

fn compile(name: &str, text: &str, chip: &str) -> Compiled {
    let compile = |context: &Context| {
        compile_for_amdgpu(context, text.as_bytes(), name, chip, GpuOptions::default())
    };
    let context = context::new();
    diagnostic::print_to_stderr(&context, name, text.as_bytes());
    compile(&context).unwrap()
}
