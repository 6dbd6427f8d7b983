//! As much of AMD's assembly as tells what a kernel does to memory, in which order.

use std::collections::BTreeSet;

/// A kernel's instructions, in the order of the text.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) instructions: Vec<Instruction>,
}

/// An instruction, or a label.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    /// Ends with a colon where it is a label.
    pub(crate) opcode: String,
    /// What stands behind it.
    pub(crate) rest: String,
    /// The words behind its operands that change what it does.
    pub(crate) bits: BTreeSet<String>,
}

/// The words that change what a memory instruction does.
const BITS: [&str; 5] = ["glc", "slc", "dlc", "sc0", "sc1"];

/// The kernels of an assembly text: what stands between a function's label and its end.
pub(crate) fn kernels(text: &str) -> Vec<Kernel> {
    let mut found: Vec<Kernel> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let code = line.split(';').next().unwrap_or("").trim_end();
        if let Some(name) = code.strip_suffix(':')
            && !name.starts_with('.')
        {
            found.push(kernel(name, &[]));
            is_inside = true;
        } else if code.starts_with(".Lfunc_end") {
            is_inside = false;
        } else if let Some(kernel) = found.last_mut().filter(|_| is_inside) {
            kernel.instructions.extend(instruction(code));
        }
    }
    found
}

/// A kernel of lines.
pub(crate) fn kernel(name: &str, lines: &[&str]) -> Kernel {
    Kernel {
        name: name.to_string(),
        instructions: lines.iter().filter_map(|line| instruction(line)).collect(),
    }
}

fn instruction(line: &str) -> Option<Instruction> {
    let line = line.split(';').next().unwrap_or("").trim();
    let is_label = line.ends_with(':');
    if line.is_empty() || (line.starts_with('.') && !is_label) {
        return None;
    }
    let (opcode, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let is_bit =
        |word: &&str| BITS.contains(word) || word.starts_with("scope:") || word.starts_with("th:");
    let bits = rest.split_whitespace().filter(is_bit);
    Some(Instruction {
        opcode: opcode.to_string(),
        bits: bits.map(str::to_string).collect(),
        rest: rest.trim().to_string(),
    })
}

impl Instruction {
    /// Whether it writes caches back or invalidates them.
    pub(crate) fn is_cache_operation(&self) -> bool {
        [
            "buffer_wb",
            "buffer_inv",
            "buffer_gl",
            "global_inv",
            "global_wb",
        ]
        .iter()
        .any(|begin| self.opcode.starts_with(begin))
    }

    /// Whether it updates memory for others to see.
    pub(crate) fn is_update(&self) -> bool {
        const LDS: [&str; 13] = [
            "ds_add",
            "ds_sub",
            "ds_and",
            "ds_or",
            "ds_xor",
            "ds_min",
            "ds_max",
            "ds_inc",
            "ds_dec",
            "ds_cmpst",
            "ds_wrxchg",
            "ds_storexchg",
            "ds_pk_add",
        ];
        let begins = |begin: &&str| self.opcode.starts_with(begin);
        self.opcode.contains("_atomic_") || LDS.iter().any(|begin| begins(&begin))
    }

    /// A cache operation, in the words of the expectations.
    pub(crate) fn cache_text(&self) -> String {
        let bits: Vec<&str> = self.bits.iter().map(String::as_str).collect();
        if bits.is_empty() {
            self.opcode.clone()
        } else {
            format!("{}+{}", self.opcode, bits.join(","))
        }
    }

    /// Whether it waits until nothing is left of what a counter counts.
    pub(crate) fn waits_for(&self, counter: Counter) -> bool {
        let zero = self.rest.ends_with("0x0") || self.rest.ends_with(" 0");
        match (self.opcode.as_str(), counter) {
            ("s_waitcnt", Counter::Loads) => self.rest.contains("vmcnt(0)"),
            // Before gfx10, stores count with loads.
            ("s_waitcnt", Counter::Stores { apart: false }) => self.rest.contains("vmcnt(0)"),
            ("s_waitcnt", Counter::Lds) => self.rest.contains("lgkmcnt(0)"),
            ("s_waitcnt_vscnt", Counter::Stores { apart: true }) => zero,
            ("s_wait_loadcnt" | "s_wait_loadcnt_dscnt", Counter::Loads)
            | ("s_wait_storecnt" | "s_wait_storecnt_dscnt", Counter::Stores { apart: true })
            | ("s_wait_dscnt" | "s_wait_loadcnt_dscnt" | "s_wait_storecnt_dscnt", Counter::Lds) => {
                zero || self.rest == "0x0"
            }
            _ => false,
        }
    }
}

/// What a wait may be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    /// Loads, and updates that return something.
    Loads,
    /// Stores, and updates that return nothing.
    Stores {
        /// Whether they are counted apart from loads.
        apart: bool,
    },
    /// Workgroup memory.
    Lds,
}
