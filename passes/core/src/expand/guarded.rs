//! The instruction where the operand shows that it is exact, and a CAS loop where it does not.
//!
//! ```mlir
//! %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(O) scope(S) : memref<?xf32>
//! // becomes
//! %bits = arith.bitcast %v : f32 to i32
//! %magnitude = arith.andi %bits, %c0x7fffffff : i32
//! %exact = arith.cmpi uge, %magnitude, %c0x0d000000 : i32
//! %old = scf.if %exact -> (f32) {
//!   %a = xpu.atomic_rmw fadd %v, %m[%i] ordering(O) scope(S) denormals(flush) : memref<?xf32>
//!   scf.yield %a : f32
//! } else {
//!   // the CAS loop
//! }
//! ```
//!
//! Where the result has no use, neither have those in the branches.

use super::arith::{Arith, Compare};
use super::combine::magnitude;
use super::control;
use super::site::{Site, What};
use xpu_dialect::axes::DenormalMode;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Value};
use xpu_dialect::views::AtomicRmw;
use xpu_targets::{Carrier, Guard, LoopOrder};

/// The results of the operation.
///
/// # Errors
///
/// Where the operation has no operand to look at, or cannot be a CAS loop.
pub(super) fn expand<'c>(
    site: &Site<'c>,
    guard: Guard,
    fallback: Carrier,
    order: LoopOrder,
) -> Result<Vec<Value<'c>>, Reported> {
    let What::Rmw(_, operand) = site.what else {
        return Err(site.nonsense("a guard"));
    };
    let builder = site.builder();
    let exact = match guard {
        Guard::MagnitudeBitsAtLeast(least) => {
            let bits = builder.bits(operand);
            let magnitude = magnitude(builder, site.ty, bits);
            let least = builder.integer(magnitude.ty(), least.cast_signed());
            builder.compare(Compare::UnsignedGreaterOrEqual, magnitude, least)
        }
    };
    // Where nothing uses the result, nothing may use that of the instruction either: then it may be
    // one that gives none.
    let results: &[_] = if site.is_used() { &[site.element] } else { &[] };
    let given = |values: Vec<Value<'c>>| if site.is_used() { values } else { Vec::new() };
    let mut looped = Ok(Vec::new());
    let results = control::choose(
        builder,
        exact,
        results,
        |builder| given(vec![native(site, builder)]),
        |builder| {
            looped = super::by_cas_loop(site, builder, fallback, order);
            given(looped.clone().unwrap_or_default())
        },
    );
    looped.map(|_| results)
}

/// The operation itself. The guard holds only where no flushed subnormal could show, so it may say
/// that it flushes, which is what gives it the instruction.
fn native<'c>(site: &Site<'c>, builder: Builder<'c>) -> Value<'c> {
    let copy = site.op.clone_detached();
    if let Some(rmw) = AtomicRmw::of(copy) {
        rmw.set_denormals(DenormalMode::Flush);
    }
    builder.insert(copy);
    copy.result(0)
}
