//! What a run found: lines for people, and the same as JSON.

use serde_json::{Map, Value, json};

/// Collects the parts of a run.
#[derive(Default)]
pub struct Report {
    parts: Map<String, Value>,
    failures: usize,
}

impl Report {
    /// Prints a line.
    pub fn line(&self, text: &str) {
        println!("{text}");
    }

    /// Prints a failure and counts it.
    pub fn fail(&mut self, text: &str) {
        self.failures += 1;
        // Output that comes back is short; one mistake can have hundreds of consequences.
        if self.failures <= 40 {
            println!("FAIL {text}");
        }
    }

    /// Keeps what a part found.
    pub fn keep(&mut self, part: &str, value: Value) {
        self.parts.insert(part.to_owned(), value);
    }

    /// How many failures there were.
    pub fn failures(&self) -> usize {
        self.failures
    }

    /// Everything.
    pub fn json(&self) -> String {
        let all = json!({ "failures": self.failures, "parts": self.parts });
        format!("{all:#}\n")
    }
}
