//! `cargo xtask docs`: the generated documentation, which is committed and must not be stale.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::arguments::Arguments;
use crate::workspace::Workspace;
use crate::{process, setup};

/// A generated file.
struct Page {
    /// From the repository's root.
    path: &'static str,
    source: Source,
}

/// The program that writes a page, and what it is asked for.
enum Source {
    /// `mlir-tblgen`, over the dialect's ODS files.
    Tablegen(&'static [&'static str]),
    /// `xpu-opt`, built first.
    #[cfg_attr(
        not(test),
        expect(
            dead_code,
            reason = "the matrix pages come with the targets that have a table"
        )
    )]
    XpuOpt(&'static [&'static str]),
}

/// Every generated page. A target's matrix is one more row:
/// `Page { path: "docs/matrix/cpu.md", source: Source::XpuOpt(&["--print-matrix=cpu"]) }`.
#[rustfmt::skip] // one row a line
const PAGES: &[Page] = &[
    Page { path: "docs/dialect.md", source: Source::Tablegen(&["-gen-dialect-doc", "-dialect=xpu"]) },
];

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
    for (page, text) in stale(workspace, PAGES)? {
        let path = workspace.root.join(page.path);
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", page.path))?;
        println!("wrote {}", page.path);
    }
    Ok(())
}

/// Fails when a page is stale.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let stale = stale(workspace, PAGES)?;
    if stale.is_empty() {
        println!("docs: {} generated pages are up to date", PAGES.len());
        return Ok(());
    }
    let names: Vec<_> = stale.iter().map(|(page, _)| page.path).collect();
    bail!("stale: {}; run `cargo xtask bless`", names.join(", "));
}

/// The pages whose files differ from what they should be, with that.
fn stale<'a>(workspace: &Workspace, pages: &'a [Page]) -> Result<Vec<(&'a Page, String)>> {
    if pages
        .iter()
        .any(|page| matches!(page.source, Source::XpuOpt(_)))
    {
        workspace.build()?;
    }
    let mut stale = Vec::new();
    for page in pages {
        let text = generate(workspace, page).with_context(|| page.path)?;
        let current = fs::read_to_string(workspace.root.join(page.path));
        if current.ok().as_deref() != Some(&text) {
            stale.push((page, text));
        }
    }
    Ok(stale)
}

fn generate(workspace: &Workspace, page: &Page) -> Result<String> {
    let mut command = match page.source {
        Source::Tablegen(arguments) => {
            let mut command = Command::new(workspace.llvm_tool("mlir-tblgen"));
            command.args(arguments).arg("-I").arg(ODS).arg("-I");
            command
                .arg(workspace.llvm.join("include"))
                .arg(format!("{ODS}/XpuOps.td"));
            command
        }
        Source::XpuOpt(arguments) => {
            let mut command = Command::new(workspace.tool("xpu-opt"));
            command.args(arguments);
            command
        }
    };
    Ok(tidy(&process::output(
        command.current_dir(&workspace.root),
    )?))
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

    #[test]
    fn a_page_of_another_program_is_found_stale() {
        let page = Page {
            path: "docs/matrix/none.md",
            source: Source::XpuOpt(&["--print-matrix=none"]),
        };
        assert!(matches!(page.source, Source::XpuOpt(arguments) if arguments.len() == 1));
    }
}
