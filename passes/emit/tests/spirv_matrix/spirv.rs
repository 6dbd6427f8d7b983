//! As much of SPIR-V as tells what a kernel does to memory, and where control goes.

use rspirv::dr::{self, Operand};
use rspirv::spirv::{
    AddressingModel, Decoration, ExecutionMode, MemoryModel, Op, StorageClass, Word,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A module.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) version: (u8, u8),
    pub(crate) capabilities: BTreeSet<String>,
    pub(crate) extensions: BTreeSet<String>,
    pub(crate) is_vulkan: bool,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) variables: BTreeMap<Word, Variable>,
    /// The types that it has, such as `i8` and `f64`, and the storage classes of pointers to arrays or
    /// structures of them.
    pub(crate) scalars: BTreeSet<String>,
    pub(crate) held: BTreeSet<(StorageClass, String)>,
    /// The scalars that something computes with: beyond loads, stores and conversions of width.
    pub(crate) computed: BTreeSet<String>,
    /// Execution modes of floats, with their width.
    pub(crate) float_modes: BTreeSet<(String, u32)>,
}

/// A variable of a module or a function.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) class: StorageClass,
    pub(crate) set: Option<Word>,
    pub(crate) binding: Option<Word>,
    pub(crate) is_aliased: bool,
    pub(crate) is_coherent: bool,
    pub(crate) is_read_only: bool,
}

/// A kernel's instructions, in the order of the binary.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) instructions: Vec<Instruction>,
    /// Labels and the instruction that each is.
    labels: HashMap<Word, usize>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) op: Op,
    pub(crate) result: Option<Word>,
    /// The ids among the operands.
    pub(crate) ids: Vec<Word>,
    /// The values of those that are integer constants.
    pub(crate) constants: HashMap<Word, u64>,
    /// What it does to memory, where it does something.
    pub(crate) memory: Option<Memory>,
}

/// What an instruction does to memory.
#[derive(Clone, Debug)]
pub(crate) enum Memory {
    /// `OpAtomicX`
    Atomic {
        /// `X`
        name: String,
        place: Place,
        scope: u64,
        semantics: u64,
        /// Of a compare-exchange, for a comparison that fails.
        unequal: Option<u64>,
    },
    /// `OpLoad`, `OpStore`
    Plain {
        is_store: bool,
        place: Place,
        /// The bits of its memory operands.
        access: u32,
    },
    /// `OpMemoryBarrier`
    Fence { scope: u64, semantics: u64 },
    /// `OpControlBarrier`
    Barrier {
        execution: u64,
        scope: u64,
        semantics: u64,
    },
}

/// Where an access is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) variable: Word,
    pub(crate) class: StorageClass,
    /// The type of what is accessed.
    pub(crate) scalar: String,
}

/// Instructions that touch no memory and call nothing.
const ARITHMETIC: &[Op] = &[
    Op::AccessChain,
    Op::BitCount,
    Op::BitFieldSExtract,
    Op::BitFieldUExtract,
    Op::Bitcast,
    Op::BitwiseAnd,
    Op::BitwiseOr,
    Op::BitwiseXor,
    Op::CompositeConstruct,
    Op::CompositeExtract,
    Op::ConvertFToS,
    Op::ConvertFToU,
    Op::ConvertSToF,
    Op::ConvertUToF,
    Op::ExtInst,
    Op::FAdd,
    Op::FConvert,
    Op::FDiv,
    Op::FMul,
    Op::FNegate,
    Op::FOrdEqual,
    Op::FOrdGreaterThan,
    Op::FOrdGreaterThanEqual,
    Op::FOrdLessThan,
    Op::FOrdLessThanEqual,
    Op::FOrdNotEqual,
    Op::FSub,
    Op::FUnordEqual,
    Op::FUnordGreaterThan,
    Op::FUnordGreaterThanEqual,
    Op::FUnordLessThan,
    Op::FUnordLessThanEqual,
    Op::FUnordNotEqual,
    Op::IAdd,
    Op::IEqual,
    Op::IMul,
    Op::INotEqual,
    Op::ISub,
    Op::IsInf,
    Op::IsNan,
    Op::LogicalAnd,
    Op::LogicalEqual,
    Op::LogicalNot,
    Op::LogicalNotEqual,
    Op::LogicalOr,
    Op::Not,
    Op::Phi,
    Op::SConvert,
    Op::SGreaterThan,
    Op::SGreaterThanEqual,
    Op::SLessThan,
    Op::SLessThanEqual,
    Op::SNegate,
    Op::Select,
    Op::ShiftLeftLogical,
    Op::ShiftRightArithmetic,
    Op::ShiftRightLogical,
    Op::UConvert,
    Op::UDiv,
    Op::UGreaterThan,
    Op::UGreaterThanEqual,
    Op::ULessThan,
    Op::ULessThanEqual,
    Op::UMod,
    Op::Undef,
    Op::Variable,
];

