//! Atomics, fences and barriers as instructions of SPIR-V, as the target's tables say.

use super::accesses::{Memory, from_bits, to_bits};
use super::emitter::{Emitter, Pointer};
use super::memory::{Root, Scalar};
use super::views::View;
use crate::atomic::Access;
use crate::axes;
use crate::expand::arith::{Arith, Compare};
use crate::expand::{self, Site};

use xpu_dialect::axes::Kind;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Builder, Op, Value};
use xpu_dialect::types;
use xpu_targets::{Carrier, How, Instr, Ordering, Plan, Sync, Target, vulkan};

/// The instructions that MLIR's `spirv` dialect has, and its names for them.
#[rustfmt::skip] // one row a line
const KNOWN: &[(&str, &str)] = &[
    ("OpAtomicAnd",             "spirv.AtomicAnd"),
    ("OpAtomicCompareExchange", "spirv.AtomicCompareExchange"),
    ("OpAtomicExchange",        "spirv.AtomicExchange"),
    ("OpAtomicFAddEXT",         "spirv.EXT.AtomicFAdd"),
    ("OpAtomicIAdd",            "spirv.AtomicIAdd"),
    ("OpAtomicISub",            "spirv.AtomicISub"),
    ("OpAtomicOr",              "spirv.AtomicOr"),
    ("OpAtomicSMax",            "spirv.AtomicSMax"),
    ("OpAtomicSMin",            "spirv.AtomicSMin"),
    ("OpAtomicUMax",            "spirv.AtomicUMax"),
    ("OpAtomicUMin",            "spirv.AtomicUMin"),
    ("OpAtomicXor",             "spirv.AtomicXor"),
];

/// The bits of memory semantics, and their names in MLIR (SPIR-V, Memory Semantics).
#[rustfmt::skip] // one row a line
const SEMANTICS: &[(u32, &str)] = &[
    (0x2,    "Acquire"),
    (0x4,    "Release"),
    (0x8,    "AcquireRelease"),
    (0x40,   "UniformMemory"),
    (0x100,  "WorkgroupMemory"),
    (0x2000, "MakeAvailable"),
    (0x4000, "MakeVisible"),
];

/// How memory is ordered in a module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// Whether the module has workgroup memory, which ordered operations then name as well.
    pub(crate) has_workgroup_memory: bool,
    /// Whether it follows the Vulkan memory model.
    pub(crate) is_vulkan: bool,
}

/// The type that an atomic accesses memory as, where it is one instruction.
///
/// # Errors
///
/// Where the target does not do it by one instruction.
pub(crate) fn scalar(access: Access<'_>, target: &Target) -> Result<Option<Scalar>, Reported> {
    let Some(site) = Site::of(access)? else {
        return Ok(None);
    };
    let instr = native(&site, &site.plan(target)?, target)?;
    let own = Scalar::of(site.element);
    Ok(Some(if instr.bits {
        Scalar::integer(site.ty.bits())
    } else {
        own
    }))
}

fn native(site: &Site<'_>, plan: &Plan, target: &Target) -> Result<Instr, Reported> {
    match (plan.how, plan.sync) {
        (How::Native(instr), Sync::Ordered(_)) => Ok(instr),
        _ => Err(site.op.error(&format!(
            "has no instruction on target '{target}'; run 'xpu-expand-atomics' first"
        ))),
    }
}

/// Makes a loop on integers of a native float atomic, for memory that is declared as integers.
///
/// # Errors
///
/// Where the loop cannot be made.
pub(crate) fn without_float_instruction(
    access: Access<'_>,
    target: &Target,
) -> Result<(), Reported> {
    match Site::of(access)? {
        Some(site) => expand::expand(&site, How::CasLoop(Carrier::SameWidth), target),
        None => Ok(()),
    }
}

