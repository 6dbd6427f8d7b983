//! The folder with the runs that tests and the cookbook make on the CPU, for a machine with an NVIDIA
//! GPU: each is launched there through CUDA and through Vulkan, and held against the same expectations.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::vulkan::programs;
use crate::process;
use crate::snippets::runs;
use crate::workspace::Workspace;

/// What is launched on, the target it is compiled for, and the kind of code.
#[rustfmt::skip] // one row a line
const TARGETS: &[(&str, &str, &str)] = &[
    ("cuda", "nvptx:sm_90", "asm"),
    ("vulkan", "vulkan:1.3,+shader_int64,+shader_float64,+shader_int16,+shader_int8,+shader_float16,\
        +storage_buffer_8bit_access,+storage_buffer_16bit_access,+shader_buffer_int64_atomics", "bin"),
];

/// Tests whose `xpu-run` lines count.
const TESTS: [&str; 2] = ["test/Run/reports", "test/Run/cpu"];

/// The script.
const HEAD: &str = r#"# Usage: run.sh [cuda | vulkan]...; the status is 0 if every run was right.
cd "$(dirname "$0")" || exit 2
export XPU_VULKAN_WATCHDOG=8
status=0
r() {
  name=$1; shift
  timeout 60 ./xpu-launch "$name.$target.json" --target "$target" "$@" >log 2>&1
  rc=$?; runs=$((runs + 1))
  if [ $rc != 0 ]; then wrong=$((wrong + 1)); status=1; echo "$target $name $*"; tail -n 3 log; fi
}
[ $# != 0 ] || set -- cuda vulkan
for target; do
  runs=0; wrong=0
  . "./$target.sh"
  echo "$target: $runs runs, $wrong not right"
done
exit $status
"#;

/// Makes the folder.
pub(super) fn build(workspace: &Workspace) -> Result<()> {
    let folder = workspace.target.join("device-runs");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {folder:?}"))?;
    }
    fs::create_dir_all(&folder)?;
    process::run(&mut workspace.cargo(["build", "-p", "xpu-compile"]))?;
    programs(workspace, &folder, &["xpu-launch"])?;

    let mut files: Vec<Runs> = Vec::new();
    for (path, words) in runs::cookbook(workspace)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let line = as_line(&words);
        match files.iter_mut().find(|(known, ..)| *known == name) {
            Some((.., lines)) => lines.push(line),
            None => files.push((name.into_owned(), path, vec![line])),
        }
    }
    for tests in TESTS {
        files.extend(of_tests(&workspace.root.join(tests))?);
    }
    for &(device, target, kind) in TARGETS {
        let mut script = String::new();
        let mut left_out = 0;
        for (name, source, lines) in &files {
            match compile(
                workspace,
                source,
                (target, kind),
                &folder.join(format!("{name}.{device}")),
            ) {
                Ok(()) => {
                    for line in lines {
                        writeln!(script, "r {name} {line}")?;
                    }
                }
                Err(reason) => {
                    left_out += 1;
                    println!("left out on {device}: {reason}");
                }
            }
        }
        fs::write(folder.join(device).with_extension("sh"), script)?;
        println!(
            "{device}: {} files, {left_out} left out",
            files.len() - left_out
        );
    }
    fs::write(folder.join("run.sh"), HEAD)?;
    println!("{} has everything", workspace.short(&folder).display());
    Ok(())
}

/// The name of a file, its path, and the arguments of its runs, as a shell takes them.
type Runs = (String, PathBuf, Vec<String>);

/// Files whose tests run them on the CPU with an expected result and nothing before or behind.
fn of_tests(folder: &Path) -> Result<Vec<Runs>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {folder:?}"))? {
        let path = entry?.path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        let lines: Vec<String> = run_lines(&text)
            .iter()
            .filter_map(|line| arguments(line))
            .collect();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if !lines.is_empty() {
            all.push((name.into_owned(), path.clone(), lines));
        }
    }
    all.sort();
    Ok(all)
}

/// The RUN lines of a test, each with those that it is continued on.
fn run_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut continues = false;
    for line in text.lines().filter_map(|line| line.strip_prefix("// RUN:")) {
        let (line, more) = match line.trim().strip_suffix('\\') {
            Some(line) => (line, true),
            None => (line.trim(), false),
        };
        match lines.last_mut() {
            Some(last) if continues => *last = format!("{last} {line}"),
            _ => lines.push(line.to_string()),
        }
        continues = more;
    }
    lines
}

/// What `xpu-run` is given in a line that says what must come, without its target.
fn arguments(line: &str) -> Option<String> {
    let rest = line.strip_prefix("xpu-run %s ")?;
    let is_plain = rest.contains("--expect") && !rest.contains(['%', '|', '>']);
    let of_cpu_alone = ["--check-bounds", "--time", "--save"];
    if !is_plain || of_cpu_alone.iter().any(|option| rest.contains(option)) {
        return None;
    }
    let mut words = shlex::split(rest)?;
    let target = words
        .windows(2)
        .position(|pair| pair == ["--target", "cpu"])?;
    words.drain(target..target + 2);
    Some(as_line(&words))
}

/// As a shell takes it, with launches enough for contention to have its chance.
fn as_line(words: &[String]) -> String {
    let line = process::show_words(words.iter().map(OsStr::new));
    match line.contains("--repeat") {
        true => line,
        false => format!("{line} --repeat 20"),
    }
}

/// Compiles as a user would; the error is the first line of the compiler's.
fn compile(
    workspace: &Workspace,
    source: &Path,
    (target, kind): (&str, &str),
    stem: &Path,
) -> Result<(), String> {
    let name = |extension: &str| {
        let mut name = stem.as_os_str().to_owned();
        name.push(extension);
        PathBuf::from(name)
    };
    let mut compile = Command::new(workspace.tool("xpu-compile"));
    compile
        .arg(source)
        .args(["--target", target, "--emit", kind]);
    compile
        .arg("-o")
        .arg(name(".code"))
        .arg("--manifest")
        .arg(name(".json"));
    let done = compile.output().map_err(|error| error.to_string())?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    Err(said.lines().next().unwrap_or("nothing said").to_string())
}

#[cfg(test)]
mod tests {
    use super::{arguments, run_lines};

    #[test]
    fn lines_that_run_on_the_cpu_and_expect_are_taken() {
        let text = "// RUN: xpu-run %s --kernel k --target cpu --arg fill(7):1xi32 \\\n// RUN:   --expect '0=[1]:i32'\n\
                    // RUN: xpu-run %s --target cpu --print 0 | FileCheck %s\n\
                    // RUN: not xpu-run %s --target cpu --expect 0=zeros:1xi32\n";
        let taken: Vec<_> = run_lines(text)
            .iter()
            .filter_map(|line| arguments(line))
            .collect();
        assert_eq!(
            taken,
            ["--kernel k --arg 'fill(7):1xi32' --expect '0=[1]:i32' --repeat 20"]
        );
    }
}