const CONTROL: &[Op] = &[
    Op::Branch,
    Op::BranchConditional,
    Op::Label,
    Op::LoopMerge,
    Op::Return,
    Op::SelectionMerge,
    Op::Unreachable,
];

/// Instructions in which small numbers are only moved and resized.
const MOVES: &[Op] = &[
    Op::AccessChain,
    Op::AtomicLoad,
    Op::AtomicStore,
    Op::FConvert,
    Op::Load,
    Op::SConvert,
    Op::Store,
    Op::UConvert,
    Op::Variable,
];

/// A module from its words.
///
/// # Errors
///
/// What is not understood: nothing is passed over in silence.
pub(crate) fn read(words: &[u32]) -> Result<Module, String> {
    let module = dr::load_words(words).map_err(|error| error.to_string())?;
    take_apart(&module)
}

/// A module that rspirv has loaded.
pub(crate) fn take_apart(module: &dr::Module) -> Result<Module, String> {
    let reader = Reader::of(module);
    let header = module.header.as_ref().ok_or("no header")?;
    let model = module.memory_model.as_ref().ok_or("no memory model")?;
    let is_vulkan = match model.operands.as_slice() {
        [
            Operand::AddressingModel(AddressingModel::Logical),
            Operand::MemoryModel(MemoryModel::Vulkan),
        ] => true,
        [
            Operand::AddressingModel(AddressingModel::Logical),
            Operand::MemoryModel(MemoryModel::GLSL450),
        ] => false,
        other => return Err(format!("memory model {other:?}")),
    };
    let first = |all: &[dr::Instruction]| -> BTreeSet<String> {
        let all = all.iter().map(|one| match &one.operands[0] {
            Operand::Capability(capability) => format!("{capability:?}"),
            Operand::LiteralString(name) => name.clone(),
            other => format!("{other:?}"),
        });
        all.collect()
    };
    let mut kernels = Vec::new();
    for entry in &module.entry_points {
        kernels.push(reader.kernel(module, entry)?);
    }
    if module.functions.len() != kernels.len() {
        return Err("a function is no kernel".to_string());
    }
    let mut float_modes = BTreeSet::new();
    for one in &module.execution_modes {
        match one.operands.as_slice() {
            [_, Operand::ExecutionMode(ExecutionMode::LocalSize), ..] => {}
            [
                _,
                Operand::ExecutionMode(mode),
                Operand::LiteralBit32(width),
            ] => {
                float_modes.insert((format!("{mode:?}"), *width));
            }
            other => return Err(format!("execution mode {other:?}")),
        }
    }
    Ok(Module {
        version: header.version(),
        capabilities: first(&module.capabilities),
        extensions: first(&module.extensions),
        is_vulkan,
        kernels,
        variables: reader.variables(),
        scalars: reader.scalars(),
        held: reader.held(),
        computed: reader.computed(module),
        float_modes,
    })
}

