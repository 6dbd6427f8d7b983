//! The files of `expect/`, and the tables that they are held against.

use xpu_targets::{Op, TARGETS, Tables, Ty};

/// The lines of one section of a file, as fields; `=` is the field before.
pub(crate) fn section(file: &'static str, name: &str) -> Vec<Vec<&'static str>> {
    let lines = file
        .lines()
        .skip_while(|line| *line != format!("[{name}]"))
        .skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<Vec<&str>> = lines
        .map(|line| {
            let mut fields: Vec<&str> = line.split_whitespace().collect();
            for at in 1..fields.len() {
                if fields[at] == "=" {
                    fields[at] = fields[at - 1];
                }
            }
            fields
        })
        .collect();
    assert!(!lines.is_empty(), "no section {name}");
    lines
}

/// Whether a field, a list with commas or `*`, names the value.
pub(crate) fn names(field: &str, value: &str) -> bool {
    field == "*" || field.split(',').any(|name| name == value)
}

/// The operations and the types that they take.
pub(crate) fn typed_ops() -> Vec<(Op, Ty)> {
    let pairs = Op::all().flat_map(|op| Ty::ALL.iter().map(move |ty| (op, *ty)));
    pairs.filter(|(op, ty)| op.takes(*ty)).collect()
}

/// The tables of a target.
pub(crate) fn tables(name: &str) -> Tables {
    **TARGETS.iter().find(|tables| tables.name == name).unwrap()
}
