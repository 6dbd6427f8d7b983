//! The commands of one block, run by one shell one after another, and what each printed.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// A command of a block, as typed, and the lines that follow it.
#[derive(Debug, PartialEq)]
pub(crate) struct Step {
    /// With its continuation lines.
    pub(crate) command: String,
    /// What it prints, each line ended.
    pub(crate) prints: String,
}

/// Reads `$ command` lines, `\` at the end going on, and what is between them.
pub(crate) fn steps(text: &str) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let start = line.strip_prefix("$ ");
        match (steps.last_mut(), start) {
            (Some(step), _) if goes_on => step.command += &format!("\n{line}"),
            (_, Some(command)) => steps.push(Step {
                command: command.to_owned(),
                prints: String::new(),
            }),
            (Some(step), None) => {
                step.prints += line;
                step.prints.push('\n');
                continue;
            }
            (None, None) => bail!("a console block begins with `$ `"),
        }
        goes_on = line.ends_with('\\');
    }
    Ok(steps)
}

/// How a command ended.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    /// Its standard output and standard error, as they came.
    pub(crate) printed: String,
    /// Its exit status.
    pub(crate) status: i32,
}

/// Stands before what the shell says about a command; no tool prints it.
const MARK: char = '\u{1e}';

/// Runs the commands in `shell`, which starts `bash`.
pub(crate) fn run(shell: &mut Command, steps: &[Step]) -> Result<Vec<Outcome>> {
    let mut script = String::from("exec 2>&1\n");
    for step in steps {
        // The status is kept for a following `echo $?`.
        script += &format!(
            "{}\n__status=$?; printf '\\n{MARK}%d\\n' $__status; (exit $__status)\n",
            step.command
        );
    }
    let output = shell
        .arg("-c")
        .arg(&script)
        .stdin(Stdio::null())
        .output()
        .context("cannot start bash")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mark = format!("\n{MARK}");
    let mut parts = text.split(&mark);
    let mut outcomes = Vec::new();
    let mut printed = parts.next().unwrap_or_default();
    for part in parts {
        let (status, rest) = part.split_once('\n').unwrap_or((part, ""));
        outcomes.push(Outcome {
            printed: ended(printed),
            status: status.parse().context("the shell's mark has a number")?,
        });
        printed = rest;
    }
    if outcomes.len() < steps.len() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!(
            "the shell ended early or took too long ({}): {}{printed}",
            output.status,
            said
        );
    }
    Ok(outcomes)
}

/// With a newline at the end, if there is anything.
fn ended(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') {
        text.to_owned()
    } else {
        format!("{text}\n")
    }
}

/// Whether lines are as expected: a line `…` stands for any number of lines, a `…` inside of one for any text.
pub(crate) fn matches(expected: &str, printed: &str) -> bool {
    let expected: Vec<_> = expected.lines().collect();
    let printed: Vec<_> = printed.lines().map(str::trim_end).collect();
    lines_match(&expected, &printed)
}

/// Whether the text has a `…`, so that it cannot be written anew.
pub(crate) fn has_gaps(expected: &str) -> bool {
    expected.contains('…')
}

fn lines_match(expected: &[&str], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line.trim() == "…" => {
            (0..=printed.len()).any(|skipped| lines_match(rest, &printed[skipped..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| line_matches(line, first) && lines_match(rest, others)),
    }
}

fn line_matches(expected: &str, printed: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = printed.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        last = Some(part);
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    // Without a gap nothing may be left; with one, the last part has to stand at the end.
    last.map_or(rest.is_empty(), |part| printed.ends_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_go_on_after_a_backslash() {
        let steps = steps("$ a \\\n    b\nout\n\nmore\n$ c\n").unwrap();
        assert_eq!(steps.len(), 2);
        assert_eq!(steps[0].command, "a \\\n    b");
        assert_eq!(steps[0].prints, "out\n\nmore\n");
        assert_eq!((&*steps[1].command, &*steps[1].prints), ("c", ""));
        assert!(super::steps("out\n").is_err());
    }

    #[test]
    fn a_session_keeps_variables_and_the_status() {
        let steps = steps("$ x=1; printf one >&2\n$ (exit 3)\n$ echo $? $x\n").unwrap();
        let outcomes = run(&mut Command::new("bash"), &steps).unwrap();
        let outcome = |printed: &str, status| Outcome {
            printed: printed.into(),
            status,
        };
        assert_eq!(
            outcomes,
            [outcome("one\n", 0), outcome("", 3), outcome("3 1\n", 0)]
        );
    }

    #[test]
    fn a_shell_that_ends_early_is_an_error() {
        let steps = steps("$ exit 4\n$ echo\n").unwrap();
        assert!(run(&mut Command::new("bash"), &steps).is_err());
    }

    #[test]
    fn gaps_match_any_text() {
        assert!(matches("a\nb\n", "a\nb\n"));
        assert!(!matches("a\n", "a\nb\n"));
        assert!(!matches("a\nb\n", "a\n"));
        assert!(matches("a\n…\nd\n", "a\nb\nc\nd\n"));
        assert!(matches("a\n  …\nd\n", "a\nd\n"));
        assert!(!matches("a\n…\nd\n", "a\nb\n"));
        assert!(matches("took … ms\n", "took 12 ms\n"));
        assert!(!matches("took … ms\n", "took 12 s\n"));
        assert!(!matches("took\n", "took 12 s\n"));
        assert!(has_gaps("took … ms") && !has_gaps("took"));
    }
}
