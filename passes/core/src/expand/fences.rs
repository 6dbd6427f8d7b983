//! Loops that fences order, and not their swaps.
//!
//! ```mlir
//! xpu.fence ordering(release) scope(S)            // where the operation releases
//! %old = scf.while … { … xpu.cas … ordering(relaxed) failure(relaxed) scope(S) … }
//! xpu.fence ordering(acquire) scope(S)            // where it acquires
//! ```
//!
//! A release fence before a relaxed write, and an acquire fence after a relaxed read, synchronise as the
//! write and the read themselves would. The reads of earlier rounds are followed by the acquire fence
//! too, which is stronger than asked.

use super::site::{Site, What};
use crate::axes;
use xpu_dialect::axes::Ordering;
use xpu_dialect::ir::{Builder, Value};
use xpu_dialect::types;
use xpu_targets::LoopOrder;

/// Makes a loop of a site, with the ordering where the target has it.
///
/// # Errors
///
/// As `make`.
pub(super) fn around<'c, E>(
    site: &Site<'c>,
    builder: Builder<'c>,
    order: LoopOrder,
    make: impl FnOnce(&Site<'c>) -> Result<Vec<Value<'c>>, E>,
) -> Result<Vec<Value<'c>>, E> {
    if order == LoopOrder::Swap {
        return make(site);
    }
    let success = axes::ordering(site.ordering);
    let mut relaxed = site.clone();
    relaxed.ordering = Ordering::Relaxed;
    let mut acquires = success.acquires();
    if let What::Cas { failure, .. } = &mut relaxed.what {
        acquires |= axes::ordering(*failure).acquires();
        *failure = Ordering::Relaxed;
    }
    if success.releases() {
        fence(site, builder, Ordering::Release);
    }
    let results = make(&relaxed)?;
    if acquires {
        fence(site, builder, Ordering::Acquire);
    }
    Ok(results)
}

fn fence(site: &Site<'_>, builder: Builder<'_>, ordering: Ordering) {
    let number = |number| types::i32_attribute(builder.context(), number);
    builder
        .op("xpu.fence")
        .attribute("ordering", number(ordering.number()))
        .attribute("scope", number(site.place.scope.number()))
        .build();
}
