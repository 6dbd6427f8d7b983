//! Whether a kernel has just the instructions, cache operations and waits that `expect/amdgpu.txt` says.
//!
//! By LLVM's memory model for AMD GPUs: before what releases come the cache operations and waits of a
//! release, behind what acquires those of an acquire. More than these is dearer than need be, fewer are
//! weaker than asked.

use crate::cells::{Access, Cell, width};
use crate::isa::{Counter, Instruction, Kernel};
use crate::source::{AFTER, BEFORE};
use std::collections::{BTreeSet, HashMap};

const EXPECTED: &str = include_str!("../expect/amdgpu.txt");

/// The chips that have a column of forms in the file, in order.
pub(crate) const COLUMNS: [&str; 7] = [
    "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200",
];

/// The file, by section, as one chip reads it.
#[derive(Debug)]
pub(crate) struct Expected {
    sections: HashMap<&'static str, Vec<Vec<&'static str>>>,
    family: &'static str,
    dialect: &'static str,
    column: usize,
}

impl Expected {
    /// For a chip; `column` is that of a chip with the same forms.
    pub(crate) fn read(chip: &str, column: usize) -> Self {
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
        let line = sections["family"]
            .iter()
            .find(|line| names(line[2], chip))
            .unwrap();
        let (family, dialect) = (line[0], line[1]);
        Self {
            sections,
            family,
            dialect,
            column,
        }
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
    pub(crate) fn form(&self, cell: &Cell) -> Result<String, String> {
        if cell.storage == "private" || cell.scope == "workitem" {
            return Ok("plain".to_string());
        }
        if cell.access == Access::Fence {
            return Ok("fence".to_string());
        }
        let (ty, bits) = (cell.ty, width(cell.ty).to_string());
        let memory = if cell.scope == "system" {
            "host"
        } else {
            "device"
        };
        let here = |line: &[&str]| {
            names(line[0], cell.op)
                && (names(line[1], ty) || names(line[1], &bits))
                && names(line[2], cell.storage)
                && (line[3] == "*" || names(line[3], memory))
        };
        let flushing = self.line("flush", |line| cell.flush && here(line));
        let line = flushing.or_else(|_| self.line("form", here))?;
        let form = line[4 + self.column];
        let form = match (form.strip_prefix("none:"), cell.used) {
            (None, _) => form.to_string(),
            (Some(both), false) => format!("one:{}", both.split('/').next().unwrap_or("")),
            (Some(both), true) => both
                .split_once('/')
                .map_or("", |(_, form)| form)
                .to_string(),
        };
        Ok(form.replace("{w}", &bits).replace("{op}", cell.op))
    }

    /// The opcodes that a name may be, with or without a result.
    fn opcodes(&self, name: &str, storage: &str, returns: bool) -> Result<Vec<String>, String> {
        let line = self.line("opcode", |line| line[0] == name)?;
        let at = ["old", "rdna3", "rdna4"]
            .iter()
            .position(|one| *one == self.dialect)
            .unwrap();
        let at = at + if storage == "shared" { 4 } else { 1 };
        let rtn = if returns { "_rtn" } else { "" };
        Ok(line[at]
            .split(',')
            .map(|one| one.replace("{r}", rtn))
            .collect())
    }

    /// What an instruction at this scope says beside its address.
    fn bits(
        &self,
        access: &str,
        storage: &str,
        scope: &str,
        returns: bool,
    ) -> Result<BTreeSet<String>, String> {
        if storage == "shared" {
            return Ok(BTreeSet::new());
        }
        let line = self.line("bits", |line| line[0] == access && line[1] == self.family)?;
        let mut found = list(line[2 + column_of(scope)], ',');
        if returns {
            let bit = self.line("returns", |line| line[0] == self.family)?[1];
            found.push(bit.to_string());
        }
        Ok(found.into_iter().collect())
    }

    /// Cache operations of a release or acquire.
    pub(crate) fn caches(&self, side: &str, scope: &str) -> Result<Vec<String>, String> {
        let line = self.line(side, |line| line[0] == self.family)?;
        Ok(list(line[1 + column_of(scope)], ';'))
    }

    fn waits(&self, side: &str, scope: &str) -> Result<bool, String> {
        let line = self.line(side, |line| names(line[0], self.family))?;
        Ok(line[1 + column_of(scope)] == "yes")
    }

    /// Stores, as the chip counts them.
    pub(crate) fn stores(&self) -> Counter {
        Counter::Stores {
            apart: matches!(self.family, "gfx10" | "gfx11" | "gfx12"),
        }
    }
}

/// Whether a field, a list with commas, names the value.
fn names(field: &str, value: &str) -> bool {
    field.split(',').any(|name| name == value)
}

/// A list that `-` is the empty one of.
fn list(field: &str, separator: char) -> Vec<String> {
    let parts = field.split(separator).filter(|part| *part != "-");
    parts.map(str::to_string).collect()
}

fn column_of(scope: &str) -> usize {
    ["subgroup", "workgroup", "device", "system"]
        .iter()
        .position(|one| *one == scope)
        .unwrap()
}

fn acquires(ordering: &str) -> bool {
    matches!(ordering, "acquire" | "acq_rel" | "seq_cst")
}

fn releases(ordering: &str) -> bool {
    matches!(ordering, "release" | "acq_rel" | "seq_cst")
}

/// An access that there should be, with the ordering of one side each.
#[derive(Debug)]
struct Wanted {
    opcodes: Vec<String>,
    bits: BTreeSet<String>,
    /// What else it may say: that it has no result, where nothing uses it.
    also: BTreeSet<String>,
    before: Vec<String>,
    after: Vec<String>,
    /// What counts until it is done.
    counter: Counter,
    waits_before: bool,
    waits_after: bool,
}

/// What differs from the file.
pub(crate) fn differences(
    cell: &Cell,
    form: &str,
    kernel: &Kernel,
    expected: &Expected,
) -> Vec<String> {
    let flat = kernel
        .instructions
        .iter()
        .filter(|one| one.opcode.starts_with("flat_"));
    let mut found: Vec<String> = flat
        .map(|one| format!("{} of an address whose space is known", one.opcode))
        .collect();
    let more = match form {
        "plain" => Ok(plain(cell, kernel)),
        "fence" => fence(cell, kernel, expected),
        _ => accesses(cell, form, kernel, expected),
    };
    found.extend(more.unwrap_or_else(|problem| vec![problem]));
    found
}

/// Nobody takes part: no update, no cache operation, no wait that only a fence would want.
fn plain(cell: &Cell, kernel: &Kernel) -> Vec<String> {
    let loud = kernel
        .instructions
        .iter()
        .filter(|one| one.is_update() || one.is_cache_operation());
    loud.map(|one| format!("{} in a plain cell of {}", one.opcode, cell.storage))
        .collect()
}

/// The access of a name, with an ordering.
fn wanted(
    cell: &Cell,
    name: &str,
    ordering: &str,
    returns: bool,
    expected: &Expected,
) -> Result<Wanted, String> {
    // Workgroup memory is seen by the workgroup alone.
    let scope = match (cell.storage, cell.scope) {
        ("shared", "device" | "system") => "workgroup",
        (_, scope) => scope,
    };
    let kind = ["load", "store"]
        .into_iter()
        .find(|kind| name.starts_with(kind))
        .unwrap_or("update");
    let returns = returns && kind == "update";
    let is_store = kind == "store";
    let (releases, acquires) = (
        releases(ordering) && kind != "load",
        acquires(ordering) && !is_store,
    );
    let side = |holds: bool, side: &str| {
        if holds {
            expected.caches(side, scope)
        } else {
            Ok(Vec::new())
        }
    };
    let counter = if cell.storage == "shared" {
        Counter::Lds
    } else if returns || kind == "load" {
        Counter::Loads
    } else {
        expected.stores()
    };
    Ok(Wanted {
        opcodes: expected.opcodes(name, cell.storage, returns)?,
        also: expected.bits(kind, cell.storage, scope, returns)?,
        bits: expected.bits(kind, cell.storage, scope, returns)?,
        before: side(releases, "release")?,
        after: side(acquires, "acquire")?,
        counter,
        waits_before: releases && expected.waits("release-waits", scope)?,
        waits_after: acquires && expected.waits("acquire-waits", scope)?,
    })
}

fn accesses(
    cell: &Cell,
    form: &str,
    kernel: &Kernel,
    expected: &Expected,
) -> Result<Vec<String>, String> {
    let one =
        |name: &str, ordering: &str, returns: bool| wanted(cell, name, ordering, returns, expected);
    let (name, rest) = form.split_once(':').unwrap_or((form, ""));
    let swap = |bits: &str| one(&format!("cas{bits}"), cell.ordering, true);
    let guess = |bits: &str, ordering: &str| one(&format!("load{bits}"), ordering, false);
    let returns = cell.used || rest.starts_with("swap") && cell.storage == "shared";
    let wanted = match name {
        "one" => vec![one(rest, cell.ordering, returns)?],
        "loop" => vec![guess(rest, "relaxed")?, swap(rest)?],
        "guard" => {
            let (update, bits) = rest.split_once('/').ok_or("no loop")?;
            vec![
                one(update, cell.ordering, cell.used)?,
                guess(bits, "relaxed")?,
                swap(bits)?,
            ]
        }
        "word" => vec![guess("32", "relaxed")?, swap("32")?],
        "word-cas" => vec![guess("32", cell.failure)?, swap("32")?],
        "trick" => {
            let (positive, negative) = rest.split_once('/').ok_or("no second step")?;
            let bits = width(cell.ty).to_string();
            let step = |name| {
                let mut step = one(name, cell.ordering, true)?;
                if !cell.used {
                    let again = one(name, cell.ordering, false)?;
                    step.opcodes.extend(again.opcodes);
                    step.also = again.bits;
                }
                Ok::<_, String>(step)
            };
            vec![step(positive)?, step(negative)?, swap(&bits)?]
        }
        _ => return Err(format!("the file says '{form}'")),
    };
    let mut found = opcodes(cell, &wanted, kernel);
    found.extend(around(&wanted, name == "trick", kernel, expected));
    if matches!(name, "one" | "trick") {
        found.extend(branches_back(kernel));
    } else {
        found.extend(looped(kernel));
    }
    if name == "guard" {
        found.extend(guarded(kernel));
    }
    Ok(found)
}

/// The accesses of a kernel that are wanted, in its order.
fn matched<'a>(wanted: &'a [Wanted], kernel: &Kernel) -> Vec<(usize, &'a Wanted)> {
    let all = kernel.instructions.iter().enumerate();
    all.filter_map(|(at, one)| {
        let wanted = wanted
            .iter()
            .find(|want| want.opcodes.contains(&one.opcode))?;
        Some((at, wanted))
    })
    .collect()
}

