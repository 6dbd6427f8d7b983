//! Sends each hostile file through the tools and judges how they end.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::hostile::{Case, Verdict};
use crate::process::{self, Ending};
use crate::workspace::Workspace;

/// No tool may take longer for one file.
const LIMIT: Duration = Duration::from_secs(20);

/// Starts a tool without a core dump, and with at most 16 GiB of address space, so that a wrong one
/// does not take the machine with it.
const SHELL: [&str; 3] = ["-c", "ulimit -c 0; ulimit -v 16777216; exec \"$@\"", "sh"];

/// What a program prints when it dies of a fault of its own.
const DEATH_CRIES: [&str; 8] = [
    "panicked at",
    "Stack dump",
    "Assertion",
    "LLVM ERROR",
    "PLEASE submit a bug report",
    "stack overflow",
    "terminate called",
    "UNREACHABLE executed",
];

/// The tools, in the order in which a file meets them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tool {
    Parse,
    Lower,
    LowerForVulkan,
    Run,
}

impl Tool {
    const ALL: [Self; 4] = [Self::Parse, Self::Lower, Self::LowerForVulkan, Self::Run];

    fn command(self, workspace: &Workspace, case: &Case, file: &Path) -> Command {
        let program = match self {
            Self::Parse | Self::Lower | Self::LowerForVulkan => "xpu-opt",
            Self::Run => "xpu-run",
        };
        let mut command = Command::new("sh");
        command.args(SHELL).arg(workspace.tool(program)).arg(file);
        match self {
            Self::Parse => {}
            Self::Lower => {
                command.arg("--xpu-to-cpu");
            }
            Self::LowerForVulkan => {
                command.arg("--xpu-to-spirv");
            }
            Self::Run => {
                command.args(["--kernel", "k", "--target", "cpu", "--threads"]);
                command.arg(case.threads.to_string());
                for argument in &case.arguments {
                    command.args(["--arg", argument]);
                }
            }
        }
        command
    }

    fn must_refuse(self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Everywhere => true,
            Verdict::Lowering => matches!(self, Self::Lower | Self::Run),
            Verdict::Launch => self == Self::Run,
            Verdict::Nowhere | Verdict::Free => false,
        }
    }
}

/// Runs the cases, as many at a time as there are processors; what is wrong, by case.
pub(crate) fn run<'a>(
    workspace: &Workspace,
    cases: &'a [Case],
) -> Result<BTreeMap<&'a str, Vec<String>>> {
    let folder = workspace.target.join("hostile");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run_case(workspace, &folder, case);
                    results
                        .lock()
                        .expect("no worker panics")
                        .push((case, result));
                }
            });
        }
    });
    let mut failures = BTreeMap::new();
    for (case, result) in results.into_inner().expect("no worker panics") {
        let reasons = result?;
        if !reasons.is_empty() {
            failures.insert(case.name.as_str(), reasons);
        }
    }
    Ok(failures)
}

fn run_case(workspace: &Workspace, folder: &Path, case: &Case) -> Result<Vec<String>> {
    let file = folder.join(format!("{}.mlir", case.name));
    fs::write(&file, &case.text).with_context(|| format!("cannot write {}", file.display()))?;
    let errors: PathBuf = file.with_extension("err");
    let mut reasons = Vec::new();
    for tool in Tool::ALL {
        let mut command = tool.command(workspace, case, &file);
        let ending = process::run_limited(&mut command, LIMIT, &errors)?;
        let said = fs::read(&errors)?;
        if let Some(reason) = judge(case.verdict, tool, &ending, &said, &file) {
            let words = command.get_args().skip(SHELL.len());
            reasons.push(format!("{reason}\n    $ {}", process::show_words(words)));
        }
    }
    fs::remove_file(&errors)?;
    Ok(reasons)
}

/// What is wrong with how the tool ended, if anything.
fn judge(
    verdict: Verdict,
    tool: Tool,
    ending: &Ending,
    said: &[u8],
    file: &Path,
) -> Option<String> {
    let Ending::Exited(status) = ending else {
        return Some(format!("no end in {} s", LIMIT.as_secs()));
    };
    let said = String::from_utf8_lossy(said);
    if let Some(cry) = said
        .lines()
        .find(|line| DEATH_CRIES.iter().any(|cry| line.contains(cry)))
    {
        return Some(format!("{status}: {}", clip(cry)));
    }
    let Some(code) = status.code() else {
        return Some(died(*status));
    };
    let refused = tool.must_refuse(verdict);
    let launched = tool == Tool::Run && matches!(verdict, Verdict::Launch | Verdict::Free);
    if launched {
        // The arguments, or the machine, may be what is wrong.
        return match code {
            0 if refused => Some("accepted what must be refused".to_owned()),
            0 => None,
            1..=3 if said.contains("error") => None,
            1..=3 => Some(format!("exit status {code} without an error")),
            _ => Some(format!("exit status {code}")),
        };
    }
    match code {
        0 if refused => Some("accepted what must be refused".to_owned()),
        0 => None,
        // What is right may still be more than Vulkan has.
        1 if verdict == Verdict::Nowhere && tool != Tool::LowerForVulkan => {
            Some(format!("refused what is right: {}", first(&said)))
        }
        1 if located_error(&said, file) => None,
        1 => Some(format!("no error with a location: {}", first(&said))),
        _ => Some(format!("exit status {code}: {}", first(&said))),
    }
}

