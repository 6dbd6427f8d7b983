//! As much of PTX as tells what a kernel does to memory, and where control goes.

use std::collections::HashMap;

/// A kernel's instructions, in the order of the text.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) instructions: Vec<Instruction>,
    /// Labels and the instruction that each is before.
    labels: HashMap<String, usize>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    /// The predicate that decides whether it is executed.
    pub(crate) guard: Option<String>,
    pub(crate) opcode: String,
    pub(crate) operands: Vec<String>,
    /// What it does to memory, where it does something.
    pub(crate) memory: Option<Memory>,
}

/// What an instruction does to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    /// `atom`, `red`, `ld`, `st` or `fence`.
    pub(crate) op: &'static str,
    /// `None` for a weak access.
    pub(crate) semantics: Option<&'static str>,
    pub(crate) scope: Option<&'static str>,
    /// `None` for a generic address, and for a fence.
    pub(crate) space: Option<&'static str>,
    /// Operation and type.
    pub(crate) stem: String,
}

impl Memory {
    /// Whether others can rely on it: anything but a weak load or store.
    pub(crate) fn is_strong(&self) -> bool {
        self.semantics.is_some()
    }

    /// With every default written out.
    pub(crate) fn text(&self) -> String {
        let parts = [
            Some(self.op),
            self.semantics,
            self.scope,
            self.space,
            Some(self.stem.as_str()),
        ];
        let parts: Vec<&str> = parts
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect();
        parts.join(".")
    }
}

/// Instructions that touch no memory and call nothing.
const ARITHMETIC: [&str; 34] = [
    "abs", "add", "and", "bfe", "bfi", "clz", "cvt", "cvta", "div", "fma", "mad", "max", "min",
    "mov", "mul", "neg", "not", "or", "popc", "prmt", "rcp", "selp", "set", "setp", "shf", "shl",
    "shr", "slct", "sqrt", "sub", "testp", "vote", "xor", "rem",
];

/// The kernels of a module.
///
/// # Errors
///
/// A line that is not understood: nothing is passed over in silence.
pub(crate) fn kernels(module: &str) -> Result<Vec<Kernel>, String> {
    let mut found = Vec::new();
    let mut lines = module.lines();
    while let Some(line) = lines.next() {
        if line.starts_with(".visible .func") || line.starts_with(".func") {
            return Err(format!("'{line}' is no kernel"));
        }
        let Some(rest) = line.strip_prefix(".visible .entry ") else {
            continue;
        };
        let name = rest.split('(').next().unwrap_or(rest).trim();
        // Parameters and launch bounds.
        let _ = lines.by_ref().find(|line| line.starts_with('{'));
        let body: Vec<&str> = lines
            .by_ref()
            .take_while(|line| !line.starts_with('}'))
            .collect();
        found.push(kernel(name, &body).map_err(|error| format!("{name}: {error}"))?);
    }
    Ok(found)
}

/// A kernel of the lines between its braces.
pub(crate) fn kernel(name: &str, body: &[&str]) -> Result<Kernel, String> {
    let mut kernel = Kernel {
        name: name.to_string(),
        instructions: Vec::new(),
        labels: HashMap::new(),
    };
    for line in body {
        let line = line.split("//").next().unwrap_or("").trim();
        if let Some(label) = line.strip_suffix(':') {
            kernel
                .labels
                .insert(label.to_string(), kernel.instructions.len());
        } else if !line.is_empty() && !line.starts_with('.') {
            kernel.instructions.push(instruction(line)?);
        }
    }
    for instruction in &kernel.instructions {
        if instruction.is_branch() && !kernel.labels.contains_key(&instruction.operands[0]) {
            return Err(format!("no label {}", instruction.operands[0]));
        }
    }
    Ok(kernel)
}