/// Each access is there, and no other update.
fn opcodes(cell: &Cell, wanted: &[Wanted], kernel: &Kernel) -> Vec<String> {
    let mut found = Vec::new();
    for want in wanted {
        let count = kernel
            .instructions
            .iter()
            .filter(|one| want.opcodes.contains(&one.opcode))
            .count();
        // In workgroup memory, a plain store of the element comes first and a plain load last.
        let plain = usize::from(
            cell.storage == "shared"
                && matches!(want.opcodes[0].as_str(), name if name.starts_with("ds_read") || name.starts_with("ds_load") || name.starts_with("ds_write") || name.starts_with("ds_store_")),
        );
        let is_one = wanted.len() == 1;
        if count < 1 + plain.min(usize::from(is_one)) || (is_one && count != 1 + plain) {
            found.push(format!("{count} times {:?}", want.opcodes));
        }
    }
    for one in kernel.instructions.iter().filter(|one| one.is_update()) {
        if !wanted.iter().any(|want| want.opcodes.contains(&one.opcode)) {
            found.push(format!("{} is not wanted", one.opcode));
        }
    }
    for (at, want) in matched(wanted, kernel) {
        let got = &kernel.instructions[at];
        if got.bits != want.bits && got.bits != want.also {
            found.push(format!(
                "{} with {:?}, not {:?}",
                got.opcode, got.bits, want.bits
            ));
        }
    }
    found
}

