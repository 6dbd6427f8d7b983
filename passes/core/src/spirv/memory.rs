//! Buffers, workgroup memory and private memory: how each is declared, and plain accesses to it.
//!
//! A pointer of SPIR-V cannot become one to another type. So what a root is declared as follows from all
//! accesses to it:
//!
//! - A buffer may be bound under several variables, one for each type that it is accessed as, all
//!   declared as aliased: integers where there are integer atomics, floats where there are native float
//!   atomics, and for plain accesses whichever of them is there.
//! - Workgroup and private memory have one variable, and so one type. Where accesses are of several
//!   widths, it is an array of 32-bit words.
//! - An element of 8 or 16 bits without small storage, or with atomics on the word around it, is a part of
//!   its 32-bit word. A plain store to it is two atomics on the word, which leave the neighbours alone: the
//!   bits are cleared, then set. Nobody may look in between: that would be a race in the source.

use super::emitter::{Class, Emitter, Pointer, Variable};
use super::views::{View, byte_size};
use xpu_dialect::Context;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types;
use xpu_targets::Target;

/// A type that a variable's elements are declared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scalar {
    bits: u32,
    is_float: bool,
}

impl Scalar {
    const WORD: Self = Self::integer(32);

    /// An integer.
    pub(crate) const fn integer(bits: u32) -> Self {
        Self {
            bits,
            is_float: false,
        }
    }

    /// The float or integer of an element, an index being a word and a bit a byte.
    pub(crate) fn of(element: Type<'_>) -> Self {
        let bits = u32::try_from(byte_size(element)).unwrap_or(4) * 8;
        // Floats of 16 bits are kept as their bits.
        Self {
            bits,
            is_float: bits >= 32 && types::is_float(element),
        }
    }

    /// The width.
    pub(crate) const fn bits(self) -> u32 {
        self.bits
    }

    /// Whether it is a float.
    pub(crate) const fn is_float(self) -> bool {
        self.is_float
    }

    /// The integer of the same width.
    const fn as_integer(self) -> Self {
        Self::integer(self.bits)
    }

    /// The type in the `spirv` dialect. Small integers are unsigned there: signless ones are numbers in
    /// the making, which become 32-bit ones.
    fn ty(self, context: &Context) -> Type<'_> {
        match (self.bits, self.is_float) {
            (32, true) => Type::float32(context),
            (64, true) => Type::float64(context),
            (8 | 16, _) => Type::parse(context, &format!("ui{}", self.bits))
                .unwrap_or_else(|| unreachable!("ui8 and ui16 are types")),
            (bits, _) => types::integer(context, bits),
        }
    }
}

/// Where memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An argument, bound as a storage buffer.
    Buffer {
        /// The binding.
        binding: u32,
    },
    /// Memory of the workgroup, of so many bytes.
    Workgroup(u64),
    /// Memory of the work-item, of so many bytes.
    Private(u64),
}

/// One allocation or argument.
#[derive(Debug)]
pub(crate) struct Root<'c> {
    /// Where it comes from.
    pub(crate) origin: Origin,
    /// What its variables are called.
    pub(crate) name: String,
    /// Where private memory is declared.
    pub(crate) at: Builder<'c>,
    /// The type that atomics access it as, and plain accesses.
    atomics: Vec<Scalar>,
    plain: Vec<Scalar>,
    is_stored: bool,
    variables: Vec<(Scalar, Variable<'c>)>,
}

impl<'c> Root<'c> {
    /// A root that nothing is known to access yet.
    pub(crate) fn new(origin: Origin, name: String, at: Builder<'c>) -> Self {
        Self {
            origin,
            name,
            at,
            atomics: Vec::new(),
            plain: Vec::new(),
            is_stored: false,
            variables: Vec::new(),
        }
    }

    /// Notes a plain access.
    pub(crate) fn note_plain(&mut self, scalar: Scalar, is_store: bool) {
        self.is_stored |= is_store;
        if !self.plain.contains(&scalar) {
            self.plain.push(scalar);
        }
    }

