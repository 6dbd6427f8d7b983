//! The report as text.

use super::{Clause, Operation, Place, Report, Source};
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.operations.is_empty() {
            writeln!(f, "no atomics, fences or barriers in kernels")?;
        }
        for operation in &self.operations {
            write!(f, "{operation}")?;
        }
        if !self.unattributed.is_empty() {
            writeln!(
                f,
                "at no operation, because LLVM merged the code of several:"
            )?;
            for instruction in &self.unattributed {
                writeln!(f, "    {instruction}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(place) => write!(f, "{place}: ")?,
            None => f.write_str("<unknown>: ")?,
        }
        f.write_str(&self.op)?;
        if let Some(kind) = &self.kind {
            write!(f, " {kind}")?;
        }
        if let (Some(ty), Some(storage)) = (&self.ty, &self.storage) {
            write!(f, " on {ty} in {storage} memory")?;
        }
        if let Some(name) = &self.written_as {
            write!(f, ", written as {name}")?;
        }
        writeln!(f, " (in {})", self.functions.join(", "))?;

        line(f, "scope", &self.scope.to_string())?;
        let mut ordering = self.ordering.to_string();
        if self.done_as.iter().ne([&self.ordering.given]) {
            let steps = match self.done_as.as_slice() {
                [] => "nothing: no other work-item takes part".to_string(),
                steps => steps.join(", then "),
            };
            ordering += &format!("; done as {steps}");
        }
        line(f, "ordering", &ordering)?;
        if let Some(failure) = &self.failure {
            line(f, "failure", &failure.to_string())?;
        }
        let details = match self.details.as_slice() {
            [] => String::new(),
            details => format!(" ({})", details.join("; ")),
        };
        line(f, "strategy", &format!("{}{details}", self.strategy))?;
        let fences = match self.fences {
            0 => String::new(),
            1 => " and a fence".to_string(),
            number => format!(" and {number} fences"),
        };
        line(f, "cost", &format!("{}{fences}", self.cost))?;
        if let Some(memory) = &self.memory {
            line(
                f,
                "memory",
                &format!("{}, promised by the {}", memory.promise, memory.source),
            )?;
        }
        if self.instructions.is_empty() {
            return line(f, "instructions", "none of its own in the emitted text");
        }
        writeln!(f, "  instructions:")?;
        self.instructions
            .iter()
            .try_for_each(|instruction| writeln!(f, "    {instruction}"))
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    writeln!(f, "  {:<14}{text}", format!("{name}:"))
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.asked == self.given {
            write!(f, "{} ({})", self.given, self.source)?;
        } else {
            write!(f, "{}, asked {} ({})", self.given, self.asked, self.source)?;
        }
        self.why.iter().try_for_each(|why| write!(f, "; {why}"))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Explicit => "explicit",
            Self::Operation => "what the operation means",
            Self::Storage => "from the memory",
            Self::Default => "default",
            Self::Ordering => "from the ordering",
            Self::Conversion => "by the conversion from upstream",
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
