//! Atomics and fences in LLVM's dialect, as the tables of a target say.
//!
//! An access that is native becomes LLVM's own atomic, between the fences that its ordering needs,
//! or text in the target's assembly where LLVM's atomic would be wrong. Anything else is refused:
//! `xpu-expand-atomics` comes first.

use crate::acquirers::Acquirers;
use crate::atomic::{self, Access};
use crate::llvm_lowering::{self as lowering, bits_type, byte_size, from_bits, to_bits};
use crate::{axes, llvm_packed, memory};
use xpu_dialect::axes::Storage;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Builder, Op, OpBuilder, Value};
use xpu_dialect::types;
use xpu_dialect::views::AtomicRmw;
use xpu_targets::{Cell, Denormals, How, Ordered, Outcome, ScopeWord, Sync, Target, Ty};

/// A read-modify-write as text: what [`Machine::write_text`] is given.
pub(crate) struct Text<'a, 'c> {
    pub(crate) builder: Builder<'c>,
    /// The opcode, `atom` or `red`.
    pub(crate) opcode: &'a str,
    /// The instruction's operation and type.
    pub(crate) instruction: String,
    /// Whether the operand goes through the integer of its width.
    pub(crate) as_bits: bool,
    pub(crate) ordered: Ordered,
    pub(crate) storage: Storage,
    pub(crate) address: Value<'c>,
    pub(crate) operand: Value<'c>,
}

/// What differs between the machines that LLVM makes code for, tables aside.
pub(crate) struct Machine {
    /// The address space of the pointers in a memref's description.
    pub(crate) described_space: fn(Storage) -> u32,
    /// The address space that an access of this storage names.
    pub(crate) accessed_space: fn(Storage) -> u32,
    /// Keeps LLVM from moving accesses across, without an instruction.
    pub(crate) bind_compiler: fn(Builder<'_>),
    /// Waits for all that the work-item stored, where a scope's word asks for it.
    pub(crate) wait: Option<fn(Builder<'_>)>,
    /// Writes a read-modify-write as text; returns the old value where the opcode gives one.
    pub(crate) write_text: Option<WriteText>,
    /// Makes an address look different to each lane, where LLVM would otherwise combine what lanes do
    /// at one address. It is right about integers, but not about floats, which it adds up in an order
    /// of its own and multiplies.
    pub(crate) as_divergent: Option<AsDivergent>,
    /// Whether an update that returns nothing is none that a later fence can acquire through.
    pub(crate) fences_need_results: bool,
}

/// See [`Machine::as_divergent`].
pub(crate) type AsDivergent = for<'c> fn(Builder<'c>, Value<'c>) -> Value<'c>;

/// See [`Machine::write_text`].
pub(crate) type WriteText = for<'c> fn(Text<'_, 'c>) -> Option<Value<'c>>;

/// Lowers an access or a fence. `acquirers` tells where nobody can see what is read; without, anybody
/// may. Returns whether the code is right only where the memory is the device's.
pub(crate) fn lower<'c>(
    access: Access<'c>,
    target: &Target,
    machine: &Machine,
    acquirers: Option<&Acquirers<'c>>,
) -> Result<bool, Reported> {
    let op = access.op();
    let scope = access
        .scope()
        .map(axes::scope)
        .ok_or_else(|| op.error("has no scope; run 'xpu-assign-scope' first"))?;
    let ordering = access
        .ordering()
        .map(axes::ordering)
        .ok_or_else(|| op.error("has no ordering; run 'xpu-assign-ordering' first"))?;
    let refuse = |error: xpu_targets::CellError| op.error(&error.to_string());

    if let Access::Fence(_) = access {
        lower_fence(op, target.fence(ordering, scope).map_err(refuse)?, machine);
        return Ok(false);
    }
    if access.pointer().is_some() {
        return Err(op.error("goes through a pointer; run 'xpu-expand-atomics' first"));
    }
    let ty = access
        .element()
        .and_then(atomic::table_type)
        .ok_or_else(|| op.error("has an element type that the tables do not know"))?;
    let (operation, failure) = match access {
        Access::Rmw(rmw) => (xpu_targets::Op::Rmw(axes::kind(rmw.kind())), None),
        Access::Cas(cas) => {
            let failure = cas.failure().map(axes::ordering).ok_or_else(|| {
                op.error("has no failure ordering; run 'xpu-assign-ordering' first")
            })?;
            (xpu_targets::Op::Cas, Some(failure))
        }
        Access::Load(_) => (xpu_targets::Op::Load, None),
        Access::Store(_) | Access::Fence(_) => (xpu_targets::Op::Store, None),
    };
    let storage = access.storage().unwrap_or(Storage::Global);
    let mut cell = Cell::new(operation, ty, axes::storage(storage), scope, ordering);
    cell.is_generic = storage == Storage::Generic;
    if let Some(failure) = failure {
        cell.ordering = ordering.join(failure);
    }
    if let Access::Rmw(rmw) = access {
        if atomic::flushes_denormals(rmw) {
            cell.denormals = Denormals::Flush;
        }
        let is_seen = machine.fences_need_results
            && acquirers.is_none_or(|acquirers| acquirers.may_follow(op));
        if !rmw.result_old().has_uses() && !is_seen {
            cell.outcome = Outcome::Unused;
        }
    }
    if let (Some(memref), Some(scope)) = (access.memref(), access.scope()) {
        cell.memory = memory::promise(memref, scope);
    }
    let plan = target.plan(cell).map_err(refuse)?;
    match (plan.how, plan.sync) {
        (How::Native(instruction), Sync::Ordered(ordered)) => {
            let lowered = Native {
                access,
                ty,
                storage,
                ordered,
                failure,
                machine,
                attributes: plan.attributes,
            };
            lowered.emit(instruction, plan.text)?;
            Ok(!plan.attributes.is_empty())
        }
        _ => Err(op.error(&format!(
            "has no instruction for '{}' on {target}; run 'xpu-expand-atomics' first",
            cell.op
        ))),
    }
}

fn lower_fence(op: Op<'_>, sync: Sync, machine: &Machine) {
    fence_of(Builder::before(op), sync, machine);
    op.erase();
}

/// A fence that is done as the target's tables say.
pub(crate) fn fence_of(builder: Builder<'_>, sync: Sync, machine: &Machine) {
    match sync {
        Sync::Ordered(ordered) => fence_at(builder, ordered.own, ordered.word, machine),
        Sync::Plain => (machine.bind_compiler)(builder),
    }
}

/// A fence that no instruction comes of, as LLVM has it.
pub(crate) fn fence_for_one_thread(builder: Builder<'_>) {
    fence(builder, xpu_targets::Ordering::SeqCst, "singlethread");
}

/// A fence at a scope of the target's, which waits as the scope's word says.
fn fence_at(
    builder: Builder<'_>,
    ordering: xpu_targets::Ordering,
    word: ScopeWord,
    machine: &Machine,
) {
    match machine.wait {
        Some(wait) if word.waits && ordering.releases() => {
            fence(builder, xpu_targets::Ordering::Release, word.llvm);
            wait(builder);
            if ordering.acquires() {
                fence(builder, xpu_targets::Ordering::Acquire, word.llvm);
            }
        }
        _ => fence(builder, ordering, word.llvm),
    }
}

fn fence(builder: Builder<'_>, ordering: xpu_targets::Ordering, scope: &str) {
    let made = builder
        .op("llvm.fence")
        .attribute("ordering", ordering_attribute(builder, ordering));
    with_scope(builder, made, scope).build();
}

/// An access that one instruction does.
struct Native<'a, 'c> {
    access: Access<'c>,
    ty: Ty,
    storage: Storage,
    ordered: Ordered,
    failure: Option<xpu_targets::Ordering>,
    machine: &'a Machine,
    /// What LLVM's back end is told.
    attributes: &'a [&'a str],
}

