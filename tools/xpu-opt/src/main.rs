//! `xpu-opt`: everything `mlir-opt` takes, plus the xpu dialect, its passes and its pipelines.
//!
//! `xpu-opt --print-matrix=TARGET` prints what a target does with every operation and type.
//!
//! Exit status: 0 right, 1 the input or a check is wrong, 2 usage.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use xpu_dialect::{nesting, tools};
use xpu_targets::Target;

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
    let status = tools::on_large_stack(move || tools::opt_main(&arguments, nesting::check));
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
