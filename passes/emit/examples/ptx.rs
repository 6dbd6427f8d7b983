//! Prints the PTX of a file: `cargo run -p xpu-emit --example ptx FILE [CHIP]`.
use xpu_emit::{GpuOptions, compile_for_nvptx};
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("FILE [CHIP]")?;
    let chip = arguments.next().unwrap_or("sm_90".into());
    let source = std::fs::read(&file)?;
    let context = xpu_dialect::context::new();
    xpu_dialect::diagnostic::print_to_stderr(&context, &file, &source);
    let compiled = compile_for_nvptx(&context, &source, &file, &chip, GpuOptions::default())?;
    print!("{}", String::from_utf8(compiled.image)?);
    Ok(())
}
