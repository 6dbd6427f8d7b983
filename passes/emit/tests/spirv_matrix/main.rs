//! Every legal operation × type × storage × scope × ordering, compiled to SPIR-V for every version of
//! Vulkan and for the features of several devices, and the binary compared with what the SPIR-V and
//! Vulkan specifications say it must be.
//!
//! `judge` decides whether a kernel is weaker than asked, whatever its form, and whether a module obeys
//! the specifications' rules; `forms` compares the form with `expect/spirv.txt`. Each module goes through
//! spirv-val, for its version of Vulkan and for all later ones. What is weaker because Vulkan cannot do
//! it is counted apart, and must be said in a warning and in the manifest. By default, every scope and
//! ordering is compiled for one target; for the others, whose tables differ from its in features only,
//! those of scope device in memory that others see. `XPU_MATRIX=full` has all for each; the name of a
//! type, that type's alone.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

#[path = "../ptx_matrix/cells.rs"]
#[expect(dead_code, reason = "some of it is for PTX alone")]
mod cells;
mod compile;
mod features;
mod forms;
mod judge;
mod negative;
mod spirv;
mod targets;

use cells::{Access, Cell, TYPES};
use compile::{Compiler, Said};
use forms::{Expected, Form};
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use targets::{DEVICES, ODD, Target, VERSIONS};
use xpu_spirv::VulkanVersion;

/// Kernels that are one module.
#[derive(Clone, Debug)]
struct Job {
    target: Target,
    /// A type, or `fence`.
    ty: &'static str,
    cells: Vec<Cell>,
}

/// What came of the jobs.
#[derive(Debug, Default)]
struct Outcome {
    /// How many cells of each form.
    forms: BTreeMap<String, usize>,
    /// How many cells are done in a weaker way, for what was asked.
    weakened: BTreeMap<&'static str, usize>,
    refused_as_expected: usize,
    /// How many modules are valid for each version.
    valid: BTreeMap<&'static str, usize>,
    weaker: Vec<String>,
    differing: Vec<String>,
    illegal: Vec<String>,
    invalid: Vec<String>,
    unwarned: Vec<String>,
    refused: Vec<String>,
}

/// The target that all cells are compiled for.
const FULL: (&str, &str) = ("1.3", "H200");

#[test]
fn no_cell_is_weaker_than_asked() {
    let chosen = std::env::var("XPU_MATRIX").unwrap_or_default();
    let full = chosen == "full";
    let mut jobs = jobs(full);
    if TYPES.contains(&chosen.as_str()) {
        jobs.retain(|job| job.ty == chosen);
    }
    let all: usize = self::jobs(true).iter().map(|job| job.cells.len()).sum();
    let cells: usize = jobs.iter().map(|job| job.cells.len()).sum();

    let next = AtomicUsize::new(0);
    let outcome = Mutex::new(Outcome::default());
    let expected = Expected::read();
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
        for _ in 0..threads {
            scope.spawn(|| {
                let compiler = Compiler::new();
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut found = Outcome::default();
                    run(job, &compiler, &expected, &mut found);
                    outcome.lock().unwrap().add(found);
                }
            });
        }
    });
    let outcome = outcome.into_inner().unwrap();
    outcome.print(cells, all, full);
    let looked_at: usize = outcome.forms.values().sum::<usize>() + outcome.refused_as_expected;
    assert_eq!(
        looked_at + outcome.refused.len(),
        cells,
        "a cell was passed over"
    );
    outcome.is_right();
}

impl Outcome {
    fn add(&mut self, other: Self) {
        for (form, count) in other.forms {
            *self.forms.entry(form).or_default() += count;
        }
        for (asked, count) in other.weakened {
            *self.weakened.entry(asked).or_default() += count;
        }
        for (version, count) in other.valid {
            *self.valid.entry(version).or_default() += count;
        }
        self.refused_as_expected += other.refused_as_expected;
        self.weaker.extend(other.weaker);
        self.differing.extend(other.differing);
        self.illegal.extend(other.illegal);
        self.invalid.extend(other.invalid);
        self.unwarned.extend(other.unwarned);
        self.refused.extend(other.refused);
    }

