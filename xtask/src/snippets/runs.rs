//! The runs that pages promise on every target: a list of files and arguments, and the targets.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::page::absence;
use super::session::Outcome;
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{emulator, parallel, process};

/// Lines `FILE ARGUMENT…` for `xpu-run`, without a target, beside the kernels.
const LIST: &str = "examples/cookbook/runs.txt";

/// A target, how often to launch, and variables.
struct Target {
    name: &'static str,
    repeat: &'static str,
    variables: &'static [(&'static str, &'static str)],
}

#[rustfmt::skip] // one row a line
const TARGETS: &[Target] = &[
    Target { name: "cpu",            repeat: "20", variables: &[] },
    Target { name: "vulkan",         repeat: "5",  variables: &[("XPU_VULKAN_CACHE", "off")] },
    Target { name: "cuda",           repeat: "50", variables: &[] },
    Target { name: "amdgpu:gfx1100", repeat: "1",  variables: &[("XPU_AMDGPU_SEED", "1")] },
    Target { name: "amdgpu:gfx942",  repeat: "1",  variables: &[("XPU_AMDGPU_SEED", "2"), ("XPU_AMDGPU_MEMORY", "weak")] },
];

/// Launches each line on every target that is there, and compiles each file for NVIDIA, as far as the
/// machine can.
pub(crate) fn run(workspace: &Workspace, filter: &str) -> Result<Tally> {
    let path = workspace.root.join(LIST);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {LIST}"))?;
    let folder = path.parent().unwrap_or(&workspace.root);
    let lines: Vec<_> = lines(&text)?
        .into_iter()
        .filter(|words| words.join(" ").contains(filter))
        .collect();
    let jobs: Vec<_> = lines
        .iter()
        .flat_map(|words| {
            let compiled = std::iter::once((words, None));
            compiled.chain(TARGETS.iter().map(move |target| (words, Some(target))))
        })
        .collect();
    let outcomes = parallel::map(&jobs, |(words, target)| match target {
        Some(target) => launch(workspace, folder, words, target),
        None => compile(workspace, folder, &words[0]),
    });
    let mut tally = Tally::default();
    for ((words, target), outcome) in jobs.iter().zip(outcomes) {
        let outcome = outcome?;
        let name = format!(
            "{} on {}",
            words[0],
            target.map_or("nvptx:sm_90", |target| target.name)
        );
        match absence("xpu-run", &outcome) {
            Some(reason) => match tally.skipped.iter_mut().find(|skip| skip.reason == reason) {
                Some(skip) => skip.count += 1,
                None => tally.skip(target.map_or("", |target| target.name), 1, &reason),
            },
            None if outcome.status == 0 => tally.passed += 1,
            None => {
                println!("{name}: status {}\n{}", outcome.status, outcome.printed);
                tally.fail(name);
            }
        }
    }
    Ok(tally)
}

/// The file of each line of the list, and its arguments.
pub(crate) fn cookbook(workspace: &Workspace) -> Result<Vec<(PathBuf, Vec<String>)>> {
    let path = workspace.root.join(LIST);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {LIST}"))?;
    let lines = lines(&text)?.into_iter().map(|mut words| {
        let file = words.remove(0);
        (path.with_file_name(file), words)
    });
    Ok(lines.collect())
}

/// The words of each line that is no comment.
fn lines(text: &str) -> Result<Vec<Vec<String>>> {
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            if line.contains(['\'', '"', '\\']) {
                bail!("{LIST}: words are separated by blanks and not quoted: {line}");
            }
            Ok(line.split_whitespace().map(str::to_owned).collect())
        })
        .collect()
}

fn launch(
    workspace: &Workspace,
    folder: &Path,
    words: &[String],
    target: &Target,
) -> Result<Outcome> {
    let mut command = Command::new(workspace.tool("xpu-run"));
    command
        .args(words)
        .args(["--target", target.name, "--repeat", target.repeat]);
    emulator::name_to(workspace, &mut command);
    command.envs(target.variables.iter().copied());
    finish(command.current_dir(folder))
}

/// To a cubin where ptxas is there, else to PTX.
fn compile(workspace: &Workspace, folder: &Path, file: &str) -> Result<Outcome> {
    let out = workspace
        .target
        .join("snippets")
        .join(file.replace('/', "_"))
        .with_extension("cubin");
    fs::create_dir_all(out.parent().unwrap_or(&workspace.target))?;
    let mut command = Command::new(workspace.tool("xpu-compile"));
    command
        .args([file, "--target", "nvptx:sm_90", "--emit", "bin", "-o"])
        .arg(out);
    finish(command.current_dir(folder))
}

fn finish(command: &mut Command) -> Result<Outcome> {
    let output = command
        .output()
        .with_context(|| format!("cannot start `{}`", process::show(command)))?;
    let said = [output.stdout, output.stderr].concat();
    let status = output.status.code().unwrap_or(-1);
    Ok(Outcome {
        printed: String::from_utf8_lossy(&said).into_owned(),
        status,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_words_and_comments() {
        let words = lines("# a list\n\nk.mlir --arg  [1,2]:i32\n").unwrap();
        assert_eq!(words, [["k.mlir", "--arg", "[1,2]:i32"]]);
        assert!(lines("k.mlir --arg '[1]:i32'\n").is_err());
    }
}
