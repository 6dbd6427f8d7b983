//! Reads instructions back from the target's text, each with the place in the source that the line
//! information before it says.

use super::sources::Key;
use std::collections::HashMap;

/// The languages of the target's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    /// PTX.
    Ptx,
    /// x86-64, in AT&T's syntax.
    X86,
    /// 64-bit Arm.
    Aarch64,
}

impl Isa {
    /// That of this machine.
    pub(crate) const HOST: Self = if cfg!(target_arch = "aarch64") {
        Self::Aarch64
    } else {
        Self::X86
    };

    fn rules(self) -> &'static Rules {
        match self {
            Self::Ptx => &PTX,
            Self::X86 => &X86,
            Self::Aarch64 => &AARCH64,
        }
    }
}

/// An instruction that touches memory or synchronizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    /// Where in the source it is from.
    pub(super) key: Option<Key>,
    /// Its text, with single spaces.
    pub(super) text: String,
    /// Whether it is atomic or orders something, as far as its text says.
    pub(super) synchronizes: bool,
}

/// How the instructions of a language are told apart. Names are the beginnings of opcodes.
struct Rules {
    /// What begins a comment.
    comment: &'static str,
    /// What ends a statement, beside the end of the line.
    separator: Option<char>,
    /// A comment that stands for an instruction: a fence that binds the compiler only.
    compiler_fence: Option<&'static str>,
    /// Opcodes of atomics and fences.
    synchronizing: &'static [&'static str],
    /// Those of them that are ordinary where no operand is in memory.
    only_in_memory: &'static [&'static str],
    /// Opcodes that touch memory, beside those.
    accessing: &'static [&'static str],
    /// Opcodes that never touch memory although an operand looks so.
    innocent: &'static [&'static str],
    /// What an operand that is in memory has in it.
    memory_operand: &'static str,
    /// What it has in it where the compiler put it there for itself: arguments, constants.
    own_operands: &'static [&'static str],
    /// Semantics that an opcode names after a dot.
    semantics: &'static [&'static str],
}

/// PTX ISA, instruction set.
const PTX: Rules = Rules {
    comment: "//",
    separator: Some(';'),
    compiler_fence: None,
    synchronizing: &["atom", "red.", "fence", "membar", "bar"],
    only_in_memory: &[],
    accessing: &["ld", "st"],
    innocent: &[],
    memory_operand: "[",
    own_operands: &["ld.param", "st.param"],
    semantics: &["relaxed", "acquire", "release", "volatile", "mmio"],
};

/// Intel's manual, volume 2, in the syntax that LLVM prints.
const X86: Rules = Rules {
    comment: "#",
    separator: None,
    compiler_fence: Some("#MEMBARRIER"),
    synchronizing: &["lock", "xchg", "mfence"],
    only_in_memory: &["xchg"],
    accessing: &[""],
    innocent: &[
        "lea", "nop", "push", "pop", "call", "jmp", "ret", "prefetch",
    ],
    memory_operand: "(",
    own_operands: &[".LCPI"],
    semantics: &[],
};

/// Arm's architecture reference manual, A64.
const AARCH64: Rules = Rules {
    comment: "//",
    separator: None,
    compiler_fence: None,
    synchronizing: &[
        "dmb", "cas", "swp", "ldar", "ldapr", "ldlar", "stlr", "stllr", "ldxr", "ldaxr", "stxr",
        "stlxr", "ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin",
        "stadd", "stclr", "steor", "stset", "stsmax", "stsmin", "stumax", "stumin",
    ],
    only_in_memory: &[],
    accessing: &["ld", "st"],
    innocent: &[],
    memory_operand: "[",
    own_operands: &[],
    semantics: &[],
};

/// Calls of the runtime of the CPU that stand for an instruction.
const RUNTIME_CALLS: &[&str] = &["xpu_cpu_barrier", "__atomic_"];

/// What LLVM comments accesses with that it made for want of registers.
const SPILLS: &[&str] = &["Spill", "Reload"];

