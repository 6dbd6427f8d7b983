//! Reads instructions back from the target's text, each with the place in the source that the line
//! information before it says.

use super::sources::Key;
#[cfg(feature = "vulkan")]
use super::spirv;
use std::collections::HashMap;

/// The languages of the target's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    /// PTX.
    Ptx,
    /// That of AMD's GPUs.
    Amdgpu,
    /// x86-64, in AT&T's syntax.
    X86,
    /// 64-bit Arm.
    Aarch64,
    /// SPIR-V, as `spirv-dis` prints it.
    #[cfg(feature = "vulkan")]
    Spirv,
}

impl Isa {
    /// That of this machine.
    pub(crate) const HOST: Self = if cfg!(target_arch = "aarch64") {
        Self::Aarch64
    } else {
        Self::X86
    };

    /// `None` where another file reads the text.
    fn rules(self) -> Option<&'static Rules> {
        match self {
            Self::Ptx => Some(&PTX),
            Self::Amdgpu => Some(&AMDGPU),
            Self::X86 => Some(&X86),
            Self::Aarch64 => Some(&AARCH64),
            #[cfg(feature = "vulkan")]
            Self::Spirv => None,
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
    synchronizing: &["atom", "red.", "fence", "membar", "bar"],
    only_in_memory: &[],
    accessing: &["ld", "st"],
    innocent: &[],
    memory_operand: "[",
    own_operands: &["ld.param", "st.param"],
    semantics: &["relaxed", "acquire", "release", "volatile", "mmio"],
};

/// AMD's ISA documents: memory instructions of every generation, cache operations, waits, barriers. A
/// load from constant memory (`s_load`) is of arguments.
const AMDGPU: Rules = Rules {
    comment: ";",
    separator: None,
    synchronizing: &[
        "global_atomic",
        "flat_atomic",
        "buffer_atomic",
        "buffer_gl",
        "buffer_inv",
        "buffer_wb",
        "global_inv",
        "global_wb",
        "s_barrier",
        "s_wait",
        "ds_add",
        "ds_sub",
        "ds_and",
        "ds_or",
        "ds_xor",
        "ds_min",
        "ds_max",
        "ds_inc",
        "ds_dec",
        "ds_cmp",
        "ds_wrxchg",
        "ds_storexchg",
        "ds_pk_add",
    ],
    only_in_memory: &[],
    accessing: &["global_", "flat_", "scratch_", "ds_", "buffer_"],
    innocent: &["ds_bpermute", "ds_permute", "ds_swizzle", "ds_nop"],
    memory_operand: "",
    own_operands: &[],
    semantics: &[],
};

/// Intel's manual, volume 2, in the syntax that LLVM prints.
const X86: Rules = Rules {
    comment: "#",
    separator: None,
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
    let Some(rules) = isa.rules() else {
        #[cfg(feature = "vulkan")]
        return spirv::read(text);
        #[cfg(not(feature = "vulkan"))]
        return Vec::new();
    };
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

/// What two instructions have in common that differ in registers, offsets and numbers alone, as
/// those of an unrolled loop do.
pub(super) fn shape(text: &str) -> String {
    let is_operand = |word: &str| {
        word.starts_with(['%', '$', '[', '(', '-']) || word.starts_with(char::is_numeric)
    };
    let at = text
        .split_inclusive(' ')
        .take_while(|word| !is_operand(word) || word.starts_with('@'))
        .map(str::len)
        .sum();
    let (head, operands) = text.split_at(at);
    let mut shape = head.to_string();
    let mut in_register = false;
    for character in operands.chars() {
        if in_register && (character.is_alphanumeric() || character == '_') {
            continue;
        }
        in_register = character == '%';
        if !(character.is_numeric() || "+-".contains(character)) {
            shape.push(character);
        }
    }
    shape
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

/// The place that a `.loc` says: file, line, column, before where that was inlined. Line 0 is none.
fn place(text: &str, files: &HashMap<u32, String>) -> Option<Key> {
    let mut numbers = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .map(str::parse::<u32>);
    let mut next = || numbers.next()?.ok();
    let (file, line, column) = (next()?, next()?, next()?);
    (line > 0).then(|| Key::new(files.get(&file).map_or("", String::as_str), line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text, line and column, and whether it synchronizes.
    type Seen<'a> = (&'a str, Option<(u32, u32)>, bool);

    fn check(isa: Isa, text: &str, want: &[Seen<'_>]) {
        let text = format!("\t.file\t1 \"/some/folder\" \"k.mlir\"\n{text}");
        let found = read(&text, isa);
        let found: Vec<_> = found
            .iter()
            .map(|one| {
                let key = one.key.as_ref();
                assert!(key.is_none_or(|key| key.file == "k.mlir"));
                let place = key.map(|key| (key.line, key.column));
                (one.text.as_str(), place, one.synchronizes)
            })
            .collect();
        assert_eq!(found, want);
    }

    #[test]
    fn ptx() {
        check(
            Isa::Ptx,
            "\t.loc\t1 13 12                         // k.mlir:13:12\n\
             \tld.param.b64 \t%rd1, [k_param_0];\n\
             \t// begin inline asm\n\
             \tatom.acq_rel.sys.global.or.b32 %r5, [%rd6], %r6;\n\
             \t// end inline asm\n\
             \t@%p1 red.relaxed.gpu.global.add.u32 [%rd6], %r6; mov.b32 %r1, %r2;\n\
             $L__BB0_1:\n\
             \t.loc\t1 14 1, function_name $L__info_string0, inlined_at 1 3 4\n\
             \tld.acquire.gpu.global.b32 \t%r1, [%rd1];\n\
             \tst.global.b32 \t[%rd1], %r1;\n\
             \tadd.s32 \t%r1, %r1, 1;\n\
             \tbra \t$L__BB0_1;\n\
             \t.loc\t1 0 1\n\
             \tfence.acq_rel.gpu;\n\
             \tbar.sync \t0;\n",
            &[
                (
                    "atom.acq_rel.sys.global.or.b32 %r5, [%rd6], %r6",
                    Some((13, 12)),
                    true,
                ),
                (
                    "@%p1 red.relaxed.gpu.global.add.u32 [%rd6], %r6",
                    Some((13, 12)),
                    true,
                ),
                ("ld.acquire.gpu.global.b32 %r1, [%rd1]", Some((14, 1)), true),
                ("st.global.b32 [%rd1], %r1", Some((14, 1)), false),
                ("fence.acq_rel.gpu", None, true),
                ("bar.sync 0", None, true),
            ],
        );
    }

    #[test]
    fn x86() {
        check(
            Isa::X86,
            "\t.loc\t1 2 8 prologue_end              # k.mlir:2:8\n\
             \tmovl\t(%rsi,%r9,4), %eax\n\
             \tmovq\t%rdi, 8(%rsp)                   # 8-byte Spill\n\
             \taddss\t.LCPI1_0(%rip), %xmm0          # xmm0 = [1.0E+0]\n\
             \tleaq\tplace(%rip), %rsi\n\
             \txchgw\t%ax, %ax\n\
             .LBB0_1:                                # %atomicrmw.start\n\
             \tlock\t\tcmpxchgl\t%edx, (%rsi,%r9,4)\n\
             \tjne\t.LBB0_1\n\
             \txchgl\t%eax, (%rsi)\n\
             \tmfence\n\
             \tcallq\tmalloc@PLT\n\
             \tjmp\txpu_cpu_barrier@PLT             # TAILCALL\n",
            &[
                ("movl (%rsi,%r9,4), %eax", Some((2, 8)), false),
                ("lock cmpxchgl %edx, (%rsi,%r9,4)", Some((2, 8)), true),
                ("xchgl %eax, (%rsi)", Some((2, 8)), true),
                ("mfence", Some((2, 8)), true),
                ("jmp xpu_cpu_barrier@PLT", Some((2, 8)), true),
            ],
        );
    }

    #[test]
    fn aarch64() {
        check(
            Isa::Aarch64,
            "\t.loc\t1 2 8                           // k.mlir:2:8\n\
             \tldaddal\tw0, w0, [x1]\n\
             \tldr\tw8, [x1]\n\
             \tadd\tx0, x0, #8\n\
             \tdmb\tish\n\
             \tbl\txpu_cpu_barrier\n",
            &[
                ("ldaddal w0, w0, [x1]", Some((2, 8)), true),
                ("ldr w8, [x1]", Some((2, 8)), false),
                ("dmb ish", Some((2, 8)), true),
                ("bl xpu_cpu_barrier", Some((2, 8)), true),
            ],
        );
    }

    #[test]
    fn shapes_leave_registers_and_numbers_out() {
        let same = |a: &str, b: &str| shape(a) == shape(b);
        assert!(same("lock addl %ecx, (%rax)", "lock addl %edx, -64(%rax)"));
        assert!(!same(
            "lock addl %ecx, (%rax)",
            "lock addl %ecx, (%rax,%rbx,4)"
        ));
        assert!(!same("movl (%rax), %ecx", "movl %ecx, (%rax)"));
        assert!(same(
            "atom.acq_rel.gpu.global.add.u32 %r1, [%rd1+4], 1",
            "atom.acq_rel.gpu.global.add.u32 %r22, [%rd2], 3"
        ));
        assert!(!same(
            "atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], %r2",
            "atom.acq_rel.gpu.global.add.u64 %r1, [%rd1], %r2"
        ));
        assert!(!same("bar.sync 0", "bar.arrive 0"));
    }

    #[test]
    fn names_of_files_are_unescaped() {
        let text = r#"	.file	3 "a \"b\"" "\303\274.mlir" md5 0x0"#;
        assert_eq!(files(text).get(&3).unwrap(), "ü.mlir");
        assert!(files("\t.file\t\"k.mlir\"").is_empty());
    }
}
