//! Rules about modules as a whole.

use super::{Finding, View};
use crate::interfaces;
use crate::requirements::Requirements;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{AddressingModel, Capability, Decoration, MemoryModel};
use std::collections::BTreeSet;

/// Logical addressing, and a memory model that Vulkan has.
pub(super) fn memory_model<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let one = view.module.memory_model.as_ref();
    let is_right = one.is_some_and(|one| {
        matches!(
            one.operands.as_slice(),
            [
                Operand::AddressingModel(AddressingModel::Logical),
                Operand::MemoryModel(MemoryModel::Vulkan | MemoryModel::GLSL450)
            ]
        )
    });
    if is_right {
        return Vec::new();
    }
    vec![(
        "neither Logical Vulkan nor Logical GLSL450".to_string(),
        one,
    )]
}

/// A version of SPIR-V that the version of Vulkan takes.
pub(super) fn version<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let version = view.module.header.as_ref().map(|header| header.version());
    let (major, minor) = version.unwrap_or_default();
    if (major, minor) <= view.vulkan.spirv() {
        return Vec::new();
    }
    let vulkan = view.vulkan;
    let message = format!("SPIR-V {major}.{minor} is too new for Vulkan {vulkan}");
    vec![(message, None)]
}

/// Nothing is imported or exported, and every function has a body.
pub(super) fn no_imports<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let is_linkage = |one: &&Instruction| {
        let linkage = Operand::Decoration(Decoration::LinkageAttributes);
        one.operands.contains(&linkage)
    };
    let linked = view.module.annotations.iter().filter(is_linkage);
    let mut found: Vec<Finding<'m>> = linked
        .map(|one| ("a function is imported or exported".to_string(), Some(one)))
        .collect();
    let functions = view.module.functions.iter();
    let bodiless = functions.filter(|function| function.blocks.is_empty());
    found.extend(bodiless.map(|function| {
        let message = "a function has no body".to_string();
        (message, function.def.as_ref())
    }));
    found
}

/// Capabilities and extensions are declared exactly where something requires them.
pub(super) fn requirements<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let required = match Requirements::of(view.module) {
        Ok(required) => required,
        Err(error) => return vec![(error.to_string(), None)],
    };
    let first = |one: &'m Instruction| one.operands.first();
    let capabilities: BTreeSet<Capability> = view
        .module
        .capabilities
        .iter()
        .filter_map(|one| match first(one) {
            Some(Operand::Capability(capability)) => Some(*capability),
            _ => None,
        })
        .collect();
    let extensions: BTreeSet<&str> = view
        .module
        .extensions
        .iter()
        .filter_map(|one| match first(one) {
            Some(Operand::LiteralString(name)) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for one in required.capabilities.symmetric_difference(&capabilities) {
        let is_declared = capabilities.contains(one);
        found.push((format!("capability {one:?} is {}", what(is_declared)), None));
    }
    for one in required.extensions.symmetric_difference(&extensions) {
        let is_declared = extensions.contains(one);
        found.push((format!("extension {one} is {}", what(is_declared)), None));
    }
    found
}

fn what(is_declared: bool) -> &'static str {
    if is_declared {
        "declared, and nothing requires it"
    } else {
        "required, and not declared"
    }
}

/// Interfaces are what calls use.
pub(super) fn interface<'m>(view: &View<'m>) -> Vec<Finding<'m>> {
    let differs = |one: &&Instruction| {
        let declared: BTreeSet<u32> = interfaces::declared(one).into_iter().collect();
        let wanted = interfaces::wanted(view.module, one).into_iter().collect();
        declared != wanted
    };
    let all = view.module.entry_points.iter().filter(differs);
    all.map(|one| {
        let message = "the interface is not what the entry point uses".to_string();
        (message, Some(one))
    })
    .collect()
}