    /// Fails where anything is not as it must be, with some of each.
    #[track_caller]
    fn is_right(&self) {
        let lists = [
            ("refused", &self.refused),
            ("weaker than asked", &self.weaker),
            ("of a module that breaks a rule", &self.illegal),
            ("of a module that is invalid", &self.invalid),
            ("weaker, and not so said", &self.unwarned),
            ("not as expect/spirv.txt says", &self.differing),
        ];
        let mut complaints = String::new();
        for (what, list) in lists {
            let some: Vec<&str> = list.iter().take(10).map(String::as_str).collect();
            if !list.is_empty() {
                complaints += &format!("{} {what}, among them\n{}\n", list.len(), some.join("\n"));
            }
        }
        assert!(complaints.is_empty(), "{complaints}");
    }

    fn print(&self, cells: usize, all: usize, full: bool) {
        let which = if full {
            "all"
        } else {
            "XPU_MATRIX=full for all"
        };
        println!("{cells} cells compiled of {all} ({which})");
        for (form, count) in &self.forms {
            println!("  {count:6} {form}");
        }
        println!("  {:6} refused, as they must be", self.refused_as_expected);
        for (asked, count) in &self.weakened {
            println!("{count} cells weakened: {asked}");
        }
        for (version, count) in &self.valid {
            println!("{count} modules valid for Vulkan {version}");
        }
    }
}

/// The targets, and whether all cells are compiled for each.
fn targets(full: bool) -> Vec<(Target, bool)> {
    let devices = DEVICES.into_iter().map(|device| (device, false));
    let odd = ODD.into_iter().map(|device| (device, true));
    let mut targets = Vec::new();
    for (device, is_odd) in devices.chain(odd) {
        for version in VERSIONS {
            if full || !is_odd || version == "1.1" {
                let all = full || (version, device) == FULL;
                targets.push((Target::new(version, device), all));
            }
        }
    }
    targets
}

fn jobs(full: bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    for ty in TYPES.into_iter().chain(["fence"]) {
        let cells = if ty == "fence" {
            cells::fences()
        } else {
            cells::of_type(ty)
        };
        for (target, all) in targets(full) {
            // A module for each operation, storage and width of scope, so that what it declares can
            // be told to be what these need.
            let mut modules: BTreeMap<_, Vec<Cell>> = BTreeMap::new();
            for cell in &cells {
                let is_taken = match all {
                    _ if full => true,
                    true => is_common(cell),
                    false => is_sampled(cell, &target),
                };
                if is_taken {
                    let is_wide = matches!(cell.scope, "device" | "system");
                    let key = (cell.op, cell.storage, is_wide);
                    modules.entry(key).or_default().push(*cell);
                }
            }
            jobs.extend(modules.into_values().map(|cells| Job {
                target: target.clone(),
                ty,
                cells,
            }));
        }
    }
    // The largest modules first, so that threads end together.
    jobs.sort_by_key(|job| std::cmp::Reverse(job.cells.len()));
    jobs
}

/// What is compiled for every target by default: what its tables may tell apart, and of each access
/// one ordering and none.
fn is_sampled(cell: &Cell, target: &Target) -> bool {
    let ordering = match cell.access {
        Access::Load => "acquire",
        Access::Store => "release",
        _ => "acq_rel",
    };
    // Without device scope, what is refused, and what is not.
    let lacks_device = !target.has("vulkan_memory_model_device_scope");
    let is_narrow = lacks_device && cell.scope == "workgroup" && cell.ty.ends_with("32");
    (cell.scope == "device" || is_narrow)
        && cell.storage != "private"
        && (cell.used || matches!(cell.access, Access::Store | Access::Fence))
        && (cell.ordering == ordering || (cell.ordering == "relaxed" && cell.ty.ends_with("32")))
}

/// What is compiled for one target by default: every scope and ordering where others see the element,
/// and of what comes out as plain accesses or differs in a use alone, a part.
fn is_common(cell: &Cell) -> bool {
    let is_plain = cell.storage == "private" || cell.scope == "workitem";
    let is_told_by_use = !matches!(cell.access, Access::Store | Access::Fence);
    if is_plain {
        return cell.used == is_told_by_use
            && matches!(cell.scope, "workitem" | "system")
            && matches!(cell.ordering, "acq_rel" | "seq_cst")
            && cell.failure == cell.ordering;
    }
    !is_told_by_use || cell.used || (cell.scope == "device" && cell.ordering == "acq_rel")
}

