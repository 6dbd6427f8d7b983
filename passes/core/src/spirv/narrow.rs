//! What Vulkan need not have becomes 32-bit integers: `index`, integers of 8 and 16 bits, and the bits of
//! f16 and bf16.
//!
//! A small number is kept with zeros above it. Where an operation lets the bits above show, its operands
//! have their sign brought up first, or its result its upper bits cleared. `index` is a whole word, and
//! wraps as one.

use super::half::{self, Half};
use super::sums;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types::{self, Sign};
use xpu_targets::Target;

/// Operations that hand values on as they are.
const HANDS_ON: &[&str] = &[
    "arith.select",
    "gpu.return",
    "scf.condition",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
    "ub.poison",
];

/// Lowers all of a kernel whose memory and ids are lowered.
///
/// # Errors
///
/// Types that the target lacks, and operations on small numbers that are not known.
pub(crate) fn lower<'c>(kernel: Op<'c>, target: &Target) -> Result<(), Reported> {
    let mut outcome = Ok(());
    // What is made along the way has other types than what it replaces: the source's count.
    let typed: Vec<Typed<'c>> = kernel
        .descendants()
        .into_iter()
        .skip(1)
        .map(Typed::of)
        .collect();
    for typed in typed {
        let done = check_types(&typed, target).and_then(|()| lower_op(&typed, target));
        outcome = outcome.and(done);
    }
    outcome?;
    let word = types::integer(kernel.context(), 32);
    kernel.replace_types(|ty| is_small(ty).then_some(word));
    Ok(())
}

/// Whether values of the type are kept in words.
fn is_small(ty: Type<'_>) -> bool {
    types::is_index(ty) || small_bits(ty).is_some()
}

/// The width of a number of 8 or 16 bits.
fn small_bits(ty: Type<'_>) -> Option<u32> {
    let bits = types::bit_width(ty)?;
    let is_number =
        types::is_float(ty) || matches!(types::integer_parts(ty), Some((_, Sign::Signless)));
    (is_number && matches!(bits, 8 | 16)).then_some(bits)
}

/// An operation with the types of its operands and results as the source has them.
struct Typed<'c> {
    op: Op<'c>,
    operands: Vec<Type<'c>>,
    results: Vec<Type<'c>>,
}

impl<'c> Typed<'c> {
    fn of(op: Op<'c>) -> Self {
        Self {
            op,
            operands: op.operands().iter().map(|value| value.ty()).collect(),
            results: op.results().iter().map(|value| value.ty()).collect(),
        }
    }

    fn types(&self) -> impl Iterator<Item = Type<'c>> {
        self.operands.iter().chain(&self.results).copied()
    }
}

fn check_types(typed: &Typed<'_>, target: &Target) -> Result<(), Reported> {
    let op = typed.op;
    for ty in typed.types() {
        check_vector(op, ty)?;
        let needs = match (types::bit_width(ty), types::is_float(ty)) {
            (Some(64), true) => Some("shader_float64"),
            (Some(64), false) if types::integer_parts(ty).is_some() => Some("shader_int64"),
            (Some(1 | 8 | 16 | 32), _) | (None, _) => None,
            (Some(_), _) if types::integer_parts(ty).is_some() || types::is_float(ty) => {
                return Err(op.error(&format!(
                    "has a value of type '{ty}', which Vulkan does not have; use integers of 8, 16, 32 or \
                     64 bits"
                )));
            }
            (Some(_), _) => None,
        };
        if let Some(feature) = needs.filter(|feature| !target.has(feature)) {
            return Err(op.error(&format!(
                "has a value of type '{ty}', which target '{target}' does not have; add '+{feature}' where \
                 the device has it"
            )));
        }
    }
    Ok(())
}

/// SPIR-V has vectors of two, three and four numbers (Vulkan, Validation Rules within a Module).
fn check_vector(op: Op<'_>, ty: Type<'_>) -> Result<(), Reported> {
    let text = ty.to_string();
    let Some(shape) = text.strip_prefix("vector<") else {
        return Ok(());
    };
    let is_known = ["1x", "2x", "3x", "4x"].iter().any(|count| {
        let element = shape
            .strip_prefix(count)
            .map(|rest| rest.replace("index", "i32"));
        element.is_some_and(|element| !element.contains('x'))
    });
    if is_known {
        return Ok(());
    }
    Err(op.error(&format!(
        "has a value of type '{text}', which Vulkan does not have; use vectors of at most 4 elements"
    )))
}