fn died(status: ExitStatus) -> String {
    format!("died: {status}")
}

fn first(said: &str) -> String {
    clip(said.lines().next().unwrap_or("it said nothing"))
}

fn clip(line: &str) -> String {
    line.chars().take(300).collect()
}

/// Whether a line is `FILE:LINE:COLUMN: error: …`.
fn located_error(said: &str, file: &Path) -> bool {
    let start = format!("{}:", file.display());
    said.split(&start).skip(1).any(|rest| {
        let mut parts = rest.splitn(3, ':');
        let number = |part: Option<&str>| {
            part.is_some_and(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
        };
        number(parts.next())
            && number(parts.next())
            && parts
                .next()
                .is_some_and(|rest| rest.starts_with(" error: "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    const FILE: &str = "/x/a.mlir";
    const LOCATED: &str = "/x/a.mlir:3:14: error: expected ']'";

    fn check(verdict: Verdict, tool: Tool, raw: i32, said: &str) -> Option<String> {
        let ending = Ending::Exited(ExitStatus::from_raw(raw));
        judge(verdict, tool, &ending, said.as_bytes(), Path::new(FILE))
    }

    /// How `wait` reports an exit status.
    fn exit(code: i32) -> i32 {
        code << 8
    }

    #[test]
    fn a_refusal_needs_status_1_and_a_location() {
        let refuse = |raw, said| check(Verdict::Everywhere, Tool::Parse, raw, said);
        assert_eq!(refuse(exit(1), LOCATED), None);
        assert_eq!(
            refuse(exit(1), "error: bad").unwrap(),
            "no error with a location: error: bad"
        );
        assert_eq!(
            refuse(exit(0), "").unwrap(),
            "accepted what must be refused"
        );
        assert_eq!(refuse(exit(2), "usage").unwrap(), "exit status 2: usage");
        assert!(refuse(11, "").unwrap().starts_with("died: signal: 11"));
        assert_eq!(
            refuse(
                exit(1),
                "/x/a.mlir:1:1: error: no\nthread 'main' panicked at a.rs:1:1"
            )
            .unwrap(),
            "exit status: 1: thread 'main' panicked at a.rs:1:1"
        );
    }

    #[test]
    fn the_verdict_says_which_tool_refuses() {
        assert_eq!(check(Verdict::Lowering, Tool::Parse, exit(0), ""), None);
        assert!(check(Verdict::Lowering, Tool::Lower, exit(0), "").is_some());
        assert!(check(Verdict::Lowering, Tool::Run, exit(0), "").is_some());
        assert_eq!(check(Verdict::Launch, Tool::Lower, exit(0), ""), None);
        assert_eq!(
            check(Verdict::Launch, Tool::Run, exit(2), "error: no kernel"),
            None
        );
        assert!(check(Verdict::Launch, Tool::Run, exit(0), "").is_some());
        assert!(check(Verdict::Nowhere, Tool::Run, exit(1), LOCATED).is_some());
        assert_eq!(
            check(Verdict::Free, Tool::Run, exit(3), "error: memory"),
            None
        );
        assert!(check(Verdict::Free, Tool::Run, exit(3), "").is_some());
        assert!(check(Verdict::Free, Tool::Run, exit(101), "error").is_some());
        assert!(check(Verdict::Free, Tool::Parse, exit(1), "error: nowhere").is_some());
    }

    #[test]
    fn locations_are_recognised() {
        let file = Path::new(FILE);
        assert!(located_error(LOCATED, file));
        assert!(located_error(
            &format!("note\nloc(/x/a.mlir:1:2) {LOCATED}"),
            file
        ));
        assert!(!located_error("/x/a.mlir:3: error: no column", file));
        assert!(!located_error("/x/a.mlir:3:14: note: see", file));
        assert!(!located_error("/x/b.mlir:3:14: error: another file", file));
    }
}
