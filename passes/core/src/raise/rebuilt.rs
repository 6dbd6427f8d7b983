//! What a turn computes, made again outside of the loop, on a stand-in for the value that the last turn
//! saw.
//!
//! In the turn that ends the loop, the value that was expected and the one that was found are the same
//! bits. So both become the stand-in; what depends on neither stands before it, and the rest behind.
//! A value that needs anything else of the loop cannot be made.

use super::Refusal;
use super::shape::Loop;
use super::swap::{Swap, is_cast, is_pure};
use crate::expand::arith::constant;
use std::collections::{HashMap, HashSet};
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types;

/// The values of the last turn.
#[derive(Debug)]
pub(crate) struct Rebuilt<'c, 'l> {
    around: &'l Loop<'c>,
    /// Before it stands what depends on the stand-in.
    anchor: Op<'c>,
    stand_in: Op<'c>,
    /// The stand-in in each type that it is looked at.
    looks: Vec<Value<'c>>,
    values: HashMap<Value<'c>, Result<Value<'c>, Refusal>>,
    dependent: HashSet<Value<'c>>,
    made: Vec<Op<'c>>,
}

/// Operations that may be done in a narrow type where wide operands were widened from it and the result
/// is made narrow again, with what must have widened them.
const NARROWED: &[(&str, &[&str])] = &[
    ("arith.addf", &["arith.extf"]),
    ("arith.addi", &["arith.extsi", "arith.extui"]),
    ("arith.andi", &["arith.extsi", "arith.extui"]),
    ("arith.maximumf", &["arith.extf"]),
    ("arith.maxnumf", &["arith.extf"]),
    ("arith.maxsi", &["arith.extsi"]),
    ("arith.maxui", &["arith.extui"]),
    ("arith.minimumf", &["arith.extf"]),
    ("arith.minnumf", &["arith.extf"]),
    ("arith.minsi", &["arith.extsi"]),
    ("arith.minui", &["arith.extui"]),
    ("arith.ori", &["arith.extsi", "arith.extui"]),
    ("arith.subf", &["arith.extf"]),
    ("arith.subi", &["arith.extsi", "arith.extui"]),
    ("arith.xori", &["arith.extsi", "arith.extui"]),
];

impl<'c, 'l> Rebuilt<'c, 'l> {
    /// Makes them before `anchor`.
    pub(crate) fn new(around: &'l Loop<'c>, swap: &Swap<'c>, anchor: Op<'c>) -> Self {
        let old = swap.cas.result_old();
        let stand_in = Builder::before(anchor)
            .op("builtin.unrealized_conversion_cast")
            .result(old.ty())
            .build();
        let mut rebuilt = Self {
            around,
            anchor,
            stand_in,
            looks: vec![stand_in.result(0)],
            values: HashMap::new(),
            dependent: HashSet::from([stand_in.result(0)]),
            made: Vec::new(),
        };
        for carried in &around.carried {
            let value = if around.in_turn(carried.next) == carried.value {
                Ok(carried.first)
            } else {
                Err(Refusal::new(
                    "something that it carries besides the value that was read is used; the single \
                     operation gives the old value only",
                ))
            };
            rebuilt.values.insert(carried.value, value);
        }
        rebuilt.values.insert(old, Ok(stand_in.result(0)));
        let seen = rebuilt.seen_as(swap.seen.ty());
        rebuilt.values.insert(swap.seen, Ok(seen));
        let mut ops = around.turn.ops();
        ops.pop();
        for op in ops {
            rebuilt.op(op);
        }
        rebuilt
    }