    /// Notes an atomic instruction.
    pub(crate) fn note_atomic(&mut self, scalar: Scalar) {
        self.is_stored = true;
        if !self.atomics.contains(&scalar) {
            self.atomics.push(scalar);
        }
    }

    /// Forgets what accesses it.
    pub(crate) fn forget_accesses(&mut self) {
        self.atomics.clear();
        self.plain.clear();
        self.is_stored = false;
    }

    /// Whether atomics access it both as floats and as integers of that width.
    pub(crate) fn mixes_atomics(&self, bits: u32) -> bool {
        let has = |is_float| self.atomics.contains(&Scalar { bits, is_float });
        has(true) && has(false)
    }

    /// Whether it has one variable only.
    pub(crate) fn is_one_variable(&self) -> bool {
        !matches!(self.origin, Origin::Buffer { .. })
    }

    /// The type that an element is accessed as: itself, or the word that it is in or made of.
    fn holder(&self, element: Scalar, target: &Target) -> Scalar {
        if self.is_one_variable() {
            return self.one_type(target);
        }
        let has_word_atomics = self.atomics.iter().any(|one| one.bits == 32);
        if element.bits < 32 {
            let feature = match element.bits {
                8 => "storage_buffer_8bit_access",
                _ => "storage_buffer_16bit_access",
            };
            return if target.has(feature) && !has_word_atomics {
                element
            } else {
                Scalar::WORD
            };
        }
        let float = Scalar {
            is_float: true,
            ..element
        };
        let integer = element.as_integer();
        let integers = self.atomics.contains(&integer) || self.plain.contains(&integer);
        match element.is_float {
            true if integers && !self.atomics.contains(&float) => integer,
            _ => element,
        }
    }

    /// The type of the only variable: that of all accesses where they are of one width, else words.
    fn one_type(&self, target: &Target) -> Scalar {
        let all = || self.atomics.iter().chain(&self.plain);
        let Some(first) = all().next() else {
            return Scalar::WORD;
        };
        if all().any(|one| one.bits != first.bits) {
            return Scalar::WORD;
        }
        let is_float = all().all(|one| one.is_float) || self.atomics.iter().any(|one| one.is_float);
        let scalar = Scalar { is_float, ..*first };
        let is_private = matches!(self.origin, Origin::Private(_));
        match scalar.bits {
            // One element a word costs nothing that others see.
            8 | 16 if is_private => scalar,
            8 if target.has("shader_int8") => scalar,
            16 if target.has("shader_int16") => scalar,
            8 | 16 => Scalar::WORD,
            _ => scalar,
        }
    }

    fn class(&self) -> Class {
        match self.origin {
            Origin::Buffer { .. } => Class::StorageBuffer,
            Origin::Workgroup(_) => Class::Workgroup,
            Origin::Private(_) => Class::Function,
        }
    }

