//! Buffers, workgroup memory and private memory: how each is declared.
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

use super::emitter::{Class, Emitter, Variable};
use super::views::byte_size;
use xpu_dialect::Context;
use xpu_dialect::ir::{Builder, Type};
use xpu_dialect::types;
use xpu_targets::Target;

/// A type that a variable's elements are declared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scalar {
    pub(super) bits: u32,
    pub(super) is_float: bool,
}

impl Scalar {
    pub(super) const WORD: Self = Self::integer(32);

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

    /// Whether Vulkan has elements and scalars of a type, be it only as their bits.
    pub(crate) fn is_known(ty: Type<'_>) -> bool {
        let widths: &[u32] = if types::is_float(ty) {
            &[8, 16, 32, 64]
        } else {
            &[1, 8, 16, 32, 64]
        };
        types::is_index(ty) || types::bit_width(ty).is_some_and(|bits| widths.contains(&bits))
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
    pub(super) fn ty(self, context: &Context) -> Type<'_> {
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
    pub(super) plain: Vec<Scalar>,
    pub(super) is_stored: bool,
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
    pub(super) fn holder(&self, element: Scalar, target: &Target) -> Scalar {
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
    pub(super) fn one_type(&self, target: &Target) -> Scalar {
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

    pub(super) fn class(&self) -> Class {
        match self.origin {
            Origin::Buffer { .. } => Class::StorageBuffer,
            Origin::Workgroup(_) => Class::Workgroup,
            Origin::Private(_) => Class::Function,
        }
    }

    /// The variable with elements of that type.
    pub(super) fn variable(&mut self, emitter: &Emitter<'c>, scalar: Scalar) -> Variable<'c> {
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
