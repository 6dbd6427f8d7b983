//! One page: its blocks in order, in a folder of its own that has the repository's folders in it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::markdown::{self, Block, Note};
use super::session::{self, Outcome, Step};
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{COMMANDS, emulator};

/// Programs that a command may want and a machine need not have.
const OPTIONAL: &[&str] = &["cmake", "ninja", "ptxas", "spirv-dis", "spirv-val"];

/// Seconds that the commands of one block may take.
const LIMIT: &str = "300";

/// Runs the blocks of a page; with `bless`, puts what they print into it instead of failing.
pub(crate) fn run(workspace: &Workspace, page: &Path, bless: bool) -> Result<Tally> {
    let name = workspace.short(page).display().to_string();
    let text = fs::read_to_string(page).with_context(|| format!("cannot read {name}"))?;
    let blocks = markdown::blocks(&text).with_context(|| name.clone())?;
    let mut run = Run {
        workspace,
        folder: folder(workspace, &name)?,
        name,
        tally: Tally::default(),
        findings: String::new(),
        bless,
    };
    let mut replaced = Vec::new();
    for block in &blocks {
        if let Some(new) = run.block(block)?
            && new != block.text
        {
            replaced.push((block, new));
        }
    }
    if !replaced.is_empty() {
        fs::write(page, markdown::replace(&text, &replaced))
            .with_context(|| format!("cannot write {}", run.name))?;
        println!("wrote {}", run.name);
    }
    print!("{}", run.findings);
    Ok(run.tally)
}

/// An empty folder for the page's files, through which those of the repository are seen.
fn folder(workspace: &Workspace, name: &str) -> Result<PathBuf> {
    let folder = workspace
        .target
        .join("snippets")
        .join(name.replace('/', "_"));
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {folder:?}"))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {folder:?}"))?;
    for entry in fs::read_dir(&workspace.root)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != "target" && !name.to_string_lossy().starts_with('.') {
            symlink(entry.path(), folder.join(name))?;
        }
    }
    symlink(&workspace.target, folder.join("target"))?;
    Ok(folder)
}

struct Run<'a> {
    workspace: &'a Workspace,
    name: String,
    folder: PathBuf,
    tally: Tally,
    /// What failed, for the person.
    findings: String,
    bless: bool,
}

