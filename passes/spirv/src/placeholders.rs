//! Calls that stand for instructions which MLIR's dialect lacks become those instructions.
//!
//! The call is of a function without a body, imported by the name `xpu.` and the instruction's; its
//! arguments are the instruction's operands, in order.

use crate::Error;
use crate::ids::{Ids, ids_in};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind, OperandQuantifier};
use rspirv::spirv::{Decoration, Op, Word};
use std::collections::HashMap;

/// What names of placeholders begin with.
const PREFIX: &str = "xpu.";

/// Replaces the calls, and takes the functions away.
///
/// # Errors
///
/// Where the name is that of no instruction, or the arguments cannot be its operands.
pub(crate) fn replace(module: &mut Module) -> Result<(), Error> {
    let imports = imports(module);
    if imports.is_empty() {
        return Ok(());
    }
    let mut replaced = Vec::new();
    let ids = Ids::of(module);
    for function in &module.functions {
        for (at, call) in function.all_inst_iter().enumerate() {
            if call.class.opcode == Op::FunctionCall
                && let Some(name) = ids_in(call).next().and_then(|id| imports.get(&id))
            {
                replaced.push((function.def_id(), at, instruction(call, name, &ids)?));
            }
        }
    }
    for (function, at, instruction) in replaced {
        let mut functions = module.functions.iter_mut();
        if let Some(place) = functions
            .find(|one| one.def_id() == function)
            .and_then(|one| one.all_inst_iter_mut().nth(at))
        {
            *place = instruction;
        }
    }
    let is_import = |id: Option<Word>| id.is_some_and(|id| imports.contains_key(&id));
    module.functions.retain(|one| !is_import(one.def_id()));
    module
        .annotations
        .retain(|one| !is_import(ids_in(one).next()));
    module
        .debug_names
        .retain(|one| !is_import(ids_in(one).next()));
    Ok(())
}

/// The imported functions that stand for instructions, with the names of these.
fn imports(module: &Module) -> HashMap<Word, String> {
    let decorations = module.annotations.iter();
    decorations
        .filter_map(|one| match one.operands.as_slice() {
            [
                Operand::IdRef(function),
                Operand::Decoration(Decoration::LinkageAttributes),
                Operand::LiteralString(name),
                ..,
            ] => Some((*function, name.strip_prefix(PREFIX)?.to_string())),
            _ => None,
        })
        .collect()
}

/// The instruction that a call stands for.
fn instruction(call: &Instruction, name: &str, ids: &Ids<'_>) -> Result<Instruction, Error> {
    let refuse = |reason: String| Error::Placeholder {
        name: format!("{PREFIX}{name}"),
        reason,
    };
    let class = name
        .strip_prefix("Op")
        .and_then(|name| INSTRUCTION_TABLE.iter().find(|one| one.opname == name))
        .ok_or_else(|| refuse("there is no instruction of that name".to_string()))?;
    let is_result =
        |kind: OperandKind| matches!(kind, OperandKind::IdResult | OperandKind::IdResultType);
    let wanted: Vec<_> = class
        .operands
        .iter()
        .filter(|one| !is_result(one.kind))
        .collect();
    let arguments: Vec<Word> = ids_in(call).skip(1).collect();
    let required = wanted
        .iter()
        .filter(|one| one.quantifier == OperandQuantifier::One)
        .count();
    if arguments.len() != required {
        let given = arguments.len();
        return Err(refuse(format!(
            "it has {given} arguments, and the instruction {required} operands"
        )));
    }
    let operands = wanted.iter().zip(arguments).map(|(operand, argument)| {
        Ok(match operand.kind {
            OperandKind::IdRef => Operand::IdRef(argument),
            OperandKind::IdScope => Operand::IdScope(argument),
            OperandKind::IdMemorySemantics => Operand::IdMemorySemantics(argument),
            other => return Err(refuse(format!("an operand is a {other:?}, which is no id"))),
        })
    });
    let operands = operands.collect::<Result<Vec<_>, Error>>()?;
    let has_result = class.operands.iter().any(|one| is_result(one.kind));
    let is_void = call
        .result_type
        .is_some_and(|ty| ids.opcode(ty) == Some(Op::TypeVoid));
    if has_result == is_void {
        let one = |has: bool| if has { "a result" } else { "no result" };
        let (call, wanted) = (one(!is_void), one(has_result));
        return Err(refuse(format!(
            "the call has {call}, and the instruction {wanted}"
        )));
    }
    Ok(Instruction {
        class,
        result_type: call.result_type.filter(|_| has_result),
        result_id: call.result_id.filter(|_| has_result),
        operands,
    })
}
