//! `cargo xtask device report RESULTS.json`: the tables of `docs/device-results.md`, from what
//! `xpu-device-tests` or `xpu-vulkan-device-tests` wrote.
//!
//! A table goes between `<!-- NAME -->` and `<!-- end of NAME -->`; the text around it is by hand.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::workspace::Workspace;

mod vulkan;

const PAGE: &str = "docs/device-results.md";

/// Writes the tables.
pub(crate) fn write(workspace: &Workspace, results: &Path) -> Result<()> {
    let text =
        std::fs::read_to_string(results).with_context(|| format!("cannot read {results:?}"))?;
    let all: Value = serde_json::from_str(&text)?;
    let parts = &all["parts"];
    let path = workspace.root.join(PAGE);
    let mut page = std::fs::read_to_string(&path).with_context(|| format!("cannot read {PAGE}"))?;
    // A Vulkan device is known by its target, an NVIDIA GPU by its chip.
    let tables = if parts["device"]["target"].is_string() {
        vulkan::tables(&all)
    } else {
        vec![
            ("summary", summary(&all)),
            ("contention", contention(&parts["contention"])),
            ("litmus", litmus(&parts["litmus"])),
            ("bench", bench(&parts["bench"])),
        ]
    };
    for (name, table) in tables {
        page = between(&page, name, &table)
            .with_context(|| format!("{PAGE} has no place for `{name}`"))?;
    }
    std::fs::write(&path, page).with_context(|| format!("cannot write {PAGE}"))?;
    println!("wrote {PAGE}");
    Ok(())
}

/// The page with another table in the place of that name.
fn between(page: &str, name: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(&format!("<!-- {name} -->\n"))?;
    let (_, after) = rest.split_once(&format!("<!-- end of {name} -->"))?;
    Some(format!(
        "{before}<!-- {name} -->\n\n{table}\n<!-- end of {name} -->{after}"
    ))
}

fn rows(part: &Value) -> &[Value] {
    part.as_array().map_or(&[], Vec::as_slice)
}

/// Text as it is, numbers in groups of three digits.
fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => grouped(&number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn summary(all: &Value) -> String {
    let parts = &all["parts"];
    let litmus = rows(&parts["litmus"]);
    let bench = rows(&parts["bench"]);
    let limits = || bench.iter().filter(|row| row["limit"] != "-");
    let reached = limits().filter(|row| row["reached"] == true).count();
    let wrong = |part: &str| rows(&parts[part]["failed"]).len();
    let forbidden = || litmus.iter().filter(|row| row["forbidden"] == true);
    let broken = forbidden().filter(|row| row["weak"] != 0).count();
    let seen = |row: &&Value| row["forbidden"] == false && row["weak"] != 0;
    let once = litmus.iter().filter(|row| outcomes(row) < 2).count();
    let driver = parts["device"]["driver"].as_u64().unwrap_or(0);
    let mut text = String::from("| | |\n| --- | --- |\n");
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "| {name} | {value} |");
    };
    let device = &parts["device"];
    line(
        "device",
        format!("{}, {}", cell(&device["name"]), cell(&device["chip"])),
    );
    line(
        "CUDA driver",
        format!("{}.{}", driver / 1000, driver % 1000 / 10),
    );
    let (cases, contention) = (&parts["cases"], &parts["contention"]);
    line(
        "cases",
        format!("{} right, {} wrong", cases["passed"], wrong("cases")),
    );
    line(
        "contention kernels",
        format!(
            "{} right, {} wrong",
            contention["passed"],
            wrong("contention")
        ),
    );
    line(
        "litmus tests",
        format!(
            "{}; {} with a forbidden outcome, which came in {broken}; {} others, whose weak outcome \
             came in {}",
            litmus.len(),
            forbidden().count(),
            litmus.len() - forbidden().count(),
            litmus.iter().filter(seen).count()
        ),
    );
    line(
        "litmus tests with one outcome only",
        format!("{once}, which count as failures"),
    );
    line(
        "benchmarks",
        format!(
            "{}; {reached} of {} limits reached",
            bench.len(),
            limits().count()
        ),
    );
    line("failures", cell(&all["failures"]));
    text
}

fn contention(part: &Value) -> String {
    let mut text = String::from("| type | kernels right |\n| --- | ---: |\n");
    for (ty, count) in part["passed_by_type"].as_object().into_iter().flatten() {
        let _ = writeln!(text, "| {ty} | {count} |");
    }
    text
}

fn outcomes(row: &Value) -> usize {
    row["outcomes"].as_object().map_or(0, serde_json::Map::len)
}

fn litmus(part: &Value) -> String {
    let mut text = String::from(
        "| test | tries | outcomes | forbidden outcome came | weak outcome, allowed, came |\n\
         | --- | ---: | ---: | ---: | ---: |\n",
    );
    for row in rows(part) {
        let weak = cell(&row["weak"]);
        let (forbidden, allowed) = if row["forbidden"] == true {
            (weak, String::new())
        } else {
            (String::new(), weak)
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {forbidden} | {allowed} |",
            cell(&row["test"]),
            cell(&row["tries"]),
            outcomes(row)
        );
    }
    text
}

fn bench(part: &Value) -> String {
    let mut text = String::from(
        "| kernel | work-items | xpu, µs | nvcc, µs | xpu / nvcc | limit |\n\
         | --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    for row in rows(part) {
        let limit = match row["limit"].as_str() {
            Some("-") | None => "none".to_owned(),
            Some(limit) => limit.replace("<=", "≤").replace(" x ", " × "),
        };
        let _ = writeln!(
            text,
            "| {} | 2^{} | {:.1} | {:.1} | {:.3} | {limit} |",
            cell(&row["kernel"]),
            row["log2_items"],
            number(&row["xpu_us"]),
            number(&row["nvcc_us"]),
            number(&row["ratio"])
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_its_place() {
        let page = "a\n<!-- t -->\nold\n<!-- end of t -->\nb\n";
        let new = between(page, "t", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- t -->\n\nnew\n\n<!-- end of t -->\nb\n");
        assert_eq!(between(&new, "t", "new\n").as_ref(), Some(&new));
        assert_eq!(between(page, "u", ""), None);
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped("1073741824"), "1,073,741,824");
        assert_eq!(grouped("999"), "999");
    }
}
