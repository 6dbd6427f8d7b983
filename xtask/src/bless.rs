//! `cargo xtask bless`: accepts what the code now produces as what the tests expect.

use std::process::ExitCode;

use anyhow::Result;

use crate::arguments::Arguments;
use crate::workspace::Workspace;
use crate::{docs, process, setup, snippets};

/// Set (to `1`) while blessing: a test that compares a committed file with a generated one, an
/// `autogen_*` file say, writes the file instead.
pub(crate) const BLESS: &str = "XPU_BLESS";

/// `cargo xtask bless`.
pub(crate) fn command(workspace: &Workspace, arguments: Arguments) -> Result<ExitCode> {
    arguments.finish()?;
    setup::ensure(workspace)?;
    // The pages first: tests may compare them too.
    docs::write(workspace)?;
    workspace.build()?;
    let mut tests = workspace.cargo(["test", "--workspace", "--no-fail-fast", "--quiet"]);
    tests
        .env(BLESS, "1")
        .env("INSTA_UPDATE", "always")
        .env("INSTA_FORCE_PASS", "1");
    process::run(&mut tests)?;
    snippets::bless(workspace, "")?;
    println!("blessed: look at the difference before you commit it");
    Ok(ExitCode::SUCCESS)
}
