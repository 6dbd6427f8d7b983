//! What MLIR and the passes say, as values.

use std::fmt;
use xpu_dialect::diagnostic::Collected;

/// How grave a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Nothing came of it.
    Error,
    /// Something is lost.
    Warning,
    /// Something was changed.
    Remark,
    /// More about the diagnostic that it belongs to.
    Note,
}

/// One message, and where it belongs.
///
/// Displays as compilers do, with its notes below: `histogram.mlir:14:3: error: …`. MLIR's note with
/// the operation itself is shown only where there is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    position: Option<(String, u32, u32)>,
    message: String,
    notes: Vec<Diagnostic>,
}

impl Diagnostic {
    pub(crate) fn all(collected: Vec<Collected>) -> Vec<Self> {
        collected.into_iter().map(Self::of).collect()
    }

    fn of(collected: Collected) -> Self {
        Self {
            severity: match collected.severity {
                "error" => Severity::Error,
                "warning" => Severity::Warning,
                "remark" => Severity::Remark,
                _ => Severity::Note,
            },
            position: collected.position.map(|at| (at.file, at.line, at.column)),
            message: collected.message,
            notes: Self::all(collected.notes),
        }
    }

    /// An error that is at no place in a file.
    #[cfg(feature = "compile")]
    pub(crate) fn error(message: String) -> Self {
        Self {
            severity: Severity::Error,
            position: None,
            message,
            notes: Vec::new(),
        }
    }

    /// How grave it is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// File, line and column, the latter two counted from 1; `None` where the location of the
    /// operation is not in a file.
    pub fn position(&self) -> Option<(&str, u32, u32)> {
        let (file, line, column) = self.position.as_ref()?;
        Some((file, *line, *column))
    }

    /// What it says.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What is said about it at other places.
    pub fn notes(&self) -> &[Diagnostic] {
        &self.notes
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Remark => "remark",
            Self::Note => "note",
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line, column)) = &self.position {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        let is_shown = |note: &&Self| {
            self.position.is_none() || !note.message.starts_with("see current operation")
        };
        let mut notes = self.notes.iter().filter(is_shown);
        notes.try_for_each(|note| write!(f, "\n{note}"))
    }
}

/// Diagnostics, one below the other.
pub(crate) fn display(diagnostics: &[Diagnostic]) -> String {
    let texts: Vec<_> = diagnostics.iter().map(Diagnostic::to_string).collect();
    texts.join("\n")
}
