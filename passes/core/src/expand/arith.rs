//! Operations of `arith` on integers, and the bits of floats.

use xpu_dialect::Context;
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types;

/// A comparison of integers, by its number in `arith`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal = 0,
    NotEqual = 1,
    SignedLess = 2,
    SignedLessOrEqual = 3,
    SignedGreater = 4,
    SignedGreaterOrEqual = 5,
    UnsignedLess = 6,
    UnsignedLessOrEqual = 7,
    UnsignedGreater = 8,
    UnsignedGreaterOrEqual = 9,
}

impl Compare {
    /// By number.
    const ALL: [Self; 10] = [
        Self::Equal,
        Self::NotEqual,
        Self::SignedLess,
        Self::SignedLessOrEqual,
        Self::SignedGreater,
        Self::SignedGreaterOrEqual,
        Self::UnsignedLess,
        Self::UnsignedLessOrEqual,
        Self::UnsignedGreater,
        Self::UnsignedGreaterOrEqual,
    ];

    /// The comparison of an `arith.cmpi`.
    pub(crate) fn of(op: Op<'_>) -> Option<Self> {
        let number = op
            .attribute("predicate")
            .and_then(types::integer_value)
            .filter(|_| op.is("arith.cmpi"))?;
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// The same with its operands exchanged.
    pub(crate) fn swapped(self) -> Self {
        match self {
            Self::Equal | Self::NotEqual => self,
            Self::SignedLess => Self::SignedGreater,
            Self::SignedLessOrEqual => Self::SignedGreaterOrEqual,
            Self::SignedGreater => Self::SignedLess,
            Self::SignedGreaterOrEqual => Self::SignedLessOrEqual,
            Self::UnsignedLess => Self::UnsignedGreater,
            Self::UnsignedLessOrEqual => Self::UnsignedGreaterOrEqual,
            Self::UnsignedGreater => Self::UnsignedLess,
            Self::UnsignedGreaterOrEqual => Self::UnsignedLessOrEqual,
        }
    }

    /// What holds where this does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::SignedLess => Self::SignedGreaterOrEqual,
            Self::SignedLessOrEqual => Self::SignedGreater,
            Self::SignedGreater => Self::SignedLessOrEqual,
            Self::SignedGreaterOrEqual => Self::SignedLess,
            Self::UnsignedLess => Self::UnsignedGreaterOrEqual,
            Self::UnsignedLessOrEqual => Self::UnsignedGreater,
            Self::UnsignedGreater => Self::UnsignedLessOrEqual,
            Self::UnsignedGreaterOrEqual => Self::UnsignedLess,
        }
    }
}

/// The value of an integer constant.
pub(crate) fn constant(value: Value<'_>) -> Option<i64> {
    let op = value.defining_op().filter(|op| op.is("arith.constant"))?;
    op.attribute("value").and_then(types::integer_value)
}

/// Short forms of what expansions compute. Both operands are of one type.
pub(crate) trait Arith<'c>: Copy {
    fn builder(self) -> Builder<'c>;

    fn binary(self, name: &'c str, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.builder().value(name, &[left, right], left.ty())
    }

    fn add(self, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.binary("arith.addi", left, right)
    }

    fn subtract(self, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.binary("arith.subi", left, right)
    }

    fn multiply(self, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.binary("arith.muli", left, right)
    }

    fn and(self, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.binary("arith.andi", left, right)
    }

    fn or(self, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.binary("arith.ori", left, right)
    }

    fn xor(self, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.binary("arith.xori", left, right)
    }

    fn shift_left(self, value: Value<'c>, by: Value<'c>) -> Value<'c> {
        self.binary("arith.shli", value, by)
    }

    /// Shifts zeros in.
    fn shift_right(self, value: Value<'c>, by: Value<'c>) -> Value<'c> {
        self.binary("arith.shrui", value, by)
    }

    /// Every bit turned over.
    fn not(self, value: Value<'c>) -> Value<'c> {
        let ones = self.builder().integer(value.ty(), -1);
        self.xor(value, ones)
    }

    fn compare(self, how: Compare, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        let builder = self.builder();
        let context = builder.context();
        builder
            .op("arith.cmpi")
            .operands(&[left, right])
            .attribute("predicate", types::i64_attribute(context, how as i64))
            .result(types::integer(context, 1))
            .build()
            .result(0)
    }

    fn select(self, condition: Value<'c>, then: Value<'c>, otherwise: Value<'c>) -> Value<'c> {
        self.builder()
            .value("arith.select", &[condition, then, otherwise], then.ty())
    }

    /// The bits of a float as an integer; an integer is its own bits.
    fn bits(self, value: Value<'c>) -> Value<'c> {
        let ty = bits_type(self.builder().context(), value.ty());
        self.cast_bits(value, ty)
    }

    /// The same bits as another type of the same width.
    fn cast_bits(self, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        if value.ty() == ty {
            return value;
        }
        self.builder().value("arith.bitcast", &[value], ty)
    }

    /// Whether two values have the same bits. A comparison of floats would never call a NaN equal
    /// to itself, and would call the two zeros equal.
    fn same_bits(self, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.compare(Compare::Equal, self.bits(left), self.bits(right))
    }

    /// Whether two values differ in a bit.
    fn bits_differ(self, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.compare(Compare::NotEqual, self.bits(left), self.bits(right))
    }
}

impl<'c> Arith<'c> for Builder<'c> {
    fn builder(self) -> Builder<'c> {
        self
    }
}

/// The signless integer type as wide as an element type.
pub(super) fn bits_type<'c>(context: &'c Context, element: Type<'c>) -> Type<'c> {
    match types::bit_width(element) {
        Some(width) => types::integer(context, width),
        None => unreachable!("elements are integers or floats: the dialect verifies it"),
    }
}
