//! The Rust tests: `cargo test`, counted from what it prints.

use anyhow::Result;

use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{emulator, process};

/// Runs the tests of every crate, documentation's examples too.
pub(crate) fn run(workspace: &Workspace, filter: &str) -> Result<Tally> {
    let mut command = workspace.cargo(["test", "--workspace", "--no-fail-fast"]);
    if !filter.is_empty() {
        command.args(["--", filter]);
    }
    // Snapshots are accepted by `cargo xtask bless` only.
    command
        .env("INSTA_UPDATE", "no")
        .env_remove(crate::bless::BLESS);
    emulator::name_to(workspace, &mut command);
    let mut reader = Reader::default();
    let status = process::stream(&mut command, |line| {
        if let Some(text) = reader.read(line) {
            println!("{text}");
        }
    })?;
    let mut tally = reader.finish();
    if !status.success() && tally.failed.is_empty() {
        tally.fail(format!("cargo test: {status}"));
    }
    Ok(tally)
}

/// Follows the output of `cargo test`.
#[derive(Default)]
struct Reader {
    tally: Tally,
    /// The test binary that runs now.
    binary: String,
    /// It started and printed no result yet.
    running: bool,
    /// Failures since the last result that were seen by name.
    named: usize,
}

impl Reader {
    /// Takes one line; what to show for it.
    fn read(&mut self, line: &str) -> Option<String> {
        let trimmed = line.trim_start();
        if let Some(name) = binary_name(trimmed) {
            self.end_binary();
            self.binary = name;
            self.running = true;
            return None;
        }
        if let Some(counts) = trimmed.strip_prefix("test result: ") {
            return self.result(counts);
        }
        if let Some((name, outcome)) = trimmed
            .strip_prefix("test ")
            .and_then(|rest| rest.rsplit_once(" ... "))
        {
            return self.test(name, outcome).then(|| line.to_owned());
        }
        let dull = trimmed.is_empty()
            || trimmed.starts_with("running ")
            || trimmed.starts_with("all doctests ran in ");
        (!dull).then(|| line.to_owned())
    }

    /// Takes the outcome of one test; says whether to show it.
    fn test(&mut self, name: &str, outcome: &str) -> bool {
        let name = format!("{} {name}", self.binary);
        if let Some(rest) = outcome.strip_prefix("ignored") {
            let reason = rest.trim_start_matches(", ");
            let reason = if reason.is_empty() {
                "ignored, no reason given"
            } else {
                reason
            };
            self.tally.skip(&name, 1, reason);
        }
        let failed = outcome == "FAILED";
        if failed {
            self.tally.fail(name);
            self.named += 1;
        }
        failed
    }

    /// Takes `ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s`.
    /// The counts are taken from here: what a test prints may have torn its own line apart.
    /// Nothing is shown for a binary without tests.
    fn result(&mut self, counts: &str) -> Option<String> {
        let number = |what: &str| {
            let words: Vec<_> = counts.split(' ').collect();
            let found = words
                .windows(2)
                .find(|pair| pair[1].trim_end_matches(';') == what);
            found
                .and_then(|pair| pair[0].parse::<usize>().ok())
                .unwrap_or(0)
        };
        let (passed, failed, ignored) = (number("passed"), number("failed"), number("ignored"));
        self.tally.passed += passed;
        for _ in self.named..failed {
            self.tally.fail(format!(
                "{} (a test whose line was torn apart)",
                self.binary
            ));
        }
        self.named = 0;
        self.running = false;
        let time = counts
            .rsplit_once("finished in ")
            .map_or("", |(_, time)| time);
        let line = format!(
            "  {passed:>4} passed {failed:>2} failed {ignored:>2} skipped  {} {time}",
            self.binary
        );
        (passed + failed + ignored > 0).then_some(line)
    }

    /// A binary that printed no result died.
    fn end_binary(&mut self) {
        if std::mem::take(&mut self.running) {
            self.tally
                .fail(format!("{} (ended without a result)", self.binary));
        }
    }

    fn finish(mut self) -> Tally {
        self.end_binary();
        self.tally
    }
}

/// `Running unittests src/main.rs (target/debug/deps/xtask-0123)` or `Doc-tests xpu_dialect`.
fn binary_name(line: &str) -> Option<String> {
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(format!("{name} (documentation)"));
    }
    let (what, path) = line.strip_prefix("Running ")?.rsplit_once(" (")?;
    let file = path.trim_end_matches(')').rsplit('/').next()?;
    let name = file.rsplit_once('-').map_or(file, |(name, _)| name);
    let what = what.strip_prefix("unittests ").unwrap_or(what);
    Some(format!("{name} {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str) -> (Tally, Vec<String>) {
        let mut reader = Reader::default();
        let shown = output
            .lines()
            .filter_map(|line| reader.read(line))
            .collect();
        (reader.finish(), shown)
    }

    const GOOD: &str = "\
   Compiling xpu-targets v0.1.0
    Finished `test` profile [optimized] target(s) in 0.52s
     Running unittests src/lib.rs (target/debug/deps/xpu_targets-0a1b)

running 3 tests
test rows::total ... ok
test rows::device ... ignored, needs a device
test rows::noisy ... printed by the test itself
ok

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s

   Doc-tests xpu_targets

running 1 test
test src/lib.rs - look (line 3) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s

all doctests ran in 0.3s; merged doctests compilation took 0.1s
";

    #[test]
    fn passed_and_ignored_tests_are_counted() {
        let (tally, shown) = check(GOOD);
        assert_eq!(tally.to_string(), "3 passed, 0 failed, 1 skipped");
        assert_eq!(tally.skipped[0].name, "xpu_targets src/lib.rs rows::device");
        assert_eq!(tally.skipped[0].reason, "needs a device");
        assert_eq!(
            shown[2..],
            [
                "ok",
                "     2 passed  0 failed  1 skipped  xpu_targets src/lib.rs 0.01s",
                "     1 passed  0 failed  0 skipped  xpu_targets (documentation) 0.20s",
            ]
        );
    }

    #[test]
    fn failures_are_named_and_shown() {
        let (tally, shown) = check(
            "     Running tests/all.rs (target/debug/deps/all-77)\n\
             running 2 tests\n\
             test one ... FAILED\n\
             test two ... half a line\n\
             ---- one stdout ----\n\
             test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n",
        );
        assert_eq!(
            tally.failed,
            [
                "all tests/all.rs one",
                "all tests/all.rs (a test whose line was torn apart)"
            ]
        );
        assert!(shown.iter().any(|line| line == "---- one stdout ----"));
    }

    #[test]
    fn a_binary_that_dies_is_a_failure() {
        let (tally, _) = check(
            "     Running unittests src/lib.rs (target/debug/deps/a-1)\n\
             running 2 tests\n\
             error: test failed, to rerun pass `-p a --lib`\n\
             (signal: 11, SIGSEGV: invalid memory reference)\n\
             \x20    Running unittests src/lib.rs (target/debug/deps/b-1)\n\
             test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        );
        assert_eq!(tally.failed, ["a src/lib.rs (ended without a result)"]);
    }
}