struct Reader<'m> {
    definitions: HashMap<Word, &'m dr::Instruction>,
    decorations: Vec<(Word, Option<Word>, Decoration, Option<Word>)>,
}

impl<'m> Reader<'m> {
    fn of(module: &'m dr::Module) -> Self {
        let all = module.all_inst_iter();
        let definitions = all.filter_map(|one| Some((one.result_id?, one))).collect();
        let number = |operand: Option<&Operand>| match operand {
            Some(Operand::LiteralBit32(number)) => Some(*number),
            _ => None,
        };
        let decorations =
            module
                .annotations
                .iter()
                .filter_map(|one| match one.operands.as_slice() {
                    [Operand::IdRef(of), Operand::Decoration(what), rest @ ..] => {
                        Some((*of, None, *what, number(rest.first())))
                    }
                    [
                        Operand::IdRef(of),
                        Operand::LiteralBit32(member),
                        Operand::Decoration(what),
                        rest @ ..,
                    ] => Some((*of, Some(*member), *what, number(rest.first()))),
                    _ => None,
                });
        Self {
            definitions,
            decorations: decorations.collect(),
        }
    }

    fn get(&self, id: Word) -> Result<&'m dr::Instruction, String> {
        self.definitions
            .get(&id)
            .copied()
            .ok_or_else(|| format!("%{id} is nowhere defined"))
    }

    fn decoration(&self, id: Word, wanted: Decoration) -> Option<Option<Word>> {
        let mut own = self.decorations.iter();
        own.find(|(of, member, what, _)| *of == id && member.is_none() && *what == wanted)
            .map(|(.., value)| *value)
    }

    /// `i32`, `f64`, `bool`; else the name of the instruction.
    fn scalar(&self, ty: Word) -> String {
        let Ok(one) = self.get(ty) else {
            return "nothing".to_string();
        };
        match (one.class.opcode, one.operands.as_slice()) {
            (Op::TypeInt, [Operand::LiteralBit32(width), ..]) => format!("i{width}"),
            (Op::TypeFloat, [Operand::LiteralBit32(width), ..]) => format!("f{width}"),
            (op, _) => format!("{op:?}"),
        }
    }

    /// The storage class of a pointer type, and what it points to.
    fn pointer(&self, ty: Word) -> Option<(StorageClass, Word)> {
        match self.get(ty).ok()?.operands.as_slice() {
            [Operand::StorageClass(class), Operand::IdRef(pointee)] => Some((*class, *pointee)),
            _ => None,
        }
    }

    /// Where a pointer leads.
    fn place(&self, pointer: Word) -> Result<Place, String> {
        let one = self.get(pointer)?;
        let (class, pointee) = one
            .result_type
            .and_then(|ty| self.pointer(ty))
            .ok_or_else(|| format!("%{pointer} is no pointer"))?;
        let mut base = one;
        while base.class.opcode == Op::AccessChain {
            base = self.get(ids(base)[0])?;
        }
        if base.class.opcode != Op::Variable {
            return Err(format!("a pointer from {:?}", base.class.opcode));
        }
        Ok(Place {
            variable: base.result_id.unwrap_or(0),
            class,
            scalar: self.scalar(pointee),
        })
    }

    /// The value of an integer constant.
    fn constant(&self, id: Word) -> Option<u64> {
        let one = self.get(id).ok()?;
        match (one.class.opcode, one.operands.as_slice()) {
            (Op::Constant, [Operand::LiteralBit32(value)]) => Some(u64::from(*value)),
            (Op::Constant, [Operand::LiteralBit64(value)]) => Some(*value),
            _ => None,
        }
    }

    fn variables(&self) -> BTreeMap<Word, Variable> {
        let all = self.definitions.iter();
        let all = all.filter(|(_, one)| one.class.opcode == Op::Variable);
        all.map(|(id, one)| {
            let (class, block) = one
                .result_type
                .and_then(|ty| self.pointer(ty))
                .unwrap_or((StorageClass::Generic, 0));
            let has = |what| self.decoration(*id, what).is_some();
            let is_read_only_member = self.decorations.iter().any(|(of, member, what, _)| {
                *of == block && member.is_some() && *what == Decoration::NonWritable
            });
            let variable = Variable {
                class,
                set: self.decoration(*id, Decoration::DescriptorSet).flatten(),
                binding: self.decoration(*id, Decoration::Binding).flatten(),
                is_aliased: has(Decoration::Aliased),
                is_coherent: has(Decoration::Coherent),
                is_read_only: has(Decoration::NonWritable) || is_read_only_member,
            };
            (*id, variable)
        })
        .collect()
    }

    fn scalars(&self) -> BTreeSet<String> {
        let types = self.definitions.values();
        let types = types.filter(|one| matches!(one.class.opcode, Op::TypeInt | Op::TypeFloat));
        types
            .map(|one| self.scalar(one.result_id.unwrap_or(0)))
            .collect()
    }

    /// What pointers lead to, arrays and structures taken apart.
    fn held(&self) -> BTreeSet<(StorageClass, String)> {
        let mut found = BTreeSet::new();
        for one in self.definitions.values() {
            if one.class.opcode != Op::TypePointer {
                continue;
            }
            let Some((class, pointee)) = self.pointer(one.result_id.unwrap_or(0)) else {
                continue;
            };
            let mut pending = vec![pointee];
            while let Some(ty) = pending.pop() {
                let Ok(one) = self.get(ty) else { continue };
                match one.class.opcode {
                    Op::TypeStruct => pending.extend(ids(one)),
                    Op::TypeArray | Op::TypeRuntimeArray | Op::TypeVector => {
                        pending.push(ids(one)[0]);
                    }
                    _ => {
                        found.insert((class, self.scalar(ty)));
                    }
                }
            }
        }
        found
    }

    fn computed(&self, module: &dr::Module) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for one in module.functions.iter().flat_map(|one| one.all_inst_iter()) {
            if MOVES.contains(&one.class.opcode) {
                continue;
            }
            let operands = ids(one).into_iter().filter_map(|id| self.get(id).ok());
            let operands = operands.filter_map(|operand| operand.result_type);
            for ty in one.result_type.into_iter().chain(operands) {
                found.insert(self.scalar(ty));
            }
        }
        found
    }

    fn kernel(&self, module: &dr::Module, entry: &dr::Instruction) -> Result<Kernel, String> {
        let (id, name) = match entry.operands.as_slice() {
            [_, Operand::IdRef(id), Operand::LiteralString(name), ..] => (*id, name.clone()),
            other => return Err(format!("entry point {other:?}")),
        };
        let mut functions = module.functions.iter();
        let function = functions
            .find(|function| function.def_id() == Some(id))
            .ok_or_else(|| format!("no function for '{name}'"))?;
        let mut kernel = Kernel {
            name,
            instructions: Vec::new(),
            labels: HashMap::new(),
        };
        for block in &function.blocks {
            let label = block.label.iter();
            for one in label.chain(&block.instructions) {
                if one.class.opcode == Op::Line || one.class.opcode == Op::NoLine {
                    continue;
                }
                if let (Op::Label, Some(id)) = (one.class.opcode, one.result_id) {
                    kernel.labels.insert(id, kernel.instructions.len());
                }
                let read = self.instruction(one);
                let read = read.map_err(|error| format!("{}: {error}", kernel.name))?;
                kernel.instructions.push(read);
            }
        }
        Ok(kernel)
    }

    fn instruction(&self, one: &dr::Instruction) -> Result<Instruction, String> {
        let op = one.class.opcode;
        let ids = ids(one);
        let memory = self.memory(one, &ids)?;
        if memory.is_none() && !ARITHMETIC.contains(&op) && !CONTROL.contains(&op) {
            return Err(format!("Op{op:?} is not understood"));
        }
        let constants = ids.iter().filter_map(|id| Some((*id, self.constant(*id)?)));
        Ok(Instruction {
            op,
            result: one.result_id,
            constants: constants.collect(),
            ids,
            memory,
        })
    }

    fn memory(&self, one: &dr::Instruction, ids: &[Word]) -> Result<Option<Memory>, String> {
        let op = one.class.opcode;
        let value = |at: usize| {
            let id = ids
                .get(at)
                .ok_or_else(|| format!("Op{op:?} lacks operands"))?;
            self.constant(*id)
                .ok_or_else(|| format!("a scope or semantics of Op{op:?} is no constant"))
        };
        let name = format!("{op:?}");
        Ok(match op {
            Op::Load | Op::Store => Some(Memory::Plain {
                is_store: op == Op::Store,
                place: self.place(ids[0])?,
                access: access(one)?,
            }),
            Op::MemoryBarrier => Some(Memory::Fence {
                scope: value(0)?,
                semantics: value(1)?,
            }),
            Op::ControlBarrier => Some(Memory::Barrier {
                execution: value(0)?,
                scope: value(1)?,
                semantics: value(2)?,
            }),
            _ => match name.strip_prefix("Atomic") {
                Some(name) => Some(Memory::Atomic {
                    name: name.to_string(),
                    place: self.place(ids[0])?,
                    scope: value(1)?,
                    semantics: value(2)?,
                    unequal: if op == Op::AtomicCompareExchange {
                        Some(value(3)?)
                    } else {
                        None
                    },
                }),
                None => None,
            },
        })
    }
}