/// Cache operations and waits around each access; `chooses` where the first two are alternatives.
fn around(wanted: &[Wanted], chooses: bool, kernel: &Kernel, expected: &Expected) -> Vec<String> {
    let mut found = Vec::new();
    let instructions = &kernel.instructions;
    let accesses = matched(wanted, kernel);
    let caches = |range: &[Instruction]| -> Vec<String> {
        let caches = range.iter().filter(|one| one.is_cache_operation());
        caches.map(Instruction::cache_text).collect()
    };
    let position = |opcodes: [&str; 2]| {
        instructions
            .iter()
            .position(|one| opcodes.contains(&one.opcode.as_str()))
    };
    let (store, load) = (position(BEFORE), position(AFTER));

    // LLVM may do once, before it chooses, what both alternatives begin with: those that follow another one.
    let mut follow = BTreeSet::new();
    for (index, pair) in accesses.windows(2).enumerate().filter(|_| chooses) {
        let [(first, want), (second, other)] = pair else {
            continue;
        };
        let branches = |one: &Instruction| {
            one.opcode.starts_with("s_cbranch") || one.opcode.contains("saveexec")
        };
        let choice = instructions[..*first].iter().rposition(branches);
        let before = &instructions[..choice.unwrap_or(0)];
        let are_alternatives = want.opcodes != other.opcodes && !follow.contains(&index);
        if are_alternatives
            && !want.before.is_empty()
            && caches(before).ends_with(&want.before)
            && !caches(&instructions[first + 1..*second]).ends_with(&want.before)
        {
            follow.insert(index + 1);
        }
    }
    let shared: usize = follow.iter().map(|at| accesses[*at].1.before.len()).sum();

    let total = caches(instructions).len();
    let want_total: usize = accesses
        .iter()
        .map(|(_, want)| want.before.len() + want.after.len())
        .sum::<usize>()
        - shared;
    // A plain access of workgroup memory looks as an atomic one and is counted as such.
    if total != want_total && !is_plain_too(wanted) || total > want_total {
        found.push(format!(
            "{total} cache operations, not {want_total}: {:?}",
            caches(instructions)
        ));
    }
    let mut each: Vec<Vec<String>> = Vec::new();
    for (index, (at, want)) in accesses.iter().enumerate() {
        let mut found = Vec::new();
        let from = index
            .checked_sub(1)
            .map_or(0, |before| accesses[before].0 + 1);
        let to = accesses
            .get(index + 1)
            .map_or(instructions.len(), |next| next.0);
        let (ahead, behind) = (&instructions[from..*at], &instructions[at + 1..to]);
        let is_before = follow.contains(&index) || caches(ahead).ends_with(&want.before);
        if !is_before {
            found.push(format!(
                "want {:?} before, got {:?}",
                want.before,
                caches(ahead)
            ));
        }
        if !caches(behind).starts_with(&want.after) {
            found.push(format!(
                "want {:?} behind, got {:?}",
                want.after,
                caches(behind)
            ));
        }
        if want.waits_before {
            let waits = store.filter(|store| store < at).is_some_and(|store| {
                let between = &instructions[store..*at];
                between.iter().any(|one| one.waits_for(expected.stores()))
            });
            if !waits {
                found.push("an earlier store is not waited for".to_string());
            }
        }
        if want.waits_after {
            let end = behind
                .iter()
                .position(|one| one.is_cache_operation() || AFTER.contains(&one.opcode.as_str()));
            let between = &behind[..end.unwrap_or(behind.len())];
            // A step whose result nothing uses is counted as a store.
            let has_no_result = want.also != want.bits && instructions[*at].bits == want.also;
            let counter = match want.counter {
                Counter::Loads if has_no_result => expected.stores(),
                counter => counter,
            };
            if !between.iter().any(|one| one.waits_for(counter)) {
                found.push(format!("{} is not waited for", instructions[*at].opcode));
            }
        }
        each.push(found);
    }
    if is_plain_too(wanted) {
        // One of them is the atomic one.
        if !each.iter().any(Vec::is_empty) {
            found.extend(each.into_iter().next().unwrap_or_default());
        }
    } else {
        found.extend(each.into_iter().flatten());
    }
    let last = accesses.last().map(|(at, _)| *at);
    let first = accesses.first().map(|(at, _)| *at);
    if wanted
        .iter()
        .any(|want| !want.before.is_empty() || want.waits_before)
        && store > last
    {
        found.push("the store before a release comes behind it".to_string());
    }
    if wanted
        .iter()
        .any(|want| !want.after.is_empty() || want.waits_after)
        && load < first
    {
        found.push("the load behind an acquire comes before it".to_string());
    }
    found
}

