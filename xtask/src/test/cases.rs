//! The cases of the sibling folder `../shared/cases`, when it is there: its `run.py` runs each
//! on one target and compares the buffers itself.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{emulator, parallel, process};

/// Variables for a run of the cases.
type Variables = &'static [(&'static str, &'static str)];

/// As the environment is.
const ONCE: &[Variables] = &[&[]];
/// On the emulator: two orders of the waves, and caches and accesses as late as the hardware may
/// have them.
const EMULATED: &[Variables] = &[
    &[("XPU_AMDGPU_SEED", "1")],
    &[("XPU_AMDGPU_SEED", "2")],
    &[("XPU_AMDGPU_SEED", "3"), ("XPU_AMDGPU_MEMORY", "weak")],
];

/// The targets of the cases and the runs on each; all but the first depend on the machine.
#[rustfmt::skip] // one row a line
const TARGETS: &[(&str, &[Variables])] = &[
    ("cpu", ONCE),
    ("cuda", ONCE),
    ("vulkan", ONCE),
    ("amdgpu:gfx1100", EMULATED),
    ("amdgpu:gfx1151", EMULATED),
    ("amdgpu:gfx942", EMULATED),
];

/// What the environment says, unless it says something else already: the validation layer watches
/// what is done with Vulkan, and nothing is left in the user's folders.
const ENVIRONMENT: &[(&str, &str)] = &[("XPU_VULKAN_VALIDATION", "1"), ("XPU_VULKAN_CACHE", "off")];

/// Needs no buffer and does nothing: says whether a target is there.
const PROBE: &str = "xpu.kernel @probe() workgroup_size(1, 1, 1) {\n  xpu.return\n}\n";

/// Runs the cases on every target that is there.
pub(crate) fn run(workspace: &Workspace, filter: &str) -> Result<Tally> {
    let mut tally = Tally::default();
    let folder = workspace.root.join("../shared/cases");
    if !folder.join("run.py").exists() {
        tally.skip(
            "all",
            1,
            "there is no folder ../shared/cases beside the repository",
        );
        return Ok(tally);
    }
    if !python_has_tomllib() {
        tally.skip("all", 1, "run.py needs python3 of version 3.11 or later");
        return Ok(tally);
    }
    let mut jobs: Vec<Job> = Vec::new();
    for &(target, runs) in TARGETS {
        let absent = if target == "cpu" {
            None
        } else {
            absence(workspace, target)?
        };
        match absent {
            Some(reason) => {
                let count = count(&folder, target, filter)?;
                if count > 0 {
                    tally.skip(target, count, &reason);
                }
            }
            None => jobs.extend(runs.iter().map(|variables| (target, *variables))),
        }
    }
    let runs = parallel::map(&jobs, |&(target, variables)| {
        run_target(workspace, &folder, target, variables, filter)
    });
    for (&(target, variables), run) in jobs.iter().zip(runs) {
        tally.add(&describe(target, variables), run?);
    }
    require(
        &mut tally,
        &std::env::var("XPU_REQUIRE").unwrap_or_default(),
    );
    Ok(tally)
}

