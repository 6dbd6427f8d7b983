//! Plain accesses to memory, and the pointers of atomic ones: to an element itself, to the word that it is
//! a part of, or to the words that it is made of.

use super::emitter::{Class, Emitter, Pointer};
use super::memory::{Origin, Root, Scalar};
use super::views::View;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types;
use xpu_targets::Target;

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
        if holder == element && element.is_float {
            return self.load_held(builder, root, holder, index);
        }
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
        if holder == element && element.is_float {
            let to = self.pointer(builder, root, holder, index);
            self.emitter.store(builder, to, value);
            return;
        }
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
        let scope = self.emitter.constant(builder, self.neighbours(root).1);
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
                .attribute(
                    "memory_scope",
                    self.emitter.attribute(self.neighbours(root).0),
                )
                .attribute(
                    "semantics",
                    self.emitter.attribute("#spirv.memory_semantics<None>"),
                )
                .result(word)
                .build();
        }
    }

    /// The scope of those who may access a root's neighbours: of all that a launch runs, which are in
    /// one family of queues.
    fn neighbours(&self, root: &Root<'c>) -> (&'static str, i32) {
        let lacks_device = self.target.has("vulkan_memory_model")
            && !self.target.has("vulkan_memory_model_device_scope");
        match root.origin {
            Origin::Workgroup(_) | Origin::Private(_) => ("#spirv.scope<Workgroup>", 2),
            Origin::Buffer { .. } if lacks_device => ("#spirv.scope<QueueFamily>", 5),
            Origin::Buffer { .. } => ("#spirv.scope<Device>", 1),
        }
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