    /// The variable with elements of that type.
    fn variable(&mut self, emitter: &Emitter<'c>, scalar: Scalar) -> Variable<'c> {
        if let Some((_, known)) = self.variables.iter().find(|(one, _)| *one == scalar) {
            return *known;
        }
        let made = self.declare(emitter, scalar);
        self.variables.push((scalar, made));
        made
    }

    fn declare(&self, emitter: &Emitter<'c>, scalar: Scalar) -> Variable<'c> {
        let context = self.at.context();
        let bytes = scalar.bits / 8;
        let count = |held: u64| held.div_ceil(u64::from(bytes));
        match self.origin {
            Origin::Buffer { binding } => {
                let name = if self.variables.is_empty() {
                    self.name.clone()
                } else {
                    format!("{}.{}", self.name, scalar.ty(context))
                };
                emitter.buffer(&name, scalar.ty(context), bytes, binding)
            }
            Origin::Workgroup(held) => emitter.shared(&self.name, scalar.ty(context), count(held)),
            Origin::Private(held) => {
                let element = if bytes < 4 { Scalar::WORD } else { scalar };
                emitter.local(self.at, element.ty(context), count(held))
            }
        }
    }
}

/// What plain accesses are lowered with.
pub(crate) struct Memory<'a, 'c> {
    /// Writes the operations.
    pub(crate) emitter: &'a Emitter<'c>,
    /// The target.
    pub(crate) target: &'a Target,
    /// Whether a plain store in the kernel is an atomic one to a word: then plain loads of parts of words
    /// are atomic as well, since a neighbour's store would race with them.
    pub(crate) stores_to_words: bool,
}

impl<'c> Memory<'_, 'c> {
    /// Whether a store to an element of the root is an atomic one to the word that it is in.
    pub(crate) fn is_word_access(&self, root: &Root<'c>) -> bool {
        let is_part = |one: &&Scalar| one.bits < 32 && root.holder(**one, self.target).bits == 32;
        root.is_stored
            && root.class() != Class::Function
            && root.plain.iter().any(|one| is_part(&one))
    }

    /// The pointer for an atomic instruction on the scalar.
    ///
    /// # Errors
    ///
    /// Where the memory is declared as something else, which no pointer could be made from.
    pub(crate) fn atomic_pointer(
        &self,
        op: Op<'c>,
        root: &mut Root<'c>,
        view: &View<'c>,
        indices: &[Value<'c>],
        scalar: Scalar,
    ) -> Result<Pointer<'c>, Reported> {
        let declared = if root.is_one_variable() {
            root.one_type(self.target)
        } else {
            scalar
        };
        if declared != scalar {
            return Err(op.error(&format!(
                "is atomic on {} bits of workgroup memory that is also accessed with other widths; \
                 Vulkan declares it with one type, so put what is accessed in two ways into two buffers",
                scalar.bits
            )));
        }
        let builder = Builder::before(op);
        let variable = root.variable(self.emitter, scalar);
        let index = view.index(builder, indices);
        let ty = scalar.ty(builder.context());
        Ok(self.emitter.element(builder, &variable, index, ty))
    }

    /// A plain load of an element.
    pub(crate) fn load(
        &self,
        builder: Builder<'c>,
        root: &mut Root<'c>,
        view: &View<'c>,
        indices: &[Value<'c>],
    ) -> Value<'c> {
        let element = Scalar::of(view.element);
        let holder = root.holder(element, self.target);
        let index = view.index(builder, indices);
        let context = builder.context();
        let integer = types::integer(context, element.bits);
        let (own, other) = (element.bits, holder.bits);
        let bits = if own == other {
            let held = self.load_held(builder, root, holder, index);
            self.to_element_bits(builder, held, holder, integer)
        } else if own < other {
            let part = Part::of(builder, index, own);
            let word = self.load_word(builder, root, part.word);
            let lowest = builder.value("arith.shrui", &[word, part.shift], word.ty());
            builder.value("arith.trunci", &[lowest], integer)
        } else {
            let [low, high] = halves(builder, index).map(|at| {
                let half = self.load_held(builder, root, holder, at);
                let half = self.to_element_bits(builder, half, holder, types::integer(context, 32));
                builder.value("arith.extui", &[half], integer)
            });
            let by = builder.integer(integer, 32);
            let high = builder.value("arith.shli", &[high, by], integer);
            builder.value("arith.ori", &[high, low], integer)
        };
        from_bits(builder, bits, view.element)
    }

    /// A plain store of an element.
    pub(crate) fn store(
        &self,
        builder: Builder<'c>,
        root: &mut Root<'c>,
        view: &View<'c>,
        indices: &[Value<'c>],
        value: Value<'c>,
    ) {
        let element = Scalar::of(view.element);
        let holder = root.holder(element, self.target);
        let index = view.index(builder, indices);
        let bits = to_bits(builder, value, element.bits);
        let (own, other) = (element.bits, holder.bits);
        if own == other {
            self.store_held(builder, root, holder, index, bits);
        } else if own < other {
            self.store_part(builder, root, Part::of(builder, index, own), bits, own);
        } else {
            let word = types::integer(builder.context(), 32);
            let by = builder.integer(bits.ty(), 32);
            let high = builder.value("arith.shrui", &[bits, by], bits.ty());
            for (at, half) in halves(builder, index).into_iter().zip([bits, high]) {
                let half = builder.value("arith.trunci", &[half], word);
                self.store_held(builder, root, holder, at, half);
            }
        }
    }

    fn pointer(
        &self,
        builder: Builder<'c>,
        root: &mut Root<'c>,
        holder: Scalar,
        index: Value<'c>,
    ) -> Pointer<'c> {
        let is_padded = root.class() == Class::Function && holder.bits < 32;
        let declared = if is_padded { Scalar::WORD } else { holder };
        let variable = root.variable(self.emitter, holder);
        let ty = declared.ty(builder.context());
        self.emitter.element(builder, &variable, index, ty)
    }

    fn load_held(
        &self,
        builder: Builder<'c>,
        root: &mut Root<'c>,
        holder: Scalar,
        index: Value<'c>,
    ) -> Value<'c> {
        let from = self.pointer(builder, root, holder, index);
        self.emitter.load(builder, from)
    }

