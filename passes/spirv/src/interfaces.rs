//! The interfaces of entry points.

use crate::ids::{Ids, call_tree, class_of, entry_point, ids_in, variables_used};
use crate::{Error, load};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, StorageClass, Word};
use std::collections::HashMap;

/// A storage buffer that an entry point uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The descriptor set.
    pub set: u32,
    /// The binding in it.
    pub binding: u32,
    /// Bytes from one element of its array to the next.
    pub stride: u32,
}

/// The storage buffers that each entry point of a module uses, by its name.
///
/// # Errors
///
/// Where the words are no module.
pub fn buffers(words: &[u32]) -> Result<HashMap<String, Vec<Buffer>>, Error> {
    let module = load(words)?;
    let ids = Ids::of(&module);
    let entry_points = module.entry_points.iter().filter_map(entry_point);
    let found = entry_points.map(|(function, name)| {
        let variables = variables_used(&module, &call_tree(&module, function));
        let buffers = variables
            .into_iter()
            .filter(|one| class_of(one) == Some(StorageClass::StorageBuffer))
            .filter_map(|one| {
                let id = one.result_id?;
                let (_, block) = ids.pointer(id)?;
                let array = ids_in(ids.get(block)?).next()?;
                Some(Buffer {
                    set: decoration(&module, id, Decoration::DescriptorSet)?,
                    binding: decoration(&module, id, Decoration::Binding)?,
                    stride: decoration(&module, array, Decoration::ArrayStride)?,
                })
            });
        (name.to_string(), buffers.collect())
    });
    Ok(found.collect())
}

/// The number that a decoration gives an id.
fn decoration(module: &Module, id: Word, wanted: Decoration) -> Option<u32> {
    module
        .annotations
        .iter()
        .find_map(|one| match one.operands.as_slice() {
            [
                Operand::IdRef(of),
                Operand::Decoration(own),
                Operand::LiteralBit32(number),
            ] if *of == id && *own == wanted => Some(*number),
            _ => None,
        })
}

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
