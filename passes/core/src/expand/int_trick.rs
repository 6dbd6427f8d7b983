//! `fmin` and `fmax` of f32 and f64 by integer minimum and maximum of their bits.
//!
//! Floats of one sign are ordered as their bits are: those with a clear sign bit upwards, those with
//! a set one downwards. Let `m` be the bits in memory and `v` those of an operand that is a number.
//! For fmin, with `smin` for a clear sign of `v` and `umax` for a set one:
//!
//! | `v`          | `m`                | smin / umax                                     | right        |
//! |--------------|--------------------|-------------------------------------------------|--------------|
//! | sign clear   | number, clear      | both are ≥ 0, ordered upwards: the lesser       | the lesser   |
//! | sign clear   | number, set (or -0)| `m` < 0 ≤ `v`: `m`                              | `m` (-0 < +0)|
//! | sign clear   | NaN, clear         | above infinity, so above `v`: `v`               | `v`          |
//! | sign clear   | **NaN, set**       | `m` < 0 ≤ `v`: `m`                              | **`v`**      |
//! | sign set     | any, clear         | unsigned below `v`: `v`                         | `v`          |
//! | sign set     | number, set        | unsigned, ordered downwards: the lesser         | the lesser   |
//! | sign set     | **NaN, set**       | unsigned above -infinity, so above `v`: `m`     | **`v`**      |
//!
//! fmax is its mirror image, with `smax` for a clear sign, `umin` for a set one, and a NaN of clear
//! sign in memory as the one that defeats it.
//!
//! - **The NaN that defeats the step** stays in memory as it was, and the old value that the step
//!   returned shows it. Then the update has not been done yet. (The step wrote back what it read, which
//!   nobody can tell from its not having been there.)
//!   - Repaired in a loop: a CAS loop does it that begins with that value; its first swap replaces that
//!     NaN by `v` unless the memory changed meanwhile. The swap that succeeds is the update, at one
//!     instant, and its old value is the result.
//!   - Repaired once: that first swap, and where the memory changed before it, the step again. Either is
//!     the update, at one instant, but for one case: between a swap that failed and the second step,
//!     others put a second NaN there that defeats it. That NaN stays, and the update counts as done
//!     just before it: of what replaced memory by that NaN, only an old value that it returned could tell.
//! - **A NaN operand** leaves memory alone, whatever is there, but must still order. It stands for
//!   the identity of the step: the largest signed integer for `smin`, the largest unsigned one for
//!   `umin`. Each has the sign bit that chooses that step. Nothing is repaired then.

use super::arith::{Arith, Compare};
use super::combine::{infinity, is_nan, largest};
use super::site::{Site, What};
use super::{cas_loop, control, fences, view};
use crate::axes;
use std::convert::Infallible;
use xpu_dialect::axes::{Kind, Ordering};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Value};
use xpu_targets::{IntTrick, LoopOrder, NanSign, Repair, Ty};

/// The results of the operation.
///
/// # Errors
///
/// Where it is no `fmin` or `fmax`, or the trick has no identity that a NaN could stand for.
pub(super) fn expand<'c>(
    site: &Site<'c>,
    trick: IntTrick,
    order: LoopOrder,
) -> Result<Vec<Value<'c>>, Reported> {
    let (What::Rmw(kind @ (Kind::FMin | Kind::FMax), operand), Some(identity)) =
        (site.what, identity(trick, site.ty))
    else {
        return Err(site.nonsense("the integer trick"));
    };
    let builder = site.builder();
    let place = view::as_integer(builder, &site.place);
    let bits = builder.bits(operand);
    let operand_is_nan = is_nan(builder, site.ty, bits);
    let identity = builder.integer(bits.ty(), identity);
    let step_operand = builder.select(operand_is_nan, identity, bits);

    let zero = builder.integer(bits.ty(), 0);
    let negative = builder.compare(Compare::SignedLess, step_operand, zero);
    let step = |builder: Builder<'c>| {
        let one = |kind| {
            let (place, ordering) = (&place, site.ordering);
            move |builder| {
                vec![place.rmw(builder, axes::dialect_kind(kind), step_operand, ordering)]
            }
        };
        let (negatively, positively) = (one(trick.negative), one(trick.positive));
        control::choose(builder, negative, &[bits.ty()], negatively, positively)[0]
    };
    let old = step(builder);

    let stuck = defeats(builder, site.ty, trick.defeated_by, old);
    let operand_is_number = builder.not(operand_is_nan);
    let defeated = builder.and(stuck, operand_is_number);
    match trick.repair {
        Repair::Loop => {
            let old = builder.cast_bits(old, site.element);
            let looped = |builder| {
                let Ok(repaired) = fences::around(site, builder, order, |site| {
                    Ok::<_, Infallible>(vec![cas_loop::from(site, builder, kind, operand, old)])
                });
                repaired
            };
            let results =
                control::choose(builder, defeated, &[site.element], looped, |_| vec![old]);
            Ok(results)
        }
        Repair::Once => {
            let again = |builder: Builder<'c>| {
                let got = place.cas(builder, old, bits, site.ordering, Ordering::Relaxed);
                let is_lost = builder.bits_differ(got, old);
                control::choose(
                    builder,
                    is_lost,
                    &[bits.ty()],
                    |builder| vec![step(builder)],
                    |_| vec![got],
                )
            };
            let old = control::choose(builder, defeated, &[bits.ty()], again, |_| vec![old])[0];
            Ok(vec![builder.cast_bits(old, site.element)])
        }
    }
}

/// The integer that changes no memory, in the step that its own sign bit chooses.
fn identity(trick: IntTrick, ty: Ty) -> Option<i64> {
    use xpu_targets::Kind::{Smin, Umin};
    match (ty, trick.positive, trick.negative) {
        // The largest signed integer, whose sign bit is clear.
        (Ty::F32 | Ty::F64, Smin, _) => Some(largest(ty)),
        // The largest unsigned integer, whose sign bit is set.
        (Ty::F32 | Ty::F64, _, Umin) => Some(-1),
        _ => None,
    }
}

/// Whether bits are those of a NaN with that sign.
fn defeats<'c>(builder: Builder<'c>, ty: Ty, sign: NanSign, bits: Value<'c>) -> Value<'c> {
    match sign {
        // Signed, everything with a set sign bit is below.
        NanSign::Positive => {
            let infinity = builder.integer(bits.ty(), infinity(ty));
            builder.compare(Compare::SignedGreater, bits, infinity)
        }
        // Unsigned, everything with a clear sign bit is below. Beside infinity's bits, the sign bit
        // is all that the largest signed integer lacks.
        NanSign::Negative => {
            let infinity = builder.integer(bits.ty(), !largest(ty) | infinity(ty));
            builder.compare(Compare::UnsignedGreater, bits, infinity)
        }
    }
}