    /// What was loaded, as the integer of the element.
    fn to_element_bits(
        &self,
        builder: Builder<'c>,
        held: Value<'c>,
        holder: Scalar,
        integer: Type<'c>,
    ) -> Value<'c> {
        let word = types::integer(builder.context(), 32);
        if holder.is_float {
            return builder.value("arith.bitcast", &[held], integer);
        }
        if holder.bits >= 32 {
            return held;
        }
        let is_padded = held.ty() == word;
        let wide = if is_padded {
            held
        } else {
            builder.value("spirv.UConvert", &[held], word)
        };
        builder.value("arith.trunci", &[wide], integer)
    }

    fn store_held(
        &self,
        builder: Builder<'c>,
        root: &mut Root<'c>,
        holder: Scalar,
        index: Value<'c>,
        bits: Value<'c>,
    ) {
        let to = self.pointer(builder, root, holder, index);
        let word = types::integer(builder.context(), 32);
        let value = if holder.is_float {
            builder.value("arith.bitcast", &[bits], to.pointee)
        } else if holder.bits < 32 {
            let wide = builder.value("arith.extui", &[bits], word);
            if to.pointee == word {
                wide
            } else {
                builder.value("spirv.UConvert", &[wide], to.pointee)
            }
        } else {
            bits
        };
        self.emitter.store(builder, to, value);
    }

    /// A word that holds several elements.
    fn load_word(&self, builder: Builder<'c>, root: &mut Root<'c>, index: Value<'c>) -> Value<'c> {
        let from = self.pointer(builder, root, Scalar::WORD, index);
        let is_seen = root.class() != Class::Function;
        if !(is_seen && self.stores_to_words) {
            return self.emitter.load(builder, from);
        }
        let scope = self.emitter.constant(builder, self.scope_number(root));
        let relaxed = self.emitter.constant(builder, 0);
        let operands = [from.value, scope, relaxed];
        let loaded =
            self.emitter
                .instruction(builder, "OpAtomicLoad", &operands, Some(from.pointee));
        loaded.unwrap_or_else(|| unreachable!("a load has a result"))
    }

    fn store_part(
        &self,
        builder: Builder<'c>,
        root: &mut Root<'c>,
        part: Part<'c>,
        bits: Value<'c>,
        width: u32,
    ) {
        let to = self.pointer(builder, root, Scalar::WORD, part.word);
        let word = types::integer(builder.context(), 32);
        let binary = |name, left, right| builder.value(name, &[left, right], word);
        let wide = builder.value("arith.extui", &[bits], word);
        let set = binary("arith.shli", wide, part.shift);
        let ones = builder.integer(word, (1 << width) - 1);
        let mask = binary("arith.shli", ones, part.shift);
        let all = builder.integer(word, -1);
        let others = binary("arith.xori", mask, all);
        if root.class() == Class::Function {
            let old = self.emitter.load(builder, to);
            let kept = binary("arith.andi", old, others);
            let new = binary("arith.ori", kept, set);
            self.emitter.store(builder, to, new);
            return;
        }
        for (name, operand) in [("spirv.AtomicAnd", others), ("spirv.AtomicOr", set)] {
            builder
                .op(name)
                .operands(&[to.value, operand])
                .attribute("memory_scope", self.scope(root))
                .attribute(
                    "semantics",
                    self.emitter.attribute("#spirv.memory_semantics<None>"),
                )
                .result(word)
                .build();
        }
    }

    /// The scope of those who may access a root's neighbours.
    fn scope(&self, root: &Root<'c>) -> xpu_dialect::ir::Attribute<'c> {
        self.emitter.attribute(match root.origin {
            Origin::Buffer { .. } => "#spirv.scope<Device>",
            Origin::Workgroup(_) | Origin::Private(_) => "#spirv.scope<Workgroup>",
        })
    }

    fn scope_number(&self, root: &Root<'c>) -> i32 {
        let scope = match root.origin {
            Origin::Buffer { .. } => xpu_targets::Scope::Device,
            Origin::Workgroup(_) | Origin::Private(_) => xpu_targets::Scope::Workgroup,
        };
        xpu_targets::vulkan::scope_number(scope).map_or(1, |number| number as i32)
    }
}

/// An element in the 32-bit word around it.
struct Part<'c> {
    /// The index of the word.
    word: Value<'c>,
    /// How far the element is from the word's lowest bit.
    shift: Value<'c>,
}

