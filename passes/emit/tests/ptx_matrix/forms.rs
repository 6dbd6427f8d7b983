//! Whether a kernel has just the instructions that `expect/ptx.txt` says.

use crate::cells::{Access, Cell, width};
use crate::ptx::{Instruction, Kernel, Memory};
use std::collections::HashMap;

const EXPECTED: &str = include_str!("../expect/ptx.txt");

/// The file, by section.
#[derive(Debug)]
pub(crate) struct Expected {
    sections: HashMap<&'static str, Vec<Vec<&'static str>>>,
}

/// The chips that have a column in the file, in order.
pub(crate) const CHIPS: [&str; 4] = ["sm_70", "sm_75", "sm_80", "sm_90"];

impl Expected {
    pub(crate) fn read() -> Self {
        let mut sections: HashMap<&str, Vec<Vec<&str>>> = HashMap::new();
        let mut section = "";
        for line in EXPECTED
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            match line.strip_prefix('[') {
                Some(name) => section = name.trim_end_matches(']'),
                None => sections
                    .entry(section)
                    .or_default()
                    .push(line.split_whitespace().collect()),
            }
        }
        Self { sections }
    }

    /// The one line of a section that matches.
    fn line(
        &self,
        section: &str,
        matches: impl Fn(&[&str]) -> bool,
    ) -> Result<&[&'static str], String> {
        let lines: Vec<_> = self.sections[section]
            .iter()
            .filter(|line| matches(line))
            .collect();
        match lines.as_slice() {
            [line] => Ok(line),
            lines => Err(format!("{} lines of [{section}] speak of it", lines.len())),
        }
    }

    /// The form of a cell, in the words of the file.
    pub(crate) fn form(&self, cell: &Cell, chip: usize) -> Result<String, String> {
        if cell.storage == "private" || self.scope(cell)? == "plain" {
            return Ok("plain".to_string());
        }
        if cell.access == Access::Fence {
            return Ok("fence".to_string());
        }
        let (ty, bits) = (cell.ty, width(cell.ty).to_string());
        let here = |line: &[&str]| {
            names(line[0], cell.op)
                && (names(line[1], ty) || names(line[1], &bits))
                && names(line[2], cell.storage)
        };
        let flushing = self.line("flush", |line| cell.flush && here(line));
        let line = flushing.or_else(|_| self.line("form", here))?;
        Ok(line[3 + chip].replace("{w}", &bits))
    }

    fn scope(&self, cell: &Cell) -> Result<&'static str, String> {
        Ok(self.line("scope", |line| line[0] == cell.scope)?[1])
    }

    fn space(&self, cell: &Cell) -> Result<&'static str, String> {
        Ok(self.line("space", |line| line[0] == cell.storage)?[1])
    }

    /// The fence before an access, and its semantics.
    fn order(
        &self,
        access: Access,
        ordering: &str,
    ) -> Result<(Option<&'static str>, &'static str), String> {
        let access = match access {
            Access::Load => "load",
            Access::Store => "store",
            Access::Update | Access::Cas => "update",
            Access::Fence => "fence",
        };
        let line = self.line("order", |line| line[0] == access && line[1] == ordering)?;
        Ok((Some(line[2]).filter(|fence| *fence != "-"), line[3]))
    }

    /// `red` where it will do, else `atom`.
    fn opcode(&self, cell: &Cell, stem: &str) -> &'static str {
        let operation = stem.split('.').next().unwrap_or(stem);
        let red = |line: &Vec<&str>| names(line[0], operation) && names(line[1], cell.ordering);
        if !cell.used && self.sections["red"].iter().any(red) {
            "red"
        } else {
            "atom"
        }
    }
}

/// Whether a field, a list with commas, names the value.
fn names(field: &str, value: &str) -> bool {
    field.split(',').any(|name| name == value)
}

/// What differs from the file.
pub(crate) fn differences(
    cell: &Cell,
    form: &str,
    kernel: &Kernel,
    expected: &Expected,
) -> Vec<String> {
    let found = match form {
        "plain" => plain(cell, kernel),
        "fence" => fence(cell, kernel, expected),
        _ => instructions(cell, form, kernel, expected),
    };
    match found {
        Ok(found) => found,
        Err(problem) => vec![problem],
    }
}

