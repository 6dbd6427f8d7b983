//! Plain load, operation, store, where no other work-item takes part.
//!
//! ```mlir
//! %old = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(workitem) : memref<?xi32>
//! // becomes
//! %old = memref.load %m[%i] : memref<?xi32>
//! %new = arith.addi %old, %v : i32
//! memref.store %new, %m[%i] : memref<?xi32>
//! ```

use super::arith::Arith;
use super::combine::combine;
use super::control;
use super::site::{Site, What};
use xpu_dialect::ir::Value;

/// The results of the operation.
pub(super) fn expand<'c>(site: &Site<'c>) -> Vec<Value<'c>> {
    let builder = site.builder();
    let place = &site.place;
    match site.what {
        What::Rmw(kind, operand) => {
            let old = place.plain_load(builder);
            let new = combine(builder, kind, site.ty, old, operand);
            place.plain_store(builder, new);
            vec![old]
        }
        What::Cas {
            expected, desired, ..
        } => {
            let old = place.plain_load(builder);
            // A failed comparison stores nothing, not even what was there: with scope(workitem) on
            // memory that others read, a store would race with their reads.
            let equal = builder.same_bits(old, expected);
            control::only_if(builder, equal, |builder| {
                place.plain_store(builder, desired)
            });
            vec![old]
        }
        What::Load => vec![place.plain_load(builder)],
        What::Store(value) => {
            place.plain_store(builder, value);
            Vec::new()
        }
    }
}