impl Run<'_> {
    /// Runs a block; while blessing, the text that it should have.
    fn block(&mut self, block: &Block) -> Result<Option<String>> {
        if let Note::NotRun(reason) = &block.note {
            self.tally.skip(&self.place(block), 1, reason);
            return Ok(None);
        }
        if let Some(name) = block.file_name() {
            let path = self.folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
            fs::write(&path, &block.text).with_context(|| format!("cannot write {path:?}"))?;
        }
        if let Note::File(path) | Note::From(path) = &block.note {
            return self.embedded(block, path);
        }
        match block.language.as_str() {
            "mlir" if block.note != Note::Fragment => self.parses(block)?,
            "console" => return self.console(block),
            "sh" => self.script(block)?,
            _ => {}
        }
        Ok(None)
    }

    fn place(&self, block: &Block) -> String {
        format!("{}:{}", self.name, block.line)
    }

    fn fail(&mut self, block: &Block, what: &str, details: &str) {
        let place = self.place(block);
        self.findings += &format!("{place}: {what}\n{}", indent(details));
        self.tally.fail(format!("{place}: {what}"));
    }

    /// The block is a file of the repository, or a part of it.
    fn embedded(&mut self, block: &Block, path: &str) -> Result<Option<String>> {
        let text = fs::read_to_string(self.workspace.root.join(path))
            .with_context(|| format!("{}: cannot read {path}", self.place(block)))?;
        let whole = matches!(block.note, Note::File(_));
        if whole && block.text == text || !whole && block.is_part_of(&text) {
            self.tally.passed += 1;
        } else if whole && self.bless {
            return Ok(Some(text));
        } else if whole {
            self.fail(
                block,
                &format!("is not {path}: run `cargo xtask bless`"),
                "",
            );
        } else {
            self.fail(block, &format!("is no part of {path}"), "");
        }
        Ok(None)
    }

    /// The module parses and verifies.
    fn parses(&mut self, block: &Block) -> Result<()> {
        let file = self.folder.join(format!("line-{}.mlir", block.line));
        fs::write(&file, &block.text).with_context(|| format!("cannot write {file:?}"))?;
        let mut command = Command::new(self.workspace.tool("xpu-opt"));
        command
            .args(["--split-input-file", "-o", "/dev/null"])
            .arg(&file);
        let output = command.output().context("cannot start xpu-opt")?;
        if output.status.success() {
            self.tally.passed += 1;
        } else {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            self.fail(
                block,
                "is no right module (`<!-- fragment -->` before it: a part of one)",
                &said,
            );
        }
        Ok(())
    }

    /// Each command prints what stands below it.
    fn console(&mut self, block: &Block) -> Result<Option<String>> {
        let steps = session::steps(&block.text).with_context(|| self.place(block))?;
        if steps.iter().any(|step| step.command.starts_with("cargo ")) {
            return Ok(None);
        }
        let mut shell = self.shell();
        let outcomes = match session::run(&mut shell, &with_setup(block, &steps)) {
            Ok(mut outcomes) => outcomes.split_off(outcomes.len() - steps.len()),
            Err(error) => {
                self.fail(block, "does not run", &format!("{error:#}\n"));
                return Ok(None);
            }
        };
        let mut new = String::new();
        for (at, (step, outcome)) in steps.iter().zip(&outcomes).enumerate() {
            let next = steps.get(at + 1).map_or("", |step| step.command.as_str());
            let prints = self.step(block, step, outcome, next == "echo $?");
            new += &format!("$ {}\n{prints}", step.command);
        }
        Ok(self.bless.then_some(new))
    }

    /// What the block should say that the command prints.
    fn step(
        &mut self,
        block: &Block,
        step: &Step,
        outcome: &Outcome,
        status_shown: bool,
    ) -> String {
        let Outcome { printed, status } = outcome;
        let right = session::matches(&step.prints, printed);
        if !status_shown && let Some(reason) = absence(&step.command, outcome) {
            let name = format!("{}: {}", self.place(block), first_line(&step.command));
            self.tally.skip(&name, 1, &reason);
        } else if *status != 0 && !status_shown {
            let what = format!("status {status} of `{}`", first_line(&step.command));
            self.fail(block, &what, printed);
        } else if right {
            self.tally.passed += 1;
        } else if self.bless && !session::has_gaps(&step.prints) {
            return printed.clone();
        } else {
            let what = format!("`{}` prints something else", first_line(&step.command));
            self.fail(block, &what, printed);
        }
        step.prints.clone()
    }

    /// Every command succeeds. Cargo is not called: what it would build is tested elsewhere. Its chores
    /// of this repository have to be known.
    fn script(&mut self, block: &Block) -> Result<()> {
        let mut steps = Vec::new();
        let mut command = String::new();
        for line in block.text.lines() {
            command += line;
            if line.ends_with('\\') {
                command.push('\n');
                continue;
            }
            let whole = std::mem::take(&mut command);
            match whole.strip_prefix("cargo xtask ") {
                None if whole.trim().is_empty() || whole.starts_with(['#', ' ']) => {}
                None if whole.starts_with("cargo ") => {}
                None => steps.push(Step {
                    command: whole,
                    prints: String::new(),
                }),
                Some(rest) => {
                    let name = rest.split(' ').next().unwrap_or_default();
                    if name == "help" || COMMANDS.iter().any(|command| command.name == name) {
                        self.tally.passed += 1;
                    } else {
                        self.fail(block, &format!("there is no `cargo xtask {name}`"), "");
                    }
                }
            }
        }
        if steps.is_empty() {
            return Ok(());
        }
        let with_setup = with_setup(block, &steps);
        match session::run(&mut self.shell(), &with_setup) {
            Err(error) => self.fail(block, "does not run", &format!("{error:#}\n")),
            Ok(outcomes) => {
                for (step, outcome) in with_setup.iter().zip(&outcomes) {
                    let first = first_line(&step.command);
                    if let Some(reason) = absence(&step.command, outcome) {
                        self.tally
                            .skip(&format!("{}: {first}", self.place(block)), 1, &reason);
                    } else if outcome.status != 0 {
                        let what = format!("status {} of `{first}`", outcome.status);
                        self.fail(block, &what, &outcome.printed);
                    } else {
                        self.tally.passed += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// A shell in the page's folder with the tools on its path.
    fn shell(&self) -> Command {
        let mut shell = Command::new("timeout");
        shell.args([LIMIT, "bash"]).current_dir(&self.folder);
        let old = std::env::var_os("PATH").unwrap_or_default();
        let first = [self.workspace.bin.clone(), self.workspace.llvm.join("bin")];
        let path = std::env::join_paths(first.into_iter().chain(std::env::split_paths(&old)));
        if let Ok(path) = path {
            shell.env("PATH", path);
        }
        // Nothing is left in the user's folders.
        shell.env("XPU_VULKAN_CACHE", "off");
        emulator::name_to(self.workspace, &mut shell);
        shell
    }
}

fn with_setup(block: &Block, steps: &[Step]) -> Vec<Step> {
    let step = |command: &str| Step {
        command: command.to_owned(),
        prints: String::new(),
    };
    let setup = match &block.note {
        Note::Setup(commands) => Some(step(commands)),
        _ => None,
    };
    let steps = steps.iter().map(|other| step(&other.command));
    setup.into_iter().chain(steps).collect()
}

/// Why a command could not run on this machine, if so: the tools say it with the status 3.
pub(super) fn absence(command: &str, outcome: &Outcome) -> Option<String> {
    let said = outcome
        .printed
        .lines()
        .find(|line| line.starts_with("error: "));
    let program = command
        .split_whitespace()
        .find(|word| !word.contains('='))
        .unwrap_or_default();
    match outcome.status {
        3 if ["xpu-", "launch-"]
            .iter()
            .any(|start| program.starts_with(start)) =>
        {
            Some(
                said.map_or("its device is missing", |line| &line[7..])
                    .to_owned(),
            )
        }
        127 if OPTIONAL.contains(&program) => Some(format!("there is no {program}")),
        _ => None,
    }
}

fn first_line(command: &str) -> String {
    command
        .lines()
        .next()
        .unwrap_or_default()
        .trim_end_matches(['\\', ' '])
        .to_owned()
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_device_is_no_failure() {
        let outcome = |status, printed: &str| Outcome {
            printed: printed.into(),
            status,
        };
        let none = outcome(3, "warning: x\nerror: no CUDA driver\n");
        assert_eq!(
            absence("A=b xpu-run k.mlir", &none).as_deref(),
            Some("no CUDA driver")
        );
        assert_eq!(absence("grep x", &none), None);
        assert_eq!(absence("xpu-run", &outcome(1, "error: wrong\n")), None);
        assert_eq!(
            absence("cmake ..", &outcome(127, "")).as_deref(),
            Some("there is no cmake")
        );
        assert_eq!(absence("xpu-typo", &outcome(127, "")), None);
    }
}
