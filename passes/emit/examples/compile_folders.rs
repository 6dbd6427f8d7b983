//! Compiles every `.mlir` of each folder, with a manifest beside it:
//! `cargo run -p xpu-emit --example compile_folders TARGET [--to FOLDER] FOLDER...`.
//!
//! TARGET is `nvptx:CHIP` or `vulkan:VERSION,+FEATURE…`. With `--to`, what comes of a folder goes into
//! a folder of the same name in that one. Warnings are not shown.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use xpu_dialect::Context;
use xpu_emit::{CompileError, Compiled, GpuOptions, compile_for_nvptx, compile_for_vulkan};

/// Stack of the threads that compile.
const STACK_BYTES: usize = 64 << 20;

type Compile = fn(&Context, &[u8], &str, &str, GpuOptions) -> Result<Compiled, CompileError>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let named = arguments.next().ok_or("TARGET [--to FOLDER] FOLDER...")?;
    let mut to = None;
    if arguments.next_if(|argument| argument == "--to").is_some() {
        to = Some(PathBuf::from(arguments.next().ok_or("--to FOLDER")?));
    }
    let (compile, extension, chip): (Compile, _, _) = match named.split_once(':') {
        Some(("nvptx", chip)) => (compile_for_nvptx, "ptx", chip),
        Some(("vulkan", features)) => (compile_for_vulkan, "spv", features),
        _ => return Err("TARGET is nvptx:CHIP or vulkan:VERSION,+FEATURE...".into()),
    };
    let mut jobs: Vec<(PathBuf, PathBuf)> = Vec::new();
    for folder in arguments.map(PathBuf::from) {
        let out = match &to {
            Some(to) => to.join(folder.file_name().unwrap_or_default()),
            None => folder.clone(),
        };
        std::fs::create_dir_all(&out)?;
        for entry in std::fs::read_dir(&folder)? {
            let file = entry?.path();
            if file.extension().is_some_and(|end| end == "mlir") {
                let image = out.join(file.file_name().unwrap_or_default());
                jobs.push((file, image.with_extension(extension)));
            }
        }
    }
    jobs.sort();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        while let Some((file, image)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = compile_file(compile, chip, file, image) {
                eprintln!("{}: {error}", file.display());
                failed.store(true, Ordering::Relaxed);
            }
        }
    };
    let threads = std::thread::available_parallelism()?.get();
    std::thread::scope(|scope| {
        (0..threads).try_for_each(|_| {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work).map(|_| ())
        })
    })?;
    if failed.into_inner() {
        return Err("some files do not compile".into());
    }
    Ok(())
}

fn compile_file(
    compile: Compile,
    chip: &str,
    file: &Path,
    image: &Path,
) -> Result<(), Box<dyn Error>> {
    let source = std::fs::read(file)?;
    let name = file.to_string_lossy();
    let context = xpu_dialect::context::new();
    // Hundreds of kernels ask for more than a target has, which is a warning each.
    context.attach_diagnostic_handler(|_| true);
    let compiled = compile(&context, &source, &name, chip, GpuOptions::default());
    let mut compiled = compiled.or_else(|_| {
        let context = xpu_dialect::context::new();
        xpu_dialect::diagnostic::print_to_stderr(&context, &name, &source);
        compile(&context, &source, &name, chip, GpuOptions::default())
    })?;
    if let Some(named) = &mut compiled.manifest.image {
        named.file = image
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
    }
    std::fs::write(image, &compiled.image)?;
    std::fs::write(image.with_extension("json"), compiled.manifest.to_json())?;
    Ok(())
}
