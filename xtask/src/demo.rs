//! `cargo xtask demo`: the byte histogram of a real file, from the kernel to a checked answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::arguments::Arguments;
use crate::dump::{Follow, dumps, steps};
use crate::workspace::Workspace;
use crate::{histogram, process, setup};

const KERNEL_FILE: &str = "examples/histogram.mlir";
const KERNEL: &str = "histogram";

/// How much of the default file is read: as 32-bit elements it is the 64 MiB of the benchmark.
const DEFAULT_BYTES: usize = 16 << 20;

/// The kernel takes its element count as an `i32`.
const MOST_BYTES: usize = i32::MAX as usize;

/// What a newcomer wants to know about a pass; others speak through what they change.
#[rustfmt::skip] // one row a line
const NOTES: &[(&str, &str)] = &[
    ("convert-memref-atomics-to-xpu", "upstream's atomics become xpu's"),
    ("convert-xpu-to-gpu", "kernels move into a gpu.module; atomics stay"),
    ("xpu-resolve-signedness", "signed and unsigned buffers become signless, the sign moves into the kind"),
    ("xpu-assign-scope", "an absent scope is written down, from where the memory is"),
    ("xpu-assign-ordering", "an absent ordering is written down"),
    ("xpu-legalize-atomics", "scope and ordering become what the target has"),
    ("xpu-expand-atomics", "what the target lacks becomes a sequence that it has"),
    ("convert-xpu-to-llvm", "the kernel becomes a loop over work-items in LLVM's dialect"),
];

/// The lines that the demo follows through the pipeline: the kernel's first and its atomic's.
const FOLLOWED: [Follow<'static>; 2] = [
    Follow(&["@histogram("]),
    Follow(&[
        "memref.atomic_rmw",
        "xpu.atomic_rmw",
        "llvm.atomicrmw",
        "llvm.cmpxchg",
    ]),
];

/// `cargo xtask demo`.
pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result<ExitCode> {
    let file = arguments.positional().map(PathBuf::from);
    arguments.finish()?;
    println!("== 1. build");
    setup::ensure(workspace)?;
    // Before the long part: a wrong file name is known at once.
    let data = Data::read(workspace, file)?;
    workspace.build()?;

    println!("\n== 2. the kernel: {KERNEL_FILE}");
    let path = workspace.root.join(KERNEL_FILE);
    let kernel = fs::read_to_string(&path).with_context(|| format!("cannot read {KERNEL_FILE}"))?;
    print!("{}", indent(&kernel));

    println!("\n== 3. what the passes of `xpu-to-cpu` do to its first line and to its atomic");
    print!("{}", stages(workspace, &kernel)?);

    println!(
        "\n== 4. run on {}: {} work-items",
        data.name,
        data.bytes.len()
    );
    let bins = run(workspace, &data)?;

    println!("\n== 5. check against a plain count");
    check(&histogram::count(&data.bytes), &bins)
}

fn check(expected: &[u32; 256], found: &[u32]) -> Result<ExitCode> {
    print!("{}", histogram::chart(found, 8));
    let agree = histogram::agreement(expected, found);
    if agree != 256 || found.len() != 256 {
        println!(
            "wrong: {agree} of 256 bins agree ({} were saved)",
            found.len()
        );
        return Ok(ExitCode::FAILURE);
    }
    println!("right: 256 of 256 bins agree");
    Ok(ExitCode::SUCCESS)
}

/// The bytes to count, and what to call them.
struct Data {
    name: String,
    bytes: Vec<u8>,
}

impl Data {
    fn read(workspace: &Workspace, file: Option<PathBuf>) -> Result<Self> {
        let read =
            |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let Some(path) = file else {
            let library = workspace.llvm.join("lib/libMLIR.so");
            let mut bytes = read(&library)?;
            bytes.truncate(DEFAULT_BYTES);
            let mib = bytes.len() >> 20;
            let name = format!("the first {mib} MiB of {}, just linked", library.display());
            return Ok(Self { name, bytes });
        };
        // `cargo xtask` runs where the person is, so a relative path means what it says.
        let bytes = read(&path)?;
        if bytes.is_empty() || bytes.len() > MOST_BYTES {
            bail!(
                "{} holds {} bytes: the kernel counts 1 to {MOST_BYTES} elements",
                path.display(),
                bytes.len()
            );
        }
        Ok(Self {
            name: path.display().to_string(),
            bytes,
        })
    }
}

