//! Rules about scopes and semantics.

use super::{Finding, View};
use crate::ids::{Scalar, call_tree, class_of, entry_point, ids_in, variables_used};
use crate::requirements::is_atomic;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{MemoryModel, MemorySemantics, Op, Scope, StorageClass, Word};
use std::collections::HashMap;

const ORDERS: MemorySemantics = MemorySemantics::ACQUIRE
    .union(MemorySemantics::RELEASE)
    .union(MemorySemantics::ACQUIRE_RELEASE)
    .union(MemorySemantics::SEQUENTIALLY_CONSISTENT);

const STORAGE: MemorySemantics = MemorySemantics::UNIFORM_MEMORY
    .union(MemorySemantics::SUBGROUP_MEMORY)
    .union(MemorySemantics::WORKGROUP_MEMORY)
    .union(MemorySemantics::CROSS_WORKGROUP_MEMORY)
    .union(MemorySemantics::ATOMIC_COUNTER_MEMORY)
    .union(MemorySemantics::IMAGE_MEMORY)
    .union(MemorySemantics::OUTPUT_MEMORY);

const BOTH: MemorySemantics =
    MemorySemantics::ACQUIRE_RELEASE.union(MemorySemantics::SEQUENTIALLY_CONSISTENT);
const RELEASES: MemorySemantics = MemorySemantics::RELEASE.union(BOTH);
const ACQUIRES: MemorySemantics = MemorySemantics::ACQUIRE.union(BOTH);

/// The semantics in a module, with the instructions that have them.
fn semantics<'m>(view: &View<'m>) -> Vec<(MemorySemantics, &'m Instruction)> {
    let mut found = Vec::new();
    for one in view.module.all_inst_iter() {
        for operand in &one.operands {
            if let Operand::IdMemorySemantics(id) = operand
                && let Some(value) = view.ids.constant(*id)
            {
                found.push((MemorySemantics::from_bits_retain(value), one));
            }
        }
    }
    found
}

/// Those semantics that break a rule.
fn breaking<'m>(
    view: &View<'m>,
    message: &str,
    breaks: impl Fn(MemorySemantics) -> bool,
) -> Vec<Finding<'m>> {
    let all = semantics(view).into_iter();
    all.filter(|(value, _)| breaks(*value))
        .map(|(value, one)| (format!("{message}: {:#x}", value.bits()), Some(one)))
        .collect()
}

/// Scopes and semantics are constants, so that everything else can be checked.
pub(super) fn constant_operands<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let mut found = Vec::new();
    for one in view.module.all_inst_iter() {
        for operand in &one.operands {
            if let Operand::IdMemorySemantics(id) | Operand::IdScope(id) = operand
                && view.ids.constant(*id).is_none()
            {
                found.push(("a scope or semantics is no constant".to_string(), Some(one)));
            }
        }
    }
    found
}

/// No bit of sequential consistency, under whichever memory model.
pub(super) fn no_sequential_consistency<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    breaking(view, "sequentially consistent", |value| {
        value.intersects(MemorySemantics::SEQUENTIALLY_CONSISTENT)
    })
}

/// No scope wider than the device.
pub(super) fn no_cross_device<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let mut found = Vec::new();
    for one in view.module.all_inst_iter() {
        for operand in &one.operands {
            if let Operand::IdScope(id) = operand
                && view.ids.constant(*id) == Some(Scope::CrossDevice as Word)
            {
                found.push(("the scope is CrossDevice".to_string(), Some(one)));
            }
        }
    }
    found
}

/// One bit of ordering at most.
pub(super) fn one_order<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    breaking(view, "more than one ordering", |value| {
        value.intersection(ORDERS).bits().count_ones() > 1
    })
}

/// An ordering and the memory that it orders, or 0.
pub(super) fn order_and_storage<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    breaking(
        view,
        "an ordering without memory, or memory without an ordering",
        |value| {
            let is_ordered = value.intersects(ORDERS);
            is_ordered != value.intersects(STORAGE) || (!is_ordered && !value.is_empty())
        },
    )
}

