//! Counts of passed, failed and skipped tests, over all runners.

use std::fmt;

/// What some tests came to.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// How many passed.
    pub(crate) passed: usize,
    /// The names of those that failed.
    pub(crate) failed: Vec<String>,
    /// Those that did not run.
    pub(crate) skipped: Vec<Skip>,
}

/// Tests that did not run.
#[derive(Debug, PartialEq)]
pub(crate) struct Skip {
    /// Which.
    pub(crate) name: String,
    /// How many tests this is.
    pub(crate) count: usize,
    /// Why.
    pub(crate) reason: String,
}

impl Tally {
    /// Counts one failure.
    pub(crate) fn fail(&mut self, name: impl Into<String>) {
        self.failed.push(name.into());
    }

    /// Counts tests that did not run.
    pub(crate) fn skip(&mut self, name: &str, count: usize, reason: &str) {
        self.skipped.push(Skip {
            name: name.to_owned(),
            count,
            reason: reason.to_owned(),
        });
    }

    /// How many ran.
    pub(crate) fn ran(&self) -> usize {
        self.passed + self.failed.len()
    }

    /// Adds another tally as it is.
    pub(crate) fn add_all(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed.extend(other.failed);
        self.skipped.extend(other.skipped);
    }

    /// Adds another tally, its names prefixed with where they come from.
    pub(crate) fn add(&mut self, runner: &str, other: Self) {
        self.passed += other.passed;
        self.failed.extend(
            other
                .failed
                .into_iter()
                .map(|name| format!("{runner}: {name}")),
        );
        self.skipped.extend(other.skipped.into_iter().map(|s| Skip {
            name: format!("{runner}: {}", s.name),
            ..s
        }));
    }

    /// The skipped and failed ones by name, then the counts as the last line.
    pub(crate) fn report(&self) -> String {
        let mut text = String::new();
        for Skip {
            name,
            count,
            reason,
        } in &self.skipped
        {
            let count = if *count == 1 {
                String::new()
            } else {
                format!(" ({count})")
            };
            text += &format!("skipped {name}{count}: {reason}\n");
        }
        for name in &self.failed {
            text += &format!("FAILED  {name}\n");
        }
        text + &format!("{self}\n")
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skipped: usize = self.skipped.iter().map(|skip| skip.count).sum();
        let (passed, failed) = (self.passed, self.failed.len());
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_names_what_did_not_pass_and_ends_with_the_counts() {
        let mut lit = Tally {
            passed: 3,
            ..Tally::default()
        };
        lit.fail("a.mlir");
        lit.skip("b.mlir", 1, "no cuda");
        let mut total = Tally::default();
        total.skip("cases on vulkan", 40, "no device");
        total.add("lit", lit);
        let expected = "skipped cases on vulkan (40): no device\n\
                        skipped lit: b.mlir: no cuda\n\
                        FAILED  lit: a.mlir\n\
                        3 passed, 1 failed, 41 skipped\n";
        assert_eq!(total.report(), expected);
        assert_eq!(total.ran(), 4);
    }
}