fn lower_op<'c>(typed: &Typed<'c>, target: &Target) -> Result<(), Reported> {
    let op = typed.op;
    if op.is("arith.addf") && op.attribute(sums::KEEPS_SUBNORMALS).is_some() {
        let feature = match types::bit_width(op.result(0).ty()) {
            Some(64) => "shader_denorm_preserve_float64",
            _ => "shader_denorm_preserve_float32",
        };
        if target.has(feature) {
            op.remove_attribute(sums::KEEPS_SUBNORMALS);
        } else {
            sums::keep_subnormals(op);
        }
        return Ok(());
    }
    let hands_on = HANDS_ON.contains(&op.name()) || op.name().starts_with("spirv.");
    if hands_on || !typed.types().any(is_small) {
        return Ok(());
    }
    let unknown = || unknown(typed);
    let to = typed.results.first().copied().ok_or_else(unknown)?;
    let small = Small {
        builder: Builder::before(op),
        op,
        from: typed.operands.first().copied().unwrap_or(to),
        to,
    };
    match small.lowered() {
        Lowered::By(value) => op.replace_with(&[value]),
        // Right as it is, once its types are words.
        Lowered::Stays => {}
        Lowered::Unknown => return Err(unknown()),
    }
    Ok(())
}

fn unknown(typed: &Typed<'_>) -> Reported {
    let types: Vec<String> = typed.types().map(|ty| ty.to_string()).collect();
    let types = types.join(", ");
    typed.op.error(&format!(
        "on {types} has no lowering for Vulkan; compute in 32 bits"
    ))
}

/// What becomes of an operation on small numbers.
enum Lowered<'c> {
    By(Value<'c>),
    Stays,
    Unknown,
}

impl<'c> From<Option<Value<'c>>> for Lowered<'c> {
    fn from(value: Option<Value<'c>>) -> Self {
        value.map_or(Self::Unknown, Self::By)
    }
}

/// An operation on small numbers.
struct Small<'c> {
    builder: Builder<'c>,
    op: Op<'c>,
    from: Type<'c>,
    to: Type<'c>,
}