/// The bits of an access's memory operands: nothing but alignment may follow.
fn access(one: &dr::Instruction) -> Result<u32, String> {
    let mut found = 0;
    for operand in &one.operands {
        match operand {
            Operand::MemoryAccess(bits) => found |= bits.bits(),
            Operand::IdRef(_) | Operand::LiteralBit32(_) => {}
            other => return Err(format!("{other:?} of a plain access")),
        }
    }
    Ok(found)
}

/// The ids among an instruction's operands.
fn ids(one: &dr::Instruction) -> Vec<Word> {
    let ids = one.operands.iter().filter_map(|operand| match operand {
        Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id) => Some(*id),
        _ => None,
    });
    ids.collect()
}

impl Instruction {
    /// The atomic's name, place, scope and semantics.
    pub(crate) fn atomic(&self) -> Option<(&str, &Place)> {
        match &self.memory {
            Some(Memory::Atomic { name, place, .. }) => Some((name, place)),
            _ => None,
        }
    }

    pub(crate) fn is_barrier(&self) -> bool {
        matches!(self.memory, Some(Memory::Barrier { .. }))
    }
}

impl Kernel {
    /// Where control may go after an instruction; `None` is out of the kernel.
    pub(crate) fn successors(&self, at: usize) -> Vec<Option<usize>> {
        let one = &self.instructions[at];
        let label = |id: &Word| self.labels.get(id).copied();
        match one.op {
            Op::Branch => vec![label(&one.ids[0])],
            Op::BranchConditional => one.ids[1..3].iter().map(label).collect(),
            Op::Return => vec![None],
            Op::Unreachable => Vec::new(),
            _ => vec![Some(at + 1).filter(|next| *next < self.instructions.len())],
        }
    }

    /// Whether control may come back to an instruction.
    pub(crate) fn is_in_loop(&self, at: usize) -> bool {
        let mut seen = vec![false; self.instructions.len()];
        let mut pending = vec![at];
        while let Some(from) = pending.pop() {
            for to in self.successors(from).into_iter().flatten() {
                if to == at {
                    return true;
                }
                if !std::mem::replace(&mut seen[to], true) {
                    pending.push(to);
                }
            }
        }
        false
    }

    /// The instruction that gives an id its value.
    pub(crate) fn definition(&self, id: Word) -> Option<&Instruction> {
        self.instructions.iter().find(|one| one.result == Some(id))
    }
}
