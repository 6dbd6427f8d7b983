//! `xpu-lsp-server`: MLIR's language server with the xpu dialect in it, on standard input and output.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use xpu_dialect::tools;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args_os()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let status = tools::on_large_stack(move || tools::lsp_main(&arguments));
    ExitCode::from(u8::try_from(status).unwrap_or(1))
}
