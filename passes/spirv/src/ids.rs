//! What the ids of a module stand for.

use rspirv::dr::{Function, Instruction, Module, Operand};
use rspirv::spirv::{Op, StorageClass, Word};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scalar {
    /// An integer of that many bits.
    Int(u32),
    /// A floating-point number of that many bits.
    Float(u32),
}

impl Scalar {
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Int(bits) | Self::Float(bits) => bits,
        }
    }
}

/// The definitions of a module, by id.
pub(crate) struct Ids<'m> {
    definitions: HashMap<Word, &'m Instruction>,
}

impl<'m> Ids<'m> {
    pub(crate) fn of(module: &'m Module) -> Self {
        let all = module.all_inst_iter();
        let definitions = all.filter_map(|one| Some((one.result_id?, one))).collect();
        Self { definitions }
    }

    pub(crate) fn get(&self, id: Word) -> Option<&'m Instruction> {
        self.definitions.get(&id).copied()
    }

    /// The opcode that defines an id.
    pub(crate) fn opcode(&self, id: Word) -> Option<Op> {
        self.get(id).map(|one| one.class.opcode)
    }

    /// The scalars of a type that is one, or a vector of them.
    pub(crate) fn scalar(&self, ty: Word) -> Option<Scalar> {
        let definition = self.get(ty)?;
        match (definition.class.opcode, definition.operands.first()?) {
            (Op::TypeInt, Operand::LiteralBit32(bits)) => Some(Scalar::Int(*bits)),
            (Op::TypeFloat, Operand::LiteralBit32(bits)) => Some(Scalar::Float(*bits)),
            (Op::TypeVector, Operand::IdRef(element)) => self.scalar(*element),
            _ => None,
        }
    }

    /// The scalars of the type of a value.
    pub(crate) fn scalar_of(&self, value: Word) -> Option<Scalar> {
        self.scalar(self.get(value)?.result_type?)
    }

    /// Every scalar in a type, through arrays and structures; not through pointers.
    pub(crate) fn scalars_within(&self, ty: Word, found: &mut BTreeSet<Scalar>) {
        found.extend(self.scalar(ty));
        let Some(definition) = self.get(ty) else {
            return;
        };
        match definition.class.opcode {
            Op::TypeStruct => {
                for member in ids_in(definition) {
                    self.scalars_within(member, found);
                }
            }
            Op::TypeArray | Op::TypeRuntimeArray => {
                if let Some(element) = ids_in(definition).next() {
                    self.scalars_within(element, found);
                }
            }
            _ => {}
        }
    }

    /// The storage class and the type behind a pointer.
    pub(crate) fn pointer(&self, value: Word) -> Option<(StorageClass, Word)> {
        let ty = self.get(self.get(value)?.result_type?)?;
        match (ty.class.opcode, ty.operands.as_slice()) {
            (Op::TypePointer, [Operand::StorageClass(class), Operand::IdRef(pointee)]) => {
                Some((*class, *pointee))
            }
            _ => None,
        }
    }

    /// The variable that a pointer leads into.
    pub(crate) fn base(&self, pointer: Word) -> Option<&'m Instruction> {
        let mut definition = self.get(pointer)?;
        while matches!(
            definition.class.opcode,
            Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject
        ) {
            definition = self.get(ids_in(definition).next()?)?;
        }
        (definition.class.opcode == Op::Variable).then_some(definition)
    }

    /// The number that an id of a 32-bit constant stands for.
    pub(crate) fn constant(&self, id: Word) -> Option<u32> {
        let definition = self.get(id)?;
        match (definition.class.opcode, definition.operands.first()) {
            (Op::Constant, Some(Operand::LiteralBit32(value))) => Some(*value),
            (Op::ConstantNull, _) => Some(0),
            _ => None,
        }
    }
}

/// The ids among the operands of an instruction, its own type and result left out.
pub(crate) fn ids_in(instruction: &Instruction) -> impl Iterator<Item = Word> {
    instruction.operands.iter().filter_map(Operand::id_ref_any)
}

/// The id of the function of an entry point, and its name.
pub(crate) fn entry_point(instruction: &Instruction) -> Option<(Word, &str)> {
    match instruction.operands.as_slice() {
        [
            _,
            Operand::IdRef(function),
            Operand::LiteralString(name),
            ..,
        ] => Some((*function, name)),
        _ => None,
    }
}

/// The functions that a function reaches by calls, itself among them.
pub(crate) fn call_tree(module: &Module, function: Word) -> Vec<&Function> {
    let by_id: HashMap<Word, &Function> = module
        .functions
        .iter()
        .filter_map(|function| Some((function.def_id()?, function)))
        .collect();
    let (mut seen, mut waiting, mut found) = (HashSet::new(), vec![function], Vec::new());
    while let Some(id) = waiting.pop() {
        let Some(function) = by_id.get(&id).filter(|_| seen.insert(id)) else {
            continue;
        };
        found.push(*function);
        let calls = function
            .all_inst_iter()
            .filter(|one| one.class.opcode == Op::FunctionCall);
        waiting.extend(calls.filter_map(|call| ids_in(call).next()));
    }
    found
}

/// The variables at module level that functions use, in the order of the module.
pub(crate) fn variables_used<'m>(
    module: &'m Module,
    functions: &[&Function],
) -> Vec<&'m Instruction> {
    let used: HashSet<Word> = functions
        .iter()
        .flat_map(|function| function.all_inst_iter())
        .flat_map(ids_in)
        .collect();
    module
        .types_global_values
        .iter()
        .filter(|one| one.class.opcode == Op::Variable)
        .filter(|one| one.result_id.is_some_and(|id| used.contains(&id)))
        .collect()
}

/// The storage class of a variable.
pub(crate) fn class_of(variable: &Instruction) -> Option<StorageClass> {
    match variable.operands.first() {
        Some(Operand::StorageClass(class)) => Some(*class),
        _ => None,
    }
}
