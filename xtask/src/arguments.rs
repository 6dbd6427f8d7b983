//! Command-line arguments: flags and values are taken out, what is left over is an error.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;

/// The words after the command's name.
pub(crate) struct Arguments(Vec<String>);

/// The command line is wrong; the message says how.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl Usage {
    /// With a message that says what is wrong.
    pub(crate) fn new(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

impl Arguments {
    pub(crate) fn new(words: Vec<String>) -> Self {
        Self(words)
    }

    /// Takes `--name` out; says whether it was there.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let found = self.0.iter().position(|word| word == name);
        found.map(|at| self.0.remove(at)).is_some()
    }

    /// Takes `--name VALUE` or `--name=VALUE` out.
    pub(crate) fn value<T: FromStr>(&mut self, name: &str) -> Result<Option<T>> {
        let with_equals = format!("{name}=");
        let Some(at) = self
            .0
            .iter()
            .position(|w| w == name || w.starts_with(&with_equals))
        else {
            return Ok(None);
        };
        let word = self.0.remove(at);
        let text = match word.strip_prefix(&with_equals) {
            Some(text) => text.to_owned(),
            None if at < self.0.len() => self.0.remove(at),
            None => return Err(Usage(format!("`{name}` needs a value")).into()),
        };
        match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(Usage(format!("`{name}` cannot be `{text}`")).into()),
        }
    }

    /// Takes the first word that is no flag.
    pub(crate) fn positional(&mut self) -> Option<String> {
        let at = self.0.iter().position(|word| !word.starts_with('-'))?;
        Some(self.0.remove(at))
    }

    /// All that is left, to be forwarded.
    pub(crate) fn rest(self) -> Vec<String> {
        self.0
    }

    /// Fails when a word is left that nothing took.
    pub(crate) fn finish(self) -> Result<()> {
        match self.0.first() {
            None => Ok(()),
            Some(word) => Err(Usage(format!("unexpected argument `{word}`")).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Arguments {
        Arguments::new(text.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn flags_and_values_are_taken_out() {
        let mut taken = arguments("--count 7 --dry-run file --seed=3");
        assert_eq!(taken.value::<usize>("--count").unwrap(), Some(7));
        assert_eq!(taken.value::<u64>("--seed").unwrap(), Some(3));
        assert_eq!(taken.value::<u64>("--other").unwrap(), None);
        assert!(taken.flag("--dry-run"));
        assert!(!taken.flag("--dry-run"));
        assert_eq!(taken.positional().as_deref(), Some("file"));
        taken.finish().unwrap();
    }

    #[test]
    fn mistakes_are_usage_errors() {
        for text in ["--count", "--count many"] {
            let error = arguments(text).value::<usize>("--count").unwrap_err();
            assert!(error.is::<Usage>(), "{text}");
        }
        assert!(arguments("--what").finish().unwrap_err().is::<Usage>());
    }
}