/// Whether what is wanted is one load or store, of which workgroup memory has plain ones too.
fn is_plain_too(wanted: &[Wanted]) -> bool {
    wanted.iter().any(|want| {
        let name = want.opcodes[0].as_str();
        ["ds_read", "ds_load", "ds_write", "ds_store_"]
            .iter()
            .any(|begin| name.starts_with(begin))
    })
}

/// There is a loop, which a comparison of integers ends: one of floats would never end it on a NaN.
fn looped(kernel: &Kernel) -> Vec<String> {
    let mut found = Vec::new();
    let mut labels: BTreeSet<&str> = BTreeSet::new();
    let mut compared = "";
    let mut loops = 0;
    for one in &kernel.instructions {
        if let Some(label) = one.opcode.strip_suffix(':') {
            labels.insert(label);
        } else if one.opcode.starts_with("v_cmp") {
            compared = &one.opcode;
        } else if one.opcode.starts_with("s_cbranch") && labels.contains(one.rest.as_str()) {
            loops += 1;
            let mut parts = compared.split('_');
            if !parts.any(|part| matches!(part, "u16" | "u32" | "u64" | "i32" | "i64")) {
                found.push(format!("'{compared}' ends the loop"));
            }
        }
    }
    if loops == 0 {
        found.push("no loop".to_string());
    }
    found
}

