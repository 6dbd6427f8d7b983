//! The emulator in its weak mode, and code for it.

use std::path::PathBuf;
use std::process::Command;

use xpu_dialect::{Context, context, diagnostic};
use xpu_emit::{GpuOptions, Wanted, outputs_for_amdgpu};
use xpu_test_support::emulator::{self, pipe};
pub(crate) use xpu_test_support::emulator::{Argument, Launch, is_installed};

/// The arguments of memrefs of words, numbered from 0: a pointer and an extent each.
fn memrefs(words: &[u64]) -> Vec<Argument> {
    let pair = |(at, extent): (usize, &u64)| [Argument::Buffer(at), Argument::Number(*extent)];
    words.iter().enumerate().flat_map(pair).collect()
}

/// Whether as much is to be tried as there is.
pub(crate) fn is_full() -> bool {
    std::env::var("XPU_MATRIX").is_ok_and(|wanted| wanted == "full")
}

/// A launch with weak memory and buffers of zeros, of so many words each, of which one is looked at afterwards.
pub(crate) fn launch(symbol: &str, groups: u64, group: u64, words: &[u64], read: usize) -> Launch {
    Launch {
        symbol: symbol.to_owned(),
        groups,
        group,
        buffers: words
            .iter()
            .map(|count| vec![0; *count as usize * 4])
            .collect(),
        arguments: memrefs(words),
        seed: 0,
        memory: "weak",
        read: vec![read],
    }
}

/// Launches in turn; the words of the buffer that each looks at, or what the emulator says.
pub(crate) fn run(code: &[u8], launches: &[Launch]) -> Result<Vec<Vec<u32>>, String> {
    let words = |bytes: &Vec<u8>| {
        let words = bytes.as_chunks::<4>().0;
        words.iter().map(|word| u32::from_le_bytes(*word)).collect()
    };
    let outcomes = emulator::run(code, launches)?.into_iter();
    outcomes.map(|outcome| Ok(words(&outcome?[0]))).collect()
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
