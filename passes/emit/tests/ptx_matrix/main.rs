//! Every legal operation × type × storage × scope × ordering, compiled to PTX for every chip that the
//! tables tell apart, and its text compared with what the PTX ISA says it must be.
//!
//! `judge` decides whether a kernel is weaker than asked, whatever its form; `forms` compares the form
//! with `expect/ptx.txt`. Each module then goes through ptxas, if there is one (`XPU_PTXAS` or on the
//! path). What was not looked at is counted. By default, all cells are compiled for one chip; for the
//! others, whose tables differ from its in features only, those of scope device in memory that others
//! see. `XPU_MATRIX=full` has all for each. Pointers to global memory must give what memrefs give, on
//! some types.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

mod cells;
mod forms;
mod judge;
mod negative;
mod ptx;
mod ptxas;

use cells::{Cell, TYPES};
use forms::{CHIPS, Expected};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use xpu_dialect::context;
use xpu_emit::{GpuOptions, compile_for_nvptx};

/// Kernels that are one module.
#[derive(Clone, Debug)]
struct Job {
    /// The position in [`CHIPS`].
    chip: usize,
    /// A type, or `fence`.
    ty: &'static str,
    cells: Vec<Cell>,
}

/// Types with every form there is.
const POINTERS_TO: [&str; 3] = ["i8", "i32", "f32"];

/// What came of the jobs.
#[derive(Debug, Default)]
struct Outcome {
    /// How many cells of each form.
    forms: BTreeMap<String, usize>,
    weaker: Vec<String>,
    differing: Vec<String>,
    refused: Vec<String>,
    /// How many cells for each chip.
    assembled: BTreeMap<&'static str, usize>,
    not_assembled: BTreeMap<String, usize>,
}

#[test]
fn no_cell_is_weaker_than_asked() {
    let full = std::env::var("XPU_MATRIX").is_ok_and(|value| value == "full");
    let jobs = jobs(full);
    let all: usize = self::jobs(true).iter().map(|job| job.cells.len()).sum();
    let cells: usize = jobs.iter().map(|job| job.cells.len()).sum();

    let next = AtomicUsize::new(0);
    let outcome = Mutex::new(Outcome::default());
    let expected = Expected::read();
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(job, &expected, &outcome);
                }
            });
        }
    });
    let outcome = outcome.into_inner().unwrap();

    println!(
        "{cells} cells compiled of {all} ({})",
        if full {
            "all"
        } else {
            "XPU_MATRIX=full for all"
        }
    );
    for (form, count) in &outcome.forms {
        println!("  {count:6} {form}");
    }
    println!("{} cells refused", outcome.refused.len());
    for (chip, count) in &outcome.assembled {
        println!("{count} cells assembled by ptxas for {chip}");
    }
    for (why, count) in &outcome.not_assembled {
        println!("{count} cells not assembled: {why}");
    }
    let looked_at: usize = outcome.forms.values().sum();
    assert_eq!(
        looked_at + outcome.refused.len(),
        cells,
        "a cell was passed over"
    );
    none("refused", &outcome.refused);
    none("weaker than asked", &outcome.weaker);
    none("not as expect/ptx.txt says", &outcome.differing);
}

#[track_caller]
fn none(what: &str, found: &[String]) {
    let some: Vec<&str> = found.iter().take(20).map(String::as_str).collect();
    assert!(
        found.is_empty(),
        "{} cells are {what}, among them\n{}",
        found.len(),
        some.join("\n")
    );
}

/// The largest modules first, so that threads end together.
fn jobs(full: bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    for ty in TYPES.into_iter().chain(["fence"]) {
        let cells = if ty == "fence" {
            cells::fences()
        } else {
            cells::of_type(ty)
        };
        for (chip, name) in CHIPS.into_iter().enumerate() {
            let mut cells = cells.clone();
            if !full && name != "sm_90" {
                cells.retain(|cell| cell.scope == "device" && cell.storage != "private");
            }
            jobs.push(Job { chip, ty, cells });
        }
    }
    // Pointers take the same way; what may differ is where the word around a small element begins.
    let sm_90 = CHIPS.iter().position(|name| *name == "sm_90").unwrap();
    for ty in POINTERS_TO {
        let cells = cells::through_pointers(ty);
        jobs.push(Job {
            chip: sm_90,
            ty,
            cells,
        });
    }
    jobs.sort_by_key(|job| std::cmp::Reverse(job.cells.len()));
    jobs
}