impl<'c> Part<'c> {
    fn of(builder: Builder<'c>, index: Value<'c>, bits: u32) -> Self {
        let each = i64::from(32 / bits);
        let binary = |name, left: Value<'c>, right| builder.value(name, &[left, right], left.ty());
        let word = binary("arith.shrui", index, builder.index(each.ilog2().into()));
        let position = binary("arith.andi", index, builder.index(each - 1));
        let position = builder.value(
            "arith.index_castui",
            &[position],
            types::integer(builder.context(), 32),
        );
        let scale = builder.integer(position.ty(), bits.ilog2().into());
        Self {
            word,
            shift: binary("arith.shli", position, scale),
        }
    }
}

/// The indices of the two words of a 64-bit element.
fn halves<'c>(builder: Builder<'c>, index: Value<'c>) -> [Value<'c>; 2] {
    let two = builder.index(2);
    let low = builder.value("arith.muli", &[index, two], index.ty());
    let one = builder.index(1);
    [low, builder.value("arith.addi", &[low, one], index.ty())]
}

/// The bits of an element's value, as an integer of that width.
pub(crate) fn to_bits<'c>(builder: Builder<'c>, value: Value<'c>, bits: u32) -> Value<'c> {
    let integer = types::integer(builder.context(), bits);
    let ty = value.ty();
    let how = if ty == integer {
        return value;
    } else if types::is_index(ty) {
        "arith.index_castui"
    } else if types::is_float(ty) {
        "arith.bitcast"
    } else {
        // i1 is a byte in memory.
        "arith.extui"
    };
    builder.value(how, &[value], integer)
}

/// The value of an element that has these bits.
pub(crate) fn from_bits<'c>(builder: Builder<'c>, bits: Value<'c>, element: Type<'c>) -> Value<'c> {
    let how = if bits.ty() == element {
        return bits;
    } else if types::is_index(element) {
        "arith.index_castui"
    } else if types::is_float(element) {
        "arith.bitcast"
    } else {
        "arith.trunci"
    };
    builder.value(how, &[bits], element)
}
