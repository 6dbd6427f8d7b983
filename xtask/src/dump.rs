//! Reads what `--mlir-print-ir-after-all` prints, and shows what each pass did to chosen lines.

/// The IR after one pass.
#[derive(Debug, PartialEq)]
pub(crate) struct Dump<'a> {
    /// The pass's flag.
    pub(crate) pass: &'a str,
    /// The IR.
    pub(crate) ir: &'a str,
}

/// Splits the output at its banners, `// -----// IR Dump After Name (flag) //----- //`.
pub(crate) fn dumps(text: &str) -> Vec<Dump<'_>> {
    let mut dumps = Vec::new();
    let mut parts = text.split("// -----// IR Dump After ");
    parts.next();
    for part in parts {
        let (banner, ir) = part.split_once('\n').unwrap_or((part, ""));
        let title = banner.split(" //-----").next().unwrap_or(banner).trim();
        // "Name (flag)"; a dump that follows a failed pass ends its title in "Failed".
        let pass = title
            .rsplit_once('(')
            .and_then(|(_, rest)| rest.split_once(')'))
            .map_or(title, |(flag, _)| flag);
        dumps.push(Dump { pass, ir });
    }
    dumps
}

/// A line to follow through the pipeline: the first that contains one of the texts.
pub(crate) struct Follow<'a>(pub(crate) &'a [&'a str]);

impl Follow<'_> {
    fn find<'a>(&self, ir: &'a str) -> Option<&'a str> {
        ir.lines()
            .map(str::trim)
            .find(|line| self.0.iter().any(|text| line.contains(text)))
    }
}

/// A pass, and the followed lines that it changed, before and after.
#[derive(Debug, PartialEq)]
pub(crate) struct Step<'a> {
    pub(crate) pass: &'a str,
    pub(crate) changes: Vec<(&'a str, &'a str)>,
}

/// What each pass changed. Passes of one name in a row (one for each function) are one step.
pub(crate) fn steps<'a>(
    start: &'a str,
    dumps: &[Dump<'a>],
    follow: &[Follow<'_>],
) -> Vec<Step<'a>> {
    let mut now: Vec<&str> = follow
        .iter()
        .map(|f| f.find(start).unwrap_or_default())
        .collect();
    let mut steps: Vec<Step<'a>> = Vec::new();
    for dump in dumps {
        let mut changes = Vec::new();
        for (line, follow) in now.iter_mut().zip(follow) {
            let Some(found) = follow.find(dump.ir) else {
                continue;
            };
            if unnamed(line) != unnamed(found) {
                changes.push((*line, found));
            }
            *line = found;
        }
        match steps.last_mut() {
            Some(last) if last.pass == dump.pass => last.changes.extend(changes),
            _ => steps.push(Step {
                pass: dump.pass,
                changes,
            }),
        }
    }
    steps
}

/// The line without the names of its values: passes renumber them.
fn unnamed(line: &str) -> String {
    let mut text = String::new();
    let mut in_name = false;
    for c in line.chars() {
        in_name = c == '%' || in_name && (c.is_ascii_alphanumeric() || "_#$.".contains(c));
        if c == '%' || !in_name {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "xpu.kernel @h() {\n  %old = xpu.atomic_rmw add %one, %b[%i] : m\n}";
    const TEXT: &str = "\
// -----// IR Dump After XpuAssignScope (xpu-assign-scope) //----- //
module {
  xpu.kernel @h() {
    %3 = xpu.atomic_rmw add %0, %arg0[%2] scope(device) : m
  }
}

// -----// IR Dump After Canonicalizer (canonicalize) //----- //
xpu.kernel @h() {
  %4 = xpu.atomic_rmw add %1, %arg0[%3] scope(device) : m
}
// -----// IR Dump After (convert-xpu-to-llvm) //----- //
llvm.func @h() {
  %5 = llvm.atomicrmw add %4, %2 monotonic : !llvm.ptr, i32
";

    #[test]
    fn banners_split_the_output() {
        let dumps = dumps(TEXT);
        let passes: Vec<_> = dumps.iter().map(|dump| dump.pass).collect();
        assert_eq!(
            passes,
            ["xpu-assign-scope", "canonicalize", "convert-xpu-to-llvm"]
        );
        assert!(dumps[0].ir.starts_with("module {"));
        assert_eq!(super::dumps("no banner"), []);
    }

    #[test]
    fn steps_show_changed_lines_and_ignore_renumbering() {
        let dumps = dumps(TEXT);
        let follow = [
            Follow(&["@h("]),
            Follow(&["xpu.atomic_rmw", "llvm.atomicrmw"]),
        ];
        let steps = steps(START, &dumps, &follow);
        assert_eq!(steps.len(), 3);
        let (before, after) = steps[0].changes[0];
        assert_eq!(before, "%old = xpu.atomic_rmw add %one, %b[%i] : m");
        assert_eq!(
            after,
            "%3 = xpu.atomic_rmw add %0, %arg0[%2] scope(device) : m"
        );
        assert_eq!(steps[0].changes.len(), 1);
        assert_eq!(steps[1].changes, []);
        assert_eq!(steps[2].changes.len(), 2);
        assert_eq!(
            steps[2].changes[0],
            ("xpu.kernel @h() {", "llvm.func @h() {")
        );
    }
}
