//! Rules of ours for a finished module: what validators do not look at, or only some do.

mod atomics;
mod memory;
mod module;

use crate::ids::Ids;
use crate::requirements::model;
use crate::{Error, VulkanVersion, load};
use rspirv::binary::Disassemble;
use rspirv::dr::{Instruction, Module};
use rspirv::spirv::MemoryModel;
use std::fmt;

/// A rule that a module breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule's name.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
    /// The instruction, where it is one.
    pub instruction: Option<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)?;
        match &self.instruction {
            Some(instruction) => write!(f, ", in '{instruction}'"),
            None => Ok(()),
        }
    }
}

/// A module, and what rules ask of it.
struct View<'m> {
    module: &'m Module,
    ids: Ids<'m>,
    model: MemoryModel,
    vulkan: VulkanVersion,
}

/// What is wrong, and the instruction where it is.
type Finding<'m> = (String, Option<&'m Instruction>);

/// A rule.
struct Rule {
    name: &'static str,
    /// Where it comes from.
    #[cfg_attr(not(test), expect(dead_code, reason = "for those who read the table"))]
    source: &'static str,
    check: for<'m> fn(&View<'m>) -> Vec<Finding<'m>>,
}

/// The rules.
#[rustfmt::skip]
const RULES: &[Rule] = &[
    Rule { name: "memory-model", check: module::memory_model, source: "Vulkan, VUID-StandaloneSpirv-None-04635 and OpMemoryModel" },
    Rule { name: "version", check: module::version, source: "Vulkan, appendix A, \"Versions and Formats\"" },
    Rule { name: "no-imports", check: module::no_imports, source: "Vulkan knows no linkage" },
    Rule { name: "requirements", check: module::requirements, source: "declared exactly when used" },
    Rule { name: "interface", check: module::interface, source: "SPIR-V, OpEntryPoint" },
    Rule { name: "constant-operands", check: atomics::constant_operands, source: "Vulkan, VUID-StandaloneSpirv-OpAtomic and -MemorySemantics" },
    Rule { name: "no-sequential-consistency", check: atomics::no_sequential_consistency, source: "Vulkan, VUID-StandaloneSpirv-MemorySemantics-10866" },
    Rule { name: "no-cross-device", check: atomics::no_cross_device, source: "Vulkan, VUID-StandaloneSpirv-None-04638" },
    Rule { name: "one-order", check: atomics::one_order, source: "SPIR-V 3.25 \"Memory Semantics\"" },
    Rule { name: "order-and-storage", check: atomics::order_and_storage, source: "Vulkan, VUID-StandaloneSpirv-MemorySemantics-10870 and -10871; relaxed is 0" },
    Rule { name: "orders-all-memory", check: atomics::orders_all_memory, source: "happens-before covers all memory, and Vulkan orders each storage class apart" },
    Rule { name: "availability", check: atomics::availability, source: "SPIR-V 3.25, MakeAvailable and MakeVisible" },
    Rule { name: "unequal", check: atomics::unequal, source: "SPIR-V, OpAtomicCompareExchange" },
    Rule { name: "shared-memory-only", check: atomics::shared_memory_only, source: "Vulkan, VUID-StandaloneSpirv-None-04686" },
    Rule { name: "no-small-atomics", check: atomics::no_small_atomics, source: "Vulkan, VUID-RuntimeSpirv-None-06284 and on: 32 and 64 bits" },
    Rule { name: "non-private", check: memory::non_private, source: "Vulkan memory model, non-private accesses" },
    Rule { name: "coherent", check: memory::coherent, source: "SPIR-V 3.20, Coherent; Vulkan, VUID-StandaloneSpirv-OpMemoryModel" },
];

/// Holds a finished module against our own rules.
///
/// # Errors
///
/// Every rule that it breaks, or why it cannot be read.
pub fn check(words: &[u32], vulkan: VulkanVersion) -> Result<(), Error> {
    let module = load(words)?;
    let view = View {
        ids: Ids::of(&module),
        model: model(&module),
        module: &module,
        vulkan,
    };
    let violations: Vec<Violation> = RULES
        .iter()
        .flat_map(|rule| {
            let found = (rule.check)(&view).into_iter();
            found.map(|(message, instruction)| Violation {
                rule: rule.name,
                message,
                instruction: instruction.map(Disassemble::disassemble),
            })
        })
        .collect();
    if violations.is_empty() {
        Ok(())
    } else {
        Err(Error::Rules(violations))
    }
}

#[cfg(test)]
mod tests;