impl<'c> Small<'c> {
    fn lowered(&self) -> Lowered<'c> {
        let op = self.op;
        match op.name() {
            "arith.constant" => self.constant().into(),
            "arith.addi" | "arith.subi" | "arith.muli" | "arith.shli" => {
                Lowered::By(self.masked(self.again(&op.operands())))
            }
            "arith.andi" | "arith.ori" | "arith.xori" | "arith.minui" | "arith.maxui"
            | "arith.divui" | "arith.remui" | "arith.shrui" | "arith.ceildivui" => Lowered::Stays,
            "arith.divsi" | "arith.remsi" | "arith.minsi" | "arith.maxsi" | "arith.floordivsi"
            | "arith.ceildivsi" => {
                let operands = [
                    self.signed(op.operand(0), self.from),
                    self.signed(op.operand(1), self.from),
                ];
                Lowered::By(self.masked(self.again(&operands)))
            }
            "arith.shrsi" => {
                let operands = [self.signed(op.operand(0), self.from), op.operand(1)];
                Lowered::By(self.masked(self.again(&operands)))
            }
            "arith.cmpi" => self.comparison().map_or(Lowered::Stays, Lowered::By),
            "arith.extui" | "arith.index_castui" => Lowered::By(self.resized(op.operand(0), false)),
            "arith.extsi" | "arith.index_cast" => Lowered::By(self.resized(op.operand(0), true)),
            "arith.trunci" => Lowered::By(self.resized(op.operand(0), false)),
            "arith.bitcast" => Lowered::By(op.operand(0)),
            "arith.uitofp" if small_bits(self.to).is_none() => Lowered::Stays,
            "arith.sitofp" if small_bits(self.to).is_none() => {
                let operand = self.signed(op.operand(0), self.from);
                Lowered::By(self.builder.value("arith.sitofp", &[operand], self.to))
            }
            "arith.fptoui" | "arith.fptosi" if small_bits(self.from).is_none() => {
                Lowered::By(self.masked(self.again(&op.operands())))
            }
            "arith.extf" => self.extended().into(),
            "arith.truncf" => self.truncated().into(),
            "arith.negf" => {
                let sign = self.builder.integer(self.word(), 0x8000);
                Lowered::By(
                    self.builder
                        .value("arith.xori", &[op.operand(0), sign], self.word()),
                )
            }
            "math.absf" => {
                let rest = self.builder.integer(self.word(), 0x7FFF);
                Lowered::By(
                    self.builder
                        .value("arith.andi", &[op.operand(0), rest], self.word()),
                )
            }
            // An index is a whole word: what is right for words is right for it.
            _ if small_bits(self.from).is_none() && small_bits(self.to).is_none() => Lowered::Stays,
            _ => Lowered::Unknown,
        }
    }

    fn word(&self) -> Type<'c> {
        types::integer(self.builder.context(), 32)
    }

    /// The operation on other operands, with a word as its result.
    fn again(&self, operands: &[Value<'c>]) -> Value<'c> {
        self.builder.value(self.op.name(), operands, self.word())
    }

    /// The number with zeros above what the result holds.
    fn masked(&self, value: Value<'c>) -> Value<'c> {
        let Some(bits) = small_bits(self.to) else {
            return value;
        };
        let ones = self.builder.integer(self.word(), (1 << bits) - 1);
        self.builder
            .value("arith.andi", &[value, ones], self.word())
    }

    /// The number with its sign in the bits above it.
    fn signed(&self, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let Some(bits) = small_bits(ty) else {
            return value;
        };
        let by = self.builder.integer(self.word(), i64::from(32 - bits));
        let up = self.builder.value("arith.shli", &[value, by], self.word());
        self.builder.value("arith.shrsi", &[up, by], self.word())
    }

    fn constant(&self) -> Option<Value<'c>> {
        let value = self.op.attribute("value");
        let number = if let Some(format) = Half::of(self.to) {
            let number = value.and_then(types::float_value)?;
            i64::from(bits_of(format, number))
        } else {
            let number = value.and_then(types::integer_value)?;
            match small_bits(self.to) {
                Some(bits) => number & ((1 << bits) - 1),
                // An index is the low word of its number.
                None => i64::from(number as i32),
            }
        };
        Some(self.builder.integer(self.word(), number))
    }

    fn comparison(&self) -> Option<Value<'c>> {
        let predicate = self
            .op
            .attribute("predicate")
            .and_then(types::integer_value);
        // The signed ones: slt, sle, sgt, sge.
        if !matches!(predicate, Some(2..=5)) || small_bits(self.from).is_none() {
            return None;
        }
        let operands = [0, 1].map(|at| self.signed(self.op.operand(at), self.from));
        Some(
            self.builder
                .op("arith.cmpi")
                .operands(&operands)
                .optional_attribute("predicate", self.op.attribute("predicate"))
                .result(self.to)
                .build()
                .result(0),
        )
    }

    /// The number in another width.
    fn resized(&self, value: Value<'c>, is_signed: bool) -> Value<'c> {
        let (builder, word) = (self.builder, self.word());
        let wide = if is_signed {
            "arith.extsi"
        } else {
            "arith.extui"
        };
        // First as a word.
        let value = match types::integer_parts(self.from) {
            Some((1, _)) => builder.value(wide, &[value], word),
            Some((64, _)) => builder.value("arith.trunci", &[value], word),
            _ if is_signed => self.signed(value, self.from),
            _ => value,
        };
        match types::integer_parts(self.to) {
            Some((64, _)) => builder.value(wide, &[value], self.to),
            Some((1, _)) => builder.value("arith.trunci", &[value], self.to),
            _ => self.masked(value),
        }
    }

    fn extended(&self) -> Option<Value<'c>> {
        let format = Half::of(self.from)?;
        let wide = half::widened(self.builder, format, self.op.operand(0));
        Some(match types::bit_width(self.to) {
            Some(64) => self.builder.value("arith.extf", &[wide], self.to),
            _ => wide,
        })
    }

    fn truncated(&self) -> Option<Value<'c>> {
        let format = Half::of(self.to)?;
        let value = match types::bit_width(self.from) {
            Some(64) => half::rounded_to_odd(self.builder, self.op.operand(0)),
            Some(32) => self.op.operand(0),
            _ => return None,
        };
        Some(half::narrowed(self.builder, format, value))
    }
}

/// The bits of a number that the format has.
fn bits_of(format: Half, number: f64) -> u16 {
    match format {
        Half::F16 => ::half::f16::from_f64(number).to_bits(),
        Half::Bf16 => ::half::bf16::from_f64(number).to_bits(),
    }
}
