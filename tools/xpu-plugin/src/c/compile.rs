//! `xpu-c/Compile.h`.

use super::{FAILURE, SUCCESS, collect, hand_over, text};
use mlir_sys::{
    MlirContext, MlirLocation, MlirLogicalResult, MlirModule, MlirStringCallback, MlirStringRef,
};
use std::ffi::c_void;
use xpu_dialect::diagnostic::{self, Collected};
use xpu_dialect::ir::Location;
use xpu_emit::{CompileError, Options, Source};
use xpu_targets::Target;

/// Sets an option.
type Set = fn(&mut Options);

/// What `xpuCompileWithOptions` takes.
#[rustfmt::skip] // one row a line
const OPTIONS: &[(&str, Set)] = &[
    ("assume-memory=any", |options| options.assume_any_memory = true),
    ("assume-memory=scope", |options| options.assume_any_memory = false),
    ("forbid-cas-loop", |options| options.forbid_cas_loop = true),
    ("strict", |options| options.strict = true),
];

/// Compiles a module, without options.
///
/// # Safety
///
/// The module must be alive, the views and the callbacks what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuCompile(
    module: MlirModule,
    target: MlirStringRef,
    image_file: MlirStringRef,
    on_image: MlirStringCallback,
    on_manifest: MlirStringCallback,
    user_data: *mut c_void,
) -> MlirLogicalResult {
    let none = super::view(b"");
    // SAFETY: the caller vouches for all of it.
    unsafe {
        xpuCompileWithOptions(
            module,
            target,
            none,
            image_file,
            on_image,
            on_manifest,
            user_data,
        )
    }
}

/// Compiles a module.
///
/// # Safety
///
/// The module must be alive, the views and the callbacks what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xpuCompileWithOptions(
    module: MlirModule,
    target: MlirStringRef,
    options: MlirStringRef,
    image_file: MlirStringRef,
    on_image: MlirStringCallback,
    on_manifest: MlirStringCallback,
    user_data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the caller vouches for the module, which is only read, and for the texts.
    let (context, op, target, options) = unsafe {
        (
            mlir_sys::mlirModuleGetContext(module),
            mlir_sys::mlirModuleGetOperation(module),
            text(target),
            text(options),
        )
    };
    // SAFETY: the context is alive, since its module is.
    let unknown = unsafe { mlir_sys::mlirLocationUnknownGet(context) };
    let target = match Target::parse(&target) {
        Ok(target) => target,
        Err(problem) => {
            error(unknown, &problem.to_string());
            return FAILURE;
        }
    };
    let options = match read(&options) {
        Ok(options) => options,
        Err(problem) => {
            error(unknown, &problem);
            return FAILURE;
        }
    };
    let mut bytecode: Vec<u8> = Vec::new();
    // SAFETY: the operation is alive; the buffer lives for the call.
    unsafe {
        // What does not verify is said here, with all that its locations know.
        if !mlir_sys::mlirOperationVerify(op) {
            return FAILURE;
        }
        mlir_sys::mlirOperationWriteBytecode(op, Some(collect), (&raw mut bytecode).cast());
    }
    let source = Source {
        name: "module".to_string(),
        text: bytecode,
    };
    let (compiled, diagnostics) = source.compile_collecting(move |context, source| {
        xpu_emit::compile(context, source, &target, options)
    });
    for diagnostic in &diagnostics {
        emit(context, unknown, diagnostic);
    }
    match compiled {
        Ok(mut compiled) => {
            if let Some(image) = &mut compiled.manifest.image {
                // SAFETY: the caller vouches for the text.
                image.file = unsafe { text(image_file) }.into_owned();
            }
            let manifest = compiled.manifest.to_json();
            // SAFETY: the caller vouches for the callbacks.
            unsafe {
                hand_over(on_image, &compiled.image, user_data);
                hand_over(on_manifest, manifest.as_bytes(), user_data);
            }
            SUCCESS
        }
        Err(CompileError::Reported) => FAILURE,
        Err(problem) => {
            error(unknown, &problem.to_string());
            FAILURE
        }
    }
}

/// Reads options, which blanks separate.
fn read(text: &str) -> Result<Options, String> {
    let mut options = Options::default();
    for word in text.split_whitespace() {
        let Some((_, set)) = OPTIONS.iter().find(|(name, _)| *name == word) else {
            let known: Vec<_> = OPTIONS.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "unknown option '{word}'; compiling takes {}",
                known.join(", ")
            ));
        };
        set(&mut options);
    }
    Ok(options)
}

fn error(location: MlirLocation, message: &str) {
    // SAFETY: locations live as long as their context, which the caller keeps alive.
    diagnostic::error(unsafe { Location::from_raw(location) }, message);
}

/// Emits a diagnostic of another context.
fn emit(context: MlirContext, unknown: MlirLocation, collected: &Collected) {
    let place = |one: &Collected| match &one.position {
        // SAFETY: the context is alive, and the text for the call; the location lives as long as the
        // context.
        Some(at) => unsafe {
            Location::from_raw(mlir_sys::mlirLocationFileLineColGet(
                context,
                super::view(at.file.as_bytes()),
                at.line,
                at.column,
            ))
        },
        // SAFETY: as above.
        None => unsafe { Location::from_raw(unknown) },
    };
    let location = place(collected);
    let notes: Vec<_> = collected
        .notes
        .iter()
        .map(|note| (place(note), note.message.as_str()))
        .collect();
    match collected.severity {
        "warning" => diagnostic::warning(location, &collected.message),
        "remark" => diagnostic::remark(location, &collected.message),
        _ => {
            diagnostic::error_with_notes(location, &collected.message, &notes);
        }
    }
}
