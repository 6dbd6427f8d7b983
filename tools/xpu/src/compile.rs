//! From a module, or a source, to code and its manifest.
//!
//! ```
//! use melior::ir::Module;
//! use xpu::CompileOptions;
//!
//! let context = xpu::new_context();
//! let source = "xpu.kernel @k(%m: memref<?xi32>, %v: i32) workgroup_size(64, 1, 1) {
//!   %i = xpu.global_id x
//!   %old = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32>
//!   xpu.return
//! }";
//! let module = Module::parse(&context, source).unwrap();
//! let options = CompileOptions::new().strict(true).explain(true);
//! let compiled = xpu::compile(&module, &"nvptx:sm_90".parse()?, &options)?;
//!
//! assert!(String::from_utf8_lossy(compiled.image()).contains("red.relaxed.gpu.global.add.u32"));
//! assert!(compiled.manifest_json().contains("\"abi\": 1"));
//! assert!(compiled.explanation().unwrap().contains("strategy:     native"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::compiled::Compiled;
use crate::diagnostic::{Diagnostic, display};
use crate::target::Target;
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationRef, WalkOrder, WalkResult};
use xpu_emit::{Source, Wanted};

/// How code is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompileOptions {
    strict: bool,
    forbid_cas_loop: bool,
    check_bounds: bool,
    assume_any_memory: bool,
    explain: bool,
    lines: bool,
    text: bool,
}

impl CompileOptions {
    /// Nothing is refused, nothing is explained.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A change or weakening of scope or ordering is an error.
    #[must_use]
    pub fn strict(mut self, wanted: bool) -> Self {
        self.strict = wanted;
        self
    }

    /// An atomic that becomes a compare-and-swap loop is an error.
    #[must_use]
    pub fn forbid_cas_loop(mut self, wanted: bool) -> Self {
        self.forbid_cas_loop = wanted;
        self
    }

    /// An access outside of a memref is an error of the launch, which says where; on the CPU only.
    #[must_use]
    pub fn check_bounds(mut self, wanted: bool) -> Self {
        self.check_bounds = wanted;
        self
    }

    /// No scope promises where memory is, so that buffers may be the host's; on AMD chips only, and an
    /// error elsewhere.
    #[must_use]
    pub fn assume_any_memory(mut self, wanted: bool) -> Self {
        self.assume_any_memory = wanted;
        self
    }

    /// [`Compiled::explanation`] tells what became of each atomic, fence and barrier.
    #[must_use]
    pub fn explain(mut self, wanted: bool) -> Self {
        self.explain = wanted;
        self
    }

    /// The code has line information.
    #[must_use]
    pub fn line_information(mut self, wanted: bool) -> Self {
        self.lines = wanted;
        self
    }

    /// [`Compiled::text`] is the code as text.
    #[must_use]
    pub fn text(mut self, wanted: bool) -> Self {
        self.text = wanted;
        self
    }
}

/// Why there is no code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The input is wrong, or the target cannot do what it asks for.
    #[error("{}", display(diagnostics))]
    Refused {
        /// What is wrong and what would be right; warnings and remarks too.
        diagnostics: Vec<Diagnostic>,
    },
    /// Something on this machine is missing: a linker, memory.
    #[error("{message}")]
    Environment {
        /// What is missing.
        message: String,
    },
    /// A mistake of the compiler.
    #[error("the compiler is wrong: {message}")]
    Internal {
        /// What it stopped at.
        message: String,
    },
}

/// Compiles every kernel of a module for a target; the module stays as it is.
///
/// It is compiled in a context of its own, on a thread with a large stack, so it may have operations of
/// xpu and of upstream only: lower those of other dialects first. What is said of operations is said at
/// their locations. Where a module has none at all, an explanation and line information are about its
/// text as it prints: `module:9:14`.
///
/// An error that LLVM itself cannot recover from ends the process.
///
/// # Errors
///
/// Where the module does not verify or lower, where the target cannot do what is asked, and where
/// something on this machine is missing.
pub fn compile(
    module: &Module<'_>,
    target: &Target,
    options: &CompileOptions,
) -> Result<Compiled, CompileError> {
    let op = module.as_operation();
    if (options.explain || options.lines) && has_no_locations(op) {
        return compile_source("module", op.to_string().as_bytes(), target, options);
    }
    // Bytecode keeps the locations, and is read without recursion.
    compile_source("module", &op.write_bytecode(), target, options)
}

/// Whether nothing in a module says where it comes from.
fn has_no_locations(module: OperationRef<'_, '_>) -> bool {
    let mut none = true;
    module.walk(WalkOrder::PreOrder, |op| {
        none = op.location().to_string() == "loc(unknown)";
        if none {
            WalkResult::Advance
        } else {
            WalkResult::Interrupt
        }
    });
    none
}

/// As [`compile()`], of MLIR's text or bytecode; `name` is what locations call the text.
///
/// # Errors
///
/// As [`compile()`], and where the source does not parse.
pub fn compile_source(
    name: &str,
    source: &[u8],
    target: &Target,
    options: &CompileOptions,
) -> Result<Compiled, CompileError> {
    let source = Source {
        name: name.to_owned(),
        text: source.to_owned(),
    };
    let wanted = Wanted {
        object: true,
        asm: options.text,
        lines: options.lines,
        explanation: options.explain,
        ..Wanted::default()
    };
    let how = xpu_emit::Options {
        strict: options.strict,
        forbid_cas_loop: options.forbid_cas_loop,
        check_bounds: options.check_bounds,
        assume_any_memory: options.assume_any_memory,
    };
    let target = target.tables().clone();
    let (outcome, collected) = source.compile_collecting(move |context, source| {
        xpu_emit::outputs(context, source, &target, how, wanted)
    });
    let diagnostics = Diagnostic::all(collected);
    let outputs = outcome.map_err(|error| CompileError::of(error, diagnostics.clone()))?;
    Ok(Compiled::of(outputs, diagnostics))
}

impl CompileError {
    fn of(error: xpu_emit::CompileError, mut diagnostics: Vec<Diagnostic>) -> Self {
        use xpu_emit::CompileError as Inner;
        let message = error.to_string();
        match error {
            Inner::Reported => Self::Refused { diagnostics },
            Inner::Refused(text) => {
                let text = text.strip_prefix("error: ").unwrap_or(&text);
                diagnostics.push(Diagnostic::error(text.to_owned()));
                Self::Refused { diagnostics }
            }
            Inner::Usage(text) => {
                diagnostics.push(Diagnostic::error(text));
                Self::Refused { diagnostics }
            }
            Inner::Thread(_) | Inner::Linker(_) => Self::Environment { message },
            _ if diagnostics.is_empty() => Self::Internal { message },
            _ => Self::Internal {
                message: format!("{message}\n{}", display(&diagnostics)),
            },
        }
    }
}
