//! Every legal operation × type × storage × scope × ordering, compiled for every AMD chip that the tables
//! tell apart, and its text compared with what the ISA documents and LLVM's memory model say it must be:
//! instruction, cache policy, cache operations, waits. No cell is weaker than asked, and none has more
//! cache operations than that model's own table.
//!
//! Each module goes through LLVM's assembler, if there is one. By default, every chip has every form at
//! device and at system scope, and a few operations in every scope and ordering. `XPU_MATRIX=full` has
//! all of everything, `XPU_MATRIX=gfx1100` just that chip, `XPU_MATRIX=full:gfx1100` all of that chip.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

#[allow(
    dead_code,
    reason = "the cells are those of the matrix of PTX, whose kernels are not ours"
)]
#[path = "../ptx_matrix/cells.rs"]
mod cells;
mod forms;
mod handed_on;
mod isa;
mod negative;
mod source;

use cells::{Access, Cell, TYPES};
use forms::{COLUMNS, Expected};
use std::collections::{BTreeMap, HashMap};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use xpu_dialect::context;
use xpu_emit::{GpuOptions, Wanted, outputs_for_amdgpu};

/// Chips, and the column of their forms; the last three are as others and looked at in full only.
const CHIPS: [(&str, usize); 10] = [
    ("gfx906", 0),
    ("gfx908", 1),
    ("gfx90a", 2),
    ("gfx942", 3),
    ("gfx1030", 4),
    ("gfx1100", 5),
    ("gfx1200", 6),
    ("gfx950", 3),
    ("gfx1151", 5),
    ("gfx1201", 6),
];

/// Kernels that are one module.
#[derive(Clone, Debug)]
struct Job {
    chip: &'static str,
    column: usize,
    /// A type, or `fence`.
    ty: &'static str,
    cells: Vec<Cell>,
}

/// What came of the jobs.
#[derive(Debug, Default)]
struct Outcome {
    /// How many cells of each form.
    forms: BTreeMap<String, usize>,
    differing: Vec<String>,
    refused: Vec<String>,
    assembled: usize,
    not_assembled: usize,
}

#[test]
fn every_cell_is_as_the_memory_model_says() {
    let asked = std::env::var("XPU_MATRIX").unwrap_or_default();
    let jobs = jobs(&asked);
    let cells: usize = jobs.iter().map(|job| job.cells.len()).sum();

    let next = AtomicUsize::new(0);
    let outcome = Mutex::new(Outcome::default());
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(job, &outcome);
                }
            });
        }
    });
    let outcome = outcome.into_inner().unwrap();

    println!("{cells} cells compiled (XPU_MATRIX=full for all)");
    for (form, count) in &outcome.forms {
        println!("  {count:6} {form}");
    }
    println!(
        "{} cells assembled, {} not, for want of llvm-mc",
        outcome.assembled, outcome.not_assembled
    );
    let looked_at: usize = outcome.forms.values().sum();
    none("refused", &outcome.refused);
    none("not as expect/amdgpu.txt says", &outcome.differing);
    assert_eq!(looked_at, cells, "a cell was passed over");
}

#[track_caller]
fn none(what: &str, found: &[String]) {
    let some: Vec<&str> = found.iter().take(40).map(String::as_str).collect();
    assert!(
        found.is_empty(),
        "{} cells are {what}, among them\n{}",
        found.len(),
        some.join("\n")
    );
}

/// The largest modules first, so that threads end together.
fn jobs(asked: &str) -> Vec<Job> {
    let (full, asked) = match asked.strip_prefix("full") {
        Some(chip) => (true, chip.trim_start_matches(':')),
        None => (false, asked),
    };
    let is_one = CHIPS.iter().any(|(chip, _)| *chip == asked);
    let mut jobs = Vec::new();
    for (number, (chip, column)) in CHIPS.into_iter().enumerate() {
        let is_wanted = if is_one {
            chip == asked
        } else {
            full || number < COLUMNS.len()
        };
        if !is_wanted {
            continue;
        }
        for ty in TYPES.into_iter().chain(["fence"]) {
            let mut cells = if ty == "fence" {
                cells::fences()
            } else {
                cells::of_type(ty)
            };
            cells.retain(|cell| full || is_telling(cell));
            jobs.push(Job {
                chip,
                column,
                ty,
                cells,
            });
        }
    }
    jobs.sort_by_key(|job| std::cmp::Reverse(job.cells.len()));
    jobs
}

