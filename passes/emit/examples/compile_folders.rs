//! Compiles every `.mlir` of each folder to PTX and a manifest beside it:
//! `cargo run -p xpu-emit --example compile_folders CHIP FOLDER...`.

use std::error::Error;
use std::path::Path;
use xpu_emit::{GpuOptions, compile_for_nvptx};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let chip = arguments.next().ok_or("CHIP FOLDER...")?;
    for folder in arguments {
        let mut files: Vec<_> = std::fs::read_dir(&folder)?
            .collect::<Result<Vec<_>, _>>()?
            .iter()
            .map(std::fs::DirEntry::path)
            .collect();
        files.sort();
        for file in files
            .iter()
            .filter(|file| file.extension().is_some_and(|end| end == "mlir"))
        {
            compile(&chip, file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    Ok(())
}

fn compile(chip: &str, file: &Path) -> Result<(), Box<dyn Error>> {
    let source = std::fs::read(file)?;
    let name = file.to_string_lossy();
    let context = xpu_dialect::context::new();
    xpu_dialect::diagnostic::print_to_stderr(&context, &name, &source);
    let mut compiled = compile_for_nvptx(&context, &source, &name, chip, GpuOptions::default())?;
    let image = file.with_extension("ptx");
    if let Some(named) = &mut compiled.manifest.image {
        named.file = image
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
    }
    std::fs::write(&image, &compiled.image)?;
    std::fs::write(file.with_extension("json"), compiled.manifest.to_json())?;
    Ok(())
}
