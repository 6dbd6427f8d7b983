//! Takes away what no entry point needs: functions, variables, constants, types, and what is said of
//! them; then counts the ids that are left in the order of the text.

use crate::ids::{call_tree, entry_point, ids_in};
use rspirv::dr::{Instruction, Module};
use rspirv::spirv::{Op, Word};
use std::collections::{HashMap, HashSet};

/// Removes what is unused. Being in the interface of an entry point is no use.
pub(crate) fn remove(module: &mut Module) {
    let reached: HashSet<Word> = module
        .entry_points
        .iter()
        .filter_map(|one| Some(entry_point(one)?.0))
        .flat_map(|function| call_tree(module, function))
        .filter_map(|function| function.def_id())
        .collect();
    module
        .functions
        .retain(|one| one.def_id().is_some_and(|id| reached.contains(&id)));

    let used = used(module);
    let is_used = |id: Option<Word>| id.is_some_and(|id| used.contains(&id));
    let keeps = |one: &Instruction| one.result_id.is_none() || is_used(one.result_id);
    module.types_global_values.retain(keeps);
    module.ext_inst_imports.retain(keeps);
    module.debug_string_source.retain(keeps);
    let is_about_used = |one: &Instruction| is_used(ids_in(one).next());
    module.annotations.retain(is_about_used);
    module.debug_names.retain(is_about_used);
    drop_lines_of_removed(module);
}

/// The ids that functions need, in them and at module level.
fn used(module: &Module) -> HashSet<Word> {
    let mut used = HashSet::new();
    let functions = module.functions.iter().flat_map(|one| one.all_inst_iter());
    for one in functions {
        used.extend(one.result_id);
        used.extend(one.result_type);
        used.extend(ids_in(one));
    }
    let strings: HashSet<Word> = module
        .debug_string_source
        .iter()
        .filter_map(|one| one.result_id)
        .collect();
    for one in &module.execution_modes {
        used.extend(ids_in(one));
    }
    // What has a built-in's meaning of its own, such as the size of workgroups, is used by being there.
    for one in &module.annotations {
        let is_size = one.operands.iter().any(|operand| {
            *operand == rspirv::dr::Operand::BuiltIn(rspirv::spirv::BuiltIn::WorkgroupSize)
        });
        if is_size {
            used.extend(ids_in(one).next());
        }
    }
    // Definitions come before uses, so that one walk backwards finds all.
    for one in module.types_global_values.iter().rev() {
        let is_used = one.result_id.is_none_or(|id| used.contains(&id));
        if is_used && one.class.opcode != Op::Line {
            used.extend(one.result_type);
            used.extend(ids_in(one));
        }
        if one.class.opcode == Op::Line {
            used.extend(ids_in(one).filter(|id| strings.contains(id)));
        }
    }
    used
}

/// Line information between types that stands before nothing any more.
fn drop_lines_of_removed(module: &mut Module) {
    let values = std::mem::take(&mut module.types_global_values);
    for one in values {
        let is_line = |one: &Instruction| matches!(one.class.opcode, Op::Line | Op::NoLine);
        if is_line(&one) && module.types_global_values.last().is_some_and(is_line) {
            module.types_global_values.pop();
        }
        module.types_global_values.push(one);
    }
}

/// Numbers ids from 1 in the order in which the text of the module names them, as an assembler does:
/// the text then assembles to these very words.
pub(crate) fn renumber(module: &mut Module) {
    let mut numbers: HashMap<Word, Word> = HashMap::new();
    let mut renumbered = |id: &mut Word| {
        let next = numbers.len() as Word + 1;
        *id = *numbers.entry(*id).or_insert(next);
    };
    for one in module.all_inst_iter_mut() {
        one.result_id.iter_mut().for_each(&mut renumbered);
        one.result_type.iter_mut().for_each(&mut renumbered);
        let operands = one.operands.iter_mut();
        operands
            .filter_map(|operand| operand.id_ref_any_mut())
            .for_each(&mut renumbered);
    }
    if let Some(header) = &mut module.header {
        header.bound = numbers.len() as Word + 1;
    }
}
