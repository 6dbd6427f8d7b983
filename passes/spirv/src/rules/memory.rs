//! Rules about plain accesses and buffers.

use super::{Finding, View};
use crate::ids::{class_of, ids_in};
use crate::requirements::is_atomic;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, MemoryAccess, MemoryModel, Op, StorageClass, Word};
use std::collections::BTreeSet;

/// Under the Vulkan memory model, plain accesses to memory that others may write are non-private: else
/// no ordering reaches them.
pub(super) fn non_private<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let mut found = Vec::new();
    for one in view.module.all_inst_iter() {
        let pointers = match one.class.opcode {
            Op::Load | Op::Store => 1,
            Op::CopyMemory => 2,
            _ => continue,
        };
        let is_shared = ids_in(one).take(pointers).any(|id| is_shared(view, id));
        let access = one.operands.iter().find_map(|operand| match operand {
            Operand::MemoryAccess(access) => Some(*access),
            _ => None,
        });
        let access = access.unwrap_or(MemoryAccess::empty());
        let is_non_private = access.contains(MemoryAccess::NON_PRIVATE_POINTER);
        let is_vulkan = view.model == MemoryModel::Vulkan;
        if is_vulkan && is_shared && !is_non_private {
            let message = "a plain access to shared memory without NonPrivatePointer";
            found.push((message.to_string(), Some(one)));
        }
        if !is_vulkan && is_non_private {
            let message = "NonPrivatePointer is of the Vulkan memory model";
            found.push((message.to_string(), Some(one)));
        }
    }
    found
}

/// Whether a pointer leads to memory that other invocations see and somebody may write.
fn is_shared(view: &View<'_>, pointer: Word) -> bool {
    let class = view.ids.pointer(pointer).map(|(class, _)| class);
    let is_visible = matches!(
        class,
        Some(StorageClass::StorageBuffer | StorageClass::Workgroup)
    );
    let base = view.ids.base(pointer);
    let is_read_only = base.is_some_and(|base| has_decoration(view, base, Decoration::NonWritable));
    is_visible && !is_read_only
}

/// Whether a variable has a decoration, or each member of its block has.
fn has_decoration(view: &View<'_>, variable: &Instruction, wanted: Decoration) -> bool {
    let id = variable.result_id.unwrap_or_default();
    let block = view.ids.pointer(id).map(|(_, ty)| ty);
    let members = block.and_then(|ty| view.ids.get(ty)).map_or(0, |ty| {
        if ty.class.opcode == Op::TypeStruct {
            ty.operands.len()
        } else {
            0
        }
    });
    let mut decorated = BTreeSet::new();
    for one in &view.module.annotations {
        match one.operands.as_slice() {
            [Operand::IdRef(of), Operand::Decoration(own), ..] if *own == wanted && *of == id => {
                return true;
            }
            [
                Operand::IdRef(of),
                Operand::LiteralBit32(member),
                Operand::Decoration(own),
                ..,
            ] if *own == wanted && Some(*of) == block => {
                decorated.insert(*member);
            }
            _ => {}
        }
    }
    members > 0 && decorated.len() == members
}

/// Without the Vulkan memory model, a buffer that is written is coherent: else its plain accesses may
/// stay in a cache. With it, nothing is.
pub(super) fn coherent<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let is_vulkan = view.model == MemoryModel::Vulkan;
    let written = written(view);
    let mut found = Vec::new();
    for one in &view.module.types_global_values {
        let is_buffer =
            one.class.opcode == Op::Variable && class_of(one) == Some(StorageClass::StorageBuffer);
        let is_coherent = has_decoration(view, one, Decoration::Coherent);
        if is_vulkan && is_coherent {
            let message = "Coherent is not of the Vulkan memory model";
            found.push((message.to_string(), Some(one)));
        }
        let is_written = one.result_id.is_some_and(|id| written.contains(&id));
        if !is_vulkan && is_buffer && is_written && !is_coherent {
            let message = "a buffer that is written is not Coherent";
            found.push((message.to_string(), Some(one)));
        }
    }
    found
}

/// The variables that something writes.
fn written(view: &View<'_>) -> BTreeSet<Word> {
    let all = view.module.all_inst_iter();
    all.filter(|one| {
        let op = one.class.opcode;
        let reads = op == Op::AtomicLoad;
        matches!(op, Op::Store | Op::CopyMemory) || is_atomic(op) && !reads
    })
    .filter_map(|one| view.ids.base(ids_in(one).next()?)?.result_id)
    .collect()
}
