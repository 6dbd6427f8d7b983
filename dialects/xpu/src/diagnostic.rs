//! Diagnostics at source locations, and the token that proves one was shown.

use crate::ffi;
use melior::Context;
use melior::diagnostic::{Diagnostic, DiagnosticSeverity};
use melior::ir::Location;
use mlir_sys::MlirLocation;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

/// Proof that an error was emitted: nothing else makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported(());

#[derive(Clone, Copy)]
enum Severity {
    Error = 0,
    Warning = 1,
    Remark = 3,
}

fn emit(severity: Severity, location: Location<'_>, message: &str, notes: &[(Location<'_>, &str)]) {
    let locations: Vec<MlirLocation> = notes.iter().map(|(at, _)| at.to_raw()).collect();
    let texts: Vec<_> = notes
        .iter()
        .map(|(_, text)| ffi::string_ref(text))
        .collect();
    // SAFETY: locations and texts are alive for the call, and the two lists are of one length.
    unsafe {
        ffi::xpuEmitDiagnostic(
            location.to_raw(),
            severity as i32,
            ffi::string_ref(message),
            notes.len() as isize,
            locations.as_ptr(),
            texts.as_ptr(),
        );
    }
}

/// Emits an error.
pub fn error(location: Location<'_>, message: &str) -> Reported {
    error_with_notes(location, message, &[])
}

/// Emits an error with notes at other places.
pub fn error_with_notes(
    location: Location<'_>,
    message: &str,
    notes: &[(Location<'_>, &str)],
) -> Reported {
    emit(Severity::Error, location, message, notes);
    Reported(())
}

/// Emits a warning.
pub fn warning(location: Location<'_>, message: &str) {
    emit(Severity::Warning, location, message, &[]);
}

/// Emits a remark.
pub fn remark(location: Location<'_>, message: &str) {
    emit(Severity::Remark, location, message, &[]);
}

/// A position in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePosition {
    /// The file's name as the parser was given it.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1.
    pub column: u32,
}

impl std::fmt::Display for FilePosition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The file position that a location holds, looked for through call sites, names and fusions.
pub fn file_position(location: Location<'_>) -> Option<FilePosition> {
    let mut file = ffi::string_ref("");
    let (mut line, mut column) = (0, 0);
    // SAFETY: the out parameters are alive for the call; the text is owned by the context, which
    // outlives the location, and is copied here.
    unsafe {
        ffi::xpuFileLocation(location.to_raw(), &mut file, &mut line, &mut column).then(|| {
            FilePosition {
                file: ffi::text(file).to_string(),
                line,
                column,
            }
        })
    }
}

/// Prints diagnostics of a context to standard error as compilers do: `file:line:column: error: …`,
/// then the line of the source with a mark below it, then the notes. Without it, MLIR prints
/// locations in a form that editors do not know.
///
/// `name` and `source` are the file that lines are shown of.
pub fn print_to_stderr(context: &Context, name: &str, source: &[u8]) {
    let name = name.to_string();
    let lines: Vec<String> = source
        .split(|byte| *byte == b'\n')
        .map(|line| String::from_utf8_lossy(line).into())
        .collect();
    context.attach_diagnostic_handler(move |diagnostic| {
        let mut text = String::new();
        describe(&diagnostic, &name, &lines, &mut text);
        eprint!("{text}");
        true
    });
}

/// A diagnostic that has been collected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collected {
    /// `error`, `warning`, `remark` or `note`.
    pub severity: &'static str,
    /// Where, if the location is in a file.
    pub position: Option<FilePosition>,
    /// What it says.
    pub message: String,
    /// The notes below it.
    pub notes: Vec<Collected>,
}

impl Collected {
    fn of(diagnostic: &Diagnostic<'_>) -> Self {
        Self {
            severity: severity(diagnostic),
            position: file_position(diagnostic.location()),
            message: diagnostic.to_string(),
            notes: (0..diagnostic.note_count())
                .filter_map(|index| diagnostic.note(index).ok())
                .map(|note| Self::of(&note))
                .collect(),
        }
    }
}

/// Takes every diagnostic of a context while `work` runs, instead of whoever takes them otherwise.
pub fn collect<T>(context: &Context, work: impl FnOnce() -> T) -> (T, Vec<Collected>) {
    let collected = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&collected);
    // Passes run on several threads; the list is never left half changed.
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        let mut list = into.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(Collected::of(&diagnostic));
        true
    });
    let result = work();
    context.detach_diagnostic_handler(handler);
    let list = std::mem::take(&mut *collected.lock().unwrap_or_else(PoisonError::into_inner));
    (result, list)
}

fn severity(diagnostic: &Diagnostic<'_>) -> &'static str {
    match diagnostic.severity() {
        DiagnosticSeverity::Error => "error",
        DiagnosticSeverity::Note => "note",
        DiagnosticSeverity::Remark => "remark",
        DiagnosticSeverity::Warning => "warning",
    }
}

/// The text of a diagnostic and its notes.
fn describe(diagnostic: &Diagnostic<'_>, name: &str, lines: &[String], text: &mut String) {
    let severity = severity(diagnostic);
    let position = file_position(diagnostic.location());
    // Writing to a String cannot fail.
    let _ = match &position {
        Some(position) => writeln!(text, "{position}: {severity}: {diagnostic}"),
        None => writeln!(text, "{name}: {severity}: {diagnostic}"),
    };
    if let Some(position) = position.filter(|position| position.file == name)
        && let Some(line) = usize::try_from(position.line)
            .ok()
            .and_then(|line| line.checked_sub(1))
            .and_then(|line| lines.get(line))
        && line.len() <= LONGEST_LINE
    {
        let column = (position.column as usize).saturating_sub(1);
        // Tabs stay tabs, so that the mark is below what it means.
        let indent: String = line
            .chars()
            .take(column)
            .map(|character| if character == '\t' { '\t' } else { ' ' })
            .collect();
        let _ = writeln!(text, "{line}\n{indent}^");
    }
    for index in 0..diagnostic.note_count() {
        if let Ok(note) = diagnostic.note(index) {
            describe(&note, name, lines, text);
        }
    }
}

/// Longer lines of a source are not shown.
const LONGEST_LINE: usize = 400;
