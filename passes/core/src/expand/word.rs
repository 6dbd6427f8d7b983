//! An element of 8 or 16 bits through the aligned 32-bit word around it.
//!
//! The word's other bytes are put back as they were read, in the same swap that finds them still
//! there: where a neighbour changed meanwhile, the swap fails and the loop goes round. So neighbours
//! are never touched. Buffers of such elements are whole words, aligned to words, so that the word
//! is all in the buffer.
//!
//! ```mlir
//! %words = xpu.reinterpret %m : memref<?xi8> to memref<?xi32>
//! %w = arith.shrui %i, %c2 : index            // four elements a word
//! %shift = …                                  // 8 * (%i mod 4): words are little-endian
//! %first = xpu.atomic_load %words[%w] ordering(relaxed) scope(S) : memref<?xi32>
//! %last = scf.while (%seen = %first) : (i32) -> i32 {
//!   %element = …                              // the 8 bits of %seen at %shift
//!   %new = arith.addi %element, %v : i8
//!   %word = …                                 // %seen with %new at %shift
//!   %got = xpu.cas %seen, %word, %words[%w] ordering(O) failure(relaxed) scope(S) : memref<?xi32>
//!   %lost = arith.cmpi ne, %got, %seen : i32
//!   scf.condition(%lost) %got : i32
//! } do { … }
//! %old = …                                    // the 8 bits of %last at %shift
//! ```

use super::arith::{Arith, Compare, bits_type, constant};
use super::combine::combine;
use super::place::Place;
use super::site::{Site, What};
use super::{cas_loop, control, view};
use crate::memory;
use xpu_dialect::axes::Ordering;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Type, Value};
use xpu_dialect::types;

/// The results of the operation.
///
/// # Errors
///
/// Where the word cannot be told, and where the element is a word itself.
pub(super) fn expand<'c>(
    site: &Site<'c>,
    builder: Builder<'c>,
) -> Result<Vec<Value<'c>>, Reported> {
    let word = Word::of(site, builder)?;
    let old = match site.what {
        What::Rmw(kind, operand) => {
            let first = word.place.load(builder, Ordering::Relaxed);
            cas_loop::update(
                builder,
                &word.place,
                first,
                site.ordering,
                |builder, seen| {
                    let old = word.element(builder, seen);
                    let new = combine(builder, kind, site.ty, old, operand);
                    word.with_element(builder, seen, new)
                },
            )
        }
        What::Cas {
            expected,
            desired,
            failure,
        } => word.compare_and_swap(builder, expected, desired, site.ordering, failure),
        What::Load => return Err(site.nonsense("a CAS loop")),
        What::Store(value) => {
            let first = word.place.load(builder, Ordering::Relaxed);
            cas_loop::update(
                builder,
                &word.place,
                first,
                site.ordering,
                |builder, seen| word.with_element(builder, seen, value),
            );
            return Ok(Vec::new());
        }
    };
    Ok(vec![word.element(builder, old)])
}

/// The word around an element.
pub(super) struct Word<'c> {
    /// Where the word is.
    pub(super) place: Place<'c>,
    /// How far the element is from the word's lowest bit.
    shift: Value<'c>,
    /// The element's bits in the word.
    pub(super) mask: Value<'c>,
    element: Type<'c>,
}

impl<'c> Word<'c> {
    /// The word around a site's element.
    ///
    /// # Errors
    ///
    /// Where a view may have moved the buffer's start away from a word, and where the element is a
    /// word itself.
    pub(super) fn of(site: &Site<'c>, builder: Builder<'c>) -> Result<Self, Reported> {
        let bits = i64::from(site.ty.bits());
        if bits >= 32 {
            return Err(site.nonsense("the 32-bit word around the element"));
        }
        if memory::pointer(site.place.memref).is_none()
            && memory::views(site.place.memref)
                .any(|view| view.is("memref.view") && !is_aligned(view))
        {
            return Err(site.op.error(&format!(
                "on '{}' swaps the aligned 32-bit word around the element, but a 'memref.view' may \
                 shift it away from words; make the byte shift a constant multiple of 4, or use \
                 'memref.subview'",
                site.ty
            )));
        }
        let (place, at) = view::as_word(builder, &site.place);
        let context = builder.context();
        let word = types::integer(context, 32);
        let in_word = builder.index(32 / bits - 1);
        let position = builder.and(at, in_word);
        let position = builder.value("arith.index_castui", &[position], word);
        let bits_log2 = builder.integer(word, bits.ilog2().into());
        let shift = builder.shift_left(position, bits_log2);
        let ones = builder.integer(word, (1 << bits) - 1);
        let mask = builder.shift_left(ones, shift);
        Ok(Self {
            place,
            shift,
            mask,
            element: site.element,
        })
    }

    /// The element in a word.
    pub(super) fn element(&self, builder: Builder<'c>, word: Value<'c>) -> Value<'c> {
        let lowest = builder.shift_right(word, self.shift);
        let ty = bits_type(builder.context(), self.element);
        let bits = builder.value("arith.trunci", &[lowest], ty);
        builder.cast_bits(bits, self.element)
    }

    /// The element at its place in a word that is zero elsewhere.
    pub(super) fn in_place(&self, builder: Builder<'c>, element: Value<'c>) -> Value<'c> {
        let bits = builder.bits(element);
        let lowest = builder.value("arith.extui", &[bits], self.mask.ty());
        builder.shift_left(lowest, self.shift)
    }

    /// The word with another element, other bytes as they are.
    fn with_element(&self, builder: Builder<'c>, word: Value<'c>, element: Value<'c>) -> Value<'c> {
        let element = self.in_place(builder, element);
        let others = self.others(builder, word);
        builder.or(others, element)
    }

    /// The word with zeros for the element.
    fn others(&self, builder: Builder<'c>, word: Value<'c>) -> Value<'c> {
        let neighbours = builder.not(self.mask);
        builder.and(word, neighbours)
    }

    /// Compares and swaps the element alone; the word as it was.
    ///
    /// An element that differs ends the loop, and nothing is stored; a neighbour that changed
    /// between read and swap does not. The word that shows the difference was read with the failure
    /// ordering at least, since both the first read and a failed swap have it.
    fn compare_and_swap(
        &self,
        builder: Builder<'c>,
        expected: Value<'c>,
        desired: Value<'c>,
        ordering: Ordering,
        failure: Ordering,
    ) -> Value<'c> {
        let expected = self.in_place(builder, expected);
        let desired = self.in_place(builder, desired);
        let first = self.place.load(builder, failure);
        control::repeat(builder, first, |builder, seen| {
            let element = builder.and(seen, self.mask);
            let differs = builder.compare(Compare::NotEqual, element, expected);
            let results = [differs.ty(), seen.ty()];
            let outcome = control::choose(
                builder,
                differs,
                &results,
                |builder| vec![builder.integer(differs.ty(), 0), seen],
                |builder| {
                    let others = self.others(builder, seen);
                    let new = builder.or(others, desired);
                    let got = self.place.cas(builder, seen, new, ordering, failure);
                    vec![builder.bits_differ(got, seen), got]
                },
            );
            (outcome[0], outcome[1])
        })
    }
}

/// Whether a `memref.view` keeps words where they are: its byte shift is a constant multiple of 4.
fn is_aligned(view: xpu_dialect::ir::Op<'_>) -> bool {
    constant(view.operand(1)).is_some_and(|shift| shift % 4 == 0)
}
