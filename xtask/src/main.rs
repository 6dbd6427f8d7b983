//! `cargo xtask`: every chore of the repository as one command.
//!
//! `cargo xtask help` lists the commands; [`COMMANDS`] is that list.

#![forbid(unsafe_code)]

mod arguments;
mod bless;
mod demo;
mod device;
mod device_report;
mod docs;
mod dump;
mod emulator;
mod histogram;
mod hostile;
mod install;
mod lint;
mod parallel;
mod process;
mod setup;
mod snippets;
mod tally;
mod test;
#[cfg(test)]
mod tidy;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;

use crate::arguments::Arguments;
use crate::workspace::Workspace;

struct Command {
    name: &'static str,
    usage: &'static str,
    summary: &'static str,
    run: fn(&Workspace, Arguments) -> Result<ExitCode>,
}

#[rustfmt::skip] // one row a line
const COMMANDS: &[Command] = &[
    Command { name: "setup", usage: "[--dry-run] [--packages]", summary: "install the system packages and the emulator that are missing, or the packages alone", run: setup::command },
    Command { name: "demo", usage: "[FILE]", summary: "the byte histogram of a file, stage by stage, checked", run: demo::command },
    Command { name: "test", usage: "[--filter TEXT]", summary: "every test: unit, lit, cases, hostile input", run: test::command },
    Command { name: "install", usage: "--prefix FOLDER [--release] [--without-vulkan]", summary: "libraries, headers, CMake package and programs, for C and C++", run: install::command },
    Command { name: "device", usage: "build [--cases FOLDER] [--chip CHIP] | build-vulkan [--cases FOLDER] | build-runs | report RESULTS", summary: "what a run on a machine with a GPU needs, in one folder; its tables", run: device::command },
    Command { name: "snippets", usage: "[--filter TEXT] [--bless]", summary: "the snippets of the documentation, with the tools as they are", run: snippets::command },
    Command { name: "hostile", usage: "[--seed S] [--count N] [--filter TEXT]", summary: "malformed input through the tools; none may crash", run: hostile::command },
    Command { name: "lint", usage: "", summary: "rustfmt, clippy and documentation, warnings denied", run: lint::command },
    Command { name: "ci", usage: "", summary: "lint, then test", run: lint::ci },
    Command { name: "bless", usage: "", summary: "rewrite snapshots and generated files", run: bless::command },
    Command { name: "docs", usage: "[--check]", summary: "rewrite (or check) the generated documentation", run: docs::command },
    Command { name: "bench", usage: "[ARGUMENT]...", summary: "the benchmarks; arguments go to `cargo bench`", run: bench },
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        if matches!(name.as_str(), "help" | "--help" | "-h") {
            print!("{}", help());
            return ExitCode::SUCCESS;
        }
        eprint!("error: no command `{name}`\n\n{}", help());
        return ExitCode::from(2);
    };
    let arguments = Arguments::new(words.collect());
    match Workspace::find().and_then(|workspace| (command.run)(&workspace, arguments)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            if error.is::<arguments::Usage>() {
                eprintln!("usage: cargo xtask {} {}", command.name, command.usage);
                return ExitCode::from(2);
            }
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let mut text = String::from("usage: cargo xtask COMMAND\n\n");
    for command in COMMANDS {
        let call = format!("{} {}", command.name, command.usage);
        text += &format!("  {call:<48} {}\n", command.summary);
    }
    text
}

/// Benchmarks share the profile of all other commands: Cargo.toml optimizes what they measure.
fn bench(workspace: &Workspace, arguments: Arguments) -> Result<ExitCode> {
    setup::ensure(workspace)?;
    process::run(
        workspace
            .cargo(["bench", "--profile", "dev", "-p", "xpu-bench"])
            .args(arguments.rest()),
    )?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_command() {
        for command in COMMANDS {
            assert!(
                help().contains(&format!("\n  {} ", command.name)),
                "{}",
                command.name
            );
        }
    }
}
