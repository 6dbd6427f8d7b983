//! One module of several.

use crate::ids::ids_in;
use crate::{Error, load};
use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, Op, Word};
use std::collections::HashMap;

/// Puts modules of one version and memory model into one. An entry point whose name another has gets
/// the one that `rename` gives it, by the number of its module and its name.
///
/// # Errors
///
/// Where words are no module, or versions or memory models differ.
pub fn merge(
    modules: &[Vec<u32>],
    rename: impl Fn(usize, &str) -> Option<String>,
) -> Result<Vec<u32>, Error> {
    let mut loaded = Vec::new();
    for (number, words) in modules.iter().enumerate() {
        let mut module = load(words)?;
        for one in &mut module.entry_points {
            if let Some(Operand::LiteralString(name)) = one.operands.get_mut(NAME)
                && let Some(fresh) = rename(number, name)
            {
                *name = fresh;
            }
        }
        loaded.push(module);
    }
    let mut loaded = loaded.into_iter();
    let mut merged = loaded.next().unwrap_or_default();
    for module in loaded {
        add(&mut merged, module)?;
    }
    Ok(merged.assemble())
}

/// The operand of `OpEntryPoint` that is its name.
const NAME: usize = 2;

fn add(into: &mut Module, mut from: Module) -> Result<(), Error> {
    let version = |module: &Module| module.header.as_ref().map(|header| header.version);
    if version(into) != version(&from) || into.memory_model != from.memory_model {
        let message = "modules of different versions or memory models are no one module";
        return Err(Error::Malformed(message.to_string()));
    }
    let bound = |module: &Module| module.header.as_ref().map_or(1, |header| header.bound);
    let offset = bound(into);
    for one in from.all_inst_iter_mut() {
        each_id(one, |id| *id += offset);
    }
    if let Some(header) = &mut into.header {
        header.bound = offset + bound(&from);
    }

    let spec_ids = spec_ids(&from);
    let known_spec_ids: HashMap<u32, Word> = self::spec_ids(into)
        .into_iter()
        .map(|(id, number)| (number, id))
        .collect();
    // What is in both, of those that are in the second: the ids in the first.
    let mut same: HashMap<Word, Word> = HashMap::new();
    let mut merge = |all: &mut Vec<Instruction>, new: Vec<Instruction>| {
        for mut one in new {
            each_use(&mut one, |id| *id = same.get(id).copied().unwrap_or(*id));
            let id = one.result_id.unwrap_or_default();
            let known = match spec_ids.get(&id) {
                Some(number) => known_spec_ids.get(number).copied(),
                None if is_shared(one.class.opcode) => all
                    .iter()
                    .find(|other| is_same(other, &one))
                    .and_then(|other| other.result_id),
                None => None,
            };
            match known {
                Some(known) => {
                    same.insert(id, known);
                }
                None => all.push(one),
            }
        }
    };
    merge(
        &mut into.ext_inst_imports,
        std::mem::take(&mut from.ext_inst_imports),
    );
    merge(
        &mut into.types_global_values,
        std::mem::take(&mut from.types_global_values),
    );

    let about_same =
        |one: &Instruction| ids_in(one).next().is_some_and(|id| same.contains_key(&id));
    from.annotations.retain(|one| !about_same(one));
    from.debug_names.retain(|one| !about_same(one));
    for one in from.all_inst_iter_mut() {
        each_use(one, |id| *id = same.get(id).copied().unwrap_or(*id));
    }
    into.capabilities.append(&mut from.capabilities);
    into.extensions.append(&mut from.extensions);
    into.entry_points.append(&mut from.entry_points);
    into.execution_modes.append(&mut from.execution_modes);
    into.debug_string_source
        .append(&mut from.debug_string_source);
    into.debug_names.append(&mut from.debug_names);
    into.annotations.append(&mut from.annotations);
    into.functions.append(&mut from.functions);
    Ok(())
}

/// Whether a definition may, or has to, be there once only: what decorations tell apart is not.
fn is_shared(op: Op) -> bool {
    matches!(
        op,
        Op::ExtInstImport
            | Op::TypeVoid
            | Op::TypeBool
            | Op::TypeInt
            | Op::TypeFloat
            | Op::TypeVector
            | Op::TypePointer
            | Op::TypeFunction
            | Op::Constant
            | Op::ConstantTrue
            | Op::ConstantFalse
            | Op::ConstantNull
            | Op::ConstantComposite
    )
}

fn is_same(one: &Instruction, other: &Instruction) -> bool {
    one.class.opcode == other.class.opcode
        && one.result_type == other.result_type
        && one.operands == other.operands
}

/// The constants that a launcher specializes, with their numbers.
fn spec_ids(module: &Module) -> HashMap<Word, u32> {
    let decorations = module.annotations.iter();
    decorations
        .filter_map(|one| match one.operands.as_slice() {
            [
                Operand::IdRef(id),
                Operand::Decoration(Decoration::SpecId),
                Operand::LiteralBit32(number),
            ] => Some((*id, *number)),
            _ => None,
        })
        .collect()
}

fn each_id(one: &mut Instruction, mut change: impl FnMut(&mut Word)) {
    one.result_id.iter_mut().for_each(&mut change);
    each_use(one, change);
}

fn each_use(one: &mut Instruction, mut change: impl FnMut(&mut Word)) {
    one.result_type.iter_mut().for_each(&mut change);
    let operands = one.operands.iter_mut();
    operands
        .filter_map(|operand| operand.id_ref_any_mut())
        .for_each(change);
}