fn run(job: &Job, compiler: &Compiler, expected: &Expected, found: &mut Outcome) {
    let (mut made, mut refused) = (Vec::new(), Vec::new());
    for cell in &job.cells {
        let complain = |what| format!("{} {} {cell}: {what}", job.target, job.ty);
        match expected.form(cell, &job.target) {
            Ok(Form::Made(form)) => made.push((*cell, form)),
            Ok(Form::Refused(lacking)) => refused.push((*cell, lacking)),
            Err(problem) => {
                found.differing.push(complain(problem));
                found.refused.push(complain("no form".to_string()));
            }
        }
    }
    if !refused.is_empty() {
        let cells: Vec<Cell> = refused.iter().map(|(cell, _)| *cell).collect();
        let said = compiler.compile(&cells, &job.target);
        for (at, (cell, lacking)) in refused.iter().enumerate() {
            let complain = |what| format!("{} {} {cell}: {what}", job.target, job.ty);
            found.refused_as_expected += 1;
            let errors = said.errors_at(at);
            if said.compiled.is_ok() || errors.is_empty() {
                let what = format!("no error, where {lacking:?} is lacking");
                found.differing.push(complain(what));
            } else if !lacking
                .iter()
                .all(|feature| errors.contains(feature.as_str()))
            {
                let what = format!("{lacking:?} is lacking, and the error is {errors}");
                found.differing.push(complain(what));
            }
        }
    }
    look_at(job, &made, compiler, expected, found);
}

fn look_at(
    job: &Job,
    made: &[(Cell, String)],
    compiler: &Compiler,
    expected: &Expected,
    found: &mut Outcome,
) {
    if made.is_empty() {
        return;
    }
    let cells: Vec<Cell> = made.iter().map(|(cell, _)| *cell).collect();
    let said = compiler.compile(&cells, &job.target);
    let compiled = match &said.compiled {
        Ok(compiled) => compiled,
        // One refusal is enough to lose the module: the others are then compiled without it.
        Err(error) => {
            let (target, ty) = (&job.target, job.ty);
            let mut rest = Vec::new();
            for (at, one) in made.iter().enumerate() {
                match said.errors_at(at) {
                    errors if errors.is_empty() => rest.push(one.clone()),
                    errors => found
                        .refused
                        .push(format!("{target} {ty} {}: {errors}", one.0)),
                }
            }
            if rest.len() == made.len() {
                let cells = rest.drain(..);
                let refused = cells.map(|(cell, _)| format!("{target} {ty} {cell}: {error}"));
                found.refused.extend(refused);
            }
            look_at(job, &rest, compiler, expected, found);
            return;
        }
    };
    let words: Vec<u32> = compiled
        .image
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let of_module = |what: String| format!("{} {} {}: {what}", job.target, job.ty, cells[0]);
    for version in VERSIONS
        .into_iter()
        .filter(|one| *one >= job.target.version)
    {
        let known: VulkanVersion = version.parse().unwrap();
        match xpu_spirv::validate(&words, known) {
            Ok(()) => *found.valid.entry(version).or_default() += 1,
            Err(error) => found.invalid.push(of_module(error.to_string())),
        }
    }
    let module = match spirv::read(&words) {
        Ok(module) => module,
        Err(error) => {
            found.differing.push(of_module(error.clone()));
            found
                .refused
                .extend(cells.iter().map(|cell| format!("{cell}: {error}")));
            return;
        }
    };
    let version = format!("{}.{}", module.version.0, module.version.1);
    if expected.version(job.target.version) != Ok(version.as_str()) {
        found
            .differing
            .push(of_module(format!("is SPIR-V {version}")));
    }
    if module.is_vulkan != job.target.has("vulkan_memory_model") {
        found
            .differing
            .push(of_module("has the other memory model".to_string()));
    }
    found
        .illegal
        .extend(judge::violations(&module).into_iter().map(of_module));
    let needed = features::needed(&module);
    if needed != compiled.manifest.features.iter().cloned().collect() {
        let stated = &compiled.manifest.features;
        found.differing.push(of_module(format!(
            "needs {needed:?}, and states {stated:?}"
        )));
    }
    for lacking in needed.iter().filter(|one| !job.target.has(one)) {
        found.illegal.push(of_module(format!("needs '{lacking}'")));
    }
    look_at_kernels(job, made, &module, &said, expected, found);
}

