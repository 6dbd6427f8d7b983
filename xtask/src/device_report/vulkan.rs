//! The tables of a Vulkan device.

use std::fmt::Write as _;

use serde_json::Value;

use super::{cell, litmus, outcomes, rows};

/// The tables, by their names on the page.
pub(super) fn tables(all: &Value) -> Vec<(&'static str, String)> {
    let parts = &all["parts"];
    vec![
        ("vulkan summary", summary(all)),
        ("vulkan kernels", kernels(parts)),
        ("vulkan litmus", litmus(&parts["litmus"])),
        ("vulkan bench", bench(&parts["bench"])),
    ]
}

fn summary(all: &Value) -> String {
    let parts = &all["parts"];
    let device = &parts["device"];
    let (litmus, bench) = (rows(&parts["litmus"]), rows(&parts["bench"]));
    let limits = || bench.iter().filter(|row| row["limit"] != "-");
    let reached = limits().filter(|row| row["reached"] == true).count();
    let forbidden = || litmus.iter().filter(|row| row["forbidden"] == true);
    let broken = forbidden().filter(|row| row["weak"] != 0).count();
    let seen = |row: &&Value| row["forbidden"] == false && row["weak"] != 0;
    let once = litmus.iter().filter(|row| outcomes(row) < 2).count();
    let wrong = |part: &Value| rows(&part["failed"]).len();
    let mut text = String::from("| | |\n| --- | --- |\n");
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "| {name} | {value} |");
    };
    line("device", cell(&device["name"]));
    let target = cell(&device["target"]).replace(",+", ", +");
    line("target", format!("`{target}`"));
    let cases = &parts["cases"];
    line(
        "cases",
        format!("{} right, {} wrong", cases["passed"], wrong(cases)),
    );
    for (part, name) in [
        ("contention", "contention kernels"),
        ("values", "kernels on special values"),
    ] {
        let kinds = parts[part]["kinds"].as_object();
        let of: Vec<&Value> = kinds.into_iter().flat_map(|kinds| kinds.values()).collect();
        let right: u64 = of.iter().filter_map(|kind| kind["passed"].as_u64()).sum();
        let wrong: usize = of.iter().map(|kind| wrong(kind)).sum();
        line(name, format!("{right} right, {wrong} wrong"));
    }
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

/// How many kernels of each type were right, by how they were compiled.
fn kernels(parts: &Value) -> String {
    let columns = [
        ("contention", "native"),
        ("contention", "emulated"),
        ("contention", "narrow"),
        ("values", "native"),
        ("values", "emulated"),
        ("values", "narrow"),
    ];
    let counts = |(part, kind): (&str, &str)| &parts[part]["kinds"][kind]["passed_by_type"];
    let mut text = String::from("| type |");
    for (part, kind) in columns {
        let _ = write!(text, " {part}, {kind} |");
    }
    text += "\n| --- |";
    text += &" ---: |".repeat(columns.len());
    text.push('\n');
    let types = counts(columns[0]).as_object();
    for ty in types.into_iter().flat_map(|types| types.keys()) {
        let _ = write!(text, "| {ty} |");
        for column in columns {
            match &counts(column)[ty] {
                Value::Null => text += " |",
                count => {
                    let _ = write!(text, " {count} |");
                }
            }
        }
        text.push('\n');
    }
    text
}

fn bench(part: &Value) -> String {
    let mut text = String::from(
        "| kernel | against | work-items | xpu, µs | peer, µs | xpu / peer | limit |\n\
         | --- | --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    for row in rows(part) {
        let limit = match row["limit"].as_str() {
            Some("-") | None => "none".to_owned(),
            Some(limit) => limit.replace("<=", "≤"),
        };
        let peer = match row["theirs"].as_str() {
            Some("emulated") | None => "ours, emulated".to_owned(),
            Some(name) => format!("{name}.comp"),
        };
        let _ = writeln!(
            text,
            "| {} | {peer} | 2^{} | {:.1} | {:.1} | {:.3} | {limit} |",
            cell(&row["kernel"]),
            row["log2_items"],
            number(&row["xpu_us"]),
            number(&row["peer_us"]),
            number(&row["ratio"])
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_a_column_lacks_are_blank() {
        let kinds = |narrow: Value| {
            serde_json::json!({ "kinds": {
                "native": { "passed_by_type": { "i32": 2, "i64": 3 } },
                "emulated": { "passed_by_type": { "i32": 2, "i64": 3 } },
                "narrow": { "passed_by_type": narrow },
            }})
        };
        let parts = serde_json::json!({
            "contention": kinds(serde_json::json!({ "i32": 2 })),
            "values": kinds(serde_json::json!({ "i32": 7 })),
        });
        let table = kernels(&parts);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(
            lines[2..],
            [
                "| i32 | 2 | 2 | 2 | 2 | 2 | 7 |",
                "| i64 | 3 | 3 | | 3 | 3 | |"
            ]
        );
    }
}