/// Nothing branches back around an update.
fn branches_back(kernel: &Kernel) -> Option<String> {
    let instructions = &kernel.instructions;
    let around = instructions.iter().enumerate().find_map(|(at, one)| {
        let label = format!("{}:", one.rest);
        let is_branch = one.opcode.starts_with("s_cbranch") || one.opcode == "s_branch";
        let back = instructions[..at]
            .iter()
            .position(|one| one.opcode == label);
        instructions[back.filter(|_| is_branch)?..at]
            .iter()
            .find(|one| one.is_update())
    });
    around.map(|update| format!("{} is in a loop", update.opcode))
}

/// The bits of 2^-101, at which it begins not to show whether a sum of f32 flushes, and what is below.
const BOUNDS: [&str; 2] = ["0xd000000", "0xcffffff"];

/// An unsigned comparison with a bound of the guard.
fn guarded(kernel: &Kernel) -> Option<String> {
    let is_compared = kernel.instructions.iter().any(|one| {
        let is_bound = BOUNDS.iter().any(|bound| one.rest.contains(bound));
        one.opcode.contains("_cmp") && one.opcode.contains("_u32") && is_bound
    });
    (!is_compared).then(|| "nothing compares the operand with the guard".to_string())
}

fn fence(cell: &Cell, kernel: &Kernel, expected: &Expected) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let instructions = &kernel.instructions;
    let position = |opcodes: [&str; 2]| {
        instructions
            .iter()
            .position(|one| opcodes.contains(&one.opcode.as_str()))
    };
    let (Some(store), Some(load)) = (position(BEFORE), position(AFTER)) else {
        return Ok(vec!["no store before or no load behind".to_string()]);
    };
    let mut want = Vec::new();
    if releases(cell.ordering) {
        want.extend(expected.caches("release", cell.scope)?);
    }
    if acquires(cell.ordering) {
        want.extend(expected.caches("acquire", cell.scope)?);
    }
    let all: Vec<String> = instructions
        .iter()
        .filter(|one| one.is_cache_operation())
        .map(Instruction::cache_text)
        .collect();
    if all != want {
        found.push(format!("want {want:?}, got {all:?}"));
    }
    let waits_before = releases(cell.ordering) && expected.waits("release-waits", cell.scope)?;
    let waits_after = acquires(cell.ordering) && expected.waits("acquire-waits", cell.scope)?;
    if want.is_empty() && !waits_before && !waits_after {
        return Ok(found);
    }
    // A release alone lets later loads come first.
    if acquires(cell.ordering) && load < store {
        found.push("the load comes before the fence".to_string());
    }
    let waits = instructions[store..]
        .iter()
        .take_while(|one| !AFTER.contains(&one.opcode.as_str()))
        .any(|one| one.waits_for(expected.stores()));
    if waits_before && store < load && !waits {
        found.push("the store is not waited for".to_string());
    }
    Ok(found)
}
