//! A read-modify-write as a loop around a compare-and-swap.
//!
//! ```mlir
//! %first = xpu.atomic_load %m[%i] ordering(relaxed) scope(S) : memref<?xf32>
//! %old = scf.while (%seen = %first) : (f32) -> f32 {
//!   %new = arith.addf %seen, %v : f32
//!   %got = xpu.cas %seen, %new, %m[%i] ordering(O) failure(relaxed) scope(S) : memref<?xf32>
//!   // %lost: whether the bits of %got and %seen differ
//!   scf.condition(%lost) %got : f32
//! } do { … }
//! ```
//!
//! - The first read is atomic: a plain one may be merged with an earlier load, and races with the
//!   stores of others.
//! - The loop ends on equal bits, which is what the swap itself compares. A comparison of floats
//!   would never end on a NaN, and would end too early on the other zero.
//! - Only the swap that ends the loop takes part in the ordering: it reads the old value and writes
//!   the new one, with the ordering asked for. The reads before it are guesses, which it confirms.

use super::arith::Arith;
use super::combine::combine;
use super::control;
use super::place::Place;
use super::site::{Site, What};
use xpu_dialect::axes::{Kind, Ordering};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Value};

/// The results of the operation.
///
/// # Errors
///
/// Where it is no read-modify-write: a swap that is not native has nothing to be made of.
pub(super) fn expand<'c>(
    site: &Site<'c>,
    builder: Builder<'c>,
) -> Result<Vec<Value<'c>>, Reported> {
    let What::Rmw(kind, operand) = site.what else {
        return Err(site.nonsense("a CAS loop"));
    };
    let first = site.place.load(builder, Ordering::Relaxed);
    Ok(vec![from(site, builder, kind, operand, first)])
}

/// The loop of a read-modify-write, begun with a value that was read from its place; the old value.
pub(super) fn from<'c>(
    site: &Site<'c>,
    builder: Builder<'c>,
    kind: Kind,
    operand: Value<'c>,
    first: Value<'c>,
) -> Value<'c> {
    update(
        builder,
        &site.place,
        first,
        site.ordering,
        |builder, seen| combine(builder, kind, site.ty, seen, operand),
    )
}

/// Replaces what is at the place by what `next` makes of it; what it was. `first` is a guess at it.
pub(super) fn update<'c>(
    builder: Builder<'c>,
    place: &Place<'c>,
    first: Value<'c>,
    ordering: Ordering,
    next: impl FnOnce(Builder<'c>, Value<'c>) -> Value<'c>,
) -> Value<'c> {
    control::repeat(builder, first, |builder, seen| {
        let new = next(builder, seen);
        let got = place.cas(builder, seen, new, ordering, Ordering::Relaxed);
        (builder.bits_differ(got, seen), got)
    })
}