fn run(job: &Job, expected: &Expected, outcome: &Mutex<Outcome>) {
    let chip = CHIPS[job.chip];
    let made = compile(&cells::source(&job.cells), chip);
    let mut found = Outcome::default();
    match made {
        Ok(text) => look_at(job, &text, expected, &mut found),
        // One refusal is enough to lose the module: each cell is then tried alone.
        Err(_) if job.cells.len() > 1 => {
            for cell in &job.cells {
                run(
                    &Job {
                        cells: vec![*cell],
                        ..job.clone()
                    },
                    expected,
                    outcome,
                );
            }
            return;
        }
        Err(error) => found
            .refused
            .push(format!("{chip} {} {}: {error}", job.ty, job.cells[0])),
    }
    let mut outcome = outcome.lock().unwrap();
    for (form, count) in found.forms {
        *outcome.forms.entry(form).or_default() += count;
    }
    outcome.weaker.extend(found.weaker);
    outcome.differing.extend(found.differing);
    outcome.refused.extend(found.refused);
    for (chip, count) in found.assembled {
        *outcome.assembled.entry(chip).or_default() += count;
    }
    for (why, count) in found.not_assembled {
        *outcome.not_assembled.entry(why).or_default() += count;
    }
}

/// PTX, or what was said.
fn compile(source: &str, chip: &str) -> Result<String, String> {
    let context = context::new();
    let said = Arc::new(Mutex::new(String::new()));
    let sink = Arc::clone(&said);
    context.attach_diagnostic_handler(move |diagnostic| {
        sink.lock()
            .unwrap()
            .push_str(&format!("{}: {diagnostic}\n", diagnostic.location()));
        true
    });
    let made = compile_for_nvptx(
        &context,
        source.as_bytes(),
        "cells.mlir",
        chip,
        GpuOptions::default(),
    );
    match made {
        Ok(compiled) => Ok(String::from_utf8(compiled.image).unwrap()),
        Err(error) => Err(format!("{error}: {}", said.lock().unwrap())),
    }
}

fn look_at(job: &Job, text: &str, expected: &Expected, found: &mut Outcome) {
    let chip = CHIPS[job.chip];
    let kernels = ptx::kernels(text).unwrap_or_else(|error| {
        found.differing.push(format!("{chip} {}: {error}", job.ty));
        Vec::new()
    });
    let kernels: HashMap<&str, &ptx::Kernel> =
        kernels.iter().map(|one| (one.name.as_str(), one)).collect();
    for cell in &job.cells {
        let name = cell.to_string();
        let Some(kernel) = kernels.get(name.as_str()) else {
            found
                .differing
                .push(format!("{chip} {} {name}: no kernel", job.ty));
            continue;
        };
        let complain = |what: String| format!("{chip} {} {name}: {what}", job.ty);
        match expected.form(cell, job.chip) {
            Ok(form) => {
                found.differing.extend(
                    forms::differences(cell, &form, kernel, expected)
                        .into_iter()
                        .map(complain),
                );
                *found
                    .forms
                    .entry(form.split(':').next().unwrap_or("").to_string())
                    .or_default() += 1;
            }
            Err(problem) => found.differing.push(complain(problem)),
        }
        found
            .weaker
            .extend(judge::weaknesses(cell, kernel).into_iter().map(complain));
    }
    match ptxas::assemble(text, chip, job.ty) {
        Ok(chip) => *found.assembled.entry(chip).or_default() += job.cells.len(),
        Err(ptxas::Problem::Skipped(why)) => {
            *found.not_assembled.entry(why).or_default() += job.cells.len()
        }
        Err(ptxas::Problem::Refused(why)) => found
            .refused
            .push(format!("{chip} {}: ptxas: {why}", job.ty)),
    }
}

/// What the dialect does not take is refused where it stands.
#[test]
fn illegal_clauses_are_refused() {
    let sources = cells::illegal();
    println!("{} illegal combinations of clauses", sources.len());
    for source in sources {
        let error = compile(&source, "sm_90").expect_err(&source);
        assert!(error.contains("\"cells.mlir\":2:"), "{source}\n{error}");
    }
}