    /// What a value of a turn is in the last one.
    pub(crate) fn get(&self, value: Value<'c>) -> Result<Value<'c>, Refusal> {
        let value = self.around.in_turn(value);
        if !self.around.makes(value) {
            return Ok(value);
        }
        self.values.get(&value).cloned().unwrap_or_else(|| {
            Err(Refusal::new(
                "a value that it makes between two turns is used; the single operation gives the \
                 old value only",
            ))
        })
    }

    /// Whether a value depends on the old one.
    pub(crate) fn depends(&self, value: Value<'c>) -> bool {
        self.dependent.contains(&value)
    }

    /// The old value as this type of its width.
    pub(crate) fn seen_as(&mut self, ty: Type<'c>) -> Value<'c> {
        if let Some(look) = self.looks.iter().find(|look| look.ty() == ty) {
            return *look;
        }
        let look = self.cast_anew(self.looks[0], ty);
        self.looks.push(look);
        look
    }

    /// A value without casts that depend on the old one.
    pub(crate) fn uncast(&self, mut value: Value<'c>) -> Value<'c> {
        while let Some(op) = value.defining_op()
            && is_cast(op)
            && self.depends(value)
        {
            value = op.operand(0);
        }
        value
    }

    /// The same bits as another type of the same width.
    pub(crate) fn cast(&mut self, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let mut base = value;
        while base.ty() != ty
            && let Some(op) = base.defining_op().filter(|op| is_cast(*op))
        {
            base = op.operand(0);
        }
        if base.ty() == ty {
            base
        } else if base == self.looks[0] {
            self.seen_as(ty)
        } else {
            self.cast_anew(base, ty)
        }
    }

    fn cast_anew(&mut self, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let both_integers = !types::is_float(value.ty()) && !types::is_float(ty);
        let has_sign = |ty: Type<'c>| {
            types::integer_parts(ty).is_some_and(|(_, sign)| sign != types::Sign::Signless)
        };
        if both_integers {
            return self.unary("xpu.sign_cast", value, ty);
        }
        // Bit casts are between types without a sign.
        let signless = |ty: Type<'c>| match types::integer_parts(ty) {
            Some((width, _)) if has_sign(ty) => types::integer(self.anchor.context(), width),
            _ => ty,
        };
        let (from, to) = (signless(value.ty()), signless(ty));
        let mut value = value;
        if value.ty() != from {
            value = self.unary("xpu.sign_cast", value, from);
        }
        value = self.unary("arith.bitcast", value, to);
        if to != ty {
            value = self.unary("xpu.sign_cast", value, ty);
        }
        value
    }

    fn unary(&mut self, name: &'c str, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let op = Builder::before(self.anchor)
            .op(name)
            .operands(&[value])
            .result(ty)
            .detached();
        self.put(op).result(0)
    }

    /// Puts an operation before the stand-in or behind it.
    fn put(&mut self, op: Op<'c>) -> Op<'c> {
        if op.operands().iter().any(|value| self.depends(*value)) {
            self.anchor.insert_before(op);
            self.dependent.extend(op.results());
        } else {
            self.stand_in.insert_before(op);
        }
        self.made.push(op);
        op
    }

    /// Makes the results of an operation of a turn.
    fn op(&mut self, op: Op<'c>) {
        if op
            .results()
            .iter()
            .any(|result| self.values.contains_key(result))
        {
            return;
        }
        let results = self.results_of(op);
        for (at, result) in op.results().into_iter().enumerate() {
            let made = results
                .as_ref()
                .map(|made| made[at])
                .map_err(Refusal::clone);
            self.values.insert(result, made);
        }
    }

    fn results_of(&mut self, op: Op<'c>) -> Result<Vec<Value<'c>>, Refusal> {
        if !is_pure(op) {
            return Err(Refusal::new(
                "a value that it reads is used otherwise than to be expected; the single operation \
                 gives the old value only",
            ));
        }
        let operands: Vec<_> = op
            .operands()
            .into_iter()
            .map(|operand| self.get(operand))
            .collect::<Result<_, _>>()?;
        if is_cast(op) && types::bit_width(op.result(0).ty()).is_some() {
            return Ok(vec![self.cast(operands[0], op.result(0).ty())]);
        }
        if let Some(narrow) = self.narrowed(op, &operands) {
            return Ok(vec![narrow]);
        }
        let copy = op.clone_detached();
        for (at, operand) in operands.into_iter().enumerate() {
            copy.set_operand(at, operand);
        }
        Ok(self.put(copy).results())
    }

    /// An operation on widened operands whose result is made narrow again, in the narrow type: exact
    /// for integers, whose low bits depend on low bits alone or whose order widening keeps; and for
    /// f16 and bf16 in f32 or f64, where rounding a sum twice is as rounding it once.
    fn narrowed(&mut self, op: Op<'c>, operands: &[Value<'c>]) -> Option<Value<'c>> {
        let truncates = op.is("arith.trunci") || op.is("arith.truncf");
        if !truncates || op.attribute("roundingmode").is_some() {
            return None;
        }
        let narrow = op.result(0).ty();
        let wide = operands[0].defining_op()?;
        let (name, widened_by) = NARROWED.iter().find(|(name, _)| wide.is(name))?;
        if types::is_float(narrow) && types::bit_width(narrow) != Some(16) {
            return None;
        }
        let keeps_low_bits = widened_by.len() > 1;
        let mut source = |value: Value<'c>| {
            let by = value.defining_op()?;
            if keeps_low_bits && let Some(number) = constant(value) {
                return self.constant(number, narrow);
            }
            let widens = widened_by.contains(&by.name()) && by.operand(0).ty() == narrow;
            widens.then(|| by.operand(0))
        };
        let narrow_operands = [source(wide.operand(0))?, source(wide.operand(1))?];
        let made = Builder::before(op)
            .op(name)
            .operands(&narrow_operands)
            .result(narrow)
            .detached();
        Some(self.put(made).result(0))
    }

    /// The low bits of a number.
    fn constant(&mut self, number: i64, ty: Type<'c>) -> Option<Value<'c>> {
        let unused = 64 - types::bit_width(ty)?;
        let op = Builder::before(self.anchor)
            .op("arith.constant")
            .attribute(
                "value",
                types::integer_attribute(ty, (number << unused) >> unused),
            )
            .result(ty)
            .detached();
        Some(self.put(op).result(0))
    }

    /// The place behind everything that does not depend on the old value.
    pub(crate) fn place(&self) -> Builder<'c> {
        Builder::before(self.stand_in)
    }

    /// Puts the old value in the place of the stand-in, and removes what is of no use.
    pub(crate) fn finish(mut self, old: Value<'c>) {
        for look in self.looks.iter().skip(1) {
            if look.ty() == old.ty() {
                look.replace_all_uses_with(old);
            }
        }
        self.sweep();
        let stand_in = self.stand_in.result(0);
        if stand_in.has_uses() {
            let old = self.cast_behind(old, stand_in.ty());
            stand_in.replace_all_uses_with(old);
        }
        self.stand_in.erase();
    }

    /// A cast right behind the operation, before whatever uses the stand-in.
    fn cast_behind(&self, old: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let builder = Builder::before(self.stand_in);
        if old.ty() == ty {
            old
        } else if types::is_float(old.ty()) || types::is_float(ty) {
            builder.value("arith.bitcast", &[old], ty)
        } else {
            builder.value("xpu.sign_cast", &[old], ty)
        }
    }

    /// Removes everything that was made.
    pub(crate) fn discard(mut self) {
        self.sweep();
        self.stand_in.erase();
    }

    fn sweep(&mut self) {
        for op in std::mem::take(&mut self.made).into_iter().rev() {
            if op.results().iter().all(|result| !result.has_uses()) {
                op.erase();
            }
        }
    }
}
