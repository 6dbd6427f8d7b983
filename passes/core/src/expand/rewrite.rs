//! An operation as another one of the dialect, whose own form then counts.

use super::arith::Arith;
use super::combine::negate;
use super::site::{Site, What};
use super::word::Word;
use xpu_dialect::axes::Kind;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::views::AtomicRmw;
use xpu_targets::Rewrite;

/// Replaces the operation.
///
/// # Errors
///
/// Where the rewrite is of another kind of operation, or the word around the element cannot be told.
pub(super) fn expand(site: &Site<'_>, rewrite: Rewrite) -> Result<(), Reported> {
    if let (What::Load, Rewrite::WholeWord) = (site.what, rewrite) {
        let builder = site.builder();
        let word = Word::of(site, builder)?;
        let seen = word.place.load(builder, site.ordering);
        site.op.replace_with(&[word.element(builder, seen)]);
        return Ok(());
    }
    let (What::Rmw(kind, operand), Some(op)) = (site.what, AtomicRmw::of(site.op)) else {
        return Err(site.nonsense(rewrite.name()));
    };
    let builder = site.builder();
    match (rewrite, kind) {
        (Rewrite::AddOfNegated, Kind::Sub) => {
            let zero = builder.integer(operand.ty(), 0);
            op.set_kind(Kind::Add);
            site.op.set_operand(0, builder.subtract(zero, operand));
        }
        (Rewrite::FaddOfNegated, Kind::FSub) => {
            op.set_kind(Kind::FAdd);
            site.op.set_operand(0, negate(builder, operand));
        }
        (Rewrite::WholeWord, Kind::And | Kind::Or | Kind::Xor) => {
            let word = Word::of(site, builder)?;
            let element = word.in_place(builder, operand);
            // Ones leave a bit alone in an and, zeros in an or and an xor.
            let operand = if kind == Kind::And {
                let neighbours = builder.not(word.mask);
                builder.or(element, neighbours)
            } else {
                element
            };
            let old = word.place.rmw(builder, kind, operand, site.ordering);
            if site.is_used() {
                site.op.replace_with(&[word.element(builder, old)]);
            } else {
                site.op.erase();
            }
        }
        (Rewrite::AddOfNegated | Rewrite::FaddOfNegated | Rewrite::WholeWord, _) => {
            return Err(site.nonsense(rewrite.name()));
        }
    }
    Ok(())
}
