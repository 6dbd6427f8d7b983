//! `xpu-compile`: kernels to MLIR, LLVM IR, assembly or binary, with a manifest for launchers, and an
//! explanation of every atomic, fence and barrier.
//!
//! Exit status: 0 right; 1 the input is wrong; 2 usage; 3 out of memory or threads.
#![forbid(unsafe_code)]

mod arguments;
mod destination;
mod ptxas;

use arguments::{Arguments, Emit, Explain};
use clap::Parser;
use destination::Output;
use std::process::ExitCode;
use xpu_emit::{CompileError, Options, Outputs, Source, Wanted};
use xpu_runtime::{Image, ImageFormat, RunError};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Compile(error)) => ExitCode::from(error.report()),
        Err(Failure::Run(error)) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Why nothing was written.
enum Failure {
    Compile(CompileError),
    Run(RunError),
}

impl From<CompileError> for Failure {
    fn from(error: CompileError) -> Self {
        Self::Compile(error)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.emit == Some(Emit::Llvm) && arguments.target.name() == "vulkan" {
        return Err(Failure::Run(RunError::Usage(
            "there is no LLVM IR on the way to Vulkan: --emit mlir, asm or bin".into(),
        )));
    }
    let output = Output::of(arguments)?;
    let source = Source::read(&arguments.input).map_err(|source| RunError::File {
        action: "read",
        path: arguments.input.clone(),
        source,
    })?;
    let name = source.name.clone();
    let mut outputs = compile(arguments, &output, source)?;
    if outputs.manifest.kernels.is_empty() {
        eprintln!("warning: there are no kernels in {name}");
    }
    let image = image(arguments, &output, &mut outputs)?;

    let mut manifest = outputs.manifest.clone();
    manifest.image = image.format.and_then(|format| {
        let file = output.image_beside_manifest()?;
        Some(Image { file, format })
    });
    if let Some(destination) = &output.code {
        destination.write(&image.bytes, image.is_text)?;
    }
    if let Some(destination) = &output.manifest {
        destination.write(manifest.to_json().as_bytes(), true)?;
    }
    if let Some(report) = &outputs.explanation {
        let text = match arguments.explain {
            Some(Explain::Json) => {
                serde_json::to_string_pretty(report).expect("a report is plain data") + "\n"
            }
            Some(Explain::Text) | None => report.to_string(),
        };
        output.explanation.write(text.as_bytes(), true)?;
    }
    Ok(())
}

/// Compiles for the target, with what has to be written.
fn compile(
    arguments: &Arguments,
    output: &Output,
    source: Source,
) -> Result<Outputs, CompileError> {
    let is_written = |emit| output.code.is_some() && output.emit == emit;
    let wanted = Wanted {
        mlir: is_written(Emit::Mlir),
        llvm: is_written(Emit::Llvm),
        asm: is_written(Emit::Asm),
        object: is_written(Emit::Bin),
        lines: arguments.lines,
        explanation: arguments.explain.is_some(),
    };
    let options = Options {
        strict: arguments.strict,
        forbid_cas_loop: !arguments.forbid.is_empty(),
        check_bounds: false,
        assume_any_memory: arguments.assume_memory == "any",
    };
    let target = arguments.target.clone();
    source.compile(move |context, source| {
        xpu_emit::outputs(context, source, &target, options, wanted)
    })
}

/// What is written to OUT.
struct Code {
    bytes: Vec<u8>,
    is_text: bool,
    /// What a launcher takes it for; none where it cannot be launched.
    format: Option<ImageFormat>,
}

impl Code {
    fn text(text: Option<String>, format: Option<ImageFormat>) -> Self {
        Self {
            bytes: text.unwrap_or_default().into_bytes(),
            is_text: true,
            format,
        }
    }
}

/// Takes what is written to OUT from the outputs.
fn image(arguments: &Arguments, output: &Output, outputs: &mut Outputs) -> Result<Code, Failure> {
    let format = outputs.manifest.image.as_ref().map(|image| image.format);
    let is_ptx = format == Some(ImageFormat::Ptx);
    Ok(match output.emit {
        Emit::Mlir => Code::text(outputs.mlir.take(), None),
        Emit::Llvm => Code::text(outputs.llvm.take(), None),
        // Of texts, launchers take PTX alone.
        Emit::Asm => Code::text(outputs.asm.take(), format.filter(|_| is_ptx)),
        Emit::Bin if output.code.is_some() && is_ptx => {
            let ptx = outputs.image.take().unwrap_or_default();
            assembled(arguments, &outputs.manifest.target, ptx)?
        }
        Emit::Bin => Code {
            bytes: outputs.image.take().unwrap_or_default(),
            is_text: false,
            format,
        },
    })
}

/// A cubin where there is an assembler for the chip that the code is for, else the PTX.
fn assembled(arguments: &Arguments, target: &str, ptx: Vec<u8>) -> Result<Code, Failure> {
    // A module of the source may name another chip than the command line.
    let chip = target.split(':').next_back().unwrap_or_default();
    let cubin = ptxas::assemble(&ptx, chip, arguments.lines)?;
    Ok(Code {
        is_text: cubin.is_none(),
        format: Some(match cubin {
            Some(_) => ImageFormat::Cubin,
            None => ImageFormat::Ptx,
        }),
        bytes: cubin.unwrap_or(ptx),
    })
}
