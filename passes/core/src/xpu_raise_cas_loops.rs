//! `xpu-raise-cas-loops`: makes a loop around a compare-and-swap into the read-modify-write that it is.
//!
//! Requires: nothing; works wherever `xpu.cas` or `llvm.cmpxchg` stands. Guarantees: what is raised does
//! what the loop did, and every loop that is left has a remark that says why and what would change that.
//! Does not: write orderings or scopes, but those that an `llvm.cmpxchg` says; raise what only happens to
//! compute the same, such as a loop whose turns may store nothing; know the arithmetic of LLVM's dialect.
//!
//! ```mlir
//! %first = memref.load %m[%i] : memref<?xi32>
//! %old = scf.while (%seen = %first) : (i32) -> i32 {
//!   %new = arith.maxsi %seen, %v : i32
//!   %got = xpu.cas %seen, %new, %m[%i] ordering(acq_rel) : memref<?xi32>
//!   %lost = arith.cmpi ne, %got, %seen : i32
//!   scf.condition(%lost) %got : i32
//! } do {
//! ^bb0(%again: i32):
//!   scf.yield %again : i32
//! }
//! // becomes
//! %old = xpu.atomic_rmw smax %v, %m[%i] ordering(acq_rel) : memref<?xi32>
//! ```
//!
//! A loop is raised where all of these hold, and it is left with a remark where one does not:
//!
//! 1. *Shape.* It is an `scf.while` whose first region swaps, or a block of `cf` that goes back to
//!    itself, at most by way of a block that hands values on. Else the swap might not be reached in
//!    each turn, and a turn without one stores nothing.
//! 2. *Effects.* A turn does nothing but compute (`arith`, `math`, `index`, ids), swap once, and read
//!    the element. Anything else would be done again in each turn, and once only behind the operation.
//! 3. *End.* It ends exactly where the bits of the old value are those that were expected, which is
//!    where the swap has stored. A bound on the turns may end it without having stored. A comparison
//!    of floats never ends it on a NaN, and ends it without having stored on the other zero.
//! 4. *Expectation.* What a turn expects is what was read last, by the swap before or by a load of the
//!    element in the loop. A swap that always expects the same value waits for it: it is a lock. What
//!    the first turn expects is a guess, which may be anything: the swap confirms it.
//! 5. *Element.* Loads, those before the loop that the guess comes from too, are of the element that
//!    is swapped, in its width, and memref and indices do not depend on what was read. A loop that
//!    expects what another element holds waits for the two to be equal.
//! 6. *Order.* The reads order no more than the operation will, at the same scope. In the turn that
//!    ends, the swap reads and writes as the operation does, with its ordering and scope; the reads
//!    before, and swaps that fail, may be taken to have read the same write at the same moment, and
//!    then synchronise with nothing that the operation does not synchronise with. `failure` is never
//!    stronger than the reading half of `ordering`, which the dialect verifies; where `ordering` is
//!    absent yet, `failure` must be absent or relaxed. The atomic load before the loop stays where
//!    something that it may order stands between, since a fence there acquires through it.
//! 7. *Kind.* What is stored is one of the kinds, of the old value and a value that is the same in
//!    each turn. See [`crate::body_kind`] for what is recognised; bit casts are looked through, and
//!    operations on widened i8, i16, f16 and bf16. A choice of floats by `arith.cmpf` is neither
//!    `fmin` nor `fminimum` where one is a NaN or both are zeros.
//! 8. *Uses.* What is used behind the loop is the old value, or computed from it and from what is the
//!    same in each turn: the new value is computed again. The number of turns is not to be had.

use crate::raise::{self, Found};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::views::Cas;

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-raise-cas-loops",
    summary: "Make loops around a compare-and-swap into the read-modify-write that they are",
    options: &[],
    dialects: &["arith", "cf", "xpu"],
    run,
};

fn run(root: Op<'_>, _options: &OptionValues<'_>) -> Result<(), Reported> {
    // A loop that is raised takes one swap with it, so that the others stay alive. One remark is
    // enough for a loop with several.
    let swaps = root.descendants().into_iter();
    let swaps: Vec<Op<'_>> = swaps
        .filter(|op| op.is(Cas::NAME) || op.is(raise::LLVM_SWAP))
        .collect();
    let mut remarked: Vec<Op<'_>> = Vec::new();
    for swap in swaps {
        let (at, refusal) = match raise::find(swap) {
            Found::Nothing => continue,
            Found::Other(at, refusal) => (at, refusal),
            Found::Loop(around) => {
                let done = match Cas::of(swap) {
                    Some(cas) => raise::exchange(&around, cas),
                    None => raise::exchange_llvm(swap),
                };
                match done {
                    Ok(()) => continue,
                    Err(refusal) => (around.op(swap), refusal),
                }
            }
        };
        if !remarked.contains(&at) {
            at.remark(&format!("stays a loop: {}", refusal.0));
            remarked.push(at);
        }
    }
    Ok(())
}
