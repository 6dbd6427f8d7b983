//! `cargo xtask docs`: the generated documentation, which is committed and must not be stale.

mod passes;

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::arguments::Arguments;
use crate::workspace::Workspace;
use crate::{process, setup};

const DIALECT: &str = "docs/dialect.md";
const ODS: &str = "dialects/xpu/ods";

/// `cargo xtask docs`.
pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result<ExitCode> {
    let check = arguments.flag("--check");
    arguments.finish()?;
    setup::ensure(workspace)?;
    if check {
        self::check(workspace)?
    } else {
        write(workspace)?
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages that are stale.
pub(crate) fn write(workspace: &Workspace) -> Result<()> {
    let pages = pages(workspace)?;
    for (name, text) in stale(workspace, &pages) {
        let path = workspace.root.join(name);
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        fs::write(&path, text).with_context(|| format!("cannot write {name}"))?;
        println!("wrote {name}");
    }
    for orphan in passes::orphans(workspace, &pages) {
        fs::remove_file(&orphan).with_context(|| format!("cannot remove {orphan:?}"))?;
        println!("removed {}", workspace.short(&orphan).display());
    }
    Ok(())
}

/// Fails when a page is stale.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let pages = pages(workspace)?;
    let stale = stale(workspace, &pages);
    let names = stale.iter().map(|(name, _)| name.clone());
    let orphans = passes::orphans(workspace, &pages).into_iter();
    let orphans = orphans.map(|path| workspace.short(&path).display().to_string());
    let names: Vec<_> = names.chain(orphans).collect();
    if names.is_empty() {
        println!("docs: {} generated pages are up to date", pages.len());
        return Ok(());
    }
    bail!("stale: {}; run `cargo xtask bless`", names.join(", "));
}

/// Every generated page: its path from the repository's root and its text.
fn pages(workspace: &Workspace) -> Result<Vec<(String, String)>> {
    workspace.build()?;
    let mut pages = vec![(DIALECT.to_owned(), dialect(workspace)?)];
    pages.extend(passes::pages(workspace)?);
    for (_, text) in &mut pages {
        *text = tidy(text);
    }
    Ok(pages)
}

/// Those whose files differ.
fn stale<'a>(workspace: &Workspace, pages: &'a [(String, String)]) -> Vec<&'a (String, String)> {
    let differs = |(name, text): &&(String, String)| {
        let current = fs::read_to_string(workspace.root.join(name));
        current.ok().as_deref() != Some(text)
    };
    pages.iter().filter(differs).collect()
}

/// What `mlir-tblgen` says of the dialect's definition.
fn dialect(workspace: &Workspace) -> Result<String> {
    let mut command = Command::new(workspace.llvm_tool("mlir-tblgen"));
    command
        .args(["-gen-dialect-doc", "-dialect=xpu", "-I", ODS, "-I"])
        .arg(workspace.llvm.join("include"))
        .arg(format!("{ODS}/XpuOps.td"));
    process::output(command.current_dir(&workspace.root)).context(DIALECT)
}

/// Without trailing blanks, and with one newline at the end.
fn tidy(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_no_trailing_blanks() {
        assert_eq!(tidy("a  \n\nb\n\n\n"), "a\n\nb\n");
    }
}
