//! Compiles cells, and keeps what is said of each.

use crate::cells::{self, Cell};
use crate::targets::Target;
use std::sync::{Arc, Mutex};
use xpu_dialect::{Context, context};
use xpu_emit::{Compiled, GpuOptions, compile_for_vulkan};

/// Compiles one module after the other.
pub(crate) struct Compiler {
    context: Context,
    diagnostics: Arc<Mutex<Vec<Diagnostic>>>,
    options: GpuOptions,
}

/// What was said of a line.
#[derive(Clone, Debug)]
struct Diagnostic {
    line: Option<usize>,
    is_error: bool,
    is_warning: bool,
    text: String,
}

/// What came of a module.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) compiled: Result<Compiled, String>,
    diagnostics: Vec<Diagnostic>,
    /// The first line of each cell's kernel, and that behind the last kernel.
    starts: Vec<usize>,
}

impl Compiler {
    pub(crate) fn new() -> Self {
        Self::with(GpuOptions::default())
    }

    pub(crate) fn strict() -> Self {
        Self::with(GpuOptions {
            strict: true,
            ..GpuOptions::default()
        })
    }

    fn with(options: GpuOptions) -> Self {
        let context = context::new();
        let diagnostics = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&diagnostics);
        context.attach_diagnostic_handler(move |diagnostic| {
            let severity = format!("{:?}", diagnostic.severity());
            sink.lock().unwrap().push(Diagnostic {
                line: line(&diagnostic.location().to_string()),
                is_error: severity == "Error",
                is_warning: severity == "Warning",
                text: diagnostic.to_string(),
            });
            true
        });
        Self {
            context,
            diagnostics,
            options,
        }
    }

    pub(crate) fn compile(&self, cells: &[Cell], target: &Target) -> Said {
        let mut source = String::new();
        let mut starts = vec![1];
        let mut lines = 1;
        for cell in cells {
            let text = cells::source(std::slice::from_ref(cell));
            lines += text.matches('\n').count();
            starts.push(lines);
            source += &text;
        }
        self.diagnostics.lock().unwrap().clear();
        let compiled = compile_for_vulkan(
            &self.context,
            source.as_bytes(),
            "cells.mlir",
            &target.text(),
            self.options,
        );
        let diagnostics = std::mem::take(&mut *self.diagnostics.lock().unwrap());
        let errors: Vec<&str> = diagnostics
            .iter()
            .filter(|one| one.is_error)
            .map(|one| one.text.as_str())
            .collect();
        Said {
            compiled: compiled.map_err(|error| format!("{error}: {}", errors.join("; "))),
            diagnostics,
            starts,
        }
    }
}

/// The line of a place in `cells.mlir`.
fn line(place: &str) -> Option<usize> {
    let (_, rest) = place
        .split_once("cells.mlir\":")
        .or_else(|| place.split_once("cells.mlir:"))?;
    rest.split(':').next()?.parse().ok()
}

impl Said {
    fn is_at(&self, line: Option<usize>, at: usize) -> bool {
        line.is_some_and(|line| (self.starts[at]..self.starts[at + 1]).contains(&line))
    }

    /// The errors in the kernel of a cell.
    pub(crate) fn errors_at(&self, at: usize) -> String {
        let errors = self.diagnostics.iter();
        let errors = errors.filter(|one| one.is_error && self.is_at(one.line, at));
        let errors: Vec<&str> = errors.map(|one| one.text.as_str()).collect();
        errors.join("; ")
    }

    /// Everything that was said.
    pub(crate) fn all(&self) -> Vec<&str> {
        self.diagnostics
            .iter()
            .map(|one| one.text.as_str())
            .collect()
    }

    /// What is wrong with what is said of clauses that are done in a weaker way, where there are so
    /// many in the kernel of a cell.
    pub(crate) fn weaker_at(&self, at: usize, count: usize) -> Vec<String> {
        let mut found = Vec::new();
        let here: Vec<&Diagnostic> = self
            .diagnostics
            .iter()
            .filter(|one| self.is_at(one.line, at))
            .collect();
        let says = |one: &&&Diagnostic| one.is_warning && one.text.contains("losing");
        let warnings = here.iter().filter(says).count();
        if (warnings, here.len()) != (count, count) {
            let texts: Vec<&str> = here.iter().map(|one| one.text.as_str()).collect();
            found.push(format!(
                "{count} clauses are weaker, and what is said is {texts:?}"
            ));
        }
        if let Ok(compiled) = &self.compiled {
            let listed = compiled
                .manifest
                .weakenings
                .iter()
                .filter(|one| self.is_at(line(&one.location), at));
            let listed = listed.count();
            if listed != count {
                found.push(format!(
                    "{count} clauses are weaker, and the manifest lists {listed}"
                ));
            }
        }
        found
    }
}
