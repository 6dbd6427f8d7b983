//! Refuses input that is nested too deeply, before MLIR's parser runs out of stack on it.
//!
//! Upstream's parser recurses once for each level and dies of stack overflow on some thousands
//! (20,000 nested operations, LLVM 22.1.8). Depth is that of brackets outside strings and comments.

/// The deepest nesting that is accepted.
pub const LIMIT: usize = 1000;

/// What bytes are skipped as a whole.
fn skip_string(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b'"' && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Checks the nesting of a textual input; bytecode, which is read without recursion, passes.
///
/// # Errors
///
/// The diagnostic, with the place where the limit is passed.
pub fn check(name: &str, text: &[u8]) -> Result<(), String> {
    if text.starts_with(b"ML\xefR") {
        return Ok(());
    }
    let (mut at, mut depth, mut minuses) = (0, 0usize, 0usize);
    while at < text.len() {
        let byte = text[at];
        // A chain of unary minuses in an affine expression recurses as brackets do.
        minuses = match byte {
            b'-' => minuses + 1,
            b' ' | b'\n' | b'\t' | b'\r' => minuses,
            _ => 0,
        };
        match byte {
            b'"' => {
                at = skip_string(text, at + 1);
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'/') => {
                while at < text.len() && text[at] != b'\n' {
                    at += 1;
                }
                continue;
            }
            // Arrows and comparisons hold angle brackets that nest nothing.
            b'-' if text.get(at + 1) == Some(&b'>') => at += 1,
            b'<' | b'>' if text.get(at + 1) == Some(&b'=') => at += 1,
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > LIMIT || minuses > LIMIT {
            let line = text[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            let start = text[..at]
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1);
            let column = at - start + 1;
            return Err(format!(
                "{name}:{line}:{column}: error: nested more than {LIMIT} levels deep, which is the limit"
            ));
        }
        at += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_what_is_flat_and_counts_what_is_nested() {
        assert_eq!(
            check(
                "a",
                "f() { -> } // ((((\n \"((((\" ".repeat(5000).as_bytes()
            ),
            Ok(())
        );
        assert_eq!(check("a", "(".repeat(LIMIT).as_bytes()), Ok(()));
        let deep = format!("x\n  {}", "{".repeat(LIMIT + 1));
        let error = check("a.mlir", deep.as_bytes()).unwrap_err();
        assert!(
            error.starts_with("a.mlir:2:1003: error: nested more than 1000"),
            "{error}"
        );
        assert!(check("a", "- ".repeat(LIMIT + 2).as_bytes()).is_err());
    }
}
