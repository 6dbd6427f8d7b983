//! That the judge can say no: right modules, broken one way each.

use crate::cells::{Access, Cell};
use crate::compile::Compiler;
use crate::forms::{self, Expected, Form};
use crate::spirv;
use crate::targets::Target;
use crate::{features, judge};
use rspirv::dr::{self, Instruction, Module, Operand};
use rspirv::spirv::{Capability, Decoration, MemoryAccess, MemoryModel, Op, StorageClass, Word};
use std::collections::BTreeSet;

const CELL: Cell = Cell {
    op: "add",
    access: Access::Update,
    ty: "i32",
    storage: "global",
    scope: "device",
    ordering: "acq_rel",
    failure: "acq_rel",
    used: true,
    flush: false,
    pointer: false,
};

const CAS: Cell = Cell {
    op: "cas",
    access: Access::Cas,
    failure: "acquire",
    ..CELL
};

/// A right module and its cell.
struct Right {
    cell: Cell,
    target: Target,
    module: Module,
}

impl Right {
    fn new(cell: Cell, device: &'static str) -> Self {
        let target = Target::new("1.3", device);
        let said = Compiler::new().compile(&[cell], &target);
        let image = said.compiled.unwrap().image;
        let words: Vec<u32> = image
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        let right = Self {
            cell,
            target,
            module: dr::load_words(words).unwrap(),
        };
        assert_eq!(right.said(|_| {}), "", "the right module of {cell}");
        right
    }

    /// What is said of the module, changed.
    fn said(&self, change: impl FnOnce(&mut Module)) -> String {
        let mut module = self.module.clone();
        change(&mut module);
        match spirv::take_apart(&module) {
            Ok(module) => {
                let mut found = judge::violations(&module);
                found.extend(judge::weaknesses(&self.cell, &module.kernels[0], &module));
                found.join("; ")
            }
            Err(error) => error,
        }
    }

    /// What differs from the expected form.
    fn differs(&self, change: impl FnOnce(&mut Module)) -> String {
        let mut module = self.module.clone();
        change(&mut module);
        let expected = Expected::read();
        let Ok(Form::Made(form)) = expected.form(&self.cell, &self.target) else {
            return "no form".to_string();
        };
        let module = spirv::take_apart(&module).unwrap();
        let kernel = &module.kernels[0];
        let has_workgroup = self.cell.storage == "shared";
        forms::differences(&self.cell, &form, kernel, &module, has_workgroup, &expected).join("; ")
    }

    #[track_caller]
    fn check(&self, what: &str, complaint: &str, change: impl FnOnce(&mut Module)) {
        let got = self.said(change);
        assert!(
            got.contains(complaint),
            "{what}: '{complaint}' is not in '{got}'"
        );
    }
}

/// The instructions of a module's functions with an opcode.
fn all(module: &mut Module, op: Op) -> impl Iterator<Item = &mut Instruction> {
    let blocks = module
        .functions
        .iter_mut()
        .flat_map(|function| &mut function.blocks);
    blocks
        .flat_map(|block| &mut block.instructions)
        .filter(move |one| one.class.opcode == op)
}

#[track_caller]
fn only(module: &mut Module, op: Op) -> &mut Instruction {
    let mut found = all(module, op);
    let one = found.next().unwrap();
    assert!(found.next().is_none(), "several Op{op:?}");
    one
}

/// A new constant.
fn constant(module: &mut Module, value: u32) -> Word {
    let header = module.header.as_mut().unwrap();
    let id = header.bound;
    header.bound += 1;
    let mut types = module.types_global_values.iter();
    let ty = types
        .find(|one| one.class.opcode == Op::TypeInt && one.operands[0] == Operand::LiteralBit32(32))
        .and_then(|one| one.result_id);
    let one = Instruction::new(
        Op::Constant,
        ty,
        Some(id),
        vec![Operand::LiteralBit32(value)],
    );
    module.types_global_values.push(one);
    id
}

