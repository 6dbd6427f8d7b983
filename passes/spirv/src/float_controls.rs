//! How floating-point numbers are computed with: execution modes for the widths that are.

use crate::ids::{Ids, Scalar, call_tree, entry_point, ids_in};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{ExecutionMode, Op};

/// An execution mode for floating-point numbers of a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatControl {
    /// What is asked for.
    pub mode: FloatMode,
    /// Bits of the numbers: 16, 32 or 64.
    pub width: u32,
}

/// What is asked for of floating-point numbers (SPIR-V specification, "Execution Mode").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatMode {
    /// -0, infinities and NaN are what they are.
    SignedZeroInfNanPreserve,
    /// Subnormal numbers are kept.
    DenormPreserve,
    /// Subnormal numbers become zero.
    DenormFlushToZero,
    /// Results are rounded to the nearest, and to even in the middle.
    RoundingModeRte,
}

impl FloatMode {
    pub(crate) fn of(mode: ExecutionMode) -> Option<Self> {
        [
            Self::SignedZeroInfNanPreserve,
            Self::DenormPreserve,
            Self::DenormFlushToZero,
            Self::RoundingModeRte,
        ]
        .into_iter()
        .find(|one| one.spirv() == mode)
    }

    fn spirv(self) -> ExecutionMode {
        match self {
            Self::SignedZeroInfNanPreserve => ExecutionMode::SignedZeroInfNanPreserve,
            Self::DenormPreserve => ExecutionMode::DenormPreserve,
            Self::DenormFlushToZero => ExecutionMode::DenormFlushToZero,
            Self::RoundingModeRte => ExecutionMode::RoundingModeRTE,
        }
    }
}

/// Adds to each entry point the modes for the widths that its calls compute with.
pub(crate) fn add(module: &mut Module, controls: &[FloatControl]) {
    let mut added = Vec::new();
    let ids = Ids::of(module);
    for (function, _) in module.entry_points.iter().filter_map(entry_point) {
        let tree = call_tree(module, function);
        for control in controls {
            let is_used = tree
                .iter()
                .flat_map(|one| one.all_inst_iter())
                .any(|one| has_width(one, control.width, &ids));
            let operands = vec![
                Operand::IdRef(function),
                Operand::ExecutionMode(control.mode.spirv()),
                Operand::LiteralBit32(control.width),
            ];
            let mode = Instruction::new(Op::ExecutionMode, None, None, operands);
            if is_used && !module.execution_modes.contains(&mode) {
                added.push(mode);
            }
        }
    }
    module.execution_modes.extend(added);
}

/// Whether an instruction takes or gives floating-point numbers of a width.
fn has_width(instruction: &Instruction, width: u32, ids: &Ids<'_>) -> bool {
    let own = instruction.result_type.and_then(|ty| ids.scalar(ty));
    let operands = ids_in(instruction).filter_map(|id| ids.scalar_of(id));
    own.into_iter()
        .chain(operands)
        .any(|scalar| scalar == Scalar::Float(width))
}
