//! `xpu-lsp-server`: MLIR's language server with the xpu dialect in it, on standard input and output.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    ExitCode::from(u8::try_from(xpu_dialect::tools::lsp_main(&arguments)).unwrap_or(1))
}