fn instruction(line: &str) -> Result<Instruction, String> {
    let unknown = || format!("'{line}' is not understood");
    let rest = line.strip_suffix(';').ok_or_else(unknown)?;
    let (guard, rest) = match rest.strip_prefix('@') {
        Some(rest) => {
            let (guard, rest) = rest.split_once(char::is_whitespace).ok_or_else(unknown)?;
            (Some(guard.trim_start_matches('!').to_string()), rest.trim())
        }
        None => (None, rest),
    };
    let (opcode, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let operands = operands
        .split(',')
        .map(|one| one.trim().to_string())
        .filter(|one| !one.is_empty());
    let base = opcode.split('.').next().unwrap_or(opcode);
    let memory = match base {
        "atom" | "red" | "ld" | "st" | "fence" => Some(memory(opcode).ok_or_else(unknown)?),
        "bra" | "ret" | "bar" | "barrier" => None,
        _ if ARITHMETIC.contains(&base) => None,
        _ => return Err(unknown()),
    };
    Ok(Instruction {
        guard,
        opcode: opcode.to_string(),
        operands: operands.collect(),
        memory,
    })
}

/// The defaults are those of the PTX ISA: `atom` and `red` are relaxed, at gpu scope; `ld` and `st`
/// are weak.
fn memory(opcode: &str) -> Option<Memory> {
    const OPS: [&str; 5] = ["atom", "red", "ld", "st", "fence"];
    const SEMANTICS: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "sc"];
    const SCOPES: [&str; 3] = ["cta", "gpu", "sys"];
    const SPACES: [&str; 5] = ["global", "shared", "local", "param", "const"];
    let mut parts = opcode.split('.');
    let op = parts
        .next()
        .and_then(|part| OPS.into_iter().find(|one| *one == part))?;
    let mut found = Memory {
        op,
        semantics: None,
        scope: None,
        space: None,
        stem: String::new(),
    };
    let mut stem = Vec::new();
    for part in parts {
        let known = |list: &[&'static str]| list.iter().copied().find(|one| *one == part);
        if !stem.is_empty() {
            stem.push(part);
        } else if let Some(semantics) = known(&SEMANTICS).filter(|_| found.semantics.is_none()) {
            found.semantics = Some(semantics);
        } else if let Some(scope) = known(&SCOPES).filter(|_| found.scope.is_none()) {
            found.scope = Some(scope);
        } else if let Some(space) = known(&SPACES).filter(|_| found.space.is_none()) {
            found.space = Some(space);
        } else if matches!(
            part,
            "volatile" | "mmio" | "weak" | "cluster" | "proxy" | "nc" | "unified"
        ) {
            return None;
        } else {
            stem.push(part);
        }
    }
    found.stem = stem.join(".");
    match op {
        "atom" | "red" => {
            found.semantics = found.semantics.or(Some("relaxed"));
            found.scope = found.scope.or(Some("gpu"));
            (found.semantics != Some("sc")).then_some(found)
        }
        // PTX ISA, fence: .sc and .acq_rel; scope always.
        "fence" => {
            let known = matches!(found.semantics, Some("sc" | "acq_rel"));
            (known && found.scope.is_some() && found.stem.is_empty()).then_some(found)
        }
        _ => (found.semantics.is_some() == found.scope.is_some()).then_some(found),
    }
}

impl Instruction {
    pub(crate) fn is_branch(&self) -> bool {
        self.opcode == "bra" || self.opcode.starts_with("bra.")
    }

    pub(crate) fn is_barrier(&self) -> bool {
        self.opcode.starts_with("bar.") || self.opcode.starts_with("barrier.")
    }

    fn is_return(&self) -> bool {
        self.opcode == "ret"
    }
}

impl Kernel {
    /// Where control may go after an instruction; `None` is out of the kernel.
    pub(crate) fn successors(&self, at: usize) -> Vec<Option<usize>> {
        let instruction = &self.instructions[at];
        let next = Some(at + 1).filter(|next| *next < self.instructions.len());
        let jump = if instruction.is_branch() {
            Some(self.labels[&instruction.operands[0]]).filter(|to| *to < self.instructions.len())
        } else if instruction.is_return() {
            None
        } else {
            return vec![next];
        };
        if instruction.guard.is_some() {
            vec![jump, next]
        } else {
            vec![jump]
        }
    }

    /// Whether control may come back to an instruction.
    pub(crate) fn is_in_loop(&self, at: usize) -> bool {
        let mut seen = vec![false; self.instructions.len()];
        let mut pending = vec![at];
        while let Some(from) = pending.pop() {
            for to in self.successors(from).into_iter().flatten() {
                if to == at {
                    return true;
                }
                if !std::mem::replace(&mut seen[to], true) {
                    pending.push(to);
                }
            }
        }
        false
    }

    /// The instructions that give a register its value.
    pub(crate) fn definitions<'a>(
        &'a self,
        register: &'a str,
    ) -> impl Iterator<Item = &'a Instruction> {
        self.instructions.iter().filter(move |one| {
            let writes = !matches!(
                one.memory.as_ref().map(|memory| memory.op),
                Some("st" | "red" | "fence")
            );
            writes
                && one
                    .operands
                    .first()
                    .is_some_and(|first| first.split('|').any(|part| part == register))
        })
    }
}