/// Makes the `at`th scope or semantics of an instruction another.
fn set(module: &mut Module, op: Op, at: usize, value: u32) {
    let id = constant(module, value);
    let operands = only(module, op).operands.iter_mut();
    let mut numbers = operands.filter_map(|one| match one {
        Operand::IdScope(id) | Operand::IdMemorySemantics(id) => Some(id),
        _ => None,
    });
    *numbers.nth(at).unwrap() = id;
}

fn without(module: &mut Module, name: Capability) {
    module
        .capabilities
        .retain(|one| one.operands[0] != Operand::Capability(name));
}

#[test]
fn one_instruction() {
    let right = Right::new(CELL, "plain");
    let op = Op::AtomicIAdd;
    for (at, value, complaint) in [
        (
            1,
            0,
            "a path that does not acquire; a path that does not release",
        ),
        (1, 0x4042, "a path that does not release"),
        (1, 0x2044, "a path that does not acquire"),
        (1, 0x8, "an order without storage classes"),
        (1, 0x48, "a release that makes nothing available"),
        (1, 0x4048, "a release that makes nothing available"),
        (1, 0x2048, "an acquire that makes nothing visible"),
        (1, 0x6108, "a path that does not acquire"),
        (1, 0x6050, "bits that are not for Vulkan"),
        (1, 0x604e, "several orders"),
        (1, 0x40, "these without an order"),
        (1, 0x6042, "MakeAvailable without a release"),
        (1, 0x6044, "MakeVisible without an acquire"),
        (0, 0, "scope 0"),
        (0, 4, "scope 4"),
        (0, 5, "scope 5"),
        (0, 2, "a narrower scope than 'device'"),
        (0, 3, "Subgroup scope without GroupNonUniform"),
    ] {
        let what = format!("operand {at} is {value:#x}");
        right.check(&what, complaint, |module| set(module, op, at, value));
    }
    right.check("twice", "a path that does it twice", |module| {
        let again = only(module, op).clone();
        for block in &mut module.functions[0].blocks {
            let at = block
                .instructions
                .iter()
                .position(|one| one.class.opcode == op);
            if let Some(at) = at {
                let mut again = again.clone();
                again.result_id = Some(Word::MAX);
                block.instructions.insert(at, again);
            }
        }
    });
    right.check("a load", "a path that does not write", |module| {
        set(module, op, 1, 0x4042);
        let one = only(module, op);
        one.operands.truncate(3);
        *one = Instruction::new(
            Op::AtomicLoad,
            one.result_type,
            one.result_id,
            one.operands.clone(),
        );
    });
    right.check("plain", "is not atomic", |module| {
        let one = only(module, op);
        let operands = vec![
            one.operands[0].clone(),
            Operand::MemoryAccess(MemoryAccess::NON_PRIVATE_POINTER),
        ];
        *one = Instruction::new(Op::Load, one.result_type, one.result_id, operands);
    });
    right.check("a constant scope", "is no constant", |module| {
        let one = only(module, op);
        let pointer = match one.operands[0] {
            Operand::IdRef(id) => id,
            _ => 0,
        };
        one.operands[1] = Operand::IdScope(pointer);
    });
}

#[test]
fn plain_accesses_and_variables() {
    let right = Right::new(CELL, "plain");
    right.check("private", "without NonPrivatePointer", |module| {
        // The result goes out by a plain store.
        let one = all(module, Op::Store).next().unwrap();
        one.operands.truncate(2);
    });
    right.check("available", "memory operands", |module| {
        let scope = constant(module, 1);
        let one = all(module, Op::Store).next().unwrap();
        one.operands.truncate(2);
        one.operands.push(Operand::MemoryAccess(
            MemoryAccess::NON_PRIVATE_POINTER | MemoryAccess::MAKE_POINTER_AVAILABLE,
        ));
        one.operands.push(Operand::IdRef(scope));
    });
    let decorated = |module: &mut Module, what: Decoration| {
        module
            .annotations
            .retain(|one| !one.operands.contains(&Operand::Decoration(what)));
    };
    right.check("no alias", "is not Aliased", |module| {
        decorated(module, Decoration::Aliased);
    });
    right.check("unbound", "is bound at", |module| {
        decorated(module, Decoration::Binding);
    });
    right.check("coherent", "Coherent is true", |module| {
        let aliased = Operand::Decoration(Decoration::Aliased);
        for one in &mut module.annotations {
            for operand in &mut one.operands {
                if *operand == aliased {
                    *operand = Operand::Decoration(Decoration::Coherent);
                }
            }
        }
    });
    let glsl = Right::new(CELL, "GLSL450");
    glsl.check("incoherent", "Coherent is false", |module| {
        decorated(module, Decoration::Coherent);
    });
    glsl.check(
        "availability",
        "without the Vulkan memory model",
        |module| {
            set(module, Op::AtomicIAdd, 1, 0x6048);
        },
    );
    glsl.check("another class", "a path that does not acquire", |module| {
        set(module, Op::AtomicIAdd, 1, 0x108);
    });
}

