//! The snippets of the documentation, run as a reader would: `cargo xtask test` calls this `docs`.
//!
//! In the Markdown pages of [`PAGES`],
//!
//! - a `console` block is run, and each `$ command` has to print what stands below it, standard error
//!   included; a line `…` stands for any lines. Cargo is not called. A status other than 0 has to be shown by `$ echo $?`.
//! - an `sh` block is run, and each command has to succeed.
//! - an `mlir` block has to parse and verify.
//! - a block whose first line is a comment with a file's name, `// k.mlir`, is that file for the
//!   commands after it.
//!
//! An HTML comment before a block, which readers do not see, says more: [`markdown::Note`].
//! What wants a device that is not there is skipped, and counted.

pub(crate) mod markdown;
mod page;
pub(crate) mod runs;
mod session;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::arguments::Arguments;
use crate::parallel;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Pages, and folders whose pages are meant.
const PAGES: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "docs",
    "docs/passes",
    "docs/rationale",
    "examples",
];

/// Pages whose snippets are parts of something that is tested elsewhere: the dialect's definition.
const GENERATED: &[&str] = &["docs/dialect.md"];

/// `cargo xtask snippets`: without a build, for those who write pages.
pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result<ExitCode> {
    let filter: String = arguments.value("--filter")?.unwrap_or_default();
    let rewrites = arguments.flag("--bless");
    arguments.finish()?;
    if rewrites {
        bless(workspace, &filter)?;
        return Ok(ExitCode::SUCCESS);
    }
    let tally = run(workspace, &filter)?;
    print!("{}", tally.report());
    let right = tally.failed.is_empty() && tally.ran() > 0;
    Ok(if right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs the pages whose names contain the filter, and the cookbook's kernels on every target.
pub(crate) fn run(workspace: &Workspace, filter: &str) -> Result<Tally> {
    let mut tally = Tally::default();
    let pages = pages(workspace, filter)?;
    for done in parallel::map(&pages, |page| page::run(workspace, page, false)) {
        tally.add_all(done?);
    }
    tally.add("cookbook", runs::run(workspace, filter)?);
    Ok(tally)
}

/// Writes what commands print, and files, into the pages.
pub(crate) fn bless(workspace: &Workspace, filter: &str) -> Result<()> {
    let pages = pages(workspace, filter)?;
    for done in parallel::map(&pages, |page| page::run(workspace, page, true)) {
        done?;
    }
    Ok(())
}

fn pages(workspace: &Workspace, filter: &str) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for name in PAGES {
        let path = workspace.root.join(name);
        if path.is_file() {
            pages.push(path);
        } else if path.is_dir() {
            pages.extend(folder_pages(&path)?);
        }
    }
    pages.retain(|page| {
        let name = workspace.short(page).display().to_string();
        name.contains(filter) && !GENERATED.contains(&name.as_str())
    });
    pages.sort();
    Ok(pages)
}

/// The pages of a folder; of `examples`, those in its folders.
fn folder_pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {folder:?}"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        } else if path.join("README.md").is_file() && folder.ends_with("examples") {
            pages.push(path.join("README.md"));
        }
    }
    Ok(pages)
}