/// The instructions that touch memory, parameters aside.
fn touching(kernel: &Kernel) -> impl Iterator<Item = (usize, &Instruction, &Memory)> {
    let all = kernel.instructions.iter().enumerate();
    let all = all.filter_map(|(at, one)| Some((at, one, one.memory.as_ref()?)));
    all.filter(|(_, _, memory)| memory.space != Some("param"))
}

/// Weak loads and stores of the element, as many as there must be at least. In private memory, LLVM
/// may have found that there need be none.
fn plain(cell: &Cell, kernel: &Kernel) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let count = |op: &str, space: &str| {
        touching(kernel)
            .filter(|(_, _, memory)| memory.op == op && memory.space == Some(space))
            .count()
    };
    for (_, _, memory) in touching(kernel) {
        if memory.is_strong() || !matches!(memory.space, Some("global" | "shared" | "local")) {
            found.push(format!("{} in a plain cell", memory.text()));
        }
    }
    let around = usize::from(cell.storage == "shared");
    let out = usize::from(cell.used) + usize::from(cell.storage != "global");
    let writes = matches!(cell.access, Access::Store | Access::Update | Access::Cas);
    let (loads, stores) = match cell.storage {
        "global" => (
            count("ld", "global"),
            count("st", "global").saturating_sub(out),
        ),
        "shared" => (
            count("ld", "shared").saturating_sub(around),
            count("st", "shared").saturating_sub(around),
        ),
        _ => return Ok(found),
    };
    if cell.access == Access::Fence {
        return Ok(if stores == 2 {
            found
        } else {
            vec![format!("{stores} stores around a fence")]
        });
    }
    if writes && stores == 0 {
        found.push("no store".to_string());
    }
    if cell.used && loads == 0 {
        found.push("no load".to_string());
    }
    Ok(found)
}

fn fence(cell: &Cell, kernel: &Kernel, expected: &Expected) -> Result<Vec<String>, String> {
    let (fence, _) = expected.order(Access::Fence, cell.ordering)?;
    let fence = format!(
        "fence.{}.{}",
        fence.unwrap_or_default(),
        expected.scope(cell)?
    );
    let got: Vec<String> = touching(kernel)
        .map(|(_, _, memory)| memory.text())
        .collect();
    let want = ["st.global.b32", &fence, "st.global.b32"];
    Ok(if got == want {
        Vec::new()
    } else {
        vec![format!("want {want:?}, got {got:?}")]
    })
}

/// The loop that a form has, and the width of its swap.
struct Loop {
    bits: String,
    /// Whether the element is smaller than what is swapped.
    is_word: bool,
}

