//! `xpu-opt`: everything `mlir-opt` takes, plus the xpu dialect, its passes and its pipelines.
//!
//! `xpu-opt --print-matrix=TARGET` prints what a target does with every operation and type.
//!
//! Exit status: 0 right, 1 the input or a check is wrong, 2 usage.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use xpu_targets::Target;

/// Stack of the thread that MLIR runs on. The parser and some passes recurse for each level of
/// nesting, and the limit on nesting (`xpu_dialect::nesting`) must fit with room to spare.
const STACK_BYTES: usize = 512 << 20;

/// The flag that MLIR's main function does not know.
const PRINT_MATRIX: &str = "--print-matrix=";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args_os()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    if let Some(target) = arguments
        .iter()
        .find_map(|one| one.strip_prefix(PRINT_MATRIX))
    {
        return print_matrix(target);
    }
    xpu_passes::registry::register();
    let worker = std::thread::Builder::new()
        .name("xpu-opt".to_string())
        .stack_size(STACK_BYTES)
        .spawn(move || xpu_dialect::tools::opt_main(&arguments, xpu_dialect::nesting::check));
    let status = match worker.map(|worker| worker.join()) {
        Ok(Ok(status)) => status,
        Ok(Err(_)) => 1,
        Err(error) => {
            eprintln!("error: cannot start a thread with a stack of {STACK_BYTES} bytes: {error}");
            3
        }
    };
    ExitCode::from(u8::try_from(status).unwrap_or(1))
}

fn print_matrix(target: &str) -> ExitCode {
    match Target::parse(target) {
        Ok(target) => {
            print!("{}", target.print_matrix());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