/// The instructions that touch memory or synchronize, in order.
pub(super) fn read(text: &str, isa: Isa) -> Vec<Instruction> {
    let rules = isa.rules();
    let files = files(text);
    let mut found = Vec::new();
    let mut key = None;
    for line in text.lines().map(str::trim) {
        if let Some(place) = line
            .strip_prefix(".loc")
            .filter(|rest| rest.starts_with(char::is_whitespace))
        {
            key = self::place(place, &files);
            continue;
        }
        if rules
            .compiler_fence
            .is_some_and(|fence| line.starts_with(fence))
        {
            found.push(Instruction {
                key: key.clone(),
                text: line.to_string(),
                synchronizes: true,
            });
            continue;
        }
        let (code, comment) = line.split_once(rules.comment).unwrap_or((line, ""));
        if SPILLS.iter().any(|word| comment.contains(word)) {
            continue;
        }
        let statements = code.split(|c| Some(c) == rules.separator);
        for statement in
            statements.map(|one| one.trim_matches(|c: char| c.is_whitespace() || "{}".contains(c)))
        {
            if let Some(synchronizes) = classify(statement, rules) {
                let words: Vec<&str> = statement.split_whitespace().collect();
                found.push(Instruction {
                    key: key.clone(),
                    text: words.join(" "),
                    synchronizes,
                });
            }
        }
    }
    found
}

/// Whether a statement synchronizes; `None` where it touches no memory either.
fn classify(statement: &str, rules: &Rules) -> Option<bool> {
    let is_label = statement.ends_with(':');
    if statement.is_empty() || statement.starts_with('.') || is_label {
        return None;
    }
    // A predicate, as in `@%p1 bra`.
    let unpredicated = match statement.strip_prefix('@') {
        Some(rest) => rest.split_once(char::is_whitespace)?.1.trim_start(),
        None => statement,
    };
    let opcode = unpredicated.split_whitespace().next()?;
    let begins = |list: &[&str]| list.iter().any(|one| opcode.starts_with(one));
    if RUNTIME_CALLS.iter().any(|name| unpredicated.contains(name)) {
        return begins(&["call", "jmp", "bl", "b"]).then_some(true);
    }
    let in_memory = unpredicated.contains(rules.memory_operand);
    if begins(rules.synchronizing) && (in_memory || !begins(rules.only_in_memory)) {
        return Some(true);
    }
    let accesses = begins(rules.accessing)
        && !begins(rules.innocent)
        && !begins(rules.own_operands)
        && in_memory
        && !rules
            .own_operands
            .iter()
            .any(|own| unpredicated.contains(own));
    accesses.then(|| {
        opcode
            .split('.')
            .any(|part| rules.semantics.contains(&part))
    })
}

/// The names of the files that line information counts.
fn files(text: &str) -> HashMap<u32, String> {
    let declared = text.lines().filter_map(|line| {
        let rest = line.trim().strip_prefix(".file")?.trim_start();
        let (number, names) = rest.split_once(char::is_whitespace)?;
        Some((number.parse().ok()?, last_quoted(names)?))
    });
    declared.collect()
}

/// The last of the quoted texts of a directive: after a directory, the file.
fn last_quoted(text: &str) -> Option<String> {
    let mut last = None;
    let mut bytes = text.bytes();
    while bytes.by_ref().any(|byte| byte == b'"') {
        let mut one = Vec::new();
        while let Some(byte) = bytes.next() {
            match byte {
                b'"' => break,
                b'\\' => one.push(escaped(&mut bytes)),
                other => one.push(other),
            }
        }
        last = Some(String::from_utf8_lossy(&one).into_owned());
    }
    last
}

/// The byte that an escape stands for: three octal digits, or itself.
fn escaped(bytes: &mut std::str::Bytes<'_>) -> u8 {
    let digit = |byte: u8| (b'0'..=b'7').contains(&byte).then(|| byte - b'0');
    let Some(first) = bytes.next() else {
        return b'\\';
    };
    let Some(high) = digit(first) else {
        return first;
    };
    let rest = [bytes.next(), bytes.next()].map(|byte| byte.and_then(digit).unwrap_or(0));
    (high << 6) | (rest[0] << 3) | rest[1]
}

/// The place that a `.loc` says: file, line, column. Line 0 is none.
fn place(text: &str, files: &HashMap<u32, String>) -> Option<Key> {
    let mut numbers = text.split_whitespace().map(str::parse::<u32>);
    let mut next = || numbers.next()?.ok();
    let (file, line, column) = (next()?, next()?, next()?);
    (line > 0).then(|| Key::new(files.get(&file).map_or("", String::as_str), line, column))
}