#[test]
fn capabilities_and_extensions() {
    let right = Right::new(CELL, "plain");
    for name in [
        Capability::VulkanMemoryModel,
        Capability::VulkanMemoryModelDeviceScope,
        Capability::Shader,
    ] {
        right.check("a capability less", "is not declared", |module| {
            without(module, name);
        });
    }
    let add = Capability::AtomicFloat32AddEXT;
    right.check("a capability more", "nothing needs it", |module| {
        let one = Operand::Capability(add);
        let one = Instruction::new(Op::Capability, None, None, vec![one]);
        module.capabilities.push(one);
    });
    right.check("an extension more", "nothing needs it", |module| {
        let one = Operand::LiteralString("SPV_EXT_shader_atomic_float_add".to_string());
        let one = Instruction::new(Op::Extension, None, None, vec![one]);
        module.extensions.push(one);
    });
    right.check(
        "an older version",
        "SPV_KHR_vulkan_memory_model is not",
        |module| {
            module.header.as_mut().unwrap().set_version(1, 3);
        },
    );
    right.check("another model", "memory model", |module| {
        let model = module.memory_model.as_mut().unwrap();
        model.operands[1] = Operand::MemoryModel(MemoryModel::OpenCL);
    });
    let sum = Right::new(
        Cell {
            op: "fadd",
            ty: "f32",
            flush: true,
            ..CELL
        },
        "everything",
    );
    sum.check(
        "a sum without its capability",
        "AtomicFloat32AddEXT is not",
        |module| {
            without(module, add);
        },
    );
    sum.check(
        "a sum without its extension",
        "atomic_float_add is not",
        |module| {
            module.extensions.clear();
        },
    );
    let module = spirv::take_apart(&sum.module).unwrap();
    let needed = features::needed(&module);
    assert!(
        needed.contains("shader_buffer_float32_atomic_add"),
        "{needed:?}"
    );
    assert!(
        !needed.contains("shader_shared_float32_atomic_add"),
        "{needed:?}"
    );
}

#[test]
fn compare_and_swap() {
    let right = Right::new(CAS, "plain");
    let op = Op::AtomicCompareExchange;
    for (at, value, complaint) in [
        (
            2,
            0,
            "a path that does not acquire where the comparison fails",
        ),
        (2, 0x6048, "Unequal releases"),
        (2, 0x2044, "Unequal releases"),
        (2, 0x4142, "storage classes that Equal lacks"),
        (1, 0, "Unequal is stronger than Equal"),
        (1, 0x2044, "Unequal is stronger than Equal"),
        (1, 0x4042, "a path that does not release"),
    ] {
        let what = format!("operand {at} is {value:#x}");
        right.check(&what, complaint, |module| set(module, op, at, value));
    }
    // The swap of a word, whose first read and whose failed swap may end it: barriers order both.
    let word = Right::new(Cell { ty: "i8", ..CAS }, "plain");
    let complaint = "a path that does not acquire where the comparison fails";
    word.check("no barrier after it", complaint, |module| {
        without_barrier(module, 0x4042);
    });
    let complaint = "a path that does not release";
    word.check("no barrier before it", complaint, |module| {
        without_barrier(module, 0x2044);
    });
    word.check(
        "a narrower barrier",
        "OpMemoryBarrier has a narrower scope",
        |module| {
            let id = constant(module, 2);
            for one in all(module, Op::MemoryBarrier) {
                one.operands[0] = Operand::IdScope(id);
            }
        },
    );
}

