//! `xpu-resolve-signedness`: moves the sign from types to the kinds of atomics.
//!
//! Requires: nothing. Guarantees: every integer type in and below the operation is signless, in
//! values, signatures and attributes, whose numbers stay; no `xpu.sign_cast` and no kind `min` or
//! `max` is left. Does not: look at operations of other dialects; where one needs the sign of a
//! type, MLIR's verifier says so afterwards. Running it again changes nothing.
//!
//! ```mlir
//! %u = xpu.sign_cast %v : i32 to ui32
//! %old = xpu.atomic_rmw max %u, %m[%i] : memref<?xui32>
//! // becomes
//! %old = xpu.atomic_rmw umax %v, %m[%i] : memref<?xi32>
//! ```
//!
//! Refuses: `min` and `max` on memory whose elements have no sign.

use xpu_dialect::axes::Kind;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Op, Type};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types::{self, Sign};
use xpu_dialect::views::{AtomicRmw, SignCast};

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-resolve-signedness",
    summary: "Make integer types signless, and atomics say the sign instead",
    options: &[],
    dialects: &["xpu"],
    run,
};

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    let ops = root.descendants();
    let mut outcome = Ok(());
    for rmw in ops.iter().filter_map(|op| AtomicRmw::of(*op)) {
        outcome = resolve_kind(rmw).and(outcome);
    }
    outcome?;
    root.replace_types(|ty| signless(root, ty));
    for cast in ops.into_iter().filter_map(SignCast::of) {
        erase(cast);
    }
    Ok(())
}

fn resolve_kind(rmw: AtomicRmw<'_>) -> Result<(), Reported> {
    let kind = rmw.kind();
    if !matches!(kind, Kind::Min | Kind::Max) {
        return Ok(());
    }
    let element = rmw.value().ty();
    let sign = types::integer_parts(element).map(|(_, sign)| sign);
    let resolved = match (kind, sign) {
        (Kind::Min, Some(Sign::Signed)) => Kind::SMin,
        (Kind::Min, Some(Sign::Unsigned)) => Kind::UMin,
        (_, Some(Sign::Signed)) => Kind::SMax,
        (_, Some(Sign::Unsigned)) => Kind::UMax,
        (_, Some(Sign::Signless) | None) => {
            let name = kind.name();
            return Err(rmw.op().error(&format!(
                "kind '{name}' needs an element type with a sign, but '{element}' has none; write \
                 's{name}' or 'u{name}'"
            )));
        }
    };
    rmw.set_kind(resolved);
    Ok(())
}

/// The signless type of the same width; `None` where it has no sign.
fn signless<'c>(root: Op<'c>, ty: Type<'c>) -> Option<Type<'c>> {
    match types::integer_parts(ty)? {
        (width, Sign::Signed | Sign::Unsigned) => Some(types::integer(root.context(), width)),
        (_, Sign::Signless) => None,
    }
}

/// Removes a cast, which casts nothing any more.
fn erase(cast: SignCast<'_>) {
    let (source, result) = (cast.source(), cast.result_result());
    // In a block that nothing reaches, an operation may use its own result.
    if source != result {
        cast.op().replace_with(&[source]);
    }
}
