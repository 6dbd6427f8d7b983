//! `cargo xtask lint` and `cargo xtask ci`: what the code must satisfy besides its tests.

use std::process::ExitCode;

use anyhow::Result;

use crate::arguments::Arguments;
use crate::workspace::Workspace;
use crate::{docs, process, setup, test};

/// `cargo xtask lint`: the quick checks first.
pub(crate) fn command(workspace: &Workspace, arguments: Arguments) -> Result<ExitCode> {
    arguments.finish()?;
    setup::ensure(workspace)?;
    process::run(&mut workspace.cargo(["fmt", "--all", "--", "--check"]))?;
    docs::check(workspace)?;
    process::run(&mut workspace.cargo([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-Dwarnings",
    ]))?;
    // What others build with fewer features: the whole workspace has them all.
    for (features, packages) in [
        ("", &["xpu", "xpu-plugin"][..]),
        (
            "xpu/compile,xpu-plugin/compile",
            &["xpu", "xpu-plugin", "xpu-compile", "xpu-run"],
        ),
    ] {
        let mut clippy =
            workspace.cargo(["clippy", "--no-default-features", "--features", features]);
        clippy.args(packages.iter().flat_map(|name| ["--package", name]));
        process::run(clippy.args(["--", "-Dwarnings"]))?;
    }
    let mut doc = workspace.cargo(["doc", "--workspace", "--no-deps"]);
    process::run(doc.env("RUSTDOCFLAGS", "-Dwarnings"))?;
    Ok(ExitCode::SUCCESS)
}

/// `cargo xtask ci`.
pub(crate) fn ci(workspace: &Workspace, arguments: Arguments) -> Result<ExitCode> {
    command(workspace, arguments)?;
    test::command(workspace, Arguments::new(Vec::new()))
}
