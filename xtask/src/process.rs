//! Running other programs: loudly, line by line, or with a time limit.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The command as a person would type it.
pub(crate) fn show(command: &Command) -> String {
    show_words(std::iter::once(command.get_program()).chain(command.get_args()))
}

/// The words as a person would type them.
pub(crate) fn show_words<'a>(words: impl Iterator<Item = &'a OsStr>) -> String {
    let quoted: Vec<_> = words.map(|word| quote(&word.to_string_lossy())).collect();
    quoted.join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:@%+,^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Prints the command and runs it with this program's own output; fails unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", show(command));
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", show(command)))?;
    if !status.success() {
        bail!("`{}` failed: {status}", show(command));
    }
    Ok(())
}

/// Runs the command; its standard output. Fails, with what it said, unless it succeeds.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start `{}`", show(command)))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!(
            "`{}` failed: {}\n{}",
            show(command),
            output.status,
            said.trim_end()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs the command and hands over each line of its output and errors, in the order written.
pub(crate) fn stream(command: &mut Command, mut line: impl FnMut(&str)) -> Result<ExitStatus> {
    let (reader, writer) = std::io::pipe().context("cannot make a pipe")?;
    command
        .stdin(Stdio::null())
        .stderr(writer.try_clone()?)
        .stdout(writer);
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start `{}`", show(command)))?;
    // The command keeps its ends of the pipe until they are replaced: reading would never end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut reader = BufReader::new(reader);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes)? > 0 {
        line(String::from_utf8_lossy(&bytes).trim_end());
        bytes.clear();
    }
    Ok(child.wait()?)
}

/// How a program with a time limit ended.
pub(crate) enum Ending {
    /// By itself.
    Exited(ExitStatus),
    /// It was killed at the limit.
    TimedOut,
}

/// Runs the command with no input, its output dropped and its errors in `errors`.
pub(crate) fn run_limited(command: &mut Command, limit: Duration, errors: &Path) -> Result<Ending> {
    let file = File::create(errors).with_context(|| format!("cannot write {errors:?}"))?;
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file);
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start `{}`", show(command)))?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ending::Exited(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(Ending::TimedOut);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn lines_keep_their_order_and_the_status() {
        let mut lines = Vec::new();
        let mut command = shell("echo one; echo two >&2; printf three; exit 4");
        let status = stream(&mut command, |line| lines.push(line.to_owned())).unwrap();
        assert_eq!(lines, ["one", "two", "three"]);
        assert_eq!(status.code(), Some(4));
    }

    #[test]
    fn a_program_that_hangs_is_killed() {
        let errors = std::env::temp_dir().join(format!("xtask-limit-{}", std::process::id()));
        let limit = Duration::from_millis(50);
        let ending = run_limited(&mut shell("exec sleep 60"), limit, &errors).unwrap();
        assert!(matches!(ending, Ending::TimedOut));
        let ending = run_limited(&mut shell("echo no >&2; exit 1"), limit * 100, &errors).unwrap();
        assert!(matches!(ending, Ending::Exited(status) if status.code() == Some(1)));
        assert_eq!(std::fs::read_to_string(&errors).unwrap(), "no\n");
        std::fs::remove_file(errors).unwrap();
    }

    #[test]
    fn commands_are_shown_as_typed() {
        assert_eq!(show(&shell("exit 1")), "sh -c 'exit 1'");
    }
}
