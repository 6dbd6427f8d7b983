//! `convert-memref-atomics-to-xpu`: makes upstream's atomics into those of xpu.
//!
//! Requires: nothing; works wherever `memref.atomic_rmw` and `memref.generic_atomic_rmw` stand.
//! Guarantees: none of the two is left, each result is the value before the update, and no loop
//! compares floats: a loop ends when the bits that were read are the bits that were replaced, also
//! where they are those of a NaN. A body that is one of xpu's kinds ([`body_kind`] says which), or
//! ignores the old value, becomes that operation. Does not: write orderings or scopes, which upstream's
//! atomics lack and the assign passes decide, unless the options `ordering` and `scope` say them.
//!
//! ```mlir
//! %a = memref.atomic_rmw maxs %v, %m[%i] : (i32, memref<?xi32>) -> i32
//! %b = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
//! ^bb0(%current: i32):
//!   %less = arith.cmpi ult, %current, %v : i32
//!   %next = arith.select %less, %current, %v : i32
//!   memref.atomic_yield %next : i32
//! }
//! %c = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
//! ^bb0(%current: i32):
//!   %next = arith.muli %current, %v : i32
//!   memref.atomic_yield %next : i32
//! }
//! // becomes
//! %a = xpu.atomic_rmw smax %v, %m[%i] : memref<?xi32>
//! %b = xpu.atomic_rmw umin %v, %m[%i] : memref<?xi32>
//! %first = xpu.atomic_load %m[%i] ordering(relaxed) : memref<?xi32>
//! %c = scf.while (%current = %first) : (i32) -> i32 {
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
use crate::body_kind::{self, Why};
use crate::expand::arith::Arith;
use crate::pipelines::FORBID_CAS_LOOP;
use xpu_dialect::Context;
use xpu_dialect::axes::{Kind, Ordering, Scope};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Block, Builder, Op, OpBuilder, Region, Type, Value};
use xpu_dialect::passes::{OptionInfo, OptionValue, OptionValues, PassInfo};
use xpu_dialect::types::{self, MemRef};
use xpu_dialect::views::{AtomicLoad, AtomicRmw, Cas};

const ATOMIC_RMW: &str = "memref.atomic_rmw";
const GENERIC_ATOMIC_RMW: &str = "memref.generic_atomic_rmw";

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "convert-memref-atomics-to-xpu",
    summary: "Make upstream's memref atomics into xpu's",
    options: &[ORDERING, SCOPE, FORBID_CAS_LOOP],
    dialects: &["arith", "scf", "xpu"],
    run,
};

/// Upstream's atomics have neither; what is not given here, the assign passes decide.
const ORDERING: OptionInfo = OptionInfo {
    name: "ordering",
    description: "ordering of the atomics that it makes; unassigned leaves it to xpu-assign-ordering",
    value: OptionValue::OneOf(&[
        "unassigned",
        "relaxed",
        "acquire",
        "release",
        "acq_rel",
        "seq_cst",
    ]),
};

const SCOPE: OptionInfo = OptionInfo {
    name: "scope",
    description: "scope of the atomics that it makes; unassigned leaves it to xpu-assign-scope",
    value: OptionValue::OneOf(&[
        "unassigned",
        "workitem",
        "subgroup",
        "workgroup",
        "device",
        "system",
    ]),
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

/// What an atomic computes.
enum Update<'c> {
    /// One of the dialect's kinds.
    Kind(Kind, Value<'c>),
    /// This operation on the old value and the operand, again until it fits.
    Binary(&'static str, Value<'c>),
    /// Its own body, again until it fits, and why that is no kind.
    Body(Why),
}

/// A region of one block that computes the new value from its one argument.
struct Body<'c> {
    region: Region<'c>,
    block: Block<'c>,
    seen: Value<'c>,
    new: Value<'c>,
}

/// What every atomic that the pass makes says of itself.
#[derive(Clone, Copy)]
struct Clauses {
    ordering: Option<Ordering>,
    scope: Option<Scope>,
}

/// The element that an atomic accesses.
struct Element<'c> {
    memref: Value<'c>,
    indices: Vec<Value<'c>>,
    ty: Type<'c>,
}

fn run(root: Op<'_>, options: &OptionValues<'_>) -> Result<(), Reported> {
    let forbid_cas_loop = options.flag(FORBID_CAS_LOOP.name);
    let clauses = Clauses {
        ordering: Ordering::from_name(options.text(ORDERING.name)),
        scope: Scope::from_name(options.text(SCOPE.name)),
    };
    // Bodies move and terminators go, so that only the atomics may be held on to.
    let mut atomics = root.descendants();
    atomics.retain(|op| op.is(ATOMIC_RMW) || op.is(GENERIC_ATOMIC_RMW));
    let mut outcome = Ok(());
    for op in atomics {
        outcome = convert(op, clauses, forbid_cas_loop).and(outcome);
    }
    outcome
}