/// Lowers an atomic.
///
/// # Errors
///
/// Where the target does not do it by one instruction, and where its memory is declared otherwise.
pub(crate) fn lower<'c>(
    access: Access<'c>,
    memory: &Memory<'_, 'c>,
    root: &mut Root<'c>,
    view: &View<'c>,
    model: Model,
) -> Result<(), Reported> {
    let op = access.op();
    let Some(site) = Site::of(access)? else {
        return Ok(());
    };
    let plan = site.plan(memory.target)?;
    let instr = native(&site, &plan, memory.target)?;
    let Sync::Ordered(ordered) = plan.sync else {
        return Err(op.error("internal error: an atomic is ordered"));
    };
    let bits = site.ty.bits();
    let scalar = if instr.bits {
        Scalar::integer(bits)
    } else {
        Scalar::of(site.element)
    };
    let pointer = memory.atomic_pointer(op, root, view, &access.indices(), scalar)?;
    let builder = Builder::before(op);
    let instruction = Instruction {
        builder,
        emitter: memory.emitter,
        opcode: instr.text(site.ty),
        pointer,
        scope: ordered.word.isa,
        scope_number: vulkan::scope_number(axes::scope(site.place.scope)),
        model,
    };
    let convert = |value: Value<'c>| {
        if instr.bits {
            to_bits(builder, value, bits)
        } else {
            value
        }
    };
    let old = match access {
        Access::Rmw(rmw) => {
            let operand = convert(rmw.value());
            let operand = match rmw.kind() {
                Kind::FMin | Kind::FMax => quiet(builder, operand),
                _ => operand,
            };
            instruction.update(ordered.own, Some(operand))
        }
        Access::Load(_) => instruction.update(ordered.own, None),
        Access::Store(store) => {
            instruction.store(ordered.own, convert(store.value()));
            op.erase();
            return Ok(());
        }
        Access::Cas(cas) => {
            let failure = axes::ordering(access.assigned_failure()?);
            let (expected, desired) = (convert(cas.expected()), convert(cas.desired()));
            instruction.compare_exchange(ordered.own, failure, expected, desired)
        }
        Access::Fence(_) => return Ok(()),
    };
    op.replace_with(&[from_bits(builder, old, site.element)]);
    Ok(())
}

/// The float with a NaN made a quiet one. The instructions for minimum and maximum ignore that alone
/// (SPV_EXT_shader_atomic_float_min_max).
fn quiet<'c>(builder: Builder<'c>, value: Value<'c>) -> Value<'c> {
    let bits = builder.bits(value);
    let wide = types::bit_width(value.ty()) == Some(64);
    let (infinity, sign, quiet) = if wide {
        (0x7FF0_0000_0000_0000, i64::MIN, 0x0008_0000_0000_0000)
    } else {
        (0x7F80_0000, i64::from(i32::MIN), 0x0040_0000)
    };
    let constant = |number| builder.integer(bits.ty(), number);
    let magnitude = builder.and(bits, builder.not(constant(sign)));
    let is_nan = builder.compare(Compare::UnsignedGreater, magnitude, constant(infinity));
    let quieted = builder.or(bits, constant(quiet));
    builder.cast_bits(builder.select(is_nan, quieted, bits), value.ty())
}

/// One atomic instruction.
struct Instruction<'a, 'c> {
    builder: Builder<'c>,
    emitter: &'a Emitter<'c>,
    opcode: String,
    pointer: Pointer<'c>,
    /// The scope, in SPIR-V's word.
    scope: &'static str,
    scope_number: Option<u32>,
    model: Model,
}