/// Runs the pipeline with the IR printed after each pass, and tells what changed.
fn stages(workspace: &Workspace, kernel: &str) -> Result<String> {
    let mut command = Command::new(workspace.tool("xpu-opt"));
    command
        .arg(KERNEL_FILE)
        .arg("--xpu-to-cpu")
        .current_dir(&workspace.root);
    command.args([
        "--mlir-print-ir-after-all",
        "--mlir-disable-threading",
        "-o",
        "/dev/null",
    ]);
    println!("$ {}", process::show(&command));
    let output = command.output().context("cannot start xpu-opt")?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("xpu-opt failed: {}\n{text}", output.status);
    }
    let dumps = dumps(&text);
    if dumps.is_empty() {
        bail!("xpu-opt printed no IR after any pass");
    }
    Ok(explain(kernel, &dumps))
}

fn explain(kernel: &str, dumps: &[crate::dump::Dump<'_>]) -> String {
    let mut text = String::new();
    let mut quiet = Vec::new();
    for step in steps(kernel, dumps, &FOLLOWED) {
        let note = NOTES
            .iter()
            .find(|(pass, _)| *pass == step.pass)
            .map(|(_, note)| *note);
        if step.changes.is_empty() {
            quiet.push(step.pass);
            continue;
        }
        text += &format!(
            "  {}{}\n",
            step.pass,
            note.map(|n| format!(": {n}")).unwrap_or_default()
        );
        for (before, after) in step.changes {
            text += &format!("    - {}\n    + {}\n", clip(before), clip(after));
        }
    }
    if !quiet.is_empty() {
        text += &format!(
            "  (these lines stayed as they were in: {})\n",
            quiet.join(", ")
        );
    }
    text
}

fn clip(line: &str) -> String {
    const WIDTH: usize = 140;
    match line.char_indices().nth(WIDTH) {
        None => line.to_owned(),
        Some((at, _)) => format!("{}…", &line[..at]),
    }
}

/// Runs the kernel; the bins that it saved.
fn run(workspace: &Workspace, data: &Data) -> Result<Vec<u32>> {
    let folder = workspace.target.join("demo");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let input = folder.join("data.bin");
    let saved = folder.join("bins.bin");
    fs::write(&input, histogram::widen(&data.bytes))
        .with_context(|| format!("cannot write {}", input.display()))?;
    // An answer from an earlier run must not pass for this one's.
    if saved.exists() {
        fs::remove_file(&saved).with_context(|| format!("cannot remove {}", saved.display()))?;
    }
    let count = data.bytes.len();
    let short = |path| workspace.short(path).display().to_string();
    let mut command = Command::new(workspace.tool("xpu-run"));
    command
        .current_dir(&workspace.root)
        .args([KERNEL_FILE, "--kernel", KERNEL]);
    command.args(["--target", "cpu", "--threads", &count.to_string()]);
    command.args(["--arg", "zeros:256xi32"]);
    command.args(["--arg", &format!("@{}:i32", short(&input))]);
    command.args(["--arg", &format!("{count}:i32")]);
    command.args(["--save", &format!("0={}", short(&saved)), "--time"]);
    process::run(&mut command)?;
    let bytes = fs::read(&saved).with_context(|| format!("cannot read {}", saved.display()))?;
    Ok(histogram::read_bins(&bytes))
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dump::Dump;

    #[test]
    fn passes_that_change_nothing_are_listed_in_one_line() {
        let kernel = "xpu.kernel @histogram(%b: m) {\n%o = xpu.atomic_rmw add %c, %b[%i] : m";
        let same = Dump {
            pass: "cse",
            ir: kernel,
        };
        let scoped = "xpu.kernel @histogram(%b: m) {\n%o = xpu.atomic_rmw add %c, %b[%i] scope(x)";
        let text = explain(
            kernel,
            &[
                same,
                Dump {
                    pass: "xpu-assign-scope",
                    ir: scoped,
                },
            ],
        );
        let expected = "  xpu-assign-scope: an absent scope is written down, from where the memory \
             is\n    - %o = xpu.atomic_rmw add %c, %b[%i] : m\n    + %o = xpu.atomic_rmw add %c, \
             %b[%i] scope(x)\n  (these lines stayed as they were in: cse)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn long_lines_are_clipped_at_a_character() {
        assert_eq!(clip(&"ä".repeat(140)), "ä".repeat(140));
        assert_eq!(clip(&"ä".repeat(141)), format!("{}…", "ä".repeat(140)));
    }

    #[test]
    fn a_wrong_bin_fails() {
        let expected = histogram::count(b"text");
        assert_eq!(check(&expected, &expected).unwrap(), ExitCode::SUCCESS);
        assert_eq!(check(&expected, &[0; 256]).unwrap(), ExitCode::FAILURE);
        assert_eq!(check(&expected, &[0; 3]).unwrap(), ExitCode::FAILURE);
    }
}
