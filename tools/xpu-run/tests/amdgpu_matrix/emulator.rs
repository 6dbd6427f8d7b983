//! Launches on the emulator, many in one process: its start, and the translation of a kernel, cost
//! more than a launch.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use xpu_runtime::{Argument, Kernel};
use xpu_test_support::matrix::{Case, Data, GROUP};

/// A launch of a case.
pub(crate) struct Launch<'a> {
    pub(crate) case: &'a Case,
    pub(crate) kernel: &'a Kernel,
    pub(crate) seed: u64,
    pub(crate) memory: &'static str,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Python that `cargo xtask setup` makes for the emulator.
fn python() -> PathBuf {
    repository().join("target/emulator/bin/python")
}

/// Whether there is an emulator. Where it has to be, its lack is an error.
pub(crate) fn is_installed() -> bool {
    let there = python().exists();
    let required = std::env::var("XPU_REQUIRE").unwrap_or_default();
    assert!(
        there || !required.contains("amdgpu"),
        "the emulator is not installed"
    );
    if !there {
        eprintln!("skipped: the emulator is not installed; run `cargo xtask setup`");
    }
    there
}

/// Launches in turn, each with `groups` groups; what is wrong.
pub(crate) fn run(code: &[u8], launches: &[Launch<'_>], groups: usize) -> Vec<String> {
    let before: Vec<Data> = launches.iter().map(|one| one.case.data(groups)).collect();
    let requests: Vec<Value> = launches
        .iter()
        .zip(&before)
        .map(|(one, data)| request(one, data, groups))
        .collect();
    let job = json!({ "code": hex(code), "launches": requests }).to_string();
    let said = pipe(job.into_bytes());
    let lines: Vec<&str> = said.lines().collect();
    if lines.len() != launches.len() {
        return vec![format!("{} of {} launches", lines.len(), launches.len())];
    }
    let judge = |((one, data), line): ((&Launch<'_>, &Data), &str)| {
        let why = outcome(one.case, data, line).err()?;
        let Launch { seed, memory, .. } = one;
        Some(format!("{} (seed {seed}, {memory}): {why}", one.case.name))
    };
    let all = launches.iter().zip(&before).zip(lines);
    all.filter_map(judge).collect()
}

fn request(one: &Launch<'_>, data: &Data, groups: usize) -> Value {
    let ty = one.case.ty;
    let contents = [&data.memory, &data.values, &data.expected, &data.old];
    let mut arguments = Vec::new();
    for (at, (bits, argument)) in contents.iter().zip(&one.kernel.args).enumerate() {
        arguments.push(json!({ "buffer": at }));
        if matches!(argument, Argument::Memref(_)) {
            arguments.push(json!({ "u64": bits.len() }));
        }
    }
    let words = |bits: &&Vec<u64>| {
        let mut bytes = ty.write(bits);
        // As a launcher allocates them.
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        hex(&bytes)
    };
    json!({
        "symbol": one.kernel.symbol, "grid": groups, "block": GROUP, "seed": one.seed,
        "memory": one.memory, "arguments": arguments,
        "buffers": contents.iter().map(words).collect::<Vec<_>>(),
    })
}

/// Checks what a launch left in the buffers.
fn outcome(case: &Case, before: &Data, line: &str) -> Result<(), String> {
    if line.starts_with("error:") {
        return Err(line.to_owned());
    }
    let after: Vec<&str> = line.split(' ').collect();
    let [memory, _, _, old] = after[..] else {
        return Err(format!("{} buffers came back", after.len()));
    };
    let read = |text: &str, count: usize| {
        let mut bits = case.ty.read(&unhex(text));
        bits.truncate(count);
        bits
    };
    let memory = read(memory, before.memory.len());
    case.check(before, &memory, &read(old, before.old.len()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().as_chunks::<2>().0;
    let byte = |pair: &[u8; 2]| {
        let text = std::str::from_utf8(pair).unwrap();
        u8::from_str_radix(text, 16).unwrap()
    };
    digits.iter().map(byte).collect()
}

/// What the launches print of a job.
fn pipe(job: Vec<u8>) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/amdgpu_matrix/launches.py");
    let mut child = Command::new(python())
        .arg(script)
        .arg(repository().join("runtime/amdgpu-emulator"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&job));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the launches failed");
    String::from_utf8(output.stdout).unwrap()
}
