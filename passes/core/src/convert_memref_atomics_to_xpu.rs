//! `convert-memref-atomics-to-xpu`: makes upstream's atomics into those of xpu.
//!
//! Requires: nothing; works wherever `memref.atomic_rmw` and `memref.generic_atomic_rmw` stand.
//! Guarantees: none of the two is left, each result is the value before the update, and no loop
//! compares floats: a loop ends when the bits that were read are the bits that were replaced, also
//! where they are those of a NaN. Does not: write orderings or scopes, which the assign passes do.
//!
//! ```mlir
//! %a = memref.atomic_rmw maxs %v, %m[%i] : (i32, memref<?xi32>) -> i32
//! %b = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
//! ^bb0(%current: i32):
//!   %next = arith.muli %current, %v : i32
//!   memref.atomic_yield %next : i32
//! }
//! // becomes
//! %a = xpu.atomic_rmw smax %v, %m[%i] : memref<?xi32>
//! %first = xpu.atomic_load %m[%i] ordering(relaxed) : memref<?xi32>
//! %b = scf.while (%current = %first) : (i32) -> i32 {
//!   %next = arith.muli %current, %v : i32
//!   %old = xpu.cas %current, %next, %m[%i] failure(relaxed) : memref<?xi32>
//!   %again = arith.cmpi ne, %old, %current : i32
//!   scf.condition(%again) %old : i32
//! } do {
//! ^bb0(%seen: i32):
//!   scf.yield %seen : i32
//! }
//! ```
//!
//! Refuses: elements that no atomic takes (`i1`, `i128`, `f80`, …), and layouts without strides; with
//! `forbid-cas-loop`, what becomes a loop.

use crate::atomic;
use crate::pipelines::FORBID_CAS_LOOP;
use xpu_dialect::axes::{Kind, Ordering};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Block, Builder, Op, OpBuilder, Region, Type, Value};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types::{self, MemRef};
use xpu_dialect::views::{AtomicLoad, AtomicRmw, Cas};

const ATOMIC_RMW: &str = "memref.atomic_rmw";
const GENERIC_ATOMIC_RMW: &str = "memref.generic_atomic_rmw";

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "convert-memref-atomics-to-xpu",
    summary: "Make upstream's memref atomics into xpu's",
    options: &[FORBID_CAS_LOOP],
    dialects: &["arith", "scf", "xpu"],
    run,
};

/// What one of upstream's kinds becomes.
#[derive(Clone, Copy)]
enum Step {
    /// A single operation.
    Kind(Kind),
    /// A loop around this operation on the old value and the operand.
    Loop(&'static str),
}

/// `arith::AtomicRMWKind`, in the order of its numbers.
const STEPS: [Step; 16] = [
    Step::Kind(Kind::FAdd),     // addf
    Step::Kind(Kind::Add),      // addi
    Step::Kind(Kind::And),      // andi
    Step::Kind(Kind::Xchg),     // assign
    Step::Kind(Kind::FMaximum), // maximumf
    Step::Kind(Kind::FMax),     // maxnumf
    Step::Kind(Kind::SMax),     // maxs
    Step::Kind(Kind::UMax),     // maxu
    Step::Kind(Kind::FMinimum), // minimumf
    Step::Kind(Kind::FMin),     // minnumf
    Step::Kind(Kind::SMin),     // mins
    Step::Kind(Kind::UMin),     // minu
    Step::Loop("arith.mulf"),   // mulf
    Step::Loop("arith.muli"),   // muli
    Step::Kind(Kind::Or),       // ori
    Step::Kind(Kind::Xor),      // xori
];

/// What an atomic computes: one of the dialect's kinds, or anything, again until it fits.
enum Update<'c> {
    Kind(Kind, Value<'c>),
    Loop(Body<'c>),
}

/// A region of one block that computes the new value from its one argument.
struct Body<'c> {
    region: Region<'c>,
    block: Block<'c>,
    seen: Value<'c>,
    new: Value<'c>,
}

/// The element that an atomic accesses.
struct Element<'c> {
    memref: Value<'c>,
    indices: Vec<Value<'c>>,
    ty: Type<'c>,
}

fn run(root: Op<'_>, options: &OptionValues<'_>) -> Result<(), Reported> {
    let forbid_cas_loop = options.flag(FORBID_CAS_LOOP.name);
    // Bodies move and terminators go, so that only the atomics may be held on to.
    let mut atomics = root.descendants();
    atomics.retain(|op| op.is(ATOMIC_RMW) || op.is(GENERIC_ATOMIC_RMW));
    let mut outcome = Ok(());
    for op in atomics {
        outcome = convert(op, forbid_cas_loop).and(outcome);
    }
    outcome
}

fn convert(op: Op<'_>, forbid_cas_loop: bool) -> Result<(), Reported> {
    let mut operands = op.operands();
    let value = op.is(ATOMIC_RMW).then(|| operands.remove(0));
    let element = Element::of(op, operands)?;
    let update = match value {
        Some(value) => named_update(op, value)?,
        None => Update::Loop(Body::of_generic(op)),
    };
    let old = match update {
        Update::Kind(kind, value) => single(op, &element, kind, value),
        Update::Loop(_) if forbid_cas_loop => {
            return Err(op.error(
                "becomes a CAS loop on every target, and CAS loops are forbidden; use a \
                 'memref.atomic_rmw' of a kind that targets have, such as 'addi'",
            ));
        }
        Update::Loop(body) => cas_loop(op, &element, &body),
    };
    op.replace_with(&[old]);
    Ok(())
}