/// Whether a cell is looked at on every chip.
fn is_telling(cell: &Cell) -> bool {
    if cell.access == Access::Fence {
        return true;
    }
    if cell.scope == "workitem" || cell.storage == "private" {
        return cell.ty == "i32" && cell.ordering == "seq_cst" && cell.used;
    }
    let in_every_ordering = match cell.ty {
        "i32" => matches!(cell.op, "add" | "cas" | "load" | "store"),
        "f32" => matches!(cell.op, "fmin") && cell.used,
        "i8" if cell.op == "cas" => cell.ordering == cell.failure && cell.used,
        "i8" => cell.op == "xchg" && cell.used,
        "f64" => cell.op == "fminimum" && cell.used,
        _ => false,
    };
    // Of those that are done alike, one.
    let is_same = match cell.ty {
        "i16" => !matches!(cell.op, "load" | "store"),
        "bf16" => !matches!(cell.op, "fadd" | "load"),
        "i8" => matches!(
            cell.op,
            "sub" | "or" | "smin" | "smax" | "umin" | "umax" | "uinc_wrap"
        ),
        _ => false,
    };
    let of_form = match cell.scope {
        "device" => cell.ordering == "relaxed" && (cell.used || cell.ty.ends_with("32")),
        "system" => cell.ordering == "relaxed" && cell.storage == "global" && cell.used,
        _ => false,
    };
    in_every_ordering || (of_form && !is_same)
}

fn run(job: &Job, outcome: &Mutex<Outcome>) {
    if job.cells.is_empty() {
        return;
    }
    let made = compile(&source::source(&job.cells), job.chip);
    let text = match made {
        Ok(text) => text,
        // One refusal is enough to lose the module: each cell is then tried alone.
        Err(_) if job.cells.len() > 1 => {
            for cell in &job.cells {
                let cells = vec![*cell];
                run(
                    &Job {
                        cells,
                        ..job.clone()
                    },
                    outcome,
                );
            }
            return;
        }
        Err(error) => {
            let what = format!("{} {} {}: {error}", job.chip, job.ty, job.cells[0]);
            outcome.lock().unwrap().refused.push(what);
            return;
        }
    };
    let kernels = isa::kernels(&text);
    let kernels: HashMap<&str, &isa::Kernel> =
        kernels.iter().map(|one| (one.name.as_str(), one)).collect();
    let expected = Expected::read(job.chip, job.column);
    let mut found = Outcome::default();
    for cell in &job.cells {
        let name = cell.to_string();
        let complain = |what: String| format!("{} {} {name}: {what}", job.chip, job.ty);
        let Some(kernel) = kernels.get(name.as_str()) else {
            found.differing.push(complain("no kernel".to_string()));
            continue;
        };
        match expected.form(cell) {
            Ok(form) => {
                let more = forms::differences(cell, &form, kernel, &expected);
                found.differing.extend(more.into_iter().map(complain));
                let word = form.split(':').next().unwrap_or("").to_string();
                *found.forms.entry(word).or_default() += 1;
            }
            Err(problem) => found.differing.push(complain(problem)),
        }
    }
    let assembled = assemble(&text, job.chip);
    let mut outcome = outcome.lock().unwrap();
    for (form, count) in found.forms {
        *outcome.forms.entry(form).or_default() += count;
    }
    outcome.differing.extend(found.differing);
    match assembled {
        Some(Ok(())) => outcome.assembled += job.cells.len(),
        Some(Err(said)) => outcome
            .refused
            .push(format!("{} {}: {said}", job.chip, job.ty)),
        None => outcome.not_assembled += job.cells.len(),
    }
}

/// AMD assembly, or what was said.
fn compile(source: &str, chip: &str) -> Result<String, String> {
    let context = context::new();
    let said = Arc::new(Mutex::new(String::new()));
    let sink = Arc::clone(&said);
    context.attach_diagnostic_handler(move |diagnostic| {
        let text = format!("{}: {diagnostic}\n", diagnostic.location());
        sink.lock().unwrap().push_str(&text);
        true
    });
    let wanted = Wanted {
        asm: true,
        ..Wanted::default()
    };
    let options = GpuOptions::default();
    let made = outputs_for_amdgpu(
        &context,
        source.as_bytes(),
        "cells.mlir",
        chip,
        options,
        wanted,
    );
    match made {
        Ok(outputs) => Ok(outputs.asm.unwrap_or_default()),
        Err(error) => Err(format!("{error}: {}", said.lock().unwrap())),
    }
}

/// What LLVM's assembler makes of a text; `None` where there is none.
fn assemble(text: &str, chip: &str) -> Option<Result<(), String>> {
    use std::io::Write as _;
    let (major, ..) = inkwell::support::get_llvm_version();
    let mut assembler = Command::new(format!("llvm-mc-{major}"))
        .args(["-triple=amdgcn-amd-amdhsa", &format!("-mcpu={chip}")])
        .args(["-filetype=obj", "-o", "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = assembler.stdin.take().unwrap();
    let text = text.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = assembler.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    if output.status.success() {
        return Some(Ok(()));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Some(Err(said.lines().take(5).collect::<Vec<_>>().join("; ")))
}