fn look_at_kernels(
    job: &Job,
    made: &[(Cell, String)],
    module: &spirv::Module,
    said: &Said,
    expected: &Expected,
    found: &mut Outcome,
) {
    let has_workgroup = made.iter().any(|(cell, _)| cell.storage == "shared");
    let kernels: HashMap<&str, &spirv::Kernel> = module
        .kernels
        .iter()
        .map(|one| (one.name.as_str(), one))
        .collect();
    for (at, (cell, form)) in made.iter().enumerate() {
        let name = cell.to_string();
        let complain = |what: String| format!("{} {} {name}: {what}", job.target, job.ty);
        let kind = form.split(':').next().unwrap_or("").to_string();
        *found.forms.entry(kind).or_default() += 1;
        let Some(kernel) = kernels.get(name.as_str()) else {
            found.differing.push(complain("no kernel".to_string()));
            continue;
        };
        let differences = forms::differences(cell, form, kernel, module, has_workgroup, expected);
        found
            .differing
            .extend(differences.into_iter().map(complain));
        let weaknesses = judge::weaknesses(cell, kernel, module);
        found.weaker.extend(weaknesses.into_iter().map(complain));
        match expected.weaker(cell) {
            Ok(count) => {
                let problems = said.weaker_at(at, count);
                found.unwarned.extend(problems.into_iter().map(complain));
                if count > 0 {
                    *found.weakened.entry(what_is_weaker(cell)).or_default() += 1;
                }
            }
            Err(problem) => found.differing.push(complain(problem)),
        }
    }
}

fn what_is_weaker(cell: &Cell) -> &'static str {
    let is_ordered = cell.ordering == "seq_cst";
    let is_wide = cell.scope == "system" && cell.storage == "global";
    match (is_ordered, is_wide) {
        (true, true) => "seq_cst at system scope",
        (true, false) => "seq_cst",
        _ => "system scope",
    }
}

/// A module with workgroup memory orders it in every kernel, in those too that have none.
#[test]
fn kernels_of_one_module_order_the_same_memory() {
    let compiler = Compiler::new();
    let expected = Expected::read();
    for version in VERSIONS {
        let target = Target::new(version, "everything");
        let cells: Vec<Cell> = cells::of_type("i32")
            .into_iter()
            .filter(|cell| {
                (cell.op == "add" || cell.op == "load" || cell.op == "cas")
                    && cell.scope == "device"
                    && cell.storage != "private"
            })
            .chain(
                cells::fences()
                    .into_iter()
                    .filter(|cell| cell.scope != "workitem"),
            )
            .collect();
        let job = Job {
            target,
            ty: "i32",
            cells,
        };
        let mut found = Outcome::default();
        run(&job, &compiler, &expected, &mut found);
        found.is_right();
    }
}

/// With `strict`, what is weaker is an error, and nothing else is.
#[test]
fn strict_refuses_what_is_weaker() {
    let compiler = Compiler::strict();
    let expected = Expected::read();
    let target = Target::new("1.3", "everything");
    let mut cells = cells::of_type("i32");
    cells.retain(|cell| matches!(cell.op, "add" | "load" | "store" | "cas") && cell.used);
    cells.extend(cells::fences());
    let (weak, right): (Vec<Cell>, Vec<Cell>) = cells
        .into_iter()
        .partition(|cell| expected.weaker(cell).unwrap() > 0);
    let said = compiler.compile(&right, &target);
    assert!(said.compiled.is_ok(), "{:?}", said.all());
    let said = compiler.compile(&weak, &target);
    assert!(said.compiled.is_err());
    let silent: Vec<String> = weak
        .iter()
        .enumerate()
        .filter(|(at, cell)| {
            let errors = said.errors_at(*at);
            let names_it = |word: &str| errors.contains(&format!("'{word}'"));
            (cell.ordering == "seq_cst" && !names_it("seq_cst"))
                || (cell.scope == "system" && cell.storage == "global" && !names_it("system"))
        })
        .map(|(_, cell)| cell.to_string())
        .collect();
    assert!(silent.is_empty(), "weaker, and no error: {silent:?}");
}