fn instructions(
    cell: &Cell,
    form: &str,
    kernel: &Kernel,
    expected: &Expected,
) -> Result<Vec<String>, String> {
    let (scope, space) = (expected.scope(cell)?, expected.space(cell)?);
    let (lead, semantics) = expected.order(cell.access, cell.ordering)?;
    let access =
        |op: &str, semantics: &str, stem: &str| format!("{op}.{semantics}.{scope}.{space}.{stem}");
    let update = |stem: &str| access(expected.opcode(cell, stem), semantics, stem);
    // The result of the instruction is looked at.
    let step = |stem: &str| access("atom", semantics, stem);
    let swap = |bits: &str| access("atom", semantics, &format!("cas.b{bits}"));
    let guess = |bits: &str| access("ld", "relaxed", &format!("b{bits}"));
    let same = |bits: &str| {
        Some(Loop {
            bits: bits.to_string(),
            is_word: false,
        })
    };
    let word = Some(Loop {
        bits: "32".to_string(),
        is_word: true,
    });

    let (name, rest) = form.split_once(':').unwrap_or((form, ""));
    let parts: Vec<&str> = rest.split('/').collect();
    let (mut want, looped) = match (name, parts.as_slice()) {
        ("one", [stem]) => match cell.access {
            Access::Load => (vec![access("ld", semantics, stem)], None),
            Access::Store => (vec![access("st", semantics, stem)], None),
            _ => (vec![update(stem)], None),
        },
        ("loop", [bits]) => (vec![guess(bits), swap(bits)], same(bits)),
        ("word", [_]) => (vec![guess("32"), swap("32")], word),
        ("word-cas", [_]) => {
            let (_, failure) = expected.order(Access::Load, cell.failure)?;
            (vec![access("ld", failure, "b32"), swap("32")], word)
        }
        ("guarded", [stem, _]) => (vec![update(stem), guess("32"), swap("32")], same("32")),
        ("trick", [positive, negative, bits]) => {
            (vec![step(positive), step(negative), swap(bits)], same(bits))
        }
        _ => return Err(format!("the file says '{form}'")),
    };
    let strong = || touching(kernel).filter(|(_, _, memory)| memory.is_strong());
    let mut got: Vec<String> = strong()
        .filter(|(_, _, memory)| memory.op != "fence")
        .map(|(_, _, memory)| memory.text())
        .collect();
    want.sort();
    got.sort();
    let mut found = Vec::new();
    if want != got {
        found.push(format!("want {want:?}, got {got:?}"));
    }

    let fence = lead.map(|fence| format!("fence.{fence}.{scope}"));
    let fences: Vec<String> = strong()
        .filter(|(_, _, memory)| memory.op == "fence")
        .map(|(_, _, memory)| memory.text())
        .collect();
    if fences.iter().any(|one| Some(one) != fence.as_ref())
        || (fence.is_some() && fences.is_empty())
    {
        found.push(format!("want {fence:?} and no other fence, got {fences:?}"));
    }
    let swaps: Vec<_> = strong()
        .filter(|(_, _, memory)| memory.stem.starts_with("cas."))
        .collect();
    match looped {
        Some(looped) => found.extend(
            swaps
                .iter()
                .flat_map(|(at, _, _)| in_loop(&looped, *at, kernel)),
        ),
        None => found.extend(
            strong()
                .filter(|(at, ..)| kernel.is_in_loop(*at))
                .map(|(.., memory)| format!("{} in a loop", memory.text())),
        ),
    }
    if let ("guarded", [_, bits]) = (name, parts.as_slice()) {
        found.extend(guard(bits, kernel));
    }
    Ok(found)
}

/// A swap goes round until the bits that it returns are those that it expected, and starts with what
/// was read from the same address.
fn in_loop(looped: &Loop, at: usize, kernel: &Kernel) -> Vec<String> {
    let swap = &kernel.instructions[at];
    let mut found = Vec::new();
    if !kernel.is_in_loop(at) {
        found.push("the swap is in no loop".to_string());
    }
    let [result, address, expected, _] = swap.operands.as_slice() else {
        return vec![format!(
            "{} with {} operands",
            swap.opcode,
            swap.operands.len()
        )];
    };
    let compares = |one: &&Instruction| {
        let opcodes = ["eq", "ne"]
            .map(|how| ["b", "s", "u"].map(|ty| format!("setp.{how}.{ty}{}", looped.bits)));
        opcodes.as_flattened().contains(&one.opcode)
            && one.operands[1..].contains(result)
            && one.operands[1..].contains(expected)
    };
    if !kernel.instructions.iter().any(|one| compares(&one)) {
        found.push(format!(
            "nothing compares the bits of {result} and {expected}"
        ));
    }
    let other = touching(kernel).find(|(_, one, memory)| {
        memory.op == "ld" && memory.is_strong() && one.operands.get(1) != Some(address)
    });
    if let Some((_, other, _)) = other {
        found.push(format!("{:?} is read, {address} swapped", other.operands));
    }
    let aligns = |one: &Instruction| {
        one.opcode.starts_with("and.b") && one.operands.last().is_some_and(|last| last == "-4")
    };
    if looped.is_word && !kernel.instructions.iter().any(aligns) {
        found.push("no address of a word".to_string());
    }
    found
}

/// Something compares with the bits of the guard.
fn guard(bits: &str, kernel: &Kernel) -> Option<String> {
    let bits = u64::from_str_radix(bits.trim_start_matches("0x"), 16).unwrap();
    let compares = |one: &Instruction| {
        let last = one
            .operands
            .last()
            .and_then(|last| last.parse::<u64>().ok());
        let limit = match one.opcode.as_str() {
            "setp.lt.u32" | "setp.ge.u32" => bits,
            "setp.gt.u32" | "setp.le.u32" => bits - 1,
            _ => return false,
        };
        last == Some(limit)
    };
    (!kernel.instructions.iter().any(compares)).then(|| format!("nothing compares with {bits:#x}"))
}