impl<'c> Instruction<'_, 'c> {
    fn bits_of(&self, ordering: Ordering) -> u32 {
        vulkan::semantics(
            ordering,
            self.model.has_workgroup_memory,
            self.model.is_vulkan,
        )
    }

    fn known(&self) -> Option<&'static str> {
        let found = KNOWN.iter().find(|(opcode, _)| *opcode == self.opcode);
        found.map(|(_, name)| *name)
    }

    /// The operands that every atomic begins with, for an instruction that MLIR lacks.
    fn operands(&self, ordering: Ordering) -> Vec<Value<'c>> {
        let constant = |number: u32| self.emitter.constant(self.builder, number as i32);
        vec![
            self.pointer.value,
            constant(self.scope_number.unwrap_or(1)),
            constant(self.bits_of(ordering)),
        ]
    }

    /// A read-modify-write, or a load, which has no operand.
    fn update(&self, ordering: Ordering, operand: Option<Value<'c>>) -> Value<'c> {
        let pointee = self.pointer.pointee;
        let Some(name) = self.known() else {
            let mut operands = self.operands(ordering);
            operands.extend(operand);
            let made =
                self.emitter
                    .instruction(self.builder, &self.opcode, &operands, Some(pointee));
            return made.unwrap_or_else(|| unreachable!("the instruction has a result"));
        };
        let mut operands = vec![self.pointer.value];
        operands.extend(operand);
        self.builder
            .op(name)
            .operands(&operands)
            .attribute("memory_scope", scope(self.emitter, self.scope))
            .attribute("semantics", semantics(self.emitter, self.bits_of(ordering)))
            .result(pointee)
            .build()
            .result(0)
    }

    fn store(&self, ordering: Ordering, value: Value<'c>) {
        let mut operands = self.operands(ordering);
        operands.push(value);
        self.emitter
            .instruction(self.builder, &self.opcode, &operands, None);
    }

    fn compare_exchange(
        &self,
        ordering: Ordering,
        failure: Ordering,
        expected: Value<'c>,
        desired: Value<'c>,
    ) -> Value<'c> {
        let (equal, unequal) = vulkan::compare_exchange_semantics(
            ordering,
            failure,
            self.model.has_workgroup_memory,
            self.model.is_vulkan,
        );
        self.builder
            .op("spirv.AtomicCompareExchange")
            .operands(&[self.pointer.value, desired, expected])
            .attribute("memory_scope", scope(self.emitter, self.scope))
            .attribute("equal_semantics", semantics(self.emitter, equal))
            .attribute("unequal_semantics", semantics(self.emitter, unequal))
            .result(self.pointer.pointee)
            .build()
            .result(0)
    }
}

/// Lowers a fence.
///
/// # Errors
///
/// Where its scope or ordering is not the target's.
pub(crate) fn lower_fence<'c>(
    fence: Access<'c>,
    emitter: &Emitter<'c>,
    target: &Target,
    model: Model,
) -> Result<(), Reported> {
    let op = fence.op();
    let ordering = axes::ordering(fence.assigned_ordering()?);
    let asked = axes::scope(fence.assigned_scope()?);
    let sync = target
        .fence(ordering, asked)
        .map_err(|error| op.error(&format!("{error} (target '{target}')")))?;
    // One work-item sees its own accesses in order.
    if let Sync::Ordered(ordered) = sync {
        let bits = vulkan::semantics(ordered.own, model.has_workgroup_memory, model.is_vulkan);
        Builder::before(op)
            .op("spirv.MemoryBarrier")
            .attribute("memory_scope", scope(emitter, ordered.word.isa))
            .attribute("memory_semantics", semantics(emitter, bits))
            .build();
    }
    op.erase();
    Ok(())
}

/// Lowers a barrier: every work-item of the workgroup arrives, and both kinds of memory are ordered.
pub(crate) fn lower_barrier<'c>(op: Op<'c>, emitter: &Emitter<'c>, model: Model) {
    let bits = vulkan::barrier_semantics(model.is_vulkan);
    Builder::before(op)
        .op("spirv.ControlBarrier")
        .attribute("execution_scope", scope(emitter, "Workgroup"))
        .attribute("memory_scope", scope(emitter, "Workgroup"))
        .attribute("memory_semantics", semantics(emitter, bits))
        .build();
    op.erase();
}

fn scope<'c>(emitter: &Emitter<'c>, word: &str) -> Attribute<'c> {
    emitter.attribute(&format!("#spirv.scope<{word}>"))
}

fn semantics<'c>(emitter: &Emitter<'c>, bits: u32) -> Attribute<'c> {
    let names: Vec<&str> = SEMANTICS
        .iter()
        .filter(|(bit, _)| bits & bit != 0)
        .map(|(_, name)| *name)
        .collect();
    let text = if names.is_empty() {
        "None".to_string()
    } else {
        names.join("|")
    };
    emitter.attribute(&format!("#spirv.memory_semantics<{text}>"))
}
