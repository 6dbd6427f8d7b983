//! How an atomic that a target lacks is done with operations that it has: one file a form.
//!
//! Nothing here knows targets apart. [`expand`] does what the form says, with the scope and ordering of
//! the operation that it replaces. What it makes may itself be lacking (`sub` becomes `add`, which
//! becomes a loop on the word around it), so the pass asks the tables again.

pub(crate) mod arith;
mod cas_loop;
mod combine;
pub(crate) mod control;
mod fences;
mod guarded;
mod hoist;
mod int_trick;
mod place;
mod plain;
pub(crate) mod pointer;
mod rewrite;
mod site;
mod view;
mod word;

pub(crate) use hoist::order_loops;
pub(crate) use site::Site;

use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Value};
use xpu_targets::{Carrier, How, LoopOrder, Target};

/// Replaces the operation by what the form says.
///
/// # Errors
///
/// A form that refuses, and one that makes no sense for the operation: then the tables are wrong.
pub(crate) fn expand(site: &Site<'_>, how: How, target: &Target) -> Result<(), Reported> {
    let order = target.tables().loops;
    let results = match how {
        How::Native(_) => return Ok(()),
        How::Reject(reason) => return Err(site.refuse(target, reason)),
        How::Plain => plain::expand(site),
        How::CasLoop(carrier) => by_cas_loop(site, site.builder(), carrier, order)?,
        How::Rewrite(rewrite) => return rewrite::expand(site, rewrite),
        How::IntTrick(trick) => int_trick::expand(site, trick, order)?,
        How::Guarded {
            native: _,
            guard,
            fallback,
        } => guarded::expand(site, guard, fallback, order)?,
    };
    site.replace_with(&results);
    Ok(())
}

/// The loop on that carrier; the results of the operation.
fn by_cas_loop<'c>(
    site: &Site<'c>,
    builder: Builder<'c>,
    carrier: Carrier,
    order: LoopOrder,
) -> Result<Vec<Value<'c>>, Reported> {
    fences::around(site, builder, order, |site| match carrier {
        Carrier::SameWidth => cas_loop::expand(site, builder),
        Carrier::Word32 => word::expand(site, builder),
    })
}
