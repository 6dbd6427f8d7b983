//! The emulator of AMD GPUs: the Python environment under `target/` that it runs in, and its tests.
//!
//! It needs one package of PyPI, which is installed once; after that nothing is fetched.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// The package with the instruction decoder and AMD's pseudocode, of the one version whose inner
/// tables the emulator knows.
const PACKAGE: &str = "tinygrad==0.14.0";
/// The oldest Python that the package and the emulator take.
const PYTHON: (u32, u32) = (3, 11);
/// The variable that names the emulator's command.
const VARIABLE: &str = "XPU_AMDGPU_EMULATOR";
/// In the repository.
const EMULATOR: &str = "runtime/amdgpu-emulator";

/// The environment's folder.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("emulator")
}

fn python(folder: &Path) -> PathBuf {
    folder.join("bin").join("python")
}

/// Holds the package that was installed, and is written last.
fn mark(folder: &Path) -> PathBuf {
    folder.join("installed")
}

fn is_installed(folder: &Path) -> bool {
    fs::read_to_string(mark(folder)).is_ok_and(|text| text.trim() == PACKAGE)
}

/// Installs what the emulator runs in, unless it is there.
pub(crate) fn ensure(workspace: &Workspace) -> Result<()> {
    let folder = folder(workspace);
    if is_installed(&folder) {
        return Ok(());
    }
    println!(
        "emulator: installing {PACKAGE} into {}, once",
        workspace.short(&folder).display()
    );
    let version = process::output(Command::new("python3").arg("--version"))
        .context("the AMD emulator needs python3")?;
    if !is_recent(&version) {
        let (major, minor) = PYTHON;
        bail!(
            "the AMD emulator needs Python {major}.{minor} or later: python3 is {}",
            version.trim()
        );
    }
    process::run(Command::new("python3").args(["-m", "venv"]).arg(&folder)).context(
        "python3 cannot make a virtual environment; on Debian, `apt-get install python3-venv`",
    )?;
    let mut install = Command::new(python(&folder));
    install.args([
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        PACKAGE,
    ]);
    process::run(&mut install).with_context(|| {
        format!(
            "{PACKAGE} cannot be installed: is PyPI reachable? Everything but the tests on \
             emulated AMD GPUs works without it; where there is a mirror, set PIP_INDEX_URL"
        )
    })?;
    fs::write(mark(&folder), PACKAGE).context("cannot note that the emulator is installed")
}

/// `Python 3.11.7` is.
fn is_recent(version: &str) -> bool {
    let numbers = version.trim().strip_prefix("Python ").unwrap_or_default();
    let mut numbers = numbers.split('.').map(|number| number.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor) >= PYTHON,
        _ => false,
    }
}

/// What `setup --dry-run` says.
pub(crate) fn plan(workspace: &Workspace) {
    let folder = folder(workspace);
    let folder_text = workspace.short(&folder).display().to_string();
    if is_installed(&folder) {
        println!("setup: the emulator of AMD chips ({PACKAGE}) is in {folder_text}");
    } else {
        println!("setup: the emulator of AMD chips, for tests and xpu-run, would be made by");
        println!("$ python3 -m venv {folder_text}");
        println!("$ {folder_text}/bin/python -m pip install {PACKAGE}");
    }
}

/// Names the emulator to a command that may run AMD code, unless the user has named one.
pub(crate) fn name_to(workspace: &Workspace, command: &mut Command) {
    let folder = folder(workspace);
    if std::env::var_os(VARIABLE).is_none() && is_installed(&folder) {
        let mut words = OsString::from(python(&folder));
        words.push(" ");
        words.push(workspace.root.join(EMULATOR));
        command.env(VARIABLE, words);
    }
}

/// Runs the emulator's own tests.
pub(crate) fn run(workspace: &Workspace, filter: &str) -> Result<Tally> {
    let mut tally = Tally::default();
    let folder = folder(workspace);
    if !is_installed(&folder) {
        tally.skip(
            "all",
            1,
            "the emulator is not installed: `cargo xtask setup`",
        );
        return Ok(tally);
    }
    let mut command = Command::new(python(&folder));
    command
        .arg("-u")
        .arg(workspace.root.join(EMULATOR).join("tests"))
        .args((!filter.is_empty()).then_some(OsStr::new(filter)))
        .env("XPU_LLVM_BIN", workspace.llvm.join("bin"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let mut lines = Vec::new();
    let status = process::stream(&mut command, |line| {
        println!("  {line}");
        lines.push(line.to_owned());
    })?;
    let mut tally = read_output(&lines);
    if !status.success() && tally.failed.is_empty() && (tally.ran() > 0 || filter.is_empty()) {
        tally.fail(format!("the emulator's tests: {status}"));
    }
    Ok(tally)
}

/// Counts the lines `[1/9] name ok 0.3 s` and `[2/9] name FAILED 0.3 s`.
fn read_output(lines: &[String]) -> Tally {
    let mut tally = Tally::default();
    for line in lines.iter().filter(|line| line.starts_with('[')) {
        let mut words = line.split(' ').skip(1);
        match (words.next(), words.next()) {
            (Some(_), Some("ok")) => tally.passed += 1,
            (Some(name), Some("FAILED")) => tally.fail(name),
            (Some(name), Some("skipped")) => tally.skip(name, 1, "not on this machine"),
            _ => {}
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_python() {
        assert!(is_recent("Python 3.11.7\n") && is_recent("Python 3.14.0rc1"));
        assert!(!is_recent("Python 3.9.2") && !is_recent("Python 2.7") && !is_recent("3.11"));
    }

    #[test]
    fn counts() {
        let lines = [
            "[1/3] a.b ok 0.1 s",
            "[2/3] a.c FAILED 0.1 s",
            "AssertionError",
            "[3/3] a.d skipped 0.0 s",
            "1 passed, 1 failed, 1 skipped",
        ];
        let tally = read_output(&lines.map(String::from));
        assert_eq!((tally.passed, tally.failed), (1, vec!["a.c".to_owned()]));
        assert_eq!(tally.skipped.len(), 1);
    }
}