/// Semantics name the memory of every storage class that their entry point uses.
pub(super) fn orders_all_memory<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let mut wanted: HashMap<Word, MemorySemantics> = HashMap::new();
    for (function, _) in view.module.entry_points.iter().filter_map(entry_point) {
        let tree = call_tree(view.module, function);
        let classes =
            variables_used(view.module, &tree)
                .into_iter()
                .map(|variable| match class_of(variable) {
                    Some(StorageClass::StorageBuffer) => MemorySemantics::UNIFORM_MEMORY,
                    Some(StorageClass::Workgroup) => MemorySemantics::WORKGROUP_MEMORY,
                    _ => MemorySemantics::empty(),
                });
        let classes = classes.fold(MemorySemantics::empty(), MemorySemantics::union);
        for id in tree.iter().filter_map(|function| function.def_id()) {
            *wanted.entry(id).or_insert(MemorySemantics::empty()) |= classes;
        }
    }
    let mut found = Vec::new();
    for function in &view.module.functions {
        let id = function.def_id().unwrap_or_default();
        let wanted = wanted.get(&id).copied().unwrap_or(MemorySemantics::empty());
        for one in function.all_inst_iter() {
            for id in one.operands.iter().filter_map(semantics_id) {
                let value = view.ids.constant(id).unwrap_or_default();
                let value = MemorySemantics::from_bits_retain(value);
                if value.intersects(ORDERS) && !value.contains(wanted) {
                    let message = format!(
                        "orders {:#x}, and the kernel uses the memory {:#x}",
                        value.bits(),
                        wanted.bits()
                    );
                    found.push((message, Some(one)));
                }
            }
        }
    }
    found
}

fn semantics_id(operand: &Operand) -> Option<Word> {
    match operand {
        Operand::IdMemorySemantics(id) => Some(*id),
        _ => None,
    }
}

/// Under the Vulkan memory model whatever releases makes available, and whatever acquires makes
/// visible; nothing else does, and nothing does under another.
pub(super) fn availability<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let is_vulkan = view.model == MemoryModel::Vulkan;
    let wrong = |value: MemorySemantics, order, makes| {
        value.intersects(makes) != (is_vulkan && value.intersects(order))
    };
    let mut found = breaking(
        view,
        "releasing and MakeAvailable do not go together",
        |value| wrong(value, RELEASES, MemorySemantics::MAKE_AVAILABLE),
    );
    found.extend(breaking(
        view,
        "acquiring and MakeVisible do not go together",
        |value| wrong(value, ACQUIRES, MemorySemantics::MAKE_VISIBLE),
    ));
    found
}

/// A comparison that fails only reads: it never releases, nor acquires where one that succeeds does
/// not.
pub(super) fn unequal<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let mut found = Vec::new();
    for one in view.module.all_inst_iter() {
        if one.class.opcode != Op::AtomicCompareExchange {
            continue;
        }
        let values: Vec<MemorySemantics> = one
            .operands
            .iter()
            .filter_map(semantics_id)
            .map(|id| MemorySemantics::from_bits_retain(view.ids.constant(id).unwrap_or_default()))
            .collect();
        let [equal, unequal] = values.as_slice() else {
            continue;
        };
        if unequal.intersects(RELEASES) {
            found.push(("the semantics of Unequal release".to_string(), Some(one)));
        }
        if unequal.intersects(ACQUIRES) && !equal.intersects(ACQUIRES) {
            let message = "the semantics of Unequal are stronger than those of Equal";
            found.push((message.to_string(), Some(one)));
        }
    }
    found
}

/// The atomics, with the storage class and the scalar that each accesses.
fn accesses<'m>(view: &View<'m>) -> Vec<(&'m Instruction, Option<(StorageClass, Word)>)> {
    let all = view.module.all_inst_iter();
    all.filter(|one| is_atomic(one.class.opcode))
        .map(|one| (one, ids_in(one).next().and_then(|id| view.ids.pointer(id))))
        .collect()
}

/// Atomics are on memory that others see.
pub(super) fn shared_memory_only<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let mut found = Vec::new();
    for (one, pointer) in accesses(view) {
        let class = pointer.map(|(class, _)| class);
        let is_shared = matches!(
            class,
            Some(StorageClass::StorageBuffer | StorageClass::Workgroup)
        );
        if !is_shared {
            let class = class.map_or("no memory".to_string(), |class| format!("{class:?}"));
            found.push((format!("an atomic on {class}"), Some(one)));
        }
    }
    found
}

/// Atomics are on 32 or 64 bits.
pub(super) fn no_small_atomics<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let mut found = Vec::new();
    for (one, pointer) in accesses(view) {
        let scalar = pointer.and_then(|(_, ty)| view.ids.scalar(ty));
        if let Some(bits) = scalar.map(Scalar::bits).filter(|bits| *bits < 32) {
            found.push((format!("an atomic on {bits} bits"), Some(one)));
        }
    }
    found
}
