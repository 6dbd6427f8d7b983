//! Malformed and hostile input: generated from a seed, sent through the tools.
//!
//! No file may crash or hang a tool. One that is wrong must be refused with exit status 1 and an
//! error that has a location; each case knows which tool must refuse it.

mod grown;
mod mangled;
mod random;
mod rows;
mod runner;

use std::collections::{BTreeMap, HashSet};
use std::process::ExitCode;

use anyhow::Result;

use crate::arguments::Arguments;
use crate::hostile::random::Random;
use crate::setup;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// The seed and the count of `cargo xtask test`.
const SEED: u64 = 2;
const COUNT: usize = 200;

/// Which tool must refuse a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Every tool: it does not parse or verify.
    Everywhere,
    /// The pipeline to the CPU, and so `xpu-run`.
    Lowering,
    /// `xpu-run`: the launch cannot be. Its error may be about the arguments, without a location.
    Launch,
    /// None: it is odd but right.
    Nowhere,
    /// Any tool may; none may crash.
    Free,
}

/// A file, and how `xpu-run` is called on it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Made of the category and a number: names the file.
    pub(crate) name: String,
    pub(crate) category: &'static str,
    pub(crate) text: Vec<u8>,
    pub(crate) verdict: Verdict,
    /// The arguments of the kernel `k`.
    pub(crate) arguments: Vec<String>,
    /// Work-items to launch.
    pub(crate) threads: u32,
}

/// What a maker makes: a case without its name.
pub(crate) struct Made {
    pub(crate) text: Vec<u8>,
    pub(crate) verdict: Verdict,
    pub(crate) arguments: Vec<String>,
    pub(crate) threads: u32,
}

impl Made {
    pub(crate) fn new(verdict: Verdict, text: impl Into<Vec<u8>>) -> Self {
        let arguments = Vec::new();
        Self {
            text: text.into(),
            verdict,
            arguments,
            threads: 1,
        }
    }

    pub(crate) fn arguments(mut self, arguments: &[&str]) -> Self {
        self.arguments = arguments
            .iter()
            .map(|&argument| argument.to_owned())
            .collect();
        self
    }

    pub(crate) fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }
}

/// A source of cases.
pub(crate) struct Category {
    pub(crate) name: &'static str,
    pub(crate) maker: Maker,
}

/// How a category makes its cases.
pub(crate) enum Maker {
    /// Rows of whole files.
    Files(&'static [rows::Row]),
    /// Rows that stand in the body of a kernel.
    Bodies(&'static [rows::Row]),
    /// A function of chance and of how many it made; without end.
    Grow(fn(&mut Random, usize) -> Made),
}

/// Distinct cases, as many as asked for: one of each category in turn.
pub(crate) fn generate(seed: u64, count: usize) -> Vec<Case> {
    let mut random = Random::new(seed);
    let categories: Vec<&Category> = [rows::CATEGORIES, grown::CATEGORIES, mangled::CATEGORIES]
        .into_iter()
        .flatten()
        .collect();
    // The rows of a category come in an order that the seed decides.
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for category in &categories {
        let length = match category.maker {
            Maker::Files(rows) | Maker::Bodies(rows) => rows.len(),
            Maker::Grow(_) => 0,
        };
        orders.push(random.shuffled(length));
    }
    let mut cases = Vec::new();
    let mut seen = HashSet::new();
    for round in 0.. {
        for (category, order) in categories.iter().zip(&orders) {
            if cases.len() == count {
                return cases;
            }
            let made = match (&category.maker, order.get(round)) {
                (Maker::Files(rows), Some(&at)) => rows::file(&rows[at]),
                (Maker::Bodies(rows), Some(&at)) => rows::body(&rows[at]),
                (Maker::Files(_) | Maker::Bodies(_), None) => continue,
                (Maker::Grow(grow), _) => grow(&mut random, round),
            };
            // One text may be launched in several ways.
            if seen.insert((made.text.clone(), made.arguments.clone())) {
                let Made {
                    text,
                    verdict,
                    arguments,
                    threads,
                } = made;
                let name = format!("{}-{round:03}", category.name.replace(' ', "-"));
                let category = category.name;
                cases.push(Case {
                    name,
                    category,
                    text,
                    verdict,
                    arguments,
                    threads,
                });
            }
        }
    }
    cases
}

/// `cargo xtask hostile`.
pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result<ExitCode> {
    let seed = arguments.value("--seed")?.unwrap_or(SEED);
    let count = arguments.value("--count")?.unwrap_or(COUNT);
    let filter: String = arguments.value("--filter")?.unwrap_or_default();
    arguments.finish()?;
    setup::ensure(workspace)?;
    workspace.build()?;
    let tally = run_cases(workspace, seed, count, &filter)?;
    print!("{}", tally.report());
    let right = tally.failed.is_empty() && tally.passed > 0;
    Ok(if right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The stage of `cargo xtask test`.
pub(crate) fn run(workspace: &Workspace, filter: &str) -> Result<Tally> {
    run_cases(workspace, SEED, COUNT, filter)
}

fn run_cases(workspace: &Workspace, seed: u64, count: usize, filter: &str) -> Result<Tally> {
    let mut cases = generate(seed, count);
    cases.retain(|case| case.name.contains(filter));
    let failures = runner::run(workspace, &cases)?;
    let mut table: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for case in &cases {
        let (all, failed) = table.entry(case.category).or_default();
        *all += 1;
        *failed += usize::from(failures.contains_key(case.name.as_str()));
    }
    for (category, (all, failed)) in &table {
        println!("  {:>4} right {failed:>2} wrong  {category}", all - failed);
    }
    println!(
        "  seed {seed}: {} files in {} categories",
        cases.len(),
        table.len()
    );
    let mut tally = Tally {
        passed: cases.len() - failures.len(),
        ..Tally::default()
    };
    for (name, reasons) in failures {
        for reason in &reasons {
            println!("{name}: {reason}");
        }
        tally.fail(name);
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hundred_distinct_files() {
        let cases = generate(SEED, COUNT);
        assert_eq!(cases.len(), COUNT);
        let names: HashSet<_> = cases.iter().map(|case| &case.name).collect();
        assert_eq!(names.len(), COUNT);
        let runs: HashSet<_> = cases
            .iter()
            .map(|case| (&case.text, &case.arguments))
            .collect();
        assert_eq!(runs.len(), COUNT);
    }

    #[test]
    fn a_seed_gives_the_same_files_and_another_gives_others() {
        let texts = |seed| {
            generate(seed, COUNT)
                .into_iter()
                .map(|c| c.text)
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(7));
    }

    #[test]
    fn every_category_has_a_case_whatever_the_seed() {
        let all = [rows::CATEGORIES, grown::CATEGORIES, mangled::CATEGORIES].concat_names();
        for seed in [0, SEED, 99] {
            let cases = generate(seed, COUNT);
            for name in &all {
                assert!(cases.iter().any(|case| case.category == *name), "{name}");
            }
        }
    }

    #[test]
    fn more_files_than_rows_are_made_on_request() {
        assert_eq!(generate(SEED, 900).len(), 900);
    }

    trait ConcatNames {
        fn concat_names(&self) -> Vec<&'static str>;
    }

    impl ConcatNames for [&[Category]; 3] {
        fn concat_names(&self) -> Vec<&'static str> {
            self.iter()
                .flat_map(|list| list.iter().map(|category| category.name))
                .collect()
        }
    }
}