impl Native<'_, '_> {
    fn emit(mut self, instruction: xpu_targets::Instr, text: Option<&str>) -> Result<(), Reported> {
        let op = self.access.op();
        let builder = Builder::before(op);
        let context = builder.context();
        let (Some(memref), Some(element)) = (self.access.memref(), self.access.element()) else {
            return Ok(());
        };
        let bits = bits_type(context, element);
        let described = (self.machine.described_space)(lowering::declared_storage(memref.ty()));
        let accessed = (self.machine.accessed_space)(self.storage);
        let address = lowering::address(builder, memref, &self.access.indices(), described);
        let address = lowering::in_space(builder, address, described, accessed);
        let alignment = types::i64_attribute(context, byte_size(element));
        let scope = self.ordered.word.llvm;

        if let Some(lead) = self.ordered.lead {
            fence(builder, lead, scope);
        }
        let asked = self.ordered.own;
        self.release_apart(builder);
        let ordering = ordering_attribute(builder, self.ordered.own);
        let old = match self.access {
            Access::Rmw(rmw) => {
                if let (Some(opcode), Some(write)) = (text, self.machine.write_text) {
                    write(Text {
                        builder,
                        opcode,
                        instruction: instruction.text(self.ty),
                        as_bits: instruction.bits,
                        ordered: self.ordered,
                        storage: self.storage,
                        address,
                        operand: rmw.value(),
                    })
                } else {
                    Some(self.update(builder, rmw, instruction, address))
                }
            }
            Access::Cas(cas) => {
                // What the fence before gives, the comparison need not.
                let failure = match self.failure {
                    Some(xpu_targets::Ordering::SeqCst)
                        if self.ordered.own != xpu_targets::Ordering::SeqCst =>
                    {
                        xpu_targets::Ordering::Acquire
                    }
                    Some(failure) => failure,
                    None => xpu_targets::Ordering::Relaxed,
                };
                let (expected, desired) = (
                    to_bits(builder, cas.expected()),
                    to_bits(builder, cas.desired()),
                );
                let pair = types::llvm_struct(context, &[bits, types::integer(context, 1)]);
                let made = builder
                    .op("llvm.cmpxchg")
                    .operands(&[address, expected, desired])
                    .attribute("success_ordering", ordering)
                    .attribute("failure_ordering", ordering_attribute(builder, failure))
                    .attribute("alignment", alignment)
                    .result(pair);
                let both = with_scope(builder, made, scope).build().result(0);
                Some(lowering::extract(builder, both, &[0], bits))
            }
            Access::Load(_) => {
                let made = builder
                    .op("llvm.load")
                    .operands(&[address])
                    .attribute("ordering", ordering)
                    .attribute("alignment", alignment)
                    .result(bits);
                let old = with_scope(builder, made, scope).build().result(0);
                if self.ordered.own.acquires() {
                    // Where a back end uses alias analysis (NVPTX, AMDGPU, AArch64), LLVM 22's
                    // instruction selection moves plain accesses up across atomic loads.
                    (self.machine.bind_compiler)(builder);
                }
                Some(old)
            }
            Access::Store(store) => {
                let value = to_bits(builder, store.value());
                let made = builder
                    .op("llvm.store")
                    .operands(&[value, address])
                    .attribute("ordering", ordering)
                    .attribute("alignment", alignment);
                with_scope(builder, made, scope).build();
                if asked == xpu_targets::Ordering::SeqCst && self.ordered.own != asked {
                    // A later load waits for it, if LLVM leaves the load behind it.
                    (self.machine.bind_compiler)(builder);
                }
                None
            }
            Access::Fence(_) => None,
        };
        if let Some(trail) = self.ordered.trail {
            fence(builder, trail, scope);
        }
        match old {
            Some(old) => op.replace_with(&[from_bits(builder, old, element)]),
            None => op.erase(),
        }
        Ok(())
    }
}

