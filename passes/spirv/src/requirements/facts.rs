//! Takes a module apart into facts.

use super::Fact;
use crate::Error;
use crate::ids::{Ids, Scalar, class_of, ids_in};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{ExecutionMode, MemoryModel, Op, Scope, StorageClass};
use std::collections::{BTreeSet, HashSet};

/// The facts of a module, each once, in the order of the module.
///
/// # Errors
///
/// Where an atomic accesses what is no scalar, or a scope is no constant.
pub(crate) fn of(module: &Module) -> Result<Vec<Fact>, Error> {
    let mut facts = Facts {
        ids: Ids::of(module),
        model: model(module),
        seen: HashSet::new(),
        found: Vec::new(),
    };
    for one in module.all_inst_iter() {
        facts.add_instruction(one)?;
    }
    Ok(facts.found)
}

/// The memory model of a module; the simple one, which Vulkan refuses, where it says none.
pub(crate) fn model(module: &Module) -> MemoryModel {
    let operands = module.memory_model.as_ref().map(|one| &one.operands);
    match operands.and_then(|all| all.get(1)) {
        Some(Operand::MemoryModel(model)) => *model,
        _ => MemoryModel::Simple,
    }
}

/// Instructions that small scalars may be in where they are not computed with (SPIR-V specification,
/// "Universal Validation Rules", on 8-bit and 16-bit types).
const HARMLESS: &[Op] = &[
    Op::AccessChain,
    Op::CopyMemory,
    Op::CopyObject,
    Op::FConvert,
    Op::InBoundsAccessChain,
    Op::Load,
    Op::SConvert,
    Op::Store,
    Op::UConvert,
    Op::Variable,
];

/// Whether an instruction is an atomic access: `OpAtomicX`.
pub(crate) fn is_atomic(op: Op) -> bool {
    format!("{op:?}").starts_with("Atomic")
}

struct Facts<'m> {
    ids: Ids<'m>,
    model: MemoryModel,
    seen: HashSet<Fact>,
    found: Vec<Fact>,
}

impl Facts<'_> {
    fn add(&mut self, fact: Fact) {
        if self.seen.insert(fact.clone()) {
            self.found.push(fact);
        }
    }

    fn add_instruction(&mut self, one: &Instruction) -> Result<(), Error> {
        let op = one.class.opcode;
        if is_atomic(op) {
            self.add_atomic(one)?;
        } else {
            self.add(Fact::Instruction(op));
        }
        self.add_operands(one)?;
        match op {
            Op::TypeInt | Op::TypeFloat => self.add_scalar(one)?,
            Op::Variable => self.add_variable(one),
            _ if one.result_type.is_some() || !is_declaration(op) => self.add_computed(one),
            _ => {}
        }
        Ok(())
    }

    fn add_atomic(&mut self, one: &Instruction) -> Result<(), Error> {
        let op = one.class.opcode;
        let pointer = ids_in(one).next().and_then(|id| self.ids.pointer(id));
        let access = pointer.and_then(|(class, ty)| Some((self.ids.scalar(ty)?, class)));
        let (scalar, class) =
            access.ok_or_else(|| Error::Unknown(format!("Op{op:?} on what is no number")))?;
        self.add(Fact::Atomic(op, scalar, class));
        Ok(())
    }

    fn add_operands(&mut self, one: &Instruction) -> Result<(), Error> {
        for operand in &one.operands {
            match operand {
                Operand::IdScope(id) => {
                    let op = one.class.opcode;
                    let scope = self.ids.constant(*id).and_then(Scope::from_u32);
                    let scope = scope.ok_or_else(|| {
                        Error::Unknown(format!("a scope of Op{op:?} that is no constant"))
                    })?;
                    self.add(Fact::Scope(scope, self.model));
                }
                Operand::MemoryModel(model) => self.add(Fact::Model(*model)),
                Operand::StorageClass(class) => self.add(Fact::Storage(*class)),
                Operand::Decoration(decoration) => self.add(Fact::Decoration(*decoration)),
                Operand::BuiltIn(built_in) => self.add(Fact::BuiltIn(*built_in)),
                Operand::ExecutionMode(mode) => self.add(Fact::Mode(*mode, width(*mode, one))),
                Operand::LiteralString(name) if one.class.opcode == Op::ExtInstImport => {
                    self.add(Fact::Set(name.clone()));
                }
                Operand::LiteralSpecConstantOpInteger(op) => self.add(Fact::Instruction(*op)),
                _ => {}
            }
        }
        Ok(())
    }

    fn add_scalar(&mut self, ty: &Instruction) -> Result<(), Error> {
        let is_encoded = ty.class.opcode == Op::TypeFloat && ty.operands.len() > 1;
        let scalar = ty.result_id.and_then(|id| self.ids.scalar(id));
        match scalar.filter(|_| !is_encoded) {
            Some(scalar) => {
                self.add(Fact::Scalar(scalar));
                Ok(())
            }
            None => Err(Error::Unknown(
                "a number of a format of its own".to_string(),
            )),
        }
    }

    fn add_variable(&mut self, variable: &Instruction) {
        let class = class_of(variable).unwrap_or(StorageClass::Function);
        let pointee = variable.result_id.and_then(|id| self.ids.pointer(id));
        let mut within = BTreeSet::new();
        if let Some((_, ty)) = pointee {
            self.ids.scalars_within(ty, &mut within);
        }
        for scalar in within {
            self.add(Fact::Held(scalar, class));
        }
    }

    fn add_computed(&mut self, one: &Instruction) {
        if HARMLESS.contains(&one.class.opcode) {
            return;
        }
        let own = one.result_type.and_then(|ty| self.ids.scalar(ty));
        let operands: Vec<Scalar> = ids_in(one)
            .filter_map(|id| self.ids.scalar_of(id))
            .collect();
        for scalar in own.into_iter().chain(operands) {
            self.add(Fact::Computed(scalar));
        }
    }
}

/// Whether an instruction only declares or describes: what it names, it does not compute with.
fn is_declaration(op: Op) -> bool {
    op.is_type() || op.is_annotation() || matches!(op, Op::Name | Op::MemberName | Op::EntryPoint)
}

/// The width that an execution mode is for.
fn width(mode: ExecutionMode, one: &Instruction) -> Option<u32> {
    let has_width = matches!(
        mode,
        ExecutionMode::DenormPreserve
            | ExecutionMode::DenormFlushToZero
            | ExecutionMode::SignedZeroInfNanPreserve
            | ExecutionMode::RoundingModeRTE
            | ExecutionMode::RoundingModeRTZ
    );
    one.operands.iter().find_map(|operand| match operand {
        Operand::LiteralBit32(width) if has_width => Some(*width),
        _ => None,
    })
}
