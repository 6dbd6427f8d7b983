//! `cargo xtask test`: every runner, one after another, counted together.

mod cases;
mod install;
mod lit;
mod unit;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use crate::arguments::Arguments;
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{emulator, hostile, setup, snippets};

type Runner = fn(&Workspace, &str) -> Result<Tally>;

/// The runners: each takes the filter's text, empty for everything.
const RUNNERS: &[(&str, Runner)] = &[
    ("unit", unit::run),
    ("lit", lit::run),
    ("docs", snippets::run),
    ("install", install::run),
    ("cases", cases::run),
    ("hostile", hostile::run),
    ("emulator", emulator::run),
];

/// `cargo xtask test`. The last line is the counts.
pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result<ExitCode> {
    let filter: String = arguments.value("--filter")?.unwrap_or_default();
    arguments.finish()?;
    let start = Instant::now();
    let mut total = Tally::default();
    match build(workspace) {
        Ok(()) => {
            for (name, run) in RUNNERS {
                total.add(name, stage(name, || run(workspace, &filter)));
            }
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            total.fail("build");
        }
    }
    println!("\n== all in {:.1} s", start.elapsed().as_secs_f64());
    print!("{}", total.report());
    if total.ran() == 0 && !filter.is_empty() {
        eprintln!("error: no test that can run here has `{filter}` in its name");
    }
    let right = total.failed.is_empty() && total.ran() > 0;
    Ok(if right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn build(workspace: &Workspace) -> Result<()> {
    println!("== build");
    let start = Instant::now();
    setup::ensure(workspace)?;
    if let Err(error) = emulator::ensure(workspace) {
        // Its tests are skipped, and counted as such.
        eprintln!("warning: {error:#}");
    }
    workspace.build()?;
    println!("== build: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs one runner; its breakdown counts as a failure.
fn stage(name: &str, run: impl FnOnce() -> Result<Tally>) -> Tally {
    println!("\n== {name}");
    let start = Instant::now();
    let tally = run().unwrap_or_else(|error| {
        println!("error: {error:#}");
        let mut tally = Tally::default();
        tally.fail(format!("the runner broke down: {error}"));
        tally
    });
    println!(
        "== {name}: {tally} in {:.1} s",
        start.elapsed().as_secs_f64()
    );
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_that_breaks_down_is_a_failure() {
        let tally = stage("x", || anyhow::bail!("no lit"));
        assert_eq!(tally.failed, ["the runner broke down: no lit"]);
    }
}
