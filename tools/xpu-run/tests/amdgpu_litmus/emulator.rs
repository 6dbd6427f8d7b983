//! The emulator in its weak mode, and code for it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use xpu_dialect::{Context, context, diagnostic};
use xpu_emit::{GpuOptions, Wanted, outputs_for_amdgpu};

/// A launch, whose arguments are numbers of 64 bits and buffers of zeros.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) symbol: String,
    pub(crate) groups: u64,
    pub(crate) group: u64,
    /// Bytes of the buffers.
    pub(crate) buffers: Vec<u64>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) seed: u64,
    /// The buffer that is looked at afterwards.
    pub(crate) read: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument {
    Buffer(usize),
    Number(u64),
}

/// The arguments of memrefs of words, numbered from 0: a pointer and an extent each.
pub(crate) fn memrefs(words: &[u64]) -> Vec<Argument> {
    let pair = |(at, extent): (usize, &u64)| [Argument::Buffer(at), Argument::Number(*extent)];
    words.iter().enumerate().flat_map(pair).collect()
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

/// Whether as much is to be tried as there is.
pub(crate) fn is_full() -> bool {
    std::env::var("XPU_MATRIX").is_ok_and(|wanted| wanted == "full")
}

/// Launches in turn; the words of the buffer that each names, or what the emulator says.
pub(crate) fn run(code: &[u8], launches: &[Launch]) -> Result<Vec<Vec<u32>>, String> {
    let launch = |one: &Launch| {
        let arguments: Vec<Value> = one
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Buffer(at) => json!({ "buffer": at }),
                Argument::Number(number) => json!({ "u64": number }),
            })
            .collect();
        json!({
            "symbol": one.symbol, "grid": one.groups, "block": one.group, "buffers": one.buffers,
            "arguments": arguments, "seed": one.seed, "read": one.read,
        })
    };
    let hex: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
    let launches: Vec<Value> = launches.iter().map(launch).collect();
    let job = json!({ "code": hex, "launches": launches }).to_string();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/amdgpu_litmus/launches.py");
    let mut command = Command::new(python());
    command
        .arg(script)
        .arg(repository().join("runtime/amdgpu-emulator"));
    let answer = pipe(&mut command, job.into_bytes())?;
    let text = String::from_utf8(answer).unwrap();
    let words = |line: &str| {
        let digits = line.as_bytes().as_chunks::<8>().0;
        digits.iter().map(little_endian).collect()
    };
    Ok(text.lines().map(words).collect())
}

fn little_endian(word: &[u8; 8]) -> u32 {
    let text = std::str::from_utf8(word).unwrap();
    u32::from_str_radix(text, 16).unwrap().swap_bytes()
}

/// What a program makes of some input, or the last thing that it says.
fn pipe(command: &mut Command, input: Vec<u8>) -> Result<Vec<u8>, String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    // A program that failed may not have read all.
    let written = writer.join().unwrap();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(said.trim_end().lines().last().unwrap_or("").to_owned());
    }
    written.unwrap();
    Ok(output.stdout)
}

/// What this compiler makes of kernels: the code object, and its text.
pub(crate) fn compile(text: &str, chip: &str) -> (Vec<u8>, String) {
    let compile = |context: &Context| {
        let wanted = Wanted {
            asm: true,
            object: true,
            ..Wanted::default()
        };
        let options = GpuOptions::default();
        outputs_for_amdgpu(
            context,
            text.as_bytes(),
            "litmus.mlir",
            chip,
            options,
            wanted,
        )
    };
    let context = context::new();
    diagnostic::print_to_stderr(&context, "litmus.mlir", text.as_bytes());
    let outputs = compile(&context).unwrap();
    (outputs.image.unwrap(), outputs.asm.unwrap())
}

/// The folder of LLVM's programs, by the prefix that Cargo builds with.
fn llvm_programs() -> PathBuf {
    let prefix = std::env::vars_os().find(|(name, _)| {
        let name = name.to_string_lossy();
        name.starts_with("MLIR_SYS_") && name.ends_with("_PREFIX")
    });
    PathBuf::from(prefix.unwrap().1).join("bin")
}

/// The code object of a text.
pub(crate) fn assemble(text: &str, chip: &str) -> Vec<u8> {
    let bin = llvm_programs();
    let mut assembler = Command::new(bin.join("llvm-mc"));
    assembler.args(["-triple=amdgcn-amd-amdhsa", &format!("-mcpu={chip}")]);
    assembler.args(["-filetype=obj", "-o", "-"]);
    let object = pipe(&mut assembler, text.as_bytes().to_vec()).unwrap();
    let mut linker = Command::new(bin.join("ld.lld"));
    linker.args(["-shared", "--no-undefined", "/dev/stdin", "-o", "-"]);
    pipe(&mut linker, object).unwrap()
}
