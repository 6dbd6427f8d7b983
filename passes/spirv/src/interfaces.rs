//! The interfaces of entry points.

use crate::ids::{call_tree, class_of, entry_point, variables_used};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{StorageClass, Word};

/// Operands of `OpEntryPoint` before its interface: execution model, function, name.
const BEFORE: usize = 3;

/// The first version whose interfaces are all variables (SPIR-V specification, `OpEntryPoint`).
const ALL_SINCE: (u8, u8) = (1, 4);

/// Makes each interface what the entry point's calls use.
pub(crate) fn recompute(module: &mut Module) {
    let wanted: Vec<Vec<Word>> = module
        .entry_points
        .iter()
        .map(|one| wanted(module, one))
        .collect();
    for (one, interface) in module.entry_points.iter_mut().zip(wanted) {
        one.operands.truncate(BEFORE);
        one.operands
            .extend(interface.into_iter().map(Operand::IdRef));
    }
}

/// The interface that an entry point has to have.
pub(crate) fn wanted(module: &Module, one: &Instruction) -> Vec<Word> {
    let version = module.header.as_ref().map(|header| header.version());
    let all = version.is_some_and(|version| version >= ALL_SINCE);
    let Some((function, _)) = entry_point(one) else {
        return Vec::new();
    };
    let variables = variables_used(module, &call_tree(module, function));
    variables
        .into_iter()
        .filter(|variable| {
            let class = class_of(variable);
            all || matches!(class, Some(StorageClass::Input | StorageClass::Output))
        })
        .filter_map(|variable| variable.result_id)
        .collect()
}

/// The interface that an entry point has.
pub(crate) fn declared(one: &Instruction) -> Vec<Word> {
    let operands = one.operands.iter().skip(BEFORE);
    operands.filter_map(Operand::id_ref_any).collect()
}
