//! Launches on the emulator of AMD chips, many in one process: its start, and the translation of a
//! kernel, cost more than a launch.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// A launch.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel's name in the code object.
    pub symbol: String,
    /// Workgroups.
    pub groups: u64,
    /// Work-items of each.
    pub group: u64,
    /// What the buffers hold before.
    pub buffers: Vec<Vec<u8>>,
    /// What the kernel takes.
    pub arguments: Vec<Argument>,
    /// Decides in which order waves go.
    pub seed: u64,
    /// `strong` or `weak`.
    pub memory: &'static str,
    /// The buffers that are looked at afterwards.
    pub read: Vec<usize>,
}

/// An argument.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// A pointer to a buffer of the launch, by its number.
    Buffer(usize),
    /// 64 bits.
    Number(u64),
}

/// What the buffers that a launch reads hold after it, or what the emulator says of it.
pub type Outcome = Result<Vec<Vec<u8>>, String>;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Python that `cargo xtask setup` makes for the emulator.
fn python() -> PathBuf {
    repository().join("target/emulator/bin/python")
}

/// Whether there is an emulator; says so where there is none.
///
/// # Panics
///
/// Where there is none and `XPU_REQUIRE` names `amdgpu`.
pub fn is_installed() -> bool {
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

/// Launches in turn.
///
/// # Errors
///
/// Where the emulator does not start, or not all launches come back.
pub fn run(code: &[u8], launches: &[Launch]) -> Result<Vec<Outcome>, String> {
    let requests: Vec<Value> = launches.iter().map(request).collect();
    let job = json!({ "code": hex(code), "launches": requests }).to_string();
    let mut command = Command::new(python());
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("launches.py"))
        .arg(repository().join("runtime/amdgpu-emulator"));
    let said = pipe(&mut command, job.into_bytes())?;
    let outcomes: Vec<Outcome> = String::from_utf8_lossy(&said)
        .lines()
        .map(outcome)
        .collect();
    if outcomes.len() == launches.len() {
        Ok(outcomes)
    } else {
        Err(format!("{} of {} launches", outcomes.len(), launches.len()))
    }
}

fn request(one: &Launch) -> Value {
    let arguments = one.arguments.iter().map(|argument| match argument {
        Argument::Buffer(at) => json!({ "buffer": at }),
        Argument::Number(number) => json!({ "u64": number }),
    });
    json!({
        "symbol": one.symbol, "grid": one.groups, "block": one.group, "seed": one.seed, "memory": one.memory,
        "buffers": one.buffers.iter().map(|bytes| hex(bytes)).collect::<Vec<_>>(),
        "arguments": arguments.collect::<Vec<_>>(), "read": one.read,
    })
}

fn outcome(line: &str) -> Outcome {
    match line.strip_prefix("error: ") {
        Some(why) => Err(why.to_owned()),
        None => line.split(' ').map(bytes_of).collect(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_of(text: &str) -> Result<Vec<u8>, String> {
    let pairs = text.as_bytes().chunks(2);
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = pairs.map(byte).collect();
    bytes.ok_or_else(|| format!("no bytes: {text}"))
}

/// What a program makes of some input.
///
/// # Errors
///
/// The last thing that it says, where it fails.
pub fn pipe(command: &mut Command, input: Vec<u8>) -> Result<Vec<u8>, String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", command.get_program().display()))?;
    let stdin = child.stdin.take();
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    // A program that failed may not have read all.
    let written = writer.join();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(said.trim_end().lines().last().unwrap_or("").to_owned());
    }
    match written {
        Ok(Some(Ok(()))) => Ok(output.stdout),
        _ => Err("the input was not read".to_owned()),
    }
}
