//! The size of workgroups that a launcher decides: specialization constants.

use crate::Error;
use crate::ids::entry_point;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Op, Word};

/// Gives a module the specialization constants 0, 1 and 2, each 1 unless the launcher specializes it,
/// as its workgroup size; those that it has already are the ones. Their composite, which has the
/// built-in's meaning for every entry point of the module, takes precedence over `LocalSize`
/// (SPIR-V specification, "BuiltIn", `WorkgroupSize`).
///
/// # Errors
///
/// Where an entry point that is named is not there.
pub(crate) fn by_spec_constants(module: &mut Module, names: &[String]) -> Result<(), Error> {
    for name in names {
        let has = |one: &Instruction| entry_point(one).is_some_and(|(_, own)| own == name);
        if !module.entry_points.iter().any(has) {
            return Err(Error::EntryPoint(name.clone()));
        }
    }
    let size = Operand::BuiltIn(BuiltIn::WorkgroupSize);
    let has_size = |one: &Instruction| one.operands.contains(&size);
    if names.is_empty() || module.annotations.iter().any(has_size) {
        return Ok(());
    }
    let bits = vec![Operand::LiteralBit32(32), Operand::LiteralBit32(0)];
    let word = type_of(module, Op::TypeInt, bits);
    let axes = [0, 1, 2].map(|number| Operand::IdRef(spec_constant(module, word, number)));
    let three = vec![Operand::IdRef(word), Operand::LiteralBit32(3)];
    let triple = type_of(module, Op::TypeVector, three);
    let composite = add(
        module,
        Op::SpecConstantComposite,
        Some(triple),
        axes.to_vec(),
    );
    decorate(
        module,
        composite,
        vec![Operand::Decoration(Decoration::BuiltIn), size],
    );
    Ok(())
}

/// The constant with a `SpecId`, made where it is not there.
fn spec_constant(module: &mut Module, word: Word, number: u32) -> Word {
    let found = module
        .annotations
        .iter()
        .find_map(|one| match one.operands.as_slice() {
            [
                Operand::IdRef(id),
                Operand::Decoration(Decoration::SpecId),
                Operand::LiteralBit32(own),
            ] if *own == number => Some(*id),
            _ => None,
        });
    found.unwrap_or_else(|| {
        let value = vec![Operand::LiteralBit32(1)];
        let id = add(module, Op::SpecConstant, Some(word), value);
        let decoration = Operand::Decoration(Decoration::SpecId);
        decorate(module, id, vec![decoration, Operand::LiteralBit32(number)]);
        id
    })
}

/// A type, which may not be there twice.
fn type_of(module: &mut Module, op: Op, operands: Vec<Operand>) -> Word {
    let mut all = module.types_global_values.iter();
    let found = all.find(|one| one.class.opcode == op && one.operands == operands);
    found
        .and_then(|one| one.result_id)
        .unwrap_or_else(|| add(module, op, None, operands))
}

fn add(module: &mut Module, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
    let id = fresh(module);
    let one = Instruction::new(op, ty, Some(id), operands);
    module.types_global_values.push(one);
    id
}

fn decorate(module: &mut Module, id: Word, mut operands: Vec<Operand>) {
    operands.insert(0, Operand::IdRef(id));
    let one = Instruction::new(Op::Decorate, None, None, operands);
    module.annotations.push(one);
}

fn fresh(module: &mut Module) -> Word {
    let Some(header) = &mut module.header else {
        unreachable!("a module that was loaded has a header")
    };
    header.bound += 1;
    header.bound - 1
}