fn convert(op: Op<'_>, clauses: Clauses, forbid_cas_loop: bool) -> Result<(), Reported> {
    let mut operands = op.operands();
    let value = op.is(ATOMIC_RMW).then(|| operands.remove(0));
    let element = Element::of(op, operands)?;
    let update = match value {
        Some(value) => named_update(op, value)?,
        None => generic_update(op),
    };
    if forbid_cas_loop && let Some(why) = update.why_loop() {
        return Err(op.error(&format!(
            "becomes a CAS loop on every target, and CAS loops are forbidden: {why}; use a kind that \
             targets have, such as 'memref.atomic_rmw addi'",
        )));
    }
    let old = match update {
        Update::Kind(kind, value) => single(op, &element, clauses, kind, value),
        Update::Binary(name, value) => {
            cas_loop(op, &element, clauses, &Body::of_binary(op, name, value))
        }
        Update::Body(_) => cas_loop(op, &element, clauses, &Body::of_generic(op)),
    };
    op.replace_with(&[old]);
    Ok(())
}

impl Clauses {
    /// Adds them to an operation.
    fn on<'c>(self, context: &'c Context, op: OpBuilder<'c>) -> OpBuilder<'c> {
        let number = |number| types::i32_attribute(context, number);
        op.optional_attribute("ordering", self.ordering.map(|one| number(one.number())))
            .optional_attribute("scope", self.scope.map(|one| number(one.number())))
    }
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
        Some(Step::Loop(name)) => Ok(Update::Binary(name, value)),
        None => Err(op.error("has a kind that xpu does not know")),
    }
}

/// What the body of a `memref.generic_atomic_rmw` asks for. Only operations without effects stand in
/// it: what the operand needs may run before the atomic, and all of it may run again.
fn generic_update(op: Op<'_>) -> Update<'_> {
    let (block, end) = body_of(op);
    match body_kind::recognise(block.arguments()[0], end.operand(0)) {
        Ok((kind, operand)) => {
            for one in body_kind::needed_within(operand, block) {
                one.move_before(op);
            }
            Update::Kind(kind, operand)
        }
        Err(why) => Update::Body(why),
    }
}

/// The block of a `memref.generic_atomic_rmw`, and its terminator.
fn body_of(op: Op<'_>) -> (Block<'_>, Op<'_>) {
    let block = op.region(0).first().expect("a verified body has a block");
    let end = block
        .terminator()
        .expect("a verified body has a terminator");
    (block, end)
}

impl Update<'_> {
    /// Why it takes a loop, where it does.
    fn why_loop(&self) -> Option<String> {
        match self {
            Self::Kind(..) => None,
            Self::Binary(name, _) => Some(format!("'{name}' is none of the kinds")),
            Self::Body(why) => Some(why.to_string()),
        }
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

    /// The body of a `memref.generic_atomic_rmw`, taken out of it, without its terminator.
    fn of_generic(op: Op<'c>) -> Self {
        let (block, end) = body_of(op);
        let (seen, new) = (block.arguments()[0], end.operand(0));
        let region = Region::detached();
        region.take(op.region(0));
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
fn single<'c>(
    op: Op<'c>,
    element: &Element<'c>,
    clauses: Clauses,
    kind: Kind,
    value: Value<'c>,
) -> Value<'c> {
    let rmw = Builder::before(op)
        .op(AtomicRmw::NAME)
        .operands(&[value])
        .attribute("kind", types::i32_attribute(op.context(), kind.number()));
    with_attributes_of(op, clauses.on(op.context(), element.access(rmw)))
        .result(element.ty)
        .build()
        .result(0)
}

/// Runs the body on the value seen last, until that value is the one that was replaced; before
/// `op`. Returns the old value.
fn cas_loop<'c>(op: Op<'c>, element: &Element<'c>, clauses: Clauses, body: &Body<'c>) -> Value<'c> {
    let builder = Builder::before(op);
    let relaxed = types::i32_attribute(op.context(), Ordering::Relaxed.number());
    // What the load sees, the swap checks.
    let load = Clauses {
        ordering: Some(Ordering::Relaxed),
        ..clauses
    };
    let first = load
        .on(op.context(), element.access(builder.op(AtomicLoad::NAME)))
        .result(element.ty)
        .build()
        .result(0);

    let before = builder.in_block(body.block);
    let cas = before
        .op(Cas::NAME)
        .operands(&[body.seen, body.new])
        .attribute("failure", relaxed);
    let old = with_attributes_of(op, clauses.on(op.context(), element.access(cas)))
        .result(element.ty)
        .build()
        .result(0);
    let again = before.bits_differ(old, body.seen);
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

/// Adds the attributes that are not part of what `op` is, such as those of a frontend.
fn with_attributes_of<'c>(op: Op<'c>, mut new: OpBuilder<'c>) -> OpBuilder<'c> {
    for (name, value) in op.discardable_attributes() {
        new = new.attribute(name, value);
    }
    new
}
