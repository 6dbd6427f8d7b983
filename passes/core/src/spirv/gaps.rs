//! What MLIR's conversions to SPIR-V lack or get wrong, made of what they have and get right.
//!
//! Of `index`, every operation becomes that of `arith`: types are replaced before upstream's
//! `convert-index-to-spirv`, which takes the type alone. What is left of other dialects is refused here,
//! where it still is what the source says.

use super::{floats, integers};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types;
use xpu_targets::Target;

/// The operations of `index`, and those of `arith` that do the same.
#[rustfmt::skip] // one row a line
const INDEX: &[(&str, &str)] = &[
    ("index.add",       "arith.addi"),
    ("index.and",       "arith.andi"),
    ("index.castu",     "arith.index_castui"),
    ("index.casts",     "arith.index_cast"),
    ("index.ceildivs",  "arith.ceildivsi"),
    ("index.ceildivu",  "arith.ceildivui"),
    ("index.divs",      "arith.divsi"),
    ("index.divu",      "arith.divui"),
    ("index.floordivs", "arith.floordivsi"),
    ("index.maxs",      "arith.maxsi"),
    ("index.maxu",      "arith.maxui"),
    ("index.mins",      "arith.minsi"),
    ("index.minu",      "arith.minui"),
    ("index.mul",       "arith.muli"),
    ("index.or",        "arith.ori"),
    ("index.rems",      "arith.remsi"),
    ("index.remu",      "arith.remui"),
    ("index.shl",       "arith.shli"),
    ("index.shrs",      "arith.shrsi"),
    ("index.shru",      "arith.shrui"),
    ("index.sub",       "arith.subi"),
    ("index.xor",       "arith.xori"),
];

/// The predicates of `index.cmp`, and the numbers of the same ones of `arith.cmpi`.
const PREDICATES: &[(&str, i64)] = &[
    ("eq", 0),
    ("ne", 1),
    ("sge", 5),
    ("sgt", 4),
    ("sle", 3),
    ("slt", 2),
    ("uge", 9),
    ("ugt", 8),
    ("ule", 7),
    ("ult", 6),
];

/// What operations of other dialects than these come to here has no lowering.
const DIALECTS: &[&str] = &["arith.", "math.", "spirv.", "ub.", "vector."];

/// Operations of `scf` and `gpu` that have one.
const CONTROL: &[&str] = &[
    "gpu.return",
    "scf.condition",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
];

/// Fills the gaps in a kernel whose memory and ids are lowered.
///
/// # Errors
///
/// Operations that have no lowering.
pub(crate) fn fill(kernel: Op<'_>, target: &Target) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for op in kernel.descendants().into_iter().skip(1) {
        let done = fill_op(op, target);
        outcome = outcome.and(done);
    }
    outcome
}

fn fill_op(op: Op<'_>, target: &Target) -> Result<(), Reported> {
    let op = of_arith(op);
    let is_known = DIALECTS.iter().any(|name| op.name().starts_with(name));
    if !is_known && !CONTROL.contains(&op.name()) {
        return Err(op.error("has no lowering for Vulkan"));
    }
    let gap = Gap {
        op,
        builder: Builder::before(op),
        target,
    };
    if let Some(values) = gap.filled()? {
        op.replace_with(&values);
    }
    Ok(())
}

/// The operation of `arith` in the place of one of `index`.
fn of_arith(op: Op<'_>) -> Op<'_> {
    let builder = Builder::before(op);
    let context = builder.context();
    let results: Vec<Type<'_>> = op.results().iter().map(|result| result.ty()).collect();
    let row = INDEX.iter().find(|(name, _)| op.is(name));
    let made = match (op.name(), row) {
        (_, Some((_, name))) => builder.op(name).operands(&op.operands()),
        ("index.cmp", _) => {
            let text = op.attribute("pred").map(|pred| pred.to_string());
            let predicate = PREDICATES.iter().find(|(name, _)| {
                text.as_deref() == Some(&format!("#index<cmp_predicate {name}>"))
            });
            let Some((_, number)) = predicate else {
                return op;
            };
            builder
                .op("arith.cmpi")
                .operands(&op.operands())
                .attribute("predicate", types::i64_attribute(context, *number))
        }
        ("index.constant" | "index.bool.constant", _) => builder
            .op("arith.constant")
            .optional_attribute("value", op.attribute("value")),
        ("index.sizeof", _) => builder
            .op("arith.constant")
            .attribute("value", types::integer_attribute(types::index(context), 32)),
        _ => return op,
    };
    let made = made.results(&results).build();
    op.replace_with(&made.results());
    made
}

/// An operation that upstream's conversions may lack.
pub(super) struct Gap<'a, 'c> {
    pub(super) op: Op<'c>,
    pub(super) builder: Builder<'c>,
    pub(super) target: &'a Target,
}

impl<'c> Gap<'_, 'c> {
    /// The values of its results, where they are computed otherwise.
    fn filled(&self) -> Result<Option<Vec<Value<'c>>>, Reported> {
        let filled = match integers::fill(self) {
            Some(values) => Some(values),
            None => floats::fill(self)?,
        };
        Ok(filled)
    }

    /// An operand.
    pub(super) fn operand(&self, at: usize) -> Value<'c> {
        self.op.operand(at)
    }

    /// The type of the first operand.
    pub(super) fn ty(&self) -> Option<Type<'c>> {
        self.op.operands().first().map(|value| value.ty())
    }

    /// The type of 32-bit integers.
    pub(super) fn word(&self) -> Type<'c> {
        types::integer(self.builder.context(), 32)
    }

    /// An operation with one operand.
    pub(super) fn unary(&self, name: &'c str, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        self.builder.value(name, &[value], ty)
    }
}
