//! The lit tests under `test/`, counted from lit's report.

use std::fs;
use std::io::{IsTerminal, Write};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{emulator, process};

/// Runs lit with the tools just built.
pub(crate) fn run(workspace: &Workspace, filter: &str) -> Result<Tally> {
    let folder = workspace.target.join("lit");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let report = folder.join("report.json");
    let mut command = Command::new(workspace.llvm_tool("lit"));
    command
        .current_dir(&workspace.root)
        .env("XPU_BIN_DIR", &workspace.bin);
    emulator::name_to(workspace, &mut command);
    command
        .args(["-v", "--allow-empty-runs", "-o"])
        .arg(&report);
    if !filter.is_empty() {
        command.args(["--filter", &literally(filter)]);
    }
    command.arg("test");
    // An old report must not pass for this run's.
    fs::write(&report, "").with_context(|| format!("cannot write {}", report.display()))?;
    let status = process::stream(&mut command, show)?;
    let text = fs::read_to_string(&report)?;
    if status.success() && left_nothing(&text, filter) {
        return Ok(Tally::default());
    }
    let mut tally = read_report(&text).context("lit wrote no report")?;
    if !status.success() && tally.failed.is_empty() {
        tally.fail(format!("lit: {status}"));
    }
    if filter.is_empty() && tally.ran() == 0 {
        tally.fail("lit found no test");
    }
    Ok(tally)
}

/// Whether the filter left out every test: lit then ends well, and writes no report.
fn left_nothing(report: &str, filter: &str) -> bool {
    report.is_empty() && !filter.is_empty()
}

/// Passed tests move a counter; everything else is shown.
fn show(line: &str) {
    let Some(progress) = passed(line) else {
        println!("{line}");
        return;
    };
    if std::io::stdout().is_terminal() {
        print!("\r  {progress}");
        // The counter is a nicety: a closed terminal is no reason to stop.
        let _ = std::io::stdout().flush();
    } else if progress
        .split(' ')
        .next()
        .is_some_and(|count| count.ends_with("50"))
    {
        println!("  {progress}");
    }
}

/// `PASS: xpu :: test/a.mlir (3 of 7)` gives `3 of 7`.
fn passed(line: &str) -> Option<&str> {
    line.strip_prefix("PASS: ")?
        .rsplit_once(" (")?
        .1
        .strip_suffix(')')
}

/// A regular expression of lit (Python's) that matches the text.
fn literally(text: &str) -> String {
    let escape = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            vec![c]
        } else {
            vec!['\\', c]
        }
    };
    text.chars().flat_map(escape).collect()
}

/// Counts the tests of lit's JSON report.
fn read_report(text: &str) -> Result<Tally> {
    let report: Value = serde_json::from_str(text)?;
    let tests = report["tests"]
        .as_array()
        .context("the report has no `tests`")?;
    let mut tally = Tally::default();
    for test in tests {
        let name = test["name"].as_str().context("a test has no `name`")?;
        let name = name.strip_prefix("xpu :: ").unwrap_or(name);
        let output = test["output"].as_str().unwrap_or_default();
        match test["code"].as_str().context("a test has no `code`")? {
            "PASS" | "FLAKYPASS" | "XFAIL" => tally.passed += 1,
            "UNSUPPORTED" | "SKIPPED" => {
                let reason = output.lines().next().unwrap_or("lit gives no reason");
                tally.skip(name, 1, reason);
            }
            // Left out by the filter.
            "EXCLUDED" => {}
            "FAIL" => tally.fail(name),
            code => tally.fail(format!("{name} ({code})")),
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_counted_by_code() {
        let test = |name: &str, code: &str, output: &str| {
            format!(
                r#"{{"code":"{code}","elapsed":0.1,"name":"xpu :: {name}","output":"{output}"}}"#
            )
        };
        let tests = [
            test("test/a.mlir", "PASS", "Exit Code: 0"),
            test("test/b.mlir", "FAIL", "Exit Code: 1"),
            test("test/c.mlir", "UNSUPPORTED", r"Test requires: cuda\nmore"),
            test("test/d.mlir", "XFAIL", ""),
            test("test/e.mlir", "UNRESOLVED", "Test has no 'RUN:' line"),
            test("test/f.mlir", "EXCLUDED", ""),
        ];
        let text = format!(r#"{{"__version__":[1],"tests":[{}]}}"#, tests.join(","));
        let tally = read_report(&text).unwrap();
        assert_eq!(tally.passed, 2);
        assert_eq!(tally.failed, ["test/b.mlir", "test/e.mlir (UNRESOLVED)"]);
        assert_eq!(tally.skipped.len(), 1);
        assert_eq!(tally.skipped[0].name, "test/c.mlir");
        assert_eq!(tally.skipped[0].reason, "Test requires: cuda");
        assert!(read_report("").is_err());
    }

    #[test]
    fn without_a_report_only_a_filter_explains_that_nothing_ran() {
        assert!(left_nothing("", "frontends"));
        assert!(!left_nothing("", ""));
        assert!(!left_nothing("{}", "frontends"));
    }

    #[test]
    fn progress_is_read_from_passed_tests_only() {
        assert_eq!(
            passed("PASS: xpu :: test/a (b).mlir (3 of 7)"),
            Some("3 of 7")
        );
        assert_eq!(passed("FAIL: xpu :: test/a.mlir (3 of 7)"), None);
    }

    #[test]
    fn the_filter_is_no_expression() {
        assert_eq!(literally("a.b-c_1"), r"a\.b\-c_1");
    }
}