impl<'c> Native<'_, 'c> {
    /// Writes the release side as a fence that waits, where the scope's word says so; what is left is
    /// the access's own.
    fn release_apart(&mut self, builder: Builder<'_>) {
        use xpu_targets::Ordering::{Acquire, Relaxed, Release};
        let Ordered { own, word, .. } = self.ordered;
        let (is_load, is_store) = match self.access {
            Access::Load(_) => (true, false),
            Access::Store(_) => (false, true),
            Access::Rmw(_) | Access::Cas(_) | Access::Fence(_) => (false, false),
        };
        if !word.waits || !own.releases() || is_load {
            return;
        }
        fence_at(builder, Release, word, self.machine);
        self.ordered.own = if own.acquires() && !is_store {
            Acquire
        } else {
            Relaxed
        };
    }

    /// LLVM's own read-modify-write; the old value.
    fn update(
        &self,
        builder: Builder<'c>,
        rmw: AtomicRmw<'c>,
        instruction: xpu_targets::Instr,
        address: Value<'c>,
    ) -> Value<'c> {
        let value = rmw.value();
        let address = match self.machine.as_divergent {
            Some(as_divergent)
                if types::is_float(value.ty())
                    && !instruction.bits
                    && !may_be_reassociated(rmw) =>
            {
                as_divergent(builder, address)
            }
            _ => address,
        };
        let kind = axes::kind(rmw.kind());
        if instruction.packed {
            return llvm_packed::update(builder, address, value, |address, pair| {
                self.atomicrmw(builder, kind, address, pair, 4)
            });
        }
        let operand = if instruction.bits {
            to_bits(builder, value)
        } else {
            value
        };
        self.atomicrmw(builder, kind, address, operand, byte_size(value.ty()))
    }

    fn atomicrmw(
        &self,
        builder: Builder<'c>,
        kind: xpu_targets::Kind,
        address: Value<'c>,
        operand: Value<'c>,
        alignment: i64,
    ) -> Value<'c> {
        let context = builder.context();
        let mut made = builder
            .op("llvm.atomicrmw")
            .operands(&[address, operand])
            .attribute(
                "bin_op",
                types::i64_attribute(context, lowering::bin_op(kind)),
            )
            .attribute("ordering", ordering_attribute(builder, self.ordered.own))
            .attribute("alignment", types::i64_attribute(context, alignment))
            .result(operand.ty());
        for name in self.attributes {
            made = made.attribute(name, types::unit_attribute(context));
        }
        with_scope(builder, made, self.ordered.word.llvm)
            .build()
            .result(0)
    }
}

/// Whether the program lets floats be added up in another order.
fn may_be_reassociated(rmw: AtomicRmw<'_>) -> bool {
    rmw.fastmath()
        .is_some_and(|flags| flags.to_string().contains("reassoc"))
}

/// LLVM's number of an ordering.
fn ordering_attribute(builder: Builder<'_>, ordering: xpu_targets::Ordering) -> Attribute<'_> {
    types::i64_attribute(builder.context(), lowering::ordering_number(ordering))
}

/// With the syncscope, where it is not LLVM's default.
fn with_scope<'c>(builder: Builder<'c>, made: OpBuilder<'c>, scope: &str) -> OpBuilder<'c> {
    let attribute = (!scope.is_empty()).then(|| types::string_attribute(builder.context(), scope));
    made.optional_attribute("syncscope", attribute)
}