/// Removes the barriers of some semantics.
fn without_barrier(module: &mut Module, semantics: u32) {
    let mut constants = module.types_global_values.iter();
    let constant = constants
        .find(|one| {
            one.class.opcode == Op::Constant && one.operands[0] == Operand::LiteralBit32(semantics)
        })
        .and_then(|one| one.result_id)
        .unwrap();
    for block in &mut module.functions[0].blocks {
        block.instructions.retain(|one| {
            one.class.opcode != Op::MemoryBarrier
                || one.operands[1] != Operand::IdMemorySemantics(constant)
        });
    }
}

#[test]
fn loads_and_stores() {
    let load = Right::new(
        Cell {
            op: "load",
            access: Access::Load,
            ordering: "acquire",
            failure: "acquire",
            ..CELL
        },
        "plain",
    );
    let complaint = "a load that releases";
    load.check("a load", complaint, |module| {
        set(module, Op::AtomicLoad, 1, 0x6048)
    });
    load.check("relaxed", "does not acquire", |module| {
        set(module, Op::AtomicLoad, 1, 0)
    });
    let store = Right::new(
        Cell {
            op: "store",
            access: Access::Store,
            ordering: "release",
            failure: "release",
            used: false,
            ..CELL
        },
        "plain",
    );
    let complaint = "a store that acquires";
    store.check("a store", complaint, |module| {
        set(module, Op::AtomicStore, 1, 0x6048)
    });
    store.check("relaxed", "does not release", |module| {
        set(module, Op::AtomicStore, 1, 0)
    });
}

#[test]
fn fences_and_barriers() {
    let fence = Right::new(
        Cell {
            op: "fence",
            access: Access::Fence,
            ty: "",
            used: false,
            ..CELL
        },
        "plain",
    );
    let op = Op::MemoryBarrier;
    for (at, value, complaint) in [
        (1, 0x4042, "a path without a barrier that releases"),
        (1, 0x2044, "a path without a barrier that acquires"),
        (1, 0, "orders nothing"),
        (0, 2, "a narrower scope"),
        (0, 0, "scope 0"),
    ] {
        let what = format!("operand {at} is {value:#x}");
        fence.check(&what, complaint, |module| set(module, op, at, value));
    }
    let shared = Right::new(
        Cell {
            storage: "shared",
            ..CELL
        },
        "plain",
    );
    let op = Op::AtomicIAdd;
    shared.check("no workgroup memory", "does not acquire", |module| {
        set(module, op, 1, 0x6048);
    });
    shared.check("no buffers", "does not acquire", |module| {
        set(module, op, 1, 0x6108);
    });
    for (value, complaint) in [
        (0x6108, "with semantics 0x6108"),
        (0x6048, "with semantics 0x6048"),
        (0x148, "with semantics 0x148"),
        (0, "with semantics 0x0"),
    ] {
        shared.check("a barrier", complaint, |module| {
            let id = constant(module, value);
            for one in all(module, Op::ControlBarrier) {
                one.operands[2] = Operand::IdMemorySemantics(id);
            }
        });
    }
    shared.check(
        "a barrier of subgroups",
        "a barrier of scopes 3",
        |module| {
            let id = constant(module, 3);
            for one in all(module, Op::ControlBarrier) {
                one.operands[0] = Operand::IdScope(id);
            }
        },
    );
    shared.check("no barriers", "is not atomic", |module| {
        for block in &mut module.functions[0].blocks {
            let mut barriers = 0;
            block.instructions.retain(|one| {
                barriers += usize::from(one.class.opcode == Op::ControlBarrier);
                one.class.opcode != Op::ControlBarrier || barriers > 1
            });
        }
    });
}

