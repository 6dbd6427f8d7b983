//! What is compiled, and the thread that does it.

use crate::{CompileError, llvm};
use std::io::{self, Read};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use xpu_dialect::diagnostic::{self, Collected};
use xpu_dialect::{Context, context};

/// Stack of the thread that compiles: MLIR recurses for each level of nesting.
const STACK_BYTES: usize = 512 << 20;

/// A source, text or bytecode.
#[derive(Clone, Debug)]
pub struct Source {
    /// What locations call it.
    pub name: String,
    /// What is in it.
    pub text: Vec<u8>,
}

impl Source {
    /// Reads a file; `-` is standard input.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn read(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            let mut text = Vec::new();
            io::stdin().lock().read_to_end(&mut text)?;
            return Ok(Self {
                name: "<stdin>".to_string(),
                text,
            });
        }
        Ok(Self {
            name: path.to_string_lossy().into_owned(),
            text: std::fs::read(path)?,
        })
    }

    /// Compiles on a thread with a stack that is large enough, with diagnostics on standard error.
    /// From then on, an error that LLVM cannot recover from ends the process with status 1.
    ///
    /// # Errors
    ///
    /// Those of `compile`, an internal error where it panics, and where there is no thread.
    pub fn compile<T: Send + 'static>(
        self,
        compile: impl FnOnce(&Context, &Self) -> Result<T, CompileError> + Send + 'static,
    ) -> Result<T, CompileError> {
        on_large_stack(move || {
            let context = context::new();
            diagnostic::print_to_stderr(&context, &self.name, &self.text);
            compile(&context, &self)
        })
    }

    /// As [`Source::compile`], with the diagnostics collected.
    pub fn compile_collecting<T: Send + 'static>(
        self,
        compile: impl FnOnce(&Context, &Self) -> Result<T, CompileError> + Send + 'static,
    ) -> (Result<T, CompileError>, Vec<Collected>) {
        let done = on_large_stack(move || {
            let context = context::new();
            Ok(diagnostic::collect(&context, || {
                // A panic would take along what has been collected, which may say why.
                std::panic::catch_unwind(AssertUnwindSafe(|| compile(&context, &self)))
                    .unwrap_or(Err(CompileError::Internal))
            }))
        });
        done.unwrap_or_else(|error| (Err(error), Vec::new()))
    }
}

fn on_large_stack<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CompileError> + Send + 'static,
) -> Result<T, CompileError> {
    let worker = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            llvm::exit_on_fatal_errors();
            work()
        });
    let worker = worker.map_err(CompileError::Thread)?;
    worker.join().unwrap_or(Err(CompileError::Internal))
}