impl<'c> Element<'c> {
    /// The element that these operands name: a memref and its indices.
    fn of(op: Op<'c>, mut operands: Vec<Value<'c>>) -> Result<Self, Reported> {
        let indices = operands.split_off(1);
        let memref = operands[0];
        let Some(MemRef { element: ty, .. }) = MemRef::of(memref.ty()) else {
            return Err(op.error(&format!(
                "expects a memref with a strided layout, but has '{}'",
                memref.ty()
            )));
        };
        if atomic::table_type(ty).is_none() {
            return Err(op.error(&format!(
                "has elements of type '{ty}', which no atomic takes; use i8, i16, i32, i64, f16, \
                 bf16, f32 or f64"
            )));
        }
        Ok(Self {
            memref,
            indices,
            ty,
        })
    }

    /// Completes an access to the element.
    fn access(&self, access: OpBuilder<'c>) -> OpBuilder<'c> {
        access.operands(&[self.memref]).operands(&self.indices)
    }
}

/// What the kind of a `memref.atomic_rmw` asks for.
fn named_update<'c>(op: Op<'c>, value: Value<'c>) -> Result<Update<'c>, Reported> {
    let number = op.attribute("kind").and_then(types::integer_value);
    let step = number.and_then(|number| STEPS.get(usize::try_from(number).ok()?));
    match step {
        Some(Step::Kind(kind)) => Ok(Update::Kind(*kind, value)),
        Some(Step::Loop(name)) => Ok(Update::Loop(Body::of_binary(op, name, value))),
        None => Err(op.error("has a kind that xpu does not know")),
    }
}

impl<'c> Body<'c> {
    /// An operation on the old value and another.
    fn of_binary(op: Op<'c>, name: &'static str, value: Value<'c>) -> Self {
        let (region, block) = Region::with_block(&[(value.ty(), op.location())]);
        let seen = block.arguments()[0];
        let new = Builder::before(op)
            .in_block(block)
            .value(name, &[seen, value], value.ty());
        Self {
            region,
            block,
            seen,
            new,
        }
    }

    /// The body of a `memref.generic_atomic_rmw`, moved out of it without its terminator. Only
    /// operations without effects stand in it, so that it may run again.
    fn of_generic(op: Op<'c>) -> Self {
        let region = Region::detached();
        region.take(op.region(0));
        let block = region.first().expect("a verified body has a block");
        let end = block
            .terminator()
            .expect("a verified body has a terminator");
        let (seen, new) = (block.arguments()[0], end.operand(0));
        end.erase();
        Self {
            region,
            block,
            seen,
            new,
        }
    }
}

/// One operation of the dialect, before `op`; returns the old value.
fn single<'c>(op: Op<'c>, element: &Element<'c>, kind: Kind, value: Value<'c>) -> Value<'c> {
    let rmw = Builder::before(op)
        .op(AtomicRmw::NAME)
        .operands(&[value])
        .attribute("kind", types::i32_attribute(op.context(), kind.number()));
    with_attributes_of(op, element.access(rmw))
        .result(element.ty)
        .build()
        .result(0)
}

/// Runs the body on the value seen last, until that value is the one that was replaced; before
/// `op`. Returns the old value.
fn cas_loop<'c>(op: Op<'c>, element: &Element<'c>, body: &Body<'c>) -> Value<'c> {
    let builder = Builder::before(op);
    let relaxed = types::i32_attribute(op.context(), Ordering::Relaxed.number());
    let first = element
        .access(builder.op(AtomicLoad::NAME))
        .attribute("ordering", relaxed)
        .result(element.ty)
        .build()
        .result(0);

    let before = builder.in_block(body.block);
    let cas = before
        .op(Cas::NAME)
        .operands(&[body.seen, body.new])
        .attribute("failure", relaxed);
    let old = with_attributes_of(op, element.access(cas))
        .result(element.ty)
        .build()
        .result(0);
    let again = differ(before, old, body.seen);
    before.op("scf.condition").operands(&[again, old]).build();

    let (after, block) = Region::with_block(&[(element.ty, op.location())]);
    builder
        .in_block(block)
        .op("scf.yield")
        .operands(&block.arguments())
        .build();

    builder
        .op("scf.while")
        .operands(&[first])
        .result(element.ty)
        .region(body.region)
        .region(after)
        .build()
        .result(0)
}

/// Whether the bits of two values of one type differ. A NaN is unequal to itself, and both zeros
/// are equal, so floats are compared as integers.
fn differ<'c>(builder: Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    const NE: i64 = 1;
    let bits = |value: Value<'c>| match types::bit_width(value.ty()) {
        Some(width) if types::is_float(value.ty()) => {
            let integer = types::integer(builder.context(), width);
            builder.value("arith.bitcast", &[value], integer)
        }
        _ => value,
    };
    builder
        .op("arith.cmpi")
        .operands(&[bits(left), bits(right)])
        .attribute("predicate", types::i64_attribute(builder.context(), NE))
        .result(types::integer(builder.context(), 1))
        .build()
        .result(0)
}

/// Adds the attributes that are not part of what `op` is, such as those of a frontend.
fn with_attributes_of<'c>(op: Op<'c>, mut new: OpBuilder<'c>) -> OpBuilder<'c> {
    for (name, value) in op.discardable_attributes() {
        new = new.attribute(name, value);
    }
    new
}