#[test]
fn memory_of_one_work_item() {
    for (cell, storage) in [
        (
            Cell {
                storage: "private",
                ..CELL
            },
            StorageClass::Function,
        ),
        (
            Cell {
                scope: "workitem",
                ..CELL
            },
            StorageClass::StorageBuffer,
        ),
    ] {
        let right = Right::new(cell, "plain");
        let complaint = if storage == StorageClass::Function {
            "an atomic on Function memory"
        } else {
            "where no other work-item takes part"
        };
        right.check("an atomic", complaint, |module| {
            let (scope, semantics) = (constant(module, 2), constant(module, 0x6048));
            let pointers = of_class(module, storage);
            let one = all(module, Op::Load)
                .find(|one| matches!(one.operands[0], Operand::IdRef(id) if pointers.contains(&id)))
                .unwrap();
            let operands = vec![
                one.operands[0].clone(),
                Operand::IdScope(scope),
                Operand::IdMemorySemantics(semantics),
            ];
            *one = Instruction::new(Op::AtomicLoad, one.result_type, one.result_id, operands);
        });
    }
}

/// The access chains into a storage class.
fn of_class(module: &Module, class: StorageClass) -> BTreeSet<Word> {
    let types: BTreeSet<Word> = module
        .types_global_values
        .iter()
        .filter(|one| {
            one.class.opcode == Op::TypePointer && one.operands[0] == Operand::StorageClass(class)
        })
        .filter_map(|one| one.result_id)
        .collect();
    let chains = module.functions[0].all_inst_iter();
    chains
        .filter(|one| one.class.opcode == Op::AccessChain)
        .filter(|one| one.result_type.is_some_and(|ty| types.contains(&ty)))
        .filter_map(|one| one.result_id)
        .collect()
}

/// The exact form is looked at as well: stronger is right, but not what was written down.
#[test]
fn forms_are_exact() {
    let right = Right::new(
        Cell {
            ordering: "acquire",
            failure: "acquire",
            scope: "workgroup",
            ..CELL
        },
        "plain",
    );
    let op = Op::AtomicIAdd;
    assert_eq!(right.differs(|_| {}), "");
    for (at, value) in [(1, 0x6048), (1, 0x4142), (0, 1)] {
        let stronger = right.differs(|module| set(module, op, at, value));
        assert!(stronger.contains("want"), "{at} {value:#x}: {stronger}");
    }
    let another = right.differs(|module| {
        let one = only(module, op);
        let operands = one.operands.clone();
        *one = Instruction::new(Op::AtomicOr, one.result_type, one.result_id, operands);
    });
    assert!(another.contains("want"), "{another}");

    let looped = Right::new(
        Cell {
            op: "fminimum",
            ty: "f32",
            ..CELL
        },
        "plain",
    );
    assert_eq!(looped.differs(|_| {}), "");
    let ordered = looped.differs(|module| set(module, Op::AtomicCompareExchange, 1, 0x4042));
    assert!(ordered.contains("want"), "{ordered}");
    let unordered = looped.differs(|module| without_barrier(module, 0x4042));
    assert!(unordered.contains("want barriers"), "{unordered}");
    let uncompared = looped.differs(|module| {
        let swapped = only(module, Op::AtomicCompareExchange).result_id.unwrap();
        for op in [Op::IEqual, Op::INotEqual] {
            for one in all(module, op) {
                one.operands = vec![Operand::IdRef(swapped), Operand::IdRef(swapped)];
            }
        }
    });
    assert!(uncompared.contains("nothing compares"), "{uncompared}");
}

#[test]
fn unknown_instructions_are_refused() {
    let right = Right::new(CELL, "plain");
    for op in [
        Op::Kill,
        Op::FunctionCall,
        Op::ImageRead,
        Op::AtomicFlagClear,
    ] {
        let got = right.said(|module| {
            let block = &mut module.functions[0].blocks[0];
            let one = Instruction::new(op, None, None, vec![Operand::IdRef(1)]);
            block.instructions.insert(0, one);
        });
        assert_ne!(got, "", "Op{op:?}");
    }
}
