//! What a module requires of a device: capabilities, extensions and Vulkan's features, by table.
//!
//! A module is taken apart into [`Fact`]s (`facts.rs`). Each row of [`ROWS`] says what some of them
//! require, and each row of [`CAPABILITIES`] what a capability requires in turn. Something that no
//! row is about is an error: it cannot pass by being unknown.

mod facts;
mod tables;

use crate::Error;
use crate::ids::Scalar;
use crate::{FloatControl, FloatMode};
pub(crate) use facts::{is_atomic, model};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode, MemoryModel, Op, Scope, StorageClass,
};
use std::collections::BTreeSet;
use tables::{CAPABILITIES, ROWS};

/// Something that is in a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fact {
    /// An instruction that is no atomic access.
    Instruction(Op),
    /// An atomic access, what it accesses, and where that is.
    Atomic(Op, Scalar, StorageClass),
    /// A type of scalars, whatever is done with them.
    Scalar(Scalar),
    /// Scalars of a type that are not just loaded, stored and converted.
    Computed(Scalar),
    /// Scalars within a variable.
    Held(Scalar, StorageClass),
    /// A variable or pointer.
    Storage(StorageClass),
    /// The memory model.
    Model(MemoryModel),
    /// A scope, and the memory model that it is one of.
    Scope(Scope, MemoryModel),
    /// An execution mode, and the width that it is for.
    Mode(ExecutionMode, Option<u32>),
    /// A decoration.
    Decoration(Decoration),
    /// A built-in variable.
    BuiltIn(BuiltIn),
    /// A set of extended instructions.
    Set(String),
}

/// Which facts a row is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum When {
    Instructions(&'static [Op]),
    Atomics(&'static [Op], Scalar, StorageClass),
    Scalar(Scalar),
    Computed(Scalar),
    Held(&'static [Scalar], &'static [StorageClass]),
    Storage(&'static [StorageClass]),
    Model(MemoryModel),
    Scope(Scope, Option<MemoryModel>),
    Modes(&'static [ExecutionMode], Option<u32>),
    Decorations(&'static [Decoration]),
    BuiltIns(&'static [BuiltIn]),
    Set(&'static str),
}

impl When {
    fn matches(self, fact: &Fact) -> bool {
        match (self, fact) {
            (Self::Instructions(all), Fact::Instruction(op)) => all.contains(op),
            (Self::Atomics(all, scalar, class), Fact::Atomic(op, of, at)) => {
                all.contains(op) && scalar == *of && class == *at
            }
            (Self::Scalar(one), Fact::Scalar(of)) | (Self::Computed(one), Fact::Computed(of)) => {
                one == *of
            }
            (Self::Held(all, at), Fact::Held(of, class)) => all.contains(of) && at.contains(class),
            (Self::Storage(all), Fact::Storage(class)) => all.contains(class),
            (Self::Model(one), Fact::Model(of)) => one == *of,
            (Self::Scope(one, model), Fact::Scope(of, under)) => {
                one == *of && model.is_none_or(|model| model == *under)
            }
            (Self::Modes(all, width), Fact::Mode(of, own)) => all.contains(of) && width == *own,
            (Self::Decorations(all), Fact::Decoration(of)) => all.contains(of),
            (Self::BuiltIns(all), Fact::BuiltIn(of)) => all.contains(of),
            (Self::Set(one), Fact::Set(of)) => one == of,
            _ => false,
        }
    }
}

/// What facts require.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) when: When,
    /// The capability, if one beyond `Shader`.
    pub(crate) capability: Option<Capability>,
    /// The feature of Vulkan, if one beyond the capability's own.
    pub(crate) feature: Option<&'static str>,
    /// Where this is written.
    #[cfg_attr(not(test), expect(dead_code, reason = "for those who read the table"))]
    pub(crate) source: &'static str,
}

/// What a capability requires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapabilityRow {
    pub(crate) capability: Capability,
    /// The extension, and the version of SPIR-V that made it part of the core.
    pub(crate) extension: Option<(&'static str, Option<(u8, u8)>)>,
    /// The feature of Vulkan, or the property of a device.
    pub(crate) feature: Option<&'static str>,
    /// Where this is written.
    #[cfg_attr(not(test), expect(dead_code, reason = "for those who read the table"))]
    pub(crate) source: &'static str,
}

/// What a module requires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Requirements {
    pub(crate) capabilities: BTreeSet<Capability>,
    pub(crate) extensions: BTreeSet<&'static str>,
    pub(crate) features: BTreeSet<&'static str>,
}

impl Requirements {
    /// Those of a module, whatever it declares.
    ///
    /// # Errors
    ///
    /// Where something in it is about what no row says anything.
    pub(crate) fn of(module: &Module) -> Result<Self, Error> {
        let version = module.header.as_ref().map(|header| header.version());
        let version = version.unwrap_or_default();
        let mut found = Self::default();
        found.capabilities.insert(Capability::Shader);
        for fact in facts::of(module)? {
            let mut rows = ROWS.iter().filter(|row| row.when.matches(&fact)).peekable();
            if rows.peek().is_none() {
                return Err(Error::Unknown(format!("{fact:?}")));
            }
            for row in rows {
                found.capabilities.extend(row.capability);
                found.features.extend(row.feature);
            }
        }
        for capability in &found.capabilities {
            let Some(row) = CAPABILITIES
                .iter()
                .find(|row| row.capability == *capability)
            else {
                return Err(Error::Unknown(format!("the capability {capability:?}")));
            };
            found.features.extend(row.feature);
            if let Some((name, since)) = row.extension
                && since.is_none_or(|since| version < since)
            {
                found.extensions.insert(name);
            }
        }
        Ok(found)
    }

    /// Declares them in a module, and nothing else.
    pub(crate) fn declare(&self, module: &mut Module) {
        let declare = |op, operand| Instruction::new(op, None, None, vec![operand]);
        module.capabilities = self
            .capabilities
            .iter()
            .map(|one| declare(Op::Capability, Operand::Capability(*one)))
            .collect();
        module.extensions = self
            .extensions
            .iter()
            .map(|one| declare(Op::Extension, Operand::from(*one)))
            .collect();
    }
}

/// The execution modes for floats that the table knows, with their features.
pub(crate) fn float_controls() -> Vec<(FloatControl, &'static str)> {
    let rows = ROWS.iter().filter_map(|row| match row.when {
        When::Modes([mode], Some(width)) => {
            let mode = FloatMode::of(*mode)?;
            Some((FloatControl { mode, width }, row.feature?))
        }
        _ => None,
    });
    rows.collect()
}

#[cfg(test)]
mod tests;
