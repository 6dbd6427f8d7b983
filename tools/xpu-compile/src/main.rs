//! `xpu-compile`: kernels to MLIR, LLVM IR, assembly or binary, with a manifest for launchers, and an
//! explanation of every atomic, fence and barrier.
//!
//! Exit status: 0 right; 1 the input is wrong; 2 usage; 3 out of memory or threads.
#![forbid(unsafe_code)]

mod arguments;
mod destination;
mod ptxas;

use arguments::{Arguments, Emit, Explain, Target};
use clap::Parser;
use destination::Output;
use std::process::ExitCode;
use xpu_emit::{
    CompileError, CpuOptions, GpuOptions, Outputs, Source, Wanted, outputs_for_amdgpu,
    outputs_for_cpu, outputs_for_nvptx, outputs_for_vulkan,
};
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
    if arguments.emit == Some(Emit::Llvm) && matches!(arguments.target, Target::Vulkan { .. }) {
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
    // The image of an NVIDIA chip is made of its text.
    let is_text = matches!(arguments.target, Target::Nvptx { .. });
    let wanted = Wanted {
        mlir: is_written(Emit::Mlir),
        llvm: is_written(Emit::Llvm),
        asm: is_written(Emit::Asm) || is_written(Emit::Bin) && is_text,
        object: is_written(Emit::Bin) && !is_text,
        lines: arguments.lines,
        explanation: arguments.explain.is_some(),
    };
    let (strict, forbid_cas_loop) = (arguments.strict, !arguments.forbid.is_empty());
    match arguments.target.clone() {
        Target::Cpu => source.compile(move |context, source| {
            let options = CpuOptions {
                strict,
                forbid_cas_loop,
                ..CpuOptions::default()
            };
            outputs_for_cpu(context, &source.text, &source.name, options, wanted)
        }),
        Target::Nvptx { chip } => source.compile(move |context, source| {
            let options = GpuOptions {
                strict,
                forbid_cas_loop,
            };
            outputs_for_nvptx(context, &source.text, &source.name, &chip, options, wanted)
        }),
        Target::Vulkan { version } => source.compile(move |context, source| {
            let options = GpuOptions {
                strict,
                forbid_cas_loop,
            };
            let (text, name) = (&source.text, &source.name);
            outputs_for_vulkan(context, text, name, &version, options, wanted)
        }),
        Target::Amdgpu { chip } => source.compile(move |context, source| {
            let options = GpuOptions {
                strict,
                forbid_cas_loop,
            };
            outputs_for_amdgpu(context, &source.text, &source.name, &chip, options, wanted)
        }),
    }
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
    Ok(match (output.emit, &arguments.target) {
        (Emit::Mlir, _) => Code::text(outputs.mlir.take(), None),
        (Emit::Llvm, _) => Code::text(outputs.llvm.take(), None),
        // Launchers take the binary form of SPIR-V.
        (Emit::Asm, Target::Cpu | Target::Amdgpu { .. } | Target::Vulkan { .. }) => {
            Code::text(outputs.asm.take(), None)
        }
        (Emit::Asm, Target::Nvptx { .. }) => Code::text(outputs.asm.take(), Some(ImageFormat::Ptx)),
        (Emit::Bin, Target::Cpu) => Code {
            bytes: outputs.image.take().unwrap_or_default(),
            is_text: false,
            format: Some(ImageFormat::Object),
        },
        (Emit::Bin, Target::Vulkan { .. }) => Code {
            bytes: outputs.image.take().unwrap_or_default(),
            is_text: false,
            format: Some(ImageFormat::Spirv),
        },
        (Emit::Bin, Target::Amdgpu { .. }) => Code {
            bytes: outputs.image.take().unwrap_or_default(),
            is_text: false,
            format: Some(ImageFormat::Hsaco),
        },
        (Emit::Bin, Target::Nvptx { .. }) if output.code.is_none() => Code::text(None, None),
        (Emit::Bin, Target::Nvptx { .. }) => {
            let ptx = outputs.asm.take().unwrap_or_default();
            // A module of the source may name another chip than the command line.
            let chip = outputs
                .manifest
                .target
                .split(':')
                .next_back()
                .unwrap_or_default();
            match ptxas::assemble(&ptx, chip, arguments.lines)? {
                Some(bytes) => Code {
                    bytes,
                    is_text: false,
                    format: Some(ImageFormat::Cubin),
                },
                None => Code::text(Some(ptx), Some(ImageFormat::Ptx)),
            }
        }
    })
}