/// A run of the cases on a target.
type Job = (&'static str, Variables);

/// The target, and the variables if there are any.
fn describe(target: &str, variables: Variables) -> String {
    let words = variables
        .iter()
        .map(|(name, value)| format!(" {name}={value}"));
    target.to_owned() + &words.collect::<String>()
}

fn run_target(
    workspace: &Workspace,
    folder: &Path,
    target: &str,
    variables: Variables,
    filter: &str,
) -> Result<Tally> {
    let name = describe(target, variables);
    let mut command = Command::new("python3");
    command
        .arg("-u")
        .arg(folder.join("run.py"))
        .args(["-v", "--xpu-run"])
        .arg(workspace.tool("xpu-run"));
    command.args(["--target", target, "--filter", filter]);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    set_environment(&mut command);
    emulator::name_to(workspace, &mut command);
    command.envs(variables.iter().copied());
    let mut lines = Vec::new();
    let status = process::stream(&mut command, |line| {
        println!("  {name}: {line}");
        lines.push(line.to_owned());
    })?;
    let mut tally = read_output(&lines).with_context(|| format!("run.py --target {target}"))?;
    let empty = tally.ran() == 0;
    if empty && filter.is_empty() {
        tally.fail("run.py ran no case");
    } else if !empty && !status.success() && tally.failed.is_empty() {
        tally.fail(format!("run.py: {status}"));
    }
    Ok(tally)
}

/// Counts the lines `FAIL name: reason` and checks them against the last, `N passed, N failed`.
fn read_output(lines: &[String]) -> Result<Tally> {
    let last = lines.last().map_or("", String::as_str);
    let counts = last
        .strip_suffix(" failed")
        .and_then(|rest| rest.split_once(" passed, "));
    let Some((Ok(passed), Ok(failed))) =
        counts.map(|(passed, failed)| (passed.parse::<usize>(), failed.parse::<usize>()))
    else {
        bail!("the last line is no count: `{last}`");
    };
    let mut tally = Tally {
        passed,
        ..Tally::default()
    };
    for line in lines {
        if let Some((name, _)) = line
            .strip_prefix("FAIL ")
            .and_then(|rest| rest.split_once(':'))
        {
            tally.fail(name);
        }
    }
    if tally.failed.len() != failed {
        bail!(
            "{failed} cases failed, but {} are named",
            tally.failed.len()
        );
    }
    Ok(tally)
}

/// Why the target cannot run here, if so. A target that is there but wrong is no absence.
fn absence(workspace: &Workspace, target: &str) -> Result<Option<String>> {
    let probe = workspace.target.join("probe.mlir");
    fs::write(&probe, PROBE).with_context(|| format!("cannot write {}", probe.display()))?;
    let mut command = Command::new(workspace.tool("xpu-run"));
    command
        .arg(&probe)
        .args(["--kernel", "probe", "--target", target, "--threads", "1"]);
    emulator::name_to(workspace, &mut command);
    command.stdin(Stdio::null());
    set_environment(&mut command);
    let output = command
        .output()
        .with_context(|| format!("cannot start `{}`", process::show(&command)))?;
    let said = String::from_utf8_lossy(&output.stderr);
    Ok(match output.status.code() {
        // 2: this xpu-run does not know the target; 3: its device or driver is missing.
        Some(2 | 3) => Some(first_line(&said)),
        _ => None,
    })
}

fn set_environment(command: &mut Command) {
    let unset = ENVIRONMENT
        .iter()
        .filter(|(name, _)| std::env::var_os(name).is_none());
    command.envs(unset.copied());
}

fn first_line(said: &str) -> String {
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    let line = line.unwrap_or("xpu-run gives no reason");
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// How many cases name the target, the filter applied.
fn count(folder: &Path, target: &str, filter: &str) -> Result<usize> {
    let target = format!("\"{}\"", target.split(':').next().unwrap_or(target));
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".toml") && name.contains(filter) {
            count += usize::from(names_target(&fs::read_to_string(&path)?, &target));
        }
    }
    Ok(count)
}

fn names_target(case: &str, quoted: &str) -> bool {
    let quotes = case.replace('\'', "\"");
    quotes
        .lines()
        .any(|line| line.trim_start().starts_with("targets") && line.contains(quoted))
}

/// `XPU_REQUIRE=cuda,vulkan`: a run that must have a device fails without it.
fn require(tally: &mut Tally, required: &str) {
    for name in required.split(',').filter(|name| !name.is_empty()) {
        let absent = |target: &str| target.split(':').next() == Some(name);
        if tally.skipped.iter().any(|skip| absent(&skip.name)) {
            tally.fail(format!("{name}, which XPU_REQUIRE names, is not there"));
        }
    }
}

fn python_has_tomllib() -> bool {
    let mut command = Command::new("python3");
    command
        .args(["-c", "import tomllib"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn failed_cases_are_named() {
        let output =
            "FAIL ids_3d: argument 0[1] is 2, expected 3\nok   tickets\n1 passed, 1 failed";
        let tally = read_output(&lines(output)).unwrap();
        assert_eq!((tally.passed, tally.failed), (1, vec!["ids_3d".to_owned()]));
    }

    #[test]
    fn output_without_counts_is_an_error() {
        assert!(read_output(&lines("Traceback (most recent call last):")).is_err());
        assert!(read_output(&[]).is_err());
        assert!(read_output(&lines("3 passed, 1 failed")).is_err());
    }

    #[test]
    fn a_case_names_its_targets() {
        let case = "kernel = \"k\"\ntargets = [\"cpu\", 'vulkan']\n# cuda comes later\n";
        assert!(names_target(case, "\"vulkan\""));
        assert!(!names_target(case, "\"cuda\""));
    }

    #[test]
    fn a_required_target_may_not_be_skipped() {
        let mut tally = Tally::default();
        tally.skip("vulkan", 3, "no driver");
        require(&mut tally, "");
        require(&mut tally, "cuda");
        assert_eq!(tally.failed.len(), 0);
        require(&mut tally, "cuda,vulkan");
        assert_eq!(
            tally.failed,
            ["vulkan, which XPU_REQUIRE names, is not there"]
        );
    }

    #[test]
    fn the_reason_is_the_first_line() {
        assert_eq!(first_line("\nerror: no device\nmore"), "no device");
        assert_eq!(first_line(""), "xpu-run gives no reason");
    }
}
